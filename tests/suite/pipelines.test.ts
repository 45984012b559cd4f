/** The examples for pipelines: their files are read, and their scripts run as they stand with each exit code. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, type TestInfo, test } from '@playwright/test';
import { parse } from 'yaml';
import { root, start } from './cli-spawn.ts';

const read = (name: string) => readFileSync(join(root, 'examples', 'pipelines', name), 'utf8');

interface Step {
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, string>>;
}

/** Runs a script of bash in which `npx` ends with a code, and keeps its arguments. */
function bash(info: TestInfo, script: string, code: number, env: NodeJS.ProcessEnv = {}) {
  const folder = info.outputPath(`code-${code}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'npx'), `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/given"\nexit ${code}\n`);
  chmodSync(join(folder, 'npx'), 0o755);
  const output = join(folder, 'output');
  const PATH = `${folder}${delimiter}${process.env.PATH}`;
  const { status, stdout } = spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
    encoding: 'utf8',
    env: { PATH, GITHUB_OUTPUT: output, ...env },
  });
  return { status, stdout, given: readFileSync(join(folder, 'given'), 'utf8').trim().split('\n'), output };
}

test('the action blocks with 1, 3 and 4, warns with 2, and keeps the report whatever came', ({}, info) => {
  const { runs } = parse(read('action.yml')) as { runs: { steps: Step[] } };
  const [running, keeping] = runs.steps;
  const env = { TARGET: 'a target.yaml', ARGS: '--strict --only otp', VERSION: './esign-conformance.tgz' };
  for (const code of [0, 1, 2, 3, 4]) {
    const { status, stdout, given, output } = bash(info, running?.run ?? '', code, env);
    expect([code, status]).toEqual([code, code === 2 ? 0 : code]);
    expect(stdout.startsWith('::warning::')).toBe(code === 2);
    expect(readFileSync(output, 'utf8')).toBe(`exit-code=${code}\n`);
    expect(given.slice(-5)).toEqual(['--target', 'a target.yaml', '--strict', '--only', 'otp']);
  }
  expect(keeping).toMatchObject({ if: 'always()', with: { path: 'reports/out' } });
});

test('the shards are as many as their matrix has, go on after failures, and the last job judges them', () => {
  const { jobs } = parse(read('shards.yml')) as {
    jobs: Record<'shard' | 'whole', { strategy?: { matrix: object }; needs?: string; steps: Step[] }>;
  };
  expect(jobs.shard.strategy).toMatchObject({ matrix: { shard: [1, 2, 3] }, 'fail-fast': false });
  const running = jobs.shard.steps.find(({ run = '' }) => run.includes('--shard='));
  expect(running).toMatchObject({
    run: expect.stringMatching(/matrix\.shard \}\}\/3$/),
    'continue-on-error': true,
  });
  expect(jobs.shard.steps.at(-1)).toMatchObject({
    with: { path: 'reports/out', 'if-no-files-found': 'error' },
  });
  expect(jobs.whole.needs).toBe('shard');
  expect(jobs.whole.steps.map(({ run = '' }) => run).join('')).toMatch(
    / report shards\/\* --out reports\/out$/,
  );
});

test('at GitLab 2 warns, and the script ends as the run does', ({}, info) => {
  const { conformance } = parse(read('gitlab.yml')) as {
    conformance: { script: string[]; allow_failure: object; artifacts: object };
  };
  for (const code of [0, 1, 2]) expect(bash(info, conformance.script.join('\n'), code).status).toBe(code);
  expect(conformance).toMatchObject({
    allow_failure: { exit_codes: [2] },
    artifacts: { when: 'always', reports: { junit: 'reports/out/junit.xml' } },
  });
});

test('Jenkins knows the code, 2 is unstable, and what a run left is removed after it', () => {
  const text = read('Jenkinsfile');
  expect(text).toMatch(/code = bat\(returnStatus: true/);
  expect(text).toMatch(/if \(code == 2\) unstable\([^\n]*\n\s*else if \(code != 0\) error\(/);
  expect(text.slice(text.indexOf('post {'))).toMatch(/always \{[\s\S]*cleanup reports/);
  // Every bracket has its other one; nobody reads Groovy here.
  for (const [open, close] of ['{}', '()', '[]'].map((pair) => [...pair])) {
    expect(text.split(open ?? '').length).toBe(text.split(close ?? '').length);
  }
});

test('the service of Compose starts as it is called there, and its health is asked as it stands', async () => {
  const { services } = parse(read('compose.yaml')) as {
    services: { esign: { command: string[]; healthcheck: { test: string[] } } };
  };
  const { command, healthcheck } = services.esign;
  const at = (port: string) => (text: string) => text.replaceAll('4010', port);
  const served = start([...command.map((each) => (each === '4010' ? '0' : each)), '--json']);
  const [described] = await served.printed(/^\{.*\}$/m);
  const url = 'http://esign:4010';
  expect(JSON.parse(described)).toMatchObject({ url, health: `${url}/_health` });
  const [, port = ''] = await served.said(/warning: --host 0\.0\.0\.0: whoever reaches port (\d+)/);
  const [, , ...given] = healthcheck.test;
  const ask = (to: string) => spawnSync(process.execPath, given.map(at(to))).status;
  expect(ask(port)).toBe(0);
  served.process.kill('SIGTERM');
  expect((await served.ended).code).toBe(0);
  expect(ask(port)).toBe(1);
});
