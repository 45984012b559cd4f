/** The observed contract: the overlay of a run is a valid one, and applied to the contract it fits what was seen. */
import { expect, test } from '@playwright/test';
import { overlay } from '../../reports/machine/overlay.ts';
import { effective, fits, operationAt, paths } from './effective-contract.ts';
import { run as sampleRun } from './reports-sample.ts';
import { startGround } from './services/tenant-ground.ts';

/** Successes, refusals of each kind, and callbacks. */
const some = [
  'upload.docx',
  'upload.token-missing',
  'skeleton.created',
  'skeleton.title-required',
  'skeleton.title-type',
  'skeleton.content-type',
  'skeleton.malformed',
  'skeleton.unknown-document',
  'skeleton.token-missing',
  'signatory.added',
  'stamping.status-200',
  'events.all',
];

test('a service with raw uploads, tokens in a header, other statuses, creations and callbacks in forms', async ({}, info) => {
  const out = info.outputPath('out');
  const ground = await startGround(info, {
    direct: true,
    service: {
      dialect: {
        uploadEncoding: 'raw',
        uploadStatus: 201,
        tokenPlace: 'header',
        skeletonStatus: 201,
        extraFields: true,
        createEncoding: 'multipart',
        createField: 'payload',
        createAnswer: 'nested',
        errorShape: 'text',
        contentTypeStatus: 415,
        wrongTypeStatus: 422,
        callbackFormat: 'form',
      },
    },
    change: ({ create }) => ({
      upload: { encoding: 'raw', token: { header: 'X-Document-Token' } },
      create: { ...create, field: 'payload' },
    }),
  });
  await ground.cli('--out', out, '--only', some.join());
  await ground.close();
  const document = await fits(out);
  const upload = operationAt(document, paths.upload);
  expect(Object.keys(upload.requestBody.content)).toContain('application/pdf');
  expect(upload.responses['201']).toMatchObject({
    headers: { 'x-document-token': { schema: { type: 'string' } } },
  });
  const skeleton = operationAt(document, paths.skeleton);
  expect(Object.keys(skeleton.responses)).not.toContain('2XX');
  expect(skeleton.responses['400']?.content).toEqual({ 'text/plain': { schema: { type: 'string' } } });
  const schema = {
    type: 'object',
    required: ['payload'],
    properties: { payload: { $ref: '#/components/schemas/StampedRequest' } },
  };
  expect(operationAt(document, paths.stamped).requestBody.content).toEqual({
    'multipart/form-data': { schema },
  });
  const events = Object.values(skeleton.callbacks ?? {}).flatMap((each) => Object.values(each));
  expect(events.map(({ post: { requestBody } }) => Object.keys(requestBody.content))).toEqual(
    Array.from({ length: 3 }, () => ['application/x-www-form-urlencoded']),
  );
});

test('a run that saw nothing still gives an overlay with an action', async () => {
  const run = { ...sampleRun(), exchanges: [], gaps: [], created: [], deliveries: [] };
  const document = await effective(overlay(run));
  expect(document.info).toMatchObject({ 'x-observed': { target: run.target.name } });
});
