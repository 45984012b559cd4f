/** An altered id has the shape of the original and is not the original; the id of a run is taken for no code. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { alter, nearly } from '../../generators/ids.ts';
import { findCode } from '../../harness/people/messages/find-code.ts';
import { newRunId } from '../../harness/running/run-id.ts';

// The same inputs each time: a failure is one of this version, not of the day.
const runs = { seed: 1, numRuns: 200 };

const seed = fc.integer({ min: 0, max: 1_000_000 });

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
  fc.assert(
    fc.property(fc.oneof(usualIds, fc.string(), fc.base64String(), fc.nat().map(String)), seed, (id, n) => {
      const altered = alter(id, n);
      expect(altered.toLowerCase()).not.toBe(id.toLowerCase());
      expect(alter(id, n)).toBe(altered);
    }),
    runs,
  );
});

test('an id that is read as base64 does not decode to the same bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 24 }), seed, (bytes, n) => {
      const id = Buffer.from(bytes).toString('base64url');
      expect(Buffer.from(alter(id, n), 'base64').equals(Buffer.from(bytes))).toBe(false);
    }),
    runs,
  );
});

test('usual ids keep length, casing, and which signs are digits', () => {
  fc.assert(
    fc.property(usualIds, seed, (id, n) => {
      expect(shapeOf(alter(id, n))).toBe(shapeOf(id));
    }),
    runs,
  );
});

test('a UUID keeps version and variant, with and without hyphens', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.boolean(), seed, (uuid, hyphens, n) => {
      const plain = (id: string) => id.replaceAll('-', '');
      const altered = alter(hyphens ? uuid : plain(uuid), n);
      expect(plain(altered)).toMatch(/^[0-9a-f]{32}$/);
      expect([plain(altered)[12], plain(altered)[16]]).toEqual([plain(uuid)[12], plain(uuid)[16]]);
    }),
    runs,
  );
});

test('a number stays within the integer type that holds it', () => {
  const limits = [2n ** 31n - 1n, 2n ** 53n - 1n, 2n ** 63n - 1n];
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), seed, (id, n) => {
      const limit = limits.find((largest) => id <= largest) ?? 0n;
      expect(BigInt(alter(String(id), n)) <= limit).toBe(true);
    }),
    runs,
  );
});

for (const [id, shape] of [
  ['7', /^[1-9][0-9]{8}$/],
  ['req_7', /^req_[1-9][0-9]{8}$/],
  ['a7', /^[a-z][2-7]([a-z][2-7]){5}$/],
  ['UmVxdWVzdDo3', /^UmVxdWVzdDo/],
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
  for (const id of ids)
    expect(findCode([`Conformance ${id} wants your signature`], undefined)).toBeUndefined();
  expect(new Set(ids).size).toBe(ids.length);
});
