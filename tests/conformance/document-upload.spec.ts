/** Endpoint 1: what is accepted, and the document token. */
import { stampLabels } from '../../generators/bodies/stamping.ts';
import type { DocumentSource } from '../../generators/documents/document.ts';
import { docx } from '../../generators/documents/docx.ts';
import { labelledPdf } from '../../generators/documents/pdf.ts';
import {
  type AcceptedDocument,
  acceptedDocuments,
  type Format,
  type MakeDocument,
  refusedDocuments,
} from '../../generators/documents/rows.ts';
import type { Row } from '../../generators/row.ts';
import { decide, decideShared } from '../../harness/judging/ask.ts';
import { acceptedDocx, judgeOwnTokenTaken, secondDocx, upload } from '../../harness/judging/prerequisites.ts';
import { differ, hasToken, tokenIsString } from '../../harness/judging/readings.ts';
import { sharedFileName } from '../../harness/judging/shared.ts';
import { type Answer, isAccepted } from '../../harness/target/call.ts';
import type { Purpose } from '../../record/exchange.ts';
import { covers, test } from '../../running/fixtures.ts';

/** Documents whose bytes are made when their row is sent, each one of its own. */
const documents = (rows: readonly Row<MakeDocument>[]) => (source: DocumentSource) =>
  rows.map((row) => ({ ...row, input: () => row.input({ ...source, name: `${source.name} ${row.title}` }) }));

/** A creation knows the token of an upload: its answer is not 404. */
const tokenTaken = {
  judged: 'skeleton',
  expected: { is: 'success' },
  convicts: [404],
  excuses: ['token-used-up'],
} as const;

const ofFormat = (format: Format) => documents(acceptedDocuments.filter((row) => row.format === format));

test('a PDF is accepted', covers('upload.pdf'), async ({ upload }) => {
  const [{ title } = { title: '' }, ...others] = acceptedDocuments.filter(({ format }) => format === 'pdf');
  await upload.succeeds(title, 'docx');
  await upload.accepts(documents(others));
});

test('a DOC is accepted', covers('upload.doc'), async ({ upload }) => {
  await upload.as('upload.doc').accepts(ofFormat('doc'));
});

test('a DOCX is accepted', covers('upload.docx'), async ({ check, session, facts }) => {
  // Beside a PDF that is accepted, a refusal can only be due to the format.
  const of = { judged: 'own', expected: { is: 'success' }, vouching: 'document' } as const;
  const call = (purpose: Purpose) => (purpose === 'judged' ? session.shared('docx') : session.repeat('docx'));
  await check.row('a DOCX', (context) => decide(session, of, { call }, context));
  // Otherwise no other one is uploaded for itself.
  if (facts.smoke || facts.notApplicable['skeleton.invalidated-document'] !== undefined) return;
  const run = { check, session, facts };
  let again = 0;
  const second = (purpose: Purpose) =>
    purpose === 'judged' ? secondDocx(run) : upload(run, `another DOCX ${again++}`, docx);
  await check.row('a second DOCX', (context) => decide(session, of, { call: second }, context));
});

test('a file of another format is not accepted', covers('upload.other-formats'), async ({ upload }) => {
  await upload.refuses(documents(refusedDocuments), 'no-token');
});

test('the answer contains a document token', covers('upload.returns-token'), async ({ upload, facts }) => {
  await upload.answers('the answer to a PDF', hasToken);
  if (facts.smoke) return;
  await upload.answers('the answer to a DOCX', hasToken, 'docx');
  await upload.as('upload.doc').reads(ofFormat('doc'), hasToken);
});

test('the document token is a string', covers('upload.token-string'), async ({ upload, facts }) => {
  await upload.answers('the answer to a PDF', tokenIsString);
  if (facts.smoke) return;
  await upload.answers('the answer to a DOCX', tokenIsString, 'docx');
  await upload.as('upload.doc').reads(ofFormat('doc'), tokenIsString);
});

test('two documents have two tokens', covers('upload.token-identifies'), async ({ upload, facts }) => {
  const fileName = sharedFileName(facts);
  // As long as the first one, too.
  const alike = async (source: DocumentSource) => ({ ...(await labelledPdf(source, stampLabels)), fileName });
  await upload.comparesAnswers('two different PDFs of one name', differ('documentToken'), alike);
});

test(
  'a token can be passed in Documents',
  covers('upload.token-usable'),
  async ({ check, session, facts, upload }) => {
    await check.row('a creation with a token from an upload', (context) =>
      decideShared(session, tokenTaken, context),
    );
    if (facts.smoke) return;
    const titled =
      (creation: string, stamped?: { readonly other: string | undefined }) => (row: AcceptedDocument) => ({
        ...row,
        title: `${creation} with a token from an upload of ${row.title}${stamped?.other ? ', and of a DOCX' : ''}`,
        stamped,
      });
    const ofAny = acceptedDocuments.filter(({ format }) => format !== 'pdf');
    // That auto stamping works at all is a requirement of its own.
    const stamps =
      facts.notApplicable['stamping.status-200'] === undefined &&
      isAccepted(await check.prepare(() => session.shared('stamped')));
    const isSeveral = (facts.limits.documents ?? 2) > 1;
    const other = isSeveral ? await check.prepare(() => acceptedDocx({ session, facts, check })) : undefined;
    const rows = [
      ...ofAny.map(titled('a creation')),
      ...ofAny.filter(({ format }) => stamps && format === 'doc').map(titled('auto stamping', { other })),
    ];
    let doc: Promise<Answer> | undefined;
    const ofDoc = () => {
      doc ??= upload.as('upload.doc').answerTo(ofFormat('doc'));
      return doc;
    };
    await check.rows(rows, ({ input, title, format, stamped }, context) => {
      const shared = () => (format === 'docx' ? session.shared('docx') : ofDoc());
      return judgeOwnTokenTaken({ session, context, title, facts, shared, stamped }, input);
    });
  },
);
