/** Fuzz with PDFs that are cut and flipped: uploaded, stamped and signed at the reference service, and read as attachments. */
import fc from 'fast-check';
import { formPdf, landscapePdf, plainPdf } from '../../../generators/documents/pdf.ts';
import { readPdf } from '../../../harness/untrusted/pdf/completed.ts';
import { startReference } from '../../../reference/server.ts';
import { ReferenceClient, signatoryBody } from '../../suite/reference-client.ts';
import { pdfBombs } from './bombs.ts';
import { type FuzzResult, type FuzzRun, fuzzed } from './fuzz-run.ts';
import { damaged, oddText } from './mutations.ts';

interface DamagedDocument {
  readonly bytes: Buffer;
  readonly fileName: string;
  readonly name: string;
  readonly stampType: string;
}

/** Longest time for reading a document that may have been made to take long. */
const readingMs = 500;

/** Documents that once ended the service. */
const found: readonly DamagedDocument[] = (
  [
    'a tree of pages that doubles',
    'a page that is there 100,000 times',
    'a tree of pages that is a circle',
  ] as const
).map((name) => ({ bytes: pdfBombs[name](), fileName: name, name, stampType: 'signature' }));

/** Throws with the smallest document that did harm, and with what replays it. */
export async function fuzzDocuments(run: FuzzRun): Promise<FuzzResult> {
  // pdf-lib warns there about damaged documents.
  const { warn } = console;
  console.warn = () => undefined;
  const errors: unknown[] = [];
  const dialect = { signatureKind: 'visible', truncatedPdf: 'accepted' } as const;
  const reference = await startReference({ dialect, onError: (error) => errors.push(error) });
  const client = new ReferenceClient(reference);
  try {
    const whole = await Promise.all(
      [plainPdf, landscapePdf, formPdf].map(
        async (make) => (await make({ run: 'fuzz', seed: 1, name: 'fuzz' })).bytes,
      ),
    );
    const document: fc.Arbitrary<DamagedDocument> = fc.record({
      bytes: fc.constantFrom(...whole).chain(damaged),
      fileName: oddText,
      name: oddText.map((text) => text || 'Somebody'),
      stampType: fc.constantFrom('signature', 'text', 'email', 'date', 'initial'),
    });
    // Libraries and fonts are loaded before memory is measured, since they are loaded only once.
    for (const bytes of whole) {
      await signed(client, { bytes: Buffer.from(bytes), fileName: 'a.pdf', name: 'Σ', stampType: 'text' });
    }
    return await fuzzed(
      run,
      document,
      async (each) => {
        const cameTo = await signed(client, each);
        if (errors.length > 0) throw errors.splice(0)[0];
        // Reads it as an attachment of a callback, which must not throw either, however long it would take.
        await readPdf(each.bytes, readingMs);
        return cameTo;
      },
      found,
    );
  } finally {
    console.warn = warn;
    await reference.close();
  }
}

/** Takes a document through a request of type 2; gives how far it came. */
async function signed(client: ReferenceClient, document: DamagedDocument): Promise<string> {
  const upload = await client.upload(document.bytes, {}, document.fileName);
  if (upload.status !== 200) return refused('upload', upload.status);
  const stamp = { Type: document.stampType, X: 60, Y: 100, Width: 120, Height: 40, Document: 0, Page: 1 };
  const created = await client.json('POST', '/api/Requests?type=2', {
    Title: document.name,
    Message: document.name,
    Documents: [String(upload.json.documentToken)],
    Signatories: [{ ...signatoryBody, Name: document.name, Stamps: [stamp] }],
  });
  if (created.status !== 200) return refused('creation', created.status);
  const request = `/_apis/sign/api/v2/requests/${String(created.json.requestId)}`;
  const [{ signatoryId } = { signatoryId: '' }] = created.json.signatories as readonly {
    signatoryId: string;
  }[];
  const acted = await client.json('POST', `${request}/signatories/${signatoryId}/sign`, {});
  if (acted.status !== 200) throw new Error(`signing was answered with ${acted.status} ${acted.text}`);
  const status = String(acted.json.status);
  if (status !== 'completed') throw new Error(`after the last signature the request is ${status}`);
  const completed = await client.reference.handle(
    new Request(`${client.reference.baseUrl}${request}/documents/0`, {
      headers: { Authorization: `Bearer ${client.reference.tokens.valid}` },
    }),
  );
  const reading = await readPdf(new Uint8Array(await completed.arrayBuffer()));
  if (!reading.readable) throw new Error(`the completed document cannot be read: ${reading.reason}`);
  return 'completed';
}

function refused(what: string, status: number): string {
  if (status >= 400 && status < 500) return `${what} refused with ${status}`;
  throw new Error(`the ${what} was answered with ${status}`);
}
