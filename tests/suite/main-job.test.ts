/** The main job, end to end: the command line against the reference service and against other services. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type TestInfo, test } from '@playwright/test';
import { declarationOf } from '../../openapi/gaps/observed-keys.ts';
import { isGapId, gaps as register } from '../../openapi/gaps/register.ts';
import { checked } from '../../openapi/requirements/catalogue.ts';
import type { Run } from '../../reports/run.ts';
import { type CommandResult, command, readRun, withVerdict } from './command.ts';
import { fits, operationAt, paths } from './effective-contract.ts';
import { startPlainService } from './services/plain-service.ts';

/** One run serves all tests about the default reference service. */
let usual: Promise<CommandResult & { readonly out: string }> | undefined;
function usualRun(info: TestInfo): NonNullable<typeof usual> {
  const out = info.outputPath('out');
  usual ??= command(['--out', out]).then((result) => ({ ...result, out }));
  return usual;
}

test('the reference service conforms, within a budget of calls and signature requests', async ({}, info) => {
  const { exitCode, stdout, out } = await usualRun(info);
  const run = readRun(out);
  expect(withVerdict(run, 'failed')).toEqual([]);
  expect(withVerdict(run, 'could-not-run')).toEqual([]);
  expect(withVerdict(run, 'error')).toEqual([]);
  expect(withVerdict(run, 'passed').sort()).toEqual(checked.map(({ id }) => id).sort());
  expect(run.counts.checks).toEqual({ expected: checked.length, reported: checked.length });
  expect(run.verdict).toBe('conformant');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('conformant');

  const { exchanges, created } = run;
  const calls = exchanges.filter((exchange) => !isRemoval(exchange));
  const ofFlows = calls.filter(({ purpose }) => purpose === 'flow' || purpose === 'template');
  // How often a mailbox and a state are asked for is a matter of timing.
  const acts = ofFlows.filter(({ template = '' }) => !/^(outbox\.|(calls\.)?status$)/.test(template));
  expect(acts.length).toBeLessThanOrEqual(140);
  expect(calls.length - ofFlows.length).toBeLessThanOrEqual(330);
  const requests = created.filter(
    ({ kind, exchange }) => kind === 'request' && exchanges[exchange]?.purpose !== 'flow',
  );
  expect(requests.length).toBeLessThanOrEqual(40);

  // One file that can be mailed, with every call in it.
  const page = readFileSync(join(out, 'index.html'), 'utf8');
  expect(Buffer.byteLength(page)).toBeLessThan(1_000_000);
  const anchors = new Set([...page.matchAll(/ id="exchange-(\d+)"/g)].map(([, index]) => Number(index)));
  expect(anchors.size).toBe(exchanges.length);
  const scripts = [...page.matchAll(/ href="(reproduce\/[^"]+)"/g)].map(([, file = '']) => file);
  expect(scripts.length).toBeGreaterThan(200);
  expect(scripts.filter((file) => !existsSync(join(out, file)))).toEqual([]);
});

/** At its end a run removes what it has created: as many calls as there are objects, and none that tests anything. */
function isRemoval({ template, check }: Run['exchanges'][number]): boolean {
  return check === undefined && (template === 'deleteRequest' || template === 'invalidateDocument');
}

test('each observation has a key that is declared, and is shown by exchanges', async ({}, info) => {
  const { gaps } = readRun((await usualRun(info)).out);
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

test('the overlay of the run fits what was seen', async ({}, info) => {
  const document = await fits((await usualRun(info)).out);
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

test('every check of events has its timeline, and of each completed document hash, size and pages are kept', async ({}, info) => {
  const run = readRun((await usualRun(info)).out);
  const events = run.requirements.filter(({ id, checks }) => id.startsWith('events.') && checks.length > 0);
  expect(events.length).toBeGreaterThan(10);
  const told = events.map(({ id, checks }) => [
    id,
    checks.every(({ timeline = [] }) => timeline.some(({ kind }) => kind === 'action')),
    checks.some(({ timeline = [] }) => timeline.some(({ delivery }) => delivery !== undefined)),
  ]);
  // A request without CallbackUrl has nothing delivered: that is what is judged.
  expect(told).toEqual(events.map(({ id }) => [id, true, id !== 'events.optional']));
  const known = new Set(run.deliveries.map(({ id }) => id));
  const shown = events.flatMap(({ checks }) => checks.flatMap(({ timeline = [] }) => timeline));
  expect(shown.filter(({ delivery }) => delivery !== undefined && !known.has(delivery))).toEqual([]);

  const bodies = [...run.deliveries, ...run.exchanges.flatMap(({ response }) => response ?? [])]
    .flatMap(({ body }) => body ?? [])
    .filter(({ text }) => text?.startsWith('(not kept'));
  expect(bodies.length).toBeGreaterThan(2);
  for (const { documents = [] } of bodies) {
    expect(documents).not.toEqual([]);
    for (const { pages, size, sha256 } of documents) {
      expect([Number(pages) > 0, size > 500, /^[0-9a-f]{64}$/.test(sha256)]).toEqual([true, true, true]);
    }
  }
});

test('a service that creates without a token fails exactly that requirement', async ({}, info) => {
  const out = info.outputPath('out');
  const service = await startPlainService({ createsWithoutToken: true });
  const env = { ESIGN_TOKEN: service.token, ESIGN_EXPIRED_TOKEN: service.expiredToken };
  const { exitCode, stdout } = await command(['--base-url', service.baseUrl, '--out', out], env);
  await service.close();
  const run = readRun(out);
  expect(withVerdict(run, 'failed')).toEqual(['skeleton.token-missing']);
  expect(withVerdict(run, 'could-not-run')).toEqual([]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('skeleton.token-missing  (must, "Errors, Endpoints 4 and 5")');
  expect(stdout).toContain('expected 401 · received 201 {"requestId"');
  expect(stdout).toMatch(/reproduce: curl -X POST .*type=0/);
  expect(stdout).toMatch(/exchange \d+ in run\.json/);
});
