/** The observed contract: the overlay of a run is a valid one, and applied to the contract it fits what was seen. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { contract } from '../../openapi/contract.ts';
import { declarationOf } from '../../openapi/gaps/observed-keys.ts';
import { isGapId, gaps as register } from '../../openapi/gaps/register.ts';
import { overlay } from '../../reports/overlay/overlay.ts';
import { command, readRun, withVerdict } from './command.ts';
import { type Content, effective, lint, type OperationObject, unfitting } from './effective-contract.ts';
import { run as sampleRun } from './reports-sample.ts';
import { runInDialect } from './services/dialect-run.ts';

async function fits(out: string): Promise<typeof contract> {
  const run = readRun(out);
  for (const verdict of ['failed', 'error']) expect(withVerdict(run, verdict), verdict).toEqual([]);
  const document = await effective(readFileSync(join(out, 'observed.overlay.yaml'), 'utf8'));
  expect(await lint(document, out)).toEqual([]);
  expect(unfitting(document, run)).toEqual([]);
  return document;
}

function operationAt(document: typeof contract, path: string) {
  const item: unknown = document.paths?.[path];
  return (item as { post: OperationObject & { requestBody: { content: Content } } }).post;
}

const paths = {
  upload: '/_apis/sign/thumbs/api/Requests/document',
  skeleton: '/_apis/sign/api/v2/requests',
  stamped: '/_apis/sign/api/Requests',
};

/** One run serves both tests about the default reference service. */
let usual: Promise<string> | undefined;
function usualRun(out: string): Promise<string> {
  usual ??= command(['--out', out]).then(() => out);
  return usual;
}

test('each observation has a key that is declared, and is shown by exchanges', async ({}, info) => {
  const { gaps } = readRun(await usualRun(info.outputPath('out')));
  const seen = gaps.flatMap(({ id, observations }) => observations.map((each) => ({ id, ...each })));
  const undeclared = seen.filter(
    ({ id, key, stability }) => !isGapId(id) || declarationOf(id, key)?.stability !== stability,
  );
  const told = ({ id, key, stability }: (typeof seen)[number]) => `${id}: ${key} (${stability})`;
  expect(undeclared.map(told)).toEqual([]);
  // Requests for tokens are in no record, and a repeated delivery is none of the exchanges.
  const elsewhere = ['auth.lifetime', 'events.repeated'];
  const shown = seen.filter(({ id, exchanges }) => exchanges.length > 0 || elsewhere.includes(id));
  expect(seen.filter((each) => !shown.includes(each)).map(told)).toEqual([]);
  const keys = seen.map(told);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  // What was not seen says what it takes, unless the profile answers it.
  const unseen = gaps.filter(
    ({ status, id }) => status === 'unobserved' && !register.find((each) => each.id === id)?.needs,
  );
  expect(unseen.map(({ id }) => id)).toEqual([]);
});

test('the default reference service', async ({}, info) => {
  const document = await fits(await usualRun(info.outputPath('out')));
  const upload = operationAt(document, paths.upload);
  expect(Object.keys(upload.responses)).toEqual(['default', '200', '400', '401'].sort());
  expect(upload.requestBody.content).toEqual({
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
      },
    },
  });
});

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
