/** The observed contract: the overlay of a run is a valid one, and applied to the contract it fits what was seen. */
import { expect, test } from '@playwright/test';
import { overlay } from '../../reports/overlay/overlay.ts';
import { effective, fits, operationAt, paths } from './effective-contract.ts';
import { run as sampleRun } from './reports-sample.ts';
import { runInDialect } from './services/dialect-run.ts';

/** Successes, refusals of each kind, and callbacks. */
const some = [
  'upload.docx',
  'upload.token-missing',
  'skeleton',
  'signatory.added',
  'stamping.status-200',
  'events.all',
];

test('a service with raw uploads, tokens in a header, errors in plain text and 201', async ({}, info) => {
  const out = info.outputPath('out');
  await runInDialect(
    info,
    {
      uploadEncoding: 'raw',
      uploadStatus: 201,
      tokenPlace: 'header',
      documentTokenForm: 'digits',
      skeletonStatus: 201,
      signatoryStatus: 202,
      extraFields: true,
      errorShape: 'text',
      callbackFormat: 'nested',
      callbackAttachments: 'data-url',
    },
    () => ({ upload: { encoding: 'raw', token: { header: 'X-Document-Token' } } }),
    out,
    some,
  );
  const document = await fits(out);
  expect(Object.keys(operationAt(document, paths.upload).responses)).toContain('201');
  expect(Object.keys(operationAt(document, paths.upload).requestBody.content)).toContain('application/pdf');
  expect(operationAt(document, paths.upload).responses['201']).toMatchObject({
    headers: { 'x-document-token': { schema: { type: 'string' } } },
  });
  expect(Object.keys(operationAt(document, paths.skeleton).responses)).not.toContain('2XX');
  expect(operationAt(document, paths.skeleton).responses['400']?.content).toEqual({
    'text/plain': { schema: { type: 'string' } },
  });
});

test('a service with forms, lists of errors, 415 and 422, and callbacks as forms', async ({}, info) => {
  const out = info.outputPath('out');
  await runInDialect(
    info,
    {
      uploadField: 'document',
      tokenPointer: '/data/0/id',
      createEncoding: 'multipart',
      createField: 'payload',
      createAnswer: 'nested',
      errorShape: 'list',
      contentTypeStatus: 415,
      wrongTypeStatus: 422,
      valueStatus: 422,
      callbackFormat: 'form',
      callbackTime: 'seconds',
    },
    ({ create }) => ({
      upload: { encoding: 'multipart', field: 'document' },
      create: { ...create, field: 'payload' },
    }),
    out,
    some,
  );
  const document = await fits(out);
  expect(operationAt(document, paths.upload).responses['200']?.content).toMatchObject({
    'application/json': { schema: { properties: { data: { items: { properties: { id: {} } } } } } },
  });
  expect(operationAt(document, paths.stamped).requestBody.content).toEqual({
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['payload'],
        properties: { payload: { $ref: '#/components/schemas/StampedRequest' } },
      },
    },
  });
  const events = Object.values(operationAt(document, paths.skeleton).callbacks ?? {}).flatMap((each) =>
    Object.values(each),
  );
  expect(events.map(({ post: { requestBody } }) => Object.keys(requestBody.content))).toEqual(
    Array.from({ length: 3 }, () => ['application/x-www-form-urlencoded']),
  );
});

test('a run that saw nothing still gives an overlay with an action', async () => {
  const run = { ...sampleRun(), exchanges: [], gaps: [], created: [], deliveries: [] };
  const document = await effective(overlay(run));
  expect(document.info).toMatchObject({ 'x-observed': { target: run.target.name } });
});
