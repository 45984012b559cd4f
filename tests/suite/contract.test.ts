/** The catalogue, the register of gaps and the contract agree with each other, and their ids stay; the contract judges bodies as it says. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { event, otpType, path, requestType, role, stampTypes } from '../../openapi/codes.ts';
import { contract, contractVersion, operations, validateRequest } from '../../openapi/contract.ts';
import { isObject } from '../../openapi/dereference.ts';
import { gaps } from '../../openapi/gaps/register.ts';
import { below } from '../../openapi/json-pointer.ts';
import type { JsonSchema, Marks } from '../../openapi/json-schema.ts';
import { catalogue } from '../../openapi/requirements/catalogue.ts';

/** The headings of the interface document, those of tables after the one that they stand under. */
const headings = [
  'Introduction',
  'What the service does',
  'Resources',
  'Resources, Document token',
  'Resources, Signature request',
  'Resources, AuditDetails',
  'Resources, Created request',
  'Resources, Signatory',
  'Resources, SignatoryType values',
  'Resources, OTP object',
  'Resources, OTP Type values',
  'Resources, Added signatory',
  'Resources, Signatory in an auto stamping body (type 3)',
  'Resources, AutoStamp',
  'States and transitions',
  'Endpoints',
  'Endpoints, 1. Upload a document',
  'Endpoints, 2. Create a request, types 1, 2, 3',
  'Endpoints, 3. Create a request with auto stamping (type 3)',
  'Endpoints, 4. Create a skeleton request (type 0)',
  'Endpoints, 5. Add a signatory to a type 0 request',
  'Endpoints, Other operations',
  'Authentication',
  'Events',
  'Errors, Endpoints 4 and 5',
  'Errors, Upload',
  'Limits',
  'Versioning',
];

const idForm = /^[a-z]+(\.[a-z0-9]+(-[a-z0-9]+)*)$/;

test('each requirement is a sentence under a heading of the interface document', () => {
  for (const { id, section, statement, since } of catalogue) {
    expect.soft(headings, id).toContain(section);
    expect.soft(statement, id).toMatch(/^\S.*\.$/);
    expect.soft(since, id).toMatch(/^\d+\.\d+\.\d+$/);
  }
});

test('each gap is a question under a heading, with what the reference service does', () => {
  for (const { id, section, question, reference } of gaps) {
    expect.soft(headings, id).toContain(section);
    expect.soft(question, id).toMatch(/\?$/);
    expect.soft(reference, id).not.toBe('');
  }
});

