/** The shape of values that were seen: lines for people, and a schema that holds for these values and not for all. */
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { fieldsOf, schemaOfFields } from '../../openapi/fields.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: true });
addFormats.default(ajv);

test('fields are told with their types, their form, and whether each value has them', () => {
  const lines = fieldsOf([
    { id: '0b6f6a52-7a53-4a0e-9a43-3c7f8f5d2a10', list: [{ 'a/b': 1 }, { 'a/b': 1.5, more: null }] },
    { id: '5e0c1c0e-51f8-4c26-8a0e-0f5d8f0a7b21', list: [] },
  ]);
  expect(lines).toEqual([
    '/id: string (uuid)',
    '/list: array',
    '/list/*: object',
    '/list/*/a~1b: number',
    '/list/*/more?: null',
  ]);
  expect(fieldsOf(['x', 2])).toEqual([': integer or string']);
});

test('values keep to the schema that is made of their fields', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 4 }), { minLength: 1, maxLength: 4 }), (values) => {
      // What is deeper or more than lines tell is left open.
      const validate = ajv.compile(schemaOfFields(fieldsOf(values)));
      for (const value of values) expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
    }),
    { numRuns: 150, seed: 1 },
  );
});
