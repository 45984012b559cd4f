/** The reporter under Playwright itself: what becomes of checks that crash, hang or lie. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, type TestInfo, test } from '@playwright/test';
import { readRun } from '../../reports/run/run-file.ts';
import { type Ended, start } from './cli-spawn.ts';
import { requirementOf } from './reports-sample.ts';

const playwright = createRequire(import.meta.url).resolve('@playwright/test/cli');
const reports = new URL('../../reports/', import.meta.url);
const reporter = fileURLToPath(new URL('ending/collect.ts', reports));

/** Hands a record over as the run host does. */
const setUp = `
import { handOver } from '${new URL('assembling/record.ts', reports).href}';
export default () => () => handOver({
  target: { name: 'sample', baseUrl: 'http://127.0.0.1:1', profileHash: '' },
  seed: 1, startedAt: new Date().toISOString(), exchanges: [], deliveries: [], created: [], observations: [],
  answeredByProfile: [], retries: 0, warnings: [], unlocks: [],
});`;

const checks = `
import { test } from '@playwright/test';
const attach = (info, result) => info.attach('conformance-check', {
  contentType: 'application/json',
  body: JSON.stringify({ title: 't', durationMs: 1, rows: [], ...result }),
});
test('passes', { tag: '@otp.email' }, ({}, info) => attach(info, { id: 'otp.email', verdict: 'passed' }));
test('hangs', { tag: '@upload.pdf' }, () => new Promise(() => {}));
test('crashes', { tag: '@upload.doc' }, () => process.exit(7));
test('says nothing', { tag: '@upload.docx' }, () => {});
test('breaks after it was done', { tag: ['@upload.token-string', '@upload.returns-token'] }, async ({}, info) => {
  await attach(info, { id: 'upload.token-string', verdict: 'passed' });
  await attach(info, { id: 'upload.returns-token', verdict: 'passed' });
  throw new Error('broke afterwards');
});
test('hands over nonsense', { tag: '@upload.token-usable' }, ({}, info) => attach(info, { id: 'upload.token-usable', verdict: 'good' }));
`;

async function runWith(
  info: TestInfo,
  spec: string,
  given: readonly string[] = [],
  before = setUp,
): Promise<Ended> {
  const folder = info.outputPath('checkout');
  mkdirSync(`${folder}/specs`, { recursive: true });
  const options = { out: info.outputPath('out'), strict: false, seed: 1 };
  writeFileSync(`${folder}/specs/sample.spec.ts`, spec);
  writeFileSync(`${folder}/set-up.ts`, before);
  writeFileSync(
    `${folder}/playwright.config.ts`,
    `export default {
      globalSetup: './set-up.ts', outputDir: 'results', timeout: 500, workers: 1,
      reporter: [[${JSON.stringify(reporter)}, ${JSON.stringify(options)}]],
      projects: [{ name: 'conformance', testDir: 'specs' }],
    };`,
  );
  return start(['test', `--config=${folder}/playwright.config.ts`, ...given], { script: playwright }).ended;
}

test('a check that crashes, hangs or breaks is an error with what Playwright says about it, and --list leaves no run', async ({}, info) => {
  expect(await runWith(info, checks, ['--list'])).toMatchObject({ code: 0 });
  expect(existsSync(info.outputPath('out'))).toBe(false);
  const { code, stdout } = await runWith(info, checks);
  expect(code).toBe(1);
  expect(stdout).toContain('ERROR IN A CHECK');
  const run = readRun(info.outputPath('out'));
  expect(run).toMatchObject({ verdict: 'error', exitCode: 4, scope: 'partial' });
  const told = (id: Parameters<typeof requirementOf>[1]) => {
    const { verdict, reason } = requirementOf(run, id);
    return `${verdict}: ${reason ?? ''}`;
  };
  expect(told('otp.email')).toBe('passed: ');
  expect(told('upload.pdf')).toContain('error: Test timeout of 500ms exceeded');
  expect(told('upload.doc')).toMatch(/error: .*worker process exited unexpectedly/);
  expect(told('upload.docx')).toBe('error: the test ended as passed without a result');
  expect(told('upload.token-string')).toContain('error: Error: broke afterwards');
  expect(told('upload.returns-token')).toContain('error: Error: broke afterwards');
  expect(told('upload.token-usable')).toBe('error: the test ended as passed without a result');
  expect(run.problems.join()).toContain('a result of the wrong shape: /verdict');
});

test('a run that is interrupted before anything was recorded is incomplete, and no fault of the suite', async ({}, info) => {
  const spec = `
    import { test } from '@playwright/test';
    test('waits', { tag: '@otp.email' }, () => {
      // However long the signal takes.
      test.setTimeout(0);
      process.kill(process.ppid, 'SIGINT');
      return new Promise(() => {});
    });`;
  await runWith(info, spec, [], 'export default () => {};');
  const run = readRun(info.outputPath('out'));
  expect(run).toMatchObject({ verdict: 'incomplete', exitCode: 2, problems: [] });
  expect(run.warnings.join()).toContain('the run was interrupted');
});
