/** The package as npm would publish it, installed beside its dependencies and nothing else. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { npmCommand } from '../../bin/packages.mjs';
import { readRun } from '../../reports/run-file.ts';
import { root, start } from './cli-spawn.ts';

const execute = promisify(execFile);

let project: string;

test.beforeAll(async () => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'esign-package-')));
  await execute(process.execPath, [join(root, 'bin', 'build.mjs')]);
  const [program, ...before] = npmCommand();
  const packed = await execute(program, [...before, 'pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
  });
  const [{ files }] = JSON.parse(packed.stdout) as [{ files: { path: string }[] }];
  const modules = join(project, 'node_modules');
  for (const { path } of files) cpSync(join(root, path), join(modules, 'esign-conformance', path));
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction');
  }
});

test.afterAll(() => rmSync(project, { recursive: true, force: true }));

function installed(...given: readonly string[]) {
  const script = join(project, 'node_modules', 'esign-conformance', 'bin', 'esign-conformance.mjs');
  return start(given, { script, cwd: project }).ended;
}

test('the installed command lists what it knows', async () => {
  const { code, stdout, stderr } = await installed('list');
  expect(stdout).toContain(' otp.mobile-required ');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('profile schema, example profiles and the example of a signing module are part of the package', () => {
  const resolve = createRequire(join(project, 'index.js')).resolve;
  const schema = JSON.parse(readFileSync(resolve('esign-conformance/profile.schema.json'), 'utf8'));
  expect(schema).toMatchObject({ type: 'object' });
  for (const name of ['example.yaml', 'plain.yaml', 'reference.yaml']) {
    expect(existsSync(resolve(`esign-conformance/targets/${name}`))).toBe(true);
  }
  expect(existsSync(join(project, 'node_modules/esign-conformance/examples/signing-module.ts'))).toBe(true);
});

test('the installed command runs the checks', async () => {
  const { code, stdout, stderr } = await installed('--only', 'upload.doc,otp.sms');
  expect(stdout).toContain('partial: 2 of 2 applicable musts passed');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(readRun(join(project, 'reports', 'out')).counts.checks).toEqual({ expected: 2, reported: 2 });
});
