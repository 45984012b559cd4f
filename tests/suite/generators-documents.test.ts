/** Every generated document is what it claims to be, carries its marker, and is the same each time. */
import { createHash } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { encryptedSource, password } from '../../generators/documents/committed.ts';
import {
  type DocumentSource,
  type GeneratedDocument,
  markerOf,
  markerPattern,
} from '../../generators/documents/document.ts';
import { acceptedDocuments, refusedDocuments, silentDocuments } from '../../generators/documents/rows.ts';

const all = [...acceptedDocuments, ...refusedDocuments, ...silentDocuments];
const source: DocumentSource = { run: 'run-1', seed: 1, name: 'a document' };

/** Text of the pages, their rotations, and the metadata of a PDF. */
async function read(bytes: Uint8Array, secret?: string) {
  // pdfjs takes over the bytes that it is given. Its warnings are about fonts that nothing here displays.
  const task = getDocument({ data: bytes.slice(), verbosity: 0, ...(secret ? { password: secret } : {}) });
  const pdf = await task.promise;
  const { info } = await pdf.getMetadata();
  const pages = await Promise.all(
    Array.from({ length: pdf.numPages }, async (_, index) => {
      const page = await pdf.getPage(index + 1);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ('str' in item ? item.str : '')).join(' ');
      return { text, rotate: page.rotate, width: page.view[2], height: page.view[3] };
    }),
  );
  await task.destroy();
  return { info: info as Record<string, unknown>, pages };
}

/** SHA-256 of each document made from `source`, its first 16 digits. They change when a package is changed. */
const digests: Readonly<Record<string, string>> = {
  'a PDF of one page A4': '9650c99039c904e1',
  'a PDF of many pages US Letter': 'd6622c6cc476b61c',
  'a PDF in landscape': '8499521ca9805efb',
  'a PDF with turned pages': '54dddf7194f7ce25',
  'a PDF with form fields': 'dd9a6c7da080fee2',
  'a PDF with text outside Latin-1': '63f33841146de703',
  'a DOC': '8e1cb6beeb24b4c3',
  'a DOCX': '70e9b50066b7f5dd',
  'a PNG': 'f84f451a47e05ee7',
  'a JPEG': '3619a9f99bbda87c',
  'a web page': '571d0cb65c9b6781',
  'plain text': '57b118b774d1389a',
  'an XLSX, a ZIP archive as a DOCX is': 'ae328ca953489346',
  'a PDF with a password': '8064109d07a3164d',
  'a PDF of 10 MB': '2390c288436c3869',
  'an empty file': 'e3b0c44298fc1c14',
  'a truncated PDF': '7a5bf21125f423d1',
  'a PDF by name only': '57b118b774d1389a',
  'a PDF named as text': '9650c99039c904e1',
  'a PDF with a name outside ASCII': '9650c99039c904e1',
};

/** What is made from `source`, once for all tests. */
const made = new Map<string, Promise<GeneratedDocument>>();
function documentOf(title: string): Promise<GeneratedDocument> {
  const { input } = all.find((row) => row.title === title) ?? {};
  const document = made.get(title) ?? Promise.resolve(input?.(source) as GeneratedDocument);
  made.set(title, document);
  return document;
}

for (const { title } of all) {
  test(`${title} has the same bytes each time and on every machine`, async () => {
    const { bytes } = await documentOf(title);
    expect(createHash('sha256').update(bytes).digest('hex').slice(0, 16)).toBe(digests[title]);
  });
}

for (const { title, input } of [...acceptedDocuments, ...refusedDocuments]) {
  test(`${title} differs from run to run, by seed and by name`, async () => {
    const others = [{ run: 'run-2' }, { seed: 2 }, { name: 'another document' }];
    const different = await Promise.all([
      documentOf(title),
      ...others.map((other) => input({ ...source, ...other })),
    ]);
    expect(new Set(different.map(({ bytes }) => Buffer.from(bytes).toString('base64'))).size).toBe(4);
    expect(new Set(different.map(({ marker }) => marker)).size).toBe(4);
    expect(new Set(different.map(({ fileName }) => fileName)).size).toBe(4);
  });
}

for (const { title } of acceptedDocuments.filter(({ format }) => format === 'pdf')) {
  test(`${title} carries its marker on each page and in its metadata`, async () => {
    const { bytes, marker, fileName, mediaType } = await documentOf(title);
    const { info, pages } = await read(bytes);
    expect(pages.map(({ text }) => text.match(markerPattern))).toEqual(pages.map(() => [marker]));
    expect(info.Title).toContain(marker);
    expect(info.Keywords).toBe(marker);
    expect([fileName, mediaType]).toEqual([`${marker}.pdf`, 'application/pdf']);
  });
}

test('the shapes of PDF are what they are called', async () => {
  const pagesOf = async (title: string) => (await read((await documentOf(title)).bytes)).pages;
  const plain = await pagesOf('a PDF of one page A4');
  expect(plain.map(({ width, height }) => [width, height])).toEqual([[595.28, 841.89]]);
  const many = await pagesOf('a PDF of many pages US Letter');
  expect([many.length, many[23]?.width, many[23]?.height]).toEqual([24, 612, 792]);
  const turned = await pagesOf('a PDF with turned pages');
  expect(turned.map(({ rotate }) => rotate)).toEqual([0, 90, 180, 270]);
  expect((await pagesOf('a PDF with text outside Latin-1'))[0]?.text).toContain('Соглашение');
});

test('the encrypted PDF opens with its password only', async () => {
  const { bytes, marker } = await documentOf('a PDF with a password');
  await expect(read(bytes)).rejects.toMatchObject({ name: 'PasswordException' });
  expect((await read(bytes, password)).pages[0]?.text).toContain(marker);
  expect(marker).toBe(markerOf(encryptedSource));
});
