/** The main job, end to end: the command line against the reference service and against other services. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { checked } from '../../openapi/requirements/catalogue.ts';
import type { Run } from '../../reports/run.ts';
import { command, readRun, withVerdict } from './command.ts';
import { type Flaws, startPlainService } from './services/plain-service.ts';

test('the reference service conforms, within a budget of calls and signature requests', async ({}, info) => {
  const out = info.outputPath('out');
  const { exitCode, stdout } = await command(['--out', out]);
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
  expect(ofFlows.length).toBeLessThanOrEqual(150);
  expect(calls.length - ofFlows.length).toBeLessThanOrEqual(300);
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

async function runAgainstPlainService(out: string, flaws: Flaws = {}) {
  const service = await startPlainService(flaws);
  const env = { ESIGN_TOKEN: service.token, ESIGN_EXPIRED_TOKEN: service.expiredToken };
  const result = await command(['--base-url', service.baseUrl, '--out', out], env);
  await service.close();
  return { ...result, run: readRun(out) };
}

test('a correct service that fills every gap in another way is not blamed', async ({}, info) => {
  const { run, exitCode } = await runAgainstPlainService(info.outputPath('out'));
  expect(withVerdict(run, 'failed')).toEqual([]);
  expect(withVerdict(run, 'could-not-run')).toEqual([]);
  expect(withVerdict(run, 'error')).toEqual([]);
  expect(run.verdict).toBe('conformant');
  expect(exitCode).toBe(0);
});

test('a service that creates without a token fails exactly that requirement', async ({}, info) => {
  const { run, exitCode, stdout } = await runAgainstPlainService(info.outputPath('out'), {
    createsWithoutToken: true,
  });
  expect(withVerdict(run, 'failed')).toEqual(['skeleton.token-missing']);
  expect(withVerdict(run, 'could-not-run')).toEqual([]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('skeleton.token-missing  (must, "Errors, Endpoints 4 and 5")');
  expect(stdout).toContain('expected 401 · received 201 {"requestId"');
  expect(stdout).toMatch(/reproduce: curl -X POST .*type=0/);
  expect(stdout).toMatch(/exchange \d+ in run\.json/);
});
