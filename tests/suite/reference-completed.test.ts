/** Completed documents: what stands in them, and the digital signature over them. */
import { createHash, verify, X509Certificate } from 'node:crypto';
import { expect, test } from '@playwright/test';
import forge from 'node-forge';
import { decodePDFRawStream, PDFDocument, PDFHexString, PDFRawStream } from 'pdf-lib';
import { formPdf, rotatedPdf } from '../../generators/documents/pdf.ts';
import { readPdf } from '../../harness/untrusted/pdf/completed.ts';
import type { Dialect } from '../../reference/dialect.ts';
import { type ReferenceClient, withReference } from './reference-client.ts';
import { Flow, somebody } from './reference-flow.ts';

const source = { run: 'completed', seed: 1, name: 'document' };

/** The completed documents of a request over the given files, signed by people of the given names. */
async function completed(
  client: ReferenceClient,
  files: readonly { readonly bytes: Uint8Array; readonly fileName: string }[],
  names: readonly string[] = ['Some Body'],
): Promise<readonly Buffer[]> {
  const Documents: string[] = [];
  for (const { bytes, fileName } of files) {
    Documents.push(String((await client.upload(bytes, {}, fileName)).json.documentToken));
  }
  const people = names.map((Name, at) => somebody(`person-${at}`, { Name }));
  const flow = await Flow.create(client, people, { Documents });
  await flow.send();
  for (const at of names.keys()) expect((await flow.sign(`person-${at}`)).status).toBe(200);
  return flow.documents();
}

async function textOf(bytes: Uint8Array): Promise<string> {
  const reading = await readPdf(bytes);
  if (!reading.readable) throw new Error(reading.message);
  expect(reading.whole).toBe(true);
  return reading.text.replaceAll(/\s+/g, ' ');
}

test('a name that the font cannot draw is drawn in Latin letters, says so, and is found when it is searched', async () => {
  const file = await formPdf(source);
  const [bytes = Buffer.alloc(0)] = await withReference({}, (client) =>
    completed(client, [file], ['张伟', 'Zoë']),
  );
  expect(await textOf(bytes)).toContain('Signed by ZhangWei (romanised)');
  const pdf = await PDFDocument.load(bytes);
  const streams = pdf.context
    .enumerateIndirectObjects()
    .flatMap(([, each]) =>
      each instanceof PDFRawStream ? [Buffer.from(decodePDFRawStream(each).decode()).toString('latin1')] : [],
    );
  expect(streams.join()).toContain(`/ActualText ${PDFHexString.fromText('Signed by 张伟')}`);
});

test('everybody who signed is seen on the page, however small it is', async () => {
  for (const [size, names] of [
    [
      [200, 120],
      ['One', 'Two', 'Three', 'Four', 'Five', 'Six'],
    ],
    [
      [420, 595],
      ['One', 'Two', 'Three'],
    ],
  ] as const) {
    const pdf = await PDFDocument.create();
    pdf.addPage([...size]);
    const file = { bytes: await pdf.save(), fileName: 'small.pdf' };
    const [bytes = Buffer.alloc(0)] = await withReference({}, (client) => completed(client, [file], names));
    const reading = await readPdf(bytes);
    const { boxes = [] } = (reading.readable ? reading.pages[0] : undefined) ?? {};
    expect(new Set(boxes.map(({ x, y }) => `${x} ${y}`)).size).toBe(names.length);
    for (const { x, y, width, height } of boxes) {
      expect([x + width <= size[0], y + height <= size[1]], `${x} ${y}`).toEqual([true, true]);
    }
    const text = await textOf(bytes);
    for (const name of names) expect(text).toContain(`Signed by ${name}`);
  }
});

