/** What is generated: bodies, documents, ids and people; each is what it claims to be, and the same for the same run alone. */
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { boldRequestRows } from '../../generators/bodies/bold-request.ts';
import { boldSignatoryRows } from '../../generators/bodies/bold-signatory.ts';
import { boldStampedRows } from '../../generators/bodies/bold-stamping.ts';
import { brokenRows } from '../../generators/bodies/broken.ts';
import { otpRows } from '../../generators/bodies/otp.ts';
import { minimalRequest, requestRows } from '../../generators/bodies/request.ts';
import { signatoryRows } from '../../generators/bodies/signatory.ts';
import { stampedRolesRow, stampedRows } from '../../generators/bodies/stamping.ts';
import { encryptedSource, password } from '../../generators/documents/committed.ts';
import {
  type DocumentSource,
  type GeneratedDocument,
  markerOf,
  markerPattern,
  pageIn,
} from '../../generators/documents/document.ts';
import { acceptedDocuments, refusedDocuments, silentDocuments } from '../../generators/documents/rows.ts';
import { alter, nearly } from '../../generators/ids.ts';
import { person } from '../../generators/people.ts';
import type { Body } from '../../generators/row.ts';
import { newRunId } from '../../harness/judging/names.ts';
import { findCode } from '../../harness/people/messages/find-code.ts';
import { requestSchema } from '../../openapi/contract.ts';
import { isObject } from '../../openapi/dereference.ts';

const places = new Map<string, number>();
/** A person for each place, the same one again when the place is named again. */
function personOf(place: string) {
  const n = places.get(place) ?? places.size;
  places.set(place, n);
  return person(n, { run: 'run-1', seed: 1 });
}

const request = {
  title: 'Conformance run-1',
  documents: ['token-1', 'token-2'],
  callbackUrl: 'https://callback.example.com/run-1?secret=value',
};
const stamped = { ...request, people: [personOf('one'), personOf('two'), personOf('three')] };
const skeletonSchema = requestSchema('createSkeletonRequest');
const signatorySchema = requestSchema('addSignatory');

function json(body: Body): unknown {
  if ('json' in body) return body.json;
  throw new Error('the body is text');
}

/** JSON Pointers of the topmost places in which two values differ. */
function differences(one: unknown, other: unknown, at = ''): readonly string[] {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return one.flatMap((value, index) => differences(value, other[index], `${at}/${index}`));
  }
  if (isObject(one) && isObject(other)) {
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
      key in one && key in other ? differences(one[key], other[key], `${at}/${key}`) : [`${at}/${key}`],
    );
  }
  return JSON.stringify(one) === JSON.stringify(other) ? [] : [at];
}

test('accepted bodies use every field of the contract and no other', () => {
  const used = (rows: readonly { input: Body }[]) =>
    new Set(rows.flatMap(({ input }) => Object.keys(json(input) as object)));
  expect(used(requestRows(request))).toEqual(new Set(Object.keys(skeletonSchema.properties ?? {})));
  expect(used(signatoryRows(personOf))).toEqual(new Set(Object.keys(signatorySchema.properties ?? {})));
});

test('several people have the same Order only in parallel, with Order 1', () => {
  const { input } = stampedRolesRow(stamped, 'their own');
  const { Signatories } = (input as { json: { Signatories: { Order: number }[] } }).json;
  const later = Signatories.map(({ Order }) => Order).filter((order) => order > 1);
  expect(later).toEqual([...new Set(later)]);
});

test('rows have titles of their own', () => {
  for (const rows of [
    requestRows(request),
    signatoryRows(personOf),
    stampedRows(stamped),
    brokenRows(skeletonSchema, minimalRequest(request)),
    boldRequestRows(request, skeletonSchema),
    boldSignatoryRows({ personOf, mobileNumber: '+12025550123', schema: signatorySchema }),
    boldStampedRows(stamped),
  ]) {
    expect(new Set(rows.map(({ title }) => title)).size).toBe(rows.length);
  }
});

for (const [operation, rows] of [
  ['createSkeletonRequest', requestRows(request)],
  ['createStampedRequest', stampedRows(stamped)],
  ['addSignatory', signatoryRows(personOf)],
] as const) {
  test(`a broken body of ${operation} differs from the valid one in one place, and breaks the contract`, () => {
    const schema = requestSchema(operation);
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    for (const { input } of rows) {
      const valid = json(input);
      const broken = brokenRows(schema, valid).filter(({ damage }) => damage !== 'malformed');
      const missing = broken.filter(({ damage, breaks }) => damage === 'missing' && !/.\//.test(breaks));
      expect({
        valid: validate(valid),
        places: broken.map((row) => differences(valid, json(row.input))),
        refused: broken.map((row) => !validate(json(row.input))),
        missing: missing.map(({ breaks }) => breaks.slice(1)).sort(),
      }).toEqual({
        valid: true,
        places: broken.map(({ breaks }) => [breaks]),
        refused: broken.map(() => true),
        missing: [...(schema.required ?? [])].sort(),
      });
    }
  });
}

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
    const made = others.map((other) => input({ ...source, ...other }));
    const different = await Promise.all([documentOf(title), ...made]);
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

// The same inputs each time: a failure is one of this version, not of the day.
const runs = { seed: 1, numRuns: 200 };

const seed = fc.integer({ min: 0, max: 1_000_000 });

/** Holds for all; without `expect`, of which each call is a step of its own and takes a millisecond. */
function always<Given extends unknown[]>(
  arbitrary: fc.Arbitrary<Given>,
  holds: (...given: Given) => boolean,
): void {
  const property = fc.property(arbitrary, (given) => holds(...given));
  fc.assert(property, runs);
}

const usualIds = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.ulid(),
  fc.stringMatching(/^[0-9a-f]{24}$/),
  fc.stringMatching(/^(req|doc)_[0-9A-Za-z]{12,26}$/),
  fc.stringMatching(/^[A-Za-z0-9]{16,24}$/),
  fc.stringMatching(/^[0-9]{9,30}$/),
);

