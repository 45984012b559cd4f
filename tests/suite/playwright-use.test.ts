/** The checks are ordinary Playwright tests: filters, shards and traces work as usual. */
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, type TestInfo, test } from '@playwright/test';
import { readRun } from '../../reports/run/run-file.ts';
import { cli, root, type Started, start } from './cli-spawn.ts';
import { type PlainService, startPlainService } from './services/plain-service.ts';

const script = createRequire(import.meta.url).resolve('@playwright/test/cli');
const config = join(root, 'playwright.config.ts');

/** Starts `npx playwright test` in a folder of its own, where reports/out is its own too. */
function checks(info: TestInfo, name: string, given: readonly string[], env = {}): Started & { out: string } {
  const cwd = info.outputPath(name);
  mkdirSync(cwd, { recursive: true });
  const fixed = ['test', `--config=${config}`, '--project=conformance', `--output=${join(cwd, 'results')}`];
  return { ...start([...fixed, ...given], { script, cwd, env }), out: join(cwd, 'reports', 'out') };
}

const environment = ({ baseUrl, token, expiredToken }: PlainService) => ({
  ESIGN_BASE_URL: baseUrl,
  ESIGN_TOKEN: token,
  ESIGN_EXPIRED_TOKEN: expiredToken,
});

test('--list names the checks and writes no run', async ({}, info) => {
  const { ended, out } = checks(info, 'list', ['--list']);
  const { code, stdout } = await ended;
  expect(stdout).toContain('SMS OTP with a valid number is accepted');
  expect(existsSync(out)).toBe(false);
  expect(code).toBe(0);
});

test('shards are merged into one run', async ({}, info) => {
  const service = await startPlainService();
  const outs: string[] = [];
  for (const part of ['1', '2']) {
    // Each half has a must that passes, in a file of its own: a run without any is incomplete.
    const given = [`--shard=${part}/2`, '--grep', '@(otp\\.email|upload\\.pdf)(?![.\\w-])'];
    const { ended, out } = checks(info, `shard-${part}`, given, environment(service));
    expect((await ended).code).toBe(0);
    outs.push(out);
  }
  await service.close();
  const merged = info.outputPath('merged');
  const { code } = await cli('report', ...outs, '--out', merged);
  const run = readRun(merged);
  expect(run).toMatchObject({ scope: 'partial', verdict: 'partial' });
  expect(run.selection).toEqual(expect.arrayContaining(['otp.email', 'upload.pdf']));
  expect(run.exchanges).toHaveLength(outs.reduce((sum, out) => sum + readRun(out).exchanges.length, 0));
  expect(code).toBe(0);
});