/** The signed bytes of a PDF and the PKCS #7 message over them, read without the code that wrote them. */
function signatureOf(pdf: Buffer): {
  readonly signed: Buffer;
  readonly message: Buffer;
  readonly whole: boolean;
} {
  const range = /\/ByteRange \[(\d+) (\d+) (\d+) (\d+)\]/.exec(pdf.toString('latin1'))?.slice(1).map(Number);
  const [start = 0, length = 0, next = 0, rest = 0] = range ?? [];
  const signed = Buffer.concat([pdf.subarray(start, start + length), pdf.subarray(next, next + rest)]);
  const hex = pdf.subarray(start + length + 1, next - 1).toString('latin1');
  // The placeholder is longer than the message: DER says how long it is, here in two bytes.
  const padded = Buffer.from(hex, 'hex');
  const message = padded.subarray(0, 4 + padded.readUInt16BE(2));
  return { signed, message, whole: next + rest === pdf.length };
}

/** Whether the signature fits the bytes: the digest is the signed one, and the signature the certificate's. */
function isValid(pdf: Buffer): boolean {
  const { signed, message, whole } = signatureOf(pdf);
  const asn1 = forge.asn1.fromDer(forge.util.createBuffer(message.toString('binary')));
  const read = forge.pkcs7.messageFromAsn1(asn1) as unknown as {
    readonly certificates: readonly forge.pki.Certificate[];
    readonly rawCapture: { readonly authenticatedAttributes: forge.asn1.Asn1[]; readonly signature: string };
  };
  const attributes = read.rawCapture.authenticatedAttributes;
  const { SET } = forge.asn1.Type;
  const set = forge.asn1.create(forge.asn1.Class.UNIVERSAL, SET, true, attributes);
  const encoded = Buffer.from(forge.asn1.toDer(set).getBytes(), 'binary');
  const [certificate] = read.certificates;
  if (!certificate) return false;
  const { publicKey } = new X509Certificate(forge.pki.certificateToPem(certificate));
  const digest = createHash('sha256').update(signed).digest();
  const signature = Buffer.from(read.rawCapture.signature, 'binary');
  return whole && encoded.includes(digest) && verify('sha256', encoded, publicKey, signature);
}

test('completed documents carry a digital signature that a changed byte breaks', async () => {
  const [bytes] = await withReference({}, async (client) => completed(client, [await formPdf(source)]));
  const pdf = bytes ?? Buffer.alloc(0);
  expect(isValid(pdf)).toBe(true);
  const changed = Buffer.from(pdf);
  changed[30] = (changed[30] ?? 0) ^ 1;
  expect(isValid(changed)).toBe(false);
});

const dialects: readonly (readonly [string, Partial<Dialect>, number])[] = [
  ['separate', {}, 2],
  ['merged', { completedDocuments: 'merged' }, 1],
  ['with an audit trail', { auditTrail: true }, 3],
  ['with visible marks only', { signatureKind: 'visible' }, 2],
  ['where ids have slashes', { idForm: 'slash' }, 2],
];
for (const [title, dialect, count] of dialects) {
  test(`completed documents ${title}`, async () => {
    const files = [await rotatedPdf({ ...source, name: 'a' }), await formPdf({ ...source, name: 'b' })];
    const documents = await withReference({ dialect }, (client) => completed(client, files));
    expect(documents).toHaveLength(count);
    const texts = (await Promise.all(documents.map(textOf))).join(' ');
    for (const { marker } of files) expect(texts).toContain(marker);
    expect(documents.every((bytes) => bytes.includes('/ByteRange'))).toBe(
      dialect.signatureKind !== 'visible',
    );
    expect(texts.includes('Audit trail')).toBe(dialect.auditTrail === true);
  });
}

test('where signing leaves no mark and no digital signature, the documents stay as they were', async () => {
  const file = await rotatedPdf({ ...source, name: 'a' });
  const dialect = { unstamped: 'nothing', signatureKind: 'visible' } as const;
  const [document] = await withReference({ dialect }, (client) => completed(client, [file]));
  expect(Buffer.from(document ?? [])).toEqual(Buffer.from(file.bytes));
});