test('an id is an area and a slug, and stands in one of the two catalogues only', () => {
  const ids = [...catalogue, ...gaps].map(({ id }) => id);
  expect(ids.filter((id) => !idForm.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('no statement and no question is there twice', () => {
  const told = catalogue.map(({ operation, statement }) => `${operation}: ${statement}`);
  expect(told.filter((text, index) => told.indexOf(text) !== index)).toEqual([]);
  const asked = gaps.map(({ question }) => question);
  expect(asked.filter((text, index) => asked.indexOf(text) !== index)).toEqual([]);
});

test('no id of an earlier version vanished, and new ones are written down', () => {
  const snapshot = new URL('./ids.snapshot.json', import.meta.url);
  const locked = JSON.parse(readFileSync(snapshot, 'utf8')) as Record<'requirements' | 'gaps', string[]>;
  const rule = 'ids are never renamed or reused: add new ones to tests/suite/ids.snapshot.json, remove none';
  expect(catalogue.map(({ id }) => id).sort(), rule).toEqual(locked.requirements);
  expect(gaps.map(({ id }) => id).sort(), rule).toEqual(locked.gaps);
});

const marks = anchors(contract);
const marked = (mark: 'x-requirements' | 'x-gaps') =>
  new Set(marks.filter((anchor) => anchor.mark === mark).map(({ id }) => id));

test.describe('ids', () => {
  test('the contract names the requirements of the catalogue and no others', () => {
    expect([...marked('x-requirements')].sort()).toEqual(catalogue.map(({ id }) => id).sort());
  });

  test('the contract names the gaps of the register and no others', () => {
    expect([...marked('x-gaps')].sort()).toEqual(gaps.map(({ id }) => id).sort());
  });

  test('a requirement of an operation stands inside that operation', () => {
    for (const { id, object } of operations) {
      const inside = anchors(object).map((anchor) => anchor.id);
      const own = catalogue.filter((entry) => entry.operation === id);
      const outside = own.filter((entry) => !inside.includes(entry.id));
      expect(
        outside.map((entry) => entry.id),
        id,
      ).toEqual([]);
    }
  });

  test('no id is written twice at one place', () => {
    const places = marks.map(({ pointer, id }) => `${pointer} ${id}`);
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
  });
});

test.describe('document', () => {
  test('it describes the five operations at the paths of the interface document', () => {
    expect(operations.map(({ method, path: below }) => `${method} ${below}`).sort()).toEqual(
      Object.values(path)
        .map((below) => `POST ${below}`)
        .sort(),
    );
    expect(contractVersion).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('its enumerations are those of the codes', () => {
    const schemas = contract.components?.schemas as Readonly<Record<string, JsonSchema>>;
    expect(schemas.Role?.enum).toEqual(Object.values(role));
    expect(schemas.Otp?.properties?.Type?.enum).toEqual(Object.values(otpType));
    expect(schemas.EventCode?.enum).toEqual(Object.values(event));
    expect(schemas.AutoStamp?.properties?.Type?.enum).toEqual(stampTypes);
    const modes = operations
      .flatMap(({ object }) => object.parameters ?? [])
      .flatMap((each) => ('name' in each && each.name === 'type' ? [each.schema as JsonSchema] : []))
      .flatMap((schema): unknown[] => [...(schema.enum ?? [schema.const])]);
    expect([...new Set(modes)].sort()).toEqual(Object.values(requestType));
  });

  test('its schemas close nothing', () => {
    expect(JSON.stringify(contract)).not.toMatch(/additionalProperties|unevaluatedProperties/);
  });
});

test.describe('bodies', () => {
  test('the OTP rule holds with auto stamping too, where Type is a string', () => {
    const pointers = (OTP: object) => {
      const body = { Signatories: [{ signatoryType: role.signer, OTP }] };
      const found = validateRequest('createStampedRequest', body);
      return found.map(({ pointer }) => pointer.replace('/Signatories/0/OTP/', ''));
    };
    expect(pointers({ IsRequired: true, Type: '2' })).toEqual(['MobileNumber']);
    expect(pointers({ IsRequired: true, Type: '1' })).toEqual([]);
    expect(pointers({ IsRequired: false, Type: 2 })).toEqual(['Type', 'Type']);
  });

  test('a problem says what is wrong and never twice', () => {
    const body = { Title: {}, Message: null, Documents: [], AuditDetails: 'me', CallbackTypes: [9] };
    expect(validateRequest('createSkeletonRequest', body)).toEqual([
      { pointer: '/Title', message: 'must be string, not object' },
      { pointer: '/Message', message: 'must be string, not null' },
      { pointer: '/Documents', message: 'must hold at least 1' },
      { pointer: '/CallbackTypes/0', message: 'must be one of 0, 1, 2, 3' },
      { pointer: '/AuditDetails', message: 'must be object, not string' },
    ]);
  });
});

/** Every mark at `node` and below it, with the ids as written and its place; references are not followed. */
function anchors(node: unknown, pointer = ''): { mark: keyof Marks; id: string; pointer: string }[] {
  if (Array.isArray(node)) return node.flatMap((item, index) => anchors(item, `${pointer}/${index}`));
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (key !== 'x-requirements' && key !== 'x-gaps') return anchors(value, below(pointer, key));
    if (!Array.isArray(value)) throw new Error(`${pointer}/${key} is no list of ids`);
    return value.map((id) => ({ mark: key, id: String(id), pointer }) as const);
  });
}
