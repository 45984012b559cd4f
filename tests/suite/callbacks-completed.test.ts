/** Reading completed PDFs: whole or cut, what is written and drawn where, and files that are none. */
import { expect, test } from '@playwright/test';
import { degrees, PDFDocument, PDFName, rgb } from 'pdf-lib';
import { manyPagesPdf, plainPdf } from '../../generators/documents/pdf.ts';
import { limits } from '../../harness/untrusted/limits.ts';
import { type PdfContent, readPdf, whyUnread } from '../../harness/untrusted/pdf/completed.ts';

const source = { run: 'run-1', seed: 1, name: 'completed' };

async function content(bytes: Uint8Array): Promise<PdfContent> {
  const reading = await readPdf(bytes);
  if (!reading.readable) throw new Error(`${reading.reason}: ${reading.message}`);
  return reading;
}

test('what is drawn has its bounds, whatever transformation it is drawn under', async () => {
  const document = await PDFDocument.create();
  const page = document.addPage([400, 300]);
  page.drawRectangle({ x: 50, y: 60, width: 120, height: 40, color: rgb(0, 0, 1) });
  page.drawRectangle({ x: 200, y: 100, width: 30, height: 10, rotate: degrees(90), borderWidth: 1 });
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  page.drawImage(await document.embedPng(pixel), { x: 300, y: 20, width: 60, height: 30 });
  const [found] = (await content(await document.save())).pages;
  const rounded = found?.boxes.map((box) => Object.values(box).map(Math.round));
  expect(rounded).toContainEqual([50, 60, 120, 40]);
  expect(rounded).toContainEqual([190, 100, 10, 30]);
  expect(rounded).toContainEqual([300, 20, 60, 30]);
});

test('a page is empty where nothing is painted on it', async () => {
  const strip = 'BI /W 8 /H 8 /IM true /BPC 1 ID 12345678 EI';
  const strips = Array.from({ length: 12 }, (_, at) => `q 80 0 0 8 60 ${8 * at} cm ${strip} Q`).join('\n');
  for (const [operators, empty] of [
    ['', true],
    ['q 1 0 0 1 20 20 cm 1 0 0 rg BT /F 12 Tf 60 700 Td ET Q', true],
    // Black is the color of text that sets none.
    ['BT /F 12 Tf 60 700 Td (written) Tj ET', false],
    ['q 80 0 0 8 60 60 cm /S sh Q', false],
    [strips, false],
  ] as const) {
    const document = await PDFDocument.create();
    const { context } = document;
    const page = document.addPage([400, 300]);
    const font = { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' };
    const fading = { FunctionType: 2, Domain: [0, 1], C0: [1, 0, 0], C1: [0, 0, 1], N: 1 };
    const shading = { ShadingType: 2, ColorSpace: 'DeviceRGB', Coords: [0, 0, 1, 0], Function: fading };
    const resources = { Font: { F: font }, Shading: { S: shading } };
    page.node.set(PDFName.of('Resources'), context.obj(resources));
    page.node.set(PDFName.of('Contents'), context.register(context.stream(operators)));
    expect((await content(await document.save())).empty, operators).toBe(empty);
  }
});

test('a PDF with a second part is whole, and cut when that part is', async () => {
  const { bytes } = await plainPdf(source);
  const increment = Buffer.from(
    `9 0 obj\n<< /Producer (signed) >>\nendobj\nxref\n9 1\n${String(bytes.length).padStart(10, '0')} 00000 n \ntrailer\n<< /Size 10 /Prev ${/startxref\s+(\d+)/.exec(Buffer.from(bytes).toString('latin1'))?.[1]} /Root 1 0 R >>\nstartxref\n${bytes.length + 43}\n%%EOF\n`,
  );
  expect((await content(Buffer.concat([bytes, increment]))).whole).toBe(true);
  const cut = await readPdf(Buffer.concat([bytes, increment.subarray(0, 60)]));
  expect(cut.readable && cut.whole).toBe(false);
  // Some producers add line breaks or spaces behind the end.
  expect((await content(Buffer.concat([bytes, Buffer.from('\r\n \r\n')]))).whole).toBe(true);
});

test('a PDF that only the certificates of its readers open is encrypted, and not damaged', async () => {
  const document = await PDFDocument.create();
  document.addPage();
  const { context } = document;
  const byCertificate = { Filter: 'Adobe.PubSec', SubFilter: 'adbe.pkcs7.s5', V: 5 };
  context.trailerInfo.Encrypt = context.register(context.obj(byCertificate));
  const reading = await readPdf(await document.save({ useObjectStreams: false }));
  expect(reading).toMatchObject({ readable: false, reason: 'encrypted' });
});

test('what is no PDF, or one that cannot be read, is told and never thrown', async () => {
  const rows: [title: string, bytes: Uint8Array, reason: string][] = [
    ['nothing', new Uint8Array(0), 'no-pdf'],
    ['text', Buffer.from('a text that is long enough'), 'no-pdf'],
    ['an archive', Buffer.from('PK\u0003\u0004'), 'no-pdf'],
    ['only a header', Buffer.from('%PDF-1.7'), 'truncated'],
    ['a header and an end', Buffer.from('%PDF-1.7\n%%EOF'), 'damaged'],
    ['a header and garbage', Buffer.from(`%PDF-1.7\n${'\xff'.repeat(5_000)}`, 'latin1'), 'truncated'],
  ];
  for (const [title, given, reason] of rows) {
    const reading = await readPdf(given);
    const message = expect.stringMatching(/./);
    expect(reading, title).toMatchObject({ readable: false, reason, message });
    // Its maker could have chosen the words.
    expect(whyUnread(reading), title).toBeUndefined();
  }
  const large = Buffer.alloc(limits.pdfBytes.most + 1, '%PDF-1.7');
  expect(await readPdf(large)).toMatchObject({ readable: false, reason: 'too-large' });
  const slow = await readPdf((await manyPagesPdf(source)).bytes, 0);
  expect(slow).toMatchObject({ readable: false, reason: 'too-slow' });
});
