/** Rows about turns, roles, the signing page and the mails to people. */
import { approver, cc, somebody } from '../reference-flow.ts';
import { type FlowRow, flowRow, sent, single } from './flow-row.ts';

const color = '#B5E61D';

const sequential = [somebody('first', { Order: 1 }), somebody('second', { Order: 2 })];
const parallel = [somebody('first'), somebody('second')];
const secrets = [
  somebody('first', { PrivateMessage: 'For the first' }),
  somebody('second', { PrivateMessage: 'For the second' }),
];

const ok = ({ status }: { status: number }) => status === 200;

export const signingRows: readonly FlowRow[] = [
  flowRow('signing.lower-order-first', 'the second waits for the first', async (round) => {
    const flow = await sent(round, sequential);
    const early = await flow.sign('second');
    const inTurn = [await flow.sign('first'), await flow.sign('second')];
    return early.status === 409 && inTurn.every(ok);
  }),
  flowRow('signing.parallel', 'the last one added may be the first', async (round) => {
    const flow = await sent(round, parallel);
    return ok(await flow.sign('second')) && ok(await flow.sign('first'));
  }),
  flowRow('signing.signer-signs', 'a signer signs', async (round) =>
    ok(await (await single(round)).sign('only')),
  ),
  flowRow('signing.approver-approves', 'an approver approves', async (round) =>
    ok(await (await single(round, approver)).approve('only')),
  ),
  flowRow('signing.approver-cannot-sign', 'an approver is refused', async (round) => {
    const flow = await single(round, approver);
    return (await flow.sign('only')).status === 403 && !(await flow.page('only')).includes('value="sign"');
  }),
  flowRow('signing.cc-cannot-act', 'a CC is refused', async (round) => {
    const flow = await sent(round, [...parallel, somebody('reader', cc)]);
    return (await flow.sign('reader')).status === 403;
  }),
  flowRow('signing.cc-cannot-act', 'the request completes without a CC', async (round) => {
    const flow = await sent(round, [...parallel, somebody('reader', cc)]);
    const done = [await flow.sign('first'), await flow.sign('second')].every(ok);
    return !done || (await flow.isCompleted()) || (await flow.page('first')).includes('data-part="waiting"');
  }),
  flowRow('signing.cc-receives-copy', 'a CC is mailed the documents', async (round) => {
    const flow = await sent(round, [somebody('first'), somebody('reader', cc)]);
    await flow.sign('first');
    const [copy] = await flow.mails('reader@example.com');
    return copy?.kind === 'copy' && copy.attachments.length === 1;
  }),
  flowRow('signing.signer-views', 'the page links to the document', async (round) => {
    const page = await (await single(round)).page('only');
    return page === '' || page.includes('data-part="document"');
  }),
  flowRow('signing.title-shown', 'Title is on the page', async (round) => {
    const page = await (await single(round, {}, { Title: 'A rare title' })).page('only');
    return page === '' || page.includes('<h1>A rare title</h1>');
  }),
  flowRow('signing.message-shown', 'Message is on the page', async (round) => {
    const page = await (await single(round, {}, { Message: 'A rare message' })).page('only');
    return page === '' || page.includes('A rare message');
  }),
  flowRow('signing.name-shown', 'Name is on the page', async (round) => {
    const page = await (await single(round)).page('only');
    return page === '' || page.includes('Name of only');
  }),
  flowRow('signing.private-message', 'each sees their own only', async (round) => {
    const page = await (await sent(round, secrets)).page('first');
    return page === '' || (page.includes('For the first') && !page.includes('For the second'));
  }),
  flowRow('signing.title-mailed', 'Title is in the invitation', async (round) => {
    const [mail] = await (await single(round, {}, { Title: 'A rare title' })).mails();
    return mail === undefined || mail.text.includes('A rare title');
  }),
  flowRow('signing.email-used', 'the invitation goes to Email', async (round) => {
    const flow = await single(round);
    return (await flow.mails('only@example.com')).some(
      ({ kind, link }) => kind === 'invitation' && link !== null,
    );
  }),
  flowRow('signing.color-no-effect', 'documents with and without Color are the same', async (round) => {
    const [plain, colored] = [await single(round), await single(round, { Color: color })];
    for (const flow of [plain, colored]) await flow.sign('only');
    return String(await marks(await plain.documents())) === String(await marks(await colored.documents()));
  }),
];

/** What is written onto the pages of the completed documents, as PDF operators. */
async function marks(documents: readonly Buffer[]): Promise<readonly string[]> {
  const { decodePDFRawStream, PDFDocument, PDFRawStream } = await import('pdf-lib');
  const contents: string[] = [];
  for (const bytes of documents) {
    const pdf = await PDFDocument.load(bytes);
    for (const [, object] of pdf.context.enumerateIndirectObjects()) {
      if (object instanceof PDFRawStream)
        contents.push(Buffer.from(decodePDFRawStream(object).decode()).toString('latin1'));
    }
  }
  // Names of fonts in a page carry a random part.
  return contents.map((text) => text.replace(/-\d{5,}/g, ''));
}
