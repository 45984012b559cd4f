/** Exit codes of what never came to a run: parts that cannot be loaded, and signals at any moment. */
import { spawnSync } from 'node:child_process';
import { lchownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, type TestInfo, test } from '@playwright/test';
import { temporaryFolder } from '../../record/files.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { root, start } from './cli-spawn.ts';
import { run, writeRun } from './reports-sample.ts';

const entry = join(root, 'bin', 'esign-conformance.mjs');

/** A file that Node loads first, as an environment. */
function preload(info: TestInfo, text: string): Record<string, string> {
  const file = info.outputPath('preload.cjs');
  writeFileSync(file, text);
  return { NODE_OPTIONS: `--require=${file}` };
}

/** Runs a script with Node as `line` of a shell has it, in which `"$@"` is the call; gives code and standard error. */
function inShell(line: string, ...given: readonly string[]) {
  const args = ['-c', line, 'sh', process.execPath, ...given];
  const { status, stderr } = spawnSync('sh', args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  return { code: status, said: stderr };
}

test('with few file descriptors nothing begins, and the message says how to have more', () => {
  for (const script of [[entry], [join(root, 'bin', 'start.mjs'), 'conformance']]) {
    const { code, said } = inShell('ulimit -n 32; exec "$@"', ...script, 'list');
    expect(said).toMatch(/^esign-conformance needs to open .* ulimit -n 4096\n$/);
    expect(code).toBe(3);
  }
});

test('a log without space leaves the run what it is, and is told', ({}, info) => {
  const out = info.outputPath('out');
  const { code, said } = inShell('exec "$@" > /dev/full', entry, '--only', 'upload.pdf', '--out', out);
  expect(said).toMatch(/^What was to be printed could not be written: ENOSPC.*\n$/);
  expect(code).toBe(4);
  expect(readRun(out)).toMatchObject({ verdict: 'partial', problems: [] });
});

/** Ends the process at its first call, as if all were well. */
const endsEarly = `
const http = require('node:http');
http.request = () => process.exit(0);
require('node:module').syncBuiltinESMExports();`;

test('a run in which the process is ended is an error, whatever an earlier run left', async ({}, info) => {
  const out = info.outputPath('out');
  mkdirSync(out);
  writeRun(out, run());
  const env = preload(info, endsEarly);
  const { code, stderr } = await start(['--only', 'upload.pdf', '--out', out], { env }).ended;
  expect(stderr).toContain('ended before the command came to its end');
  expect(code).toBe(4);
});

test('a signal in the first moment is an interrupted run', async ({}, info) => {
  const early = preload(
    info,
    `process.on('newListener', (name) => {
      if (name === 'SIGTERM' && process.listenerCount(name) === 0)
        setImmediate(() => process.kill(process.pid, 'SIGTERM'));
    });`,
  );
  const out = info.outputPath('out');
  for (const script of [entry, join(root, 'bin', 'start.mjs')]) {
    const given = script === entry ? [] : ['conformance'];
    const { code, stdout } = await start([...given, '--out', out], { script, env: early }).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  }
});

test('what a killed run left in the temporary folder goes with the next one', ({}, info) => {
  const place = info.outputPath('tmp');
  const ended = spawnSync(process.execPath, ['--version']);
  for (const name of [`esign-run-${ended.pid}-left`, `esign-run-${process.pid}-alive`, 'of-somebody'])
    mkdirSync(join(place, name), { recursive: true });
  // A link goes with its own account, not with that of the folder to which it leads.
  const link = `esign-run-${ended.pid}-link`;
  symlinkSync('/', join(place, link));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) lchownSync(join(place, link), 1, 1);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = place;
  const made = basename(temporaryFolder());
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  expect(readdirSync(place).toSorted()).toEqual(
    [made, `esign-run-${process.pid}-alive`, ...(isRoot ? [link] : []), 'of-somebody'].toSorted(),
  );
});

test('an option that npm took for itself ends a run before it begins, and not one against another service', async () => {
  const taken = { target: 'targets/acme.yaml', base_url: 'http://127.0.0.1:9', only: 'otp' };
  for (const [name, value] of Object.entries(taken)) {
    const script = join(root, 'bin', 'start.mjs');
    const env = { [`npm_config_${name}`]: value };
    const { code, stdout, stderr } = await start(['conformance'], { script, env }).ended;
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/^npm took --(target|base-url|only) .* put -- before the options/);
  }
});
