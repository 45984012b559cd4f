/** The requirement catalogue and the gap register are complete in themselves, and their ids stay. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { gaps } from '../../openapi/gaps/register.ts';
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
