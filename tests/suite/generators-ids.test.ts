/** An altered id has the shape of the original and is not the original; the id of a run is taken for no code. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { alter, nearly } from '../../generators/ids.ts';
import { newRunId } from '../../harness/judging/names.ts';
import { findCode } from '../../harness/people/messages/find-code.ts';

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

/** The shape of an id: each digit is `9`, each letter `a` or `A`, all other signs are themselves. */
function shapeOf(id: string): string {
  return id.replace(/[0-9]/g, '9').replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A');
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

test('usual ids keep length, casing, and which signs are digits', () => {
  always(fc.tuple(usualIds, seed), (id, n) => shapeOf(alter(id, n)) === shapeOf(id));
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
  expect(nearly(uuid).map(({ id }) => id)).toEqual([
    `${uuid}2a10`,
    uuid.slice(0, -1),
    `${uuid.slice(0, -1)}1`,
  ]);
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
