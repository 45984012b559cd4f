/** Sending and signing at the reference service: states, refusals, stamps, and the completed documents with their digital signature. */

import { createHash, verify, X509Certificate } from 'node:crypto';
import { expect, test } from '@playwright/test';
import forge from 'node-forge';
import { decodePDFRawStream, PDFDocument, PDFHexString, PDFRawStream } from 'pdf-lib';
import { formPdf } from '../../generators/documents/pdf.ts';
import { readPdf } from '../../harness/untrusted/pdf/completed.ts';
import { otpType, path, role } from '../../openapi/codes.ts';
import type { Dialect } from '../../reference/dialect.ts';
import { startReference } from '../../reference/server.ts';
import { changed, ReferenceClient, stampedBody, withReference } from './reference-client.ts';
import { approver, byEmail, cc, Flow, somebody } from './reference-flow.ts';

const statusOf = async (flow: Flow) => (await flow.status()).json.status;

/** A flow of the given people against a service of its own. */
function play<Result>(
  dialect: Partial<Dialect>,
  people: readonly Record<string, unknown>[],
  work: (flow: Flow, client: ReferenceClient) => Promise<Result>,
): Promise<Result> {
  return withReference({ dialect }, async (client) => work(await Flow.create(client, people), client));
}

test('a request that nobody can complete is not sent', async () => {
  await play({}, [], async (flow) => expect((await flow.send()).status).toBe(409));
  await play({}, [somebody('reader', cc)], async (flow) => expect((await flow.send()).status).toBe(409));
  await withReference({}, async (client) => {
    const create = async (pointer: string, value: unknown) => {
      const body = changed(stampedBody([await client.document()]), `/Signatories/0${pointer}`, value);
      const text = JSON.stringify(body).replace('"infinite"', '1e999');
      return (await client.json('POST', `${path.autoStamping}?type=3`, text)).json.detail;
    };
    expect(await create('/signatoryType', role.cc)).toBe('Signatories: nobody can sign or approve');
    expect(await create('/AutoStamps/0/Offset/X_offset', 'infinite')).toContain('X_offset is not a number');
    expect((await client.send('GET', '/_control/requests')).json).toEqual({ requests: [] });
  });
});

test('what fails when its time comes is told, and the service goes on', async () => {
  const errors: unknown[] = [];
  const reference = await startReference({
    dialect: { sending: 'delay', sendDelayMs: 1 },
    faults: ['events.optional/demanded'],
    onError: (error) => errors.push(error),
  });
  const flow = await Flow.create(new ReferenceClient(reference), [somebody('only')]);
  await expect.poll(() => errors).toEqual([expect.objectContaining({ detail: 'CallbackUrl is missing' })]);
  expect(await statusOf(flow)).toBe('draft');
  await reference.close();
});

test('stamps of a type 0 request are placed by a call', async () => {
  await play({}, [somebody('only'), somebody('judge', approver)], async (flow, client) => {
    const target = `/_apis/sign/api/v2/requests/${flow.requestId}/stamps`;
    const Stamps = [
      { Identifier: 'Far', Type: 'text', X: 1e308, Y: 1e308, Width: 1e308, Height: 1e-320 },
      { Identifier: 'My stamp', Type: 'initial', X: 100, Y: 200, Width: 80, Height: 30 },
    ];
    const place = (name: string) => client.json('POST', target, { signatoryId: flow.idOf(name), Stamps });
    expect((await place('judge')).status).toBe(400);
    expect((await place('nobody')).status).toBe(400);
    const elsewhere = { signatoryId: flow.idOf('only'), Stamps: [{ ...Stamps[1], Document: 1 }] };
    expect((await client.json('POST', target, elsewhere)).json.detail).toBe(
      'Stamps/0/Document is none of 0 to 0',
    );
    expect((await place('only')).json).toMatchObject({ stamps: 2 });
    await flow.send();
    await flow.approve('judge');
    await flow.sign('only');
    const reading = await readPdf((await flow.documents())[0] ?? Buffer.alloc(0));
    const page = reading.readable ? reading.pages[0] : undefined;
    expect(page?.text).toContain('My stamp');
    // What a PDF cannot hold would leave its content unreadable.
    expect(page?.boxes[0]).toMatchObject({ x: 1e6, width: 1e6 });
    expect(page?.boxes[1]).toMatchObject({ width: expect.closeTo(80, 0), height: expect.closeTo(30, 0) });
  });
});

test('a code works once, for a while, and not after five wrong tries', async () => {
  await play({ otpDigits: 4 }, [somebody('one', byEmail), somebody('two', byEmail)], async (flow) => {
    await flow.send();
    const code = await flow.emailedCode('one');
    expect(code).toMatch(/^\d{4}$/);
    for (let attempt = 0; attempt < 5; attempt += 1) await flow.sign('one', { otp: 'wrong' });
    expect((await flow.sign('one', { otp: code })).status).toBe(403);
    expect((await flow.sign('two', { otp: await flow.emailedCode('one') })).status).toBe(403);
    expect((await flow.sign('one', { otp: await flow.emailedCode('one') })).status).toBe(200);
  });
  const AccessCode = ' open sesame ';
  const OTP = { IsRequired: true, Type: otpType.accessCode, AccessCode };
  await play({}, [somebody('one', { OTP })], async (flow) => {
    await flow.send();
    expect((await flow.askForCode('one')).json).toEqual({ sent: false });
    expect((await flow.sign('one', { accessCode: 'sesame' })).status).toBe(403);
    expect((await flow.sign('one', { accessCode: AccessCode })).status).toBe(200);
  });
  await play({ otpLifetimeSeconds: 0 }, [somebody('one', byEmail)], async (flow) => {
    await flow.send();
    expect((await flow.sign('one', { otp: await flow.emailedCode('one') })).status).toBe(403);
  });
});

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

test('completed documents carry a digital signature that a changed byte breaks, also where ids have slashes', async () => {
  const [bytes] = await withReference({ dialect: { idForm: 'slash' } }, async (client) =>
    completed(client, [await formPdf(source)]),
  );
  const pdf = bytes ?? Buffer.alloc(0);
  expect(isValid(pdf)).toBe(true);
  const changed = Buffer.from(pdf);
  changed[30] = (changed[30] ?? 0) ^ 1;
  expect(isValid(changed)).toBe(false);
});
