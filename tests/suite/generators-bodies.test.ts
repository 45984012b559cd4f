/** Accepted bodies use what the contract knows; broken ones differ from them in exactly one place. */
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { boldRequestRows } from '../../generators/bodies/bold-request.ts';
import { boldSignatoryRows } from '../../generators/bodies/bold-signatory.ts';
import { boldStampedRows } from '../../generators/bodies/bold-stamping.ts';
import { brokenRows, completed } from '../../generators/bodies/broken.ts';
import { isObject } from '../../generators/bodies/edit.ts';
import { minimalRequest, requestRows } from '../../generators/bodies/request.ts';
import { signatoryRows } from '../../generators/bodies/signatory.ts';
import { stampedRows } from '../../generators/bodies/stamping.ts';
import { person } from '../../generators/people.ts';
import type { Body } from '../../generators/row.ts';
import { requestSchema } from '../../openapi/contract.ts';

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
      const valid = completed(json(input), schema);
      const broken = brokenRows(schema, json(input)).filter(({ damage }) => damage !== 'malformed');
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