test('any string is altered, the same each time for the same seed', () => {
  const strings = fc.oneof(usualIds, fc.string(), fc.base64String(), fc.nat().map(String));
  always(fc.tuple(strings, seed), (id, n) => {
    const altered = alter(id, n);
    return altered.toLowerCase() !== id.toLowerCase() && alter(id, n) === altered;
  });
});

test('an id that is read as base64 does not decode to the same bytes', () => {
  always(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 24 }), seed), (bytes, n) => {
    const id = Buffer.from(bytes).toString('base64url');
    return !Buffer.from(alter(id, n), 'base64').equals(Buffer.from(bytes));
  });
});

test('a UUID keeps version and variant, with and without hyphens', () => {
  always(fc.tuple(fc.uuid(), fc.boolean(), seed), (uuid, hyphens, n) => {
    const plain = (id: string) => id.replaceAll('-', '');
    const altered = plain(alter(hyphens ? uuid : plain(uuid), n));
    return /^[0-9a-f]{32}$/.test(altered) && [12, 16].every((at) => altered[at] === plain(uuid)[at]);
  });
});

test('a number stays within the integer type that holds it', () => {
  const limits = [2n ** 31n - 1n, 2n ** 53n - 1n, 2n ** 63n - 1n];
  always(fc.tuple(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), seed), (id, n) => {
    const limit = limits.find((largest) => id <= largest) ?? 0n;
    return BigInt(alter(String(id), n)) <= limit;
  });
});

for (const [id, shape] of [
  ['7', /^[1-9][0-9]{8}$/],
  ['req_7', /^req_[1-9][0-9]{8}$/],
  ['a7', /^[a-z][2-7]([a-z][2-7]){5}$/],
  ['UmVxdWVzdDo3', /^UmVxdWVzdDo/],
  ['document.7f3a2c@acme.example', /^document\.[0-9a-z]{6}@acme\.example$/],
  ['eyJhbGciOi.eyJzdWIi.c2lnbmF0dXJl', /^eyJhbGciOi\.eyJzdWIi\.[\w-]{12}$/],
] as const) {
  test(`${id} becomes an id that matches ${shape.source}`, () => {
    expect(alter(id, 1)).toMatch(shape);
  });
}

test('ids that are nearly right differ in more than a decoder drops, and numbers have none', () => {
  const uuid = '0b6f6a52-7a53-4a0e-9a43-3c7f8f5d2a10';
  const [cut, later] = [uuid.slice(0, -1), uuid.slice(1)];
  expect(nearly(uuid).map(({ id }) => id)).toEqual([`${uuid}2a10`, cut, `${cut}1`, `1${later}`]);
  // The last sign of 16 bytes in base64 has two bits that count.
  expect(nearly('doc:AAAAAAAAAAAAAAAAAAAAAQ').at(-1)?.id).toBe('doc:AAAAAAAAAAAAAAAAAAAAAw');
  expect(nearly('70000973')).toEqual([]);
  expect(nearly('req_7')).toEqual([]);
});

test('a run id is never taken for a one-time password, and no two are alike', () => {
  const ids = Array.from({ length: 1_000 }, newRunId);
  const taken = ids.filter((id) => findCode([`Conformance ${id} wants your signature`], undefined));
  expect(taken).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

const ofRun = { run: '2024-05 Run_A', seed: 1 };
const numbers = Array.from({ length: 400 }, (_, n) => n);

test('a person is the same each time, in any order of asking', () => {
  const forwards = numbers.map((n) => person(n, ofRun));
  const backwards = numbers.toReversed().map((n) => person(n, { ...ofRun }));
  expect(backwards.toReversed()).toEqual(forwards);
});

test('400 people of a run have 400 addresses and 400 names', () => {
  const people = numbers.map((n) => person(n, ofRun));
  expect(new Set(people.map(({ email }) => email)).size).toBe(400);
  expect(new Set(people.map(({ name }) => name)).size).toBe(400);
  expect(people.filter(({ name }) => !/^[A-Za-z]+ [A-Za-z]+$/.test(name))).toEqual([]);
});

test('addresses are at a domain that is reserved for documentation, and carry run and number', () => {
  expect(person(7, ofRun).email).toBe('qa-2024-05-run-a-7@example.com');
});

test('numbers of a profile take the place of the fictional ones and stay out of titles', () => {
  const personOf = (place: string) => person(place.length, ofRun);
  const rows = otpRows({ personOf, accessCode: 'a-code', mobileNumbers: { '1': '+12025550111' } });
  expect(JSON.stringify(rows.map(({ input }) => input))).toContain('+12025550111');
  expect(rows.map(({ title, cell }) => title + JSON.stringify(cell)).join()).not.toContain('2025550111');
});
