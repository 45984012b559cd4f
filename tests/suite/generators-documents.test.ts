/** Every generated document is what it claims to be, carries its marker, and is the same for the same run alone. */
import { expect, test } from '@playwright/test';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { encryptedSource, password } from '../../generators/documents/committed.ts';
import {
  type DocumentSource,
  type GeneratedDocument,
  markerOf,
  markerPattern,
  pageIn,
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

/** What is made from `source`, once for all tests. */
const made = new Map<string, Promise<GeneratedDocument>>();
function documentOf(title: string): Promise<GeneratedDocument> {
  const { input } = all.find((row) => row.title === title) ?? {};
  const document = made.get(title) ?? Promise.resolve(input?.(source) as GeneratedDocument);
  made.set(title, document);
  return document;
}

for (const { title, input } of [...acceptedDocuments, ...refusedDocuments]) {
  test(`${title} is the same each time, and differs from run to run, by seed and by name`, async () => {
    const again = await input({ ...source });
    expect(Buffer.compare(again.bytes, (await documentOf(title)).bytes)).toBe(0);
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
  const many = await pagesOf('a PDF of many pages US Letter, compressed');
  expect([many.length, many[23]?.width, many[23]?.height]).toEqual([24, 612, 792]);
  const { marker } = await documentOf('a PDF of many pages US Letter, compressed');
  const said = many.map(({ text }) => pageIn(`Page 1 of 9 ${text} 7`, marker));
  expect(said).toEqual(many.map((_, index) => index + 1));
  expect(pageIn(many.map(({ text }) => text).join(' '), marker)).toBeUndefined();
  expect(plain.map(({ text }) => pageIn(text, marker))).toEqual([undefined]);
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
