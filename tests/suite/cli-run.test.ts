/** The command line as a user starts it: what `run`, `list` and `serve` print and leave, wrong usage, and exit codes. */

import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { examples } from '../../bin/examples.ts';
import { listed } from '../../bin/list.ts';
import { path } from '../../openapi/codes.ts';
import { gaps } from '../../openapi/gaps/register.ts';
import { catalogue } from '../../openapi/requirements/catalogue.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { cli, inProcess, start } from './cli-spawn.ts';
import { serveRaw } from './services/loopback.ts';
import { startPlainService } from './services/plain-service.ts';

test('a selection runs only its checks, writes the reports and ends with exit code 0', async ({}, info) => {
  const out = info.outputPath('out');
  const { code, stdout, stderr } = await cli('--only', 'upload.pdf,otp.sms', '--out', out);
  expect(stdout).toMatch(/^partial: 2 of 2 applicable musts passed \(\d+ in all\) · \d+ calls/m);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const result = readRun(out);
  expect(result).toMatchObject({ scope: 'partial', selection: ['upload.pdf', 'otp.sms'], exitCode: 0 });
  expect(result.requirements.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['upload.pdf', 'passed'],
    ['otp.sms', 'passed'],
  ]);
  const reports = 'exchanges.har index.html junit.xml observed.overlay.yaml report.css';
  expect(readdirSync(out).sort().join(' ')).toBe(`bodies ${reports} reproduce run.json summary.md`);
  const { mode } = statSync(join(out, 'run.json'));
  for (const body of readdirSync(join(out, 'bodies')))
    expect(statSync(join(out, 'bodies', body)).mode).toBe(mode);
  const scripts = ['otp.sms.ps1', 'otp.sms.sh', 'upload.pdf.ps1', 'upload.pdf.sh'];
  expect(readdirSync(join(out, 'reproduce')).sort()).toEqual(scripts);
  const again = await cli('report', out);
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(readRun(out)).toEqual(result);
});

test('list prints every requirement and every gap', async () => {
  const { code, stdout: printed } = await cli('list');
  const stdout = `\n${printed}`;
  for (const { id } of [...catalogue, ...gaps]) expect(stdout).toContain(`\n${id} `);
  expect(stdout).toContain(`${catalogue.length} requirements: `);
  expect(stdout).toContain(`${gaps.length} gaps`);
  expect(code).toBe(0);
});

test('list keeps to the width of a terminal', () => {
  const shown = listed({ isTTY: true, columns: 60 });
  expect(shown).toContain(`${catalogue[0]?.id}  (must, `);
  expect(shown).toMatch(/^ {4}\S.{40,55}$/m);
  expect(shown).not.toMatch(/^ {4}.{56,}$/m);
});

test('several targets in one call: a folder each, one comparison, the worst exit code', async ({}, info) => {
  const service = await startPlainService();
  const profile = (name: string, token = service.token) => {
    const file = info.outputPath(`${name}.yaml`);
    const auth = `auth: { kind: static, token: '\${${name.toUpperCase()}}' }`;
    writeFileSync(file, `name: ${name}\naddress: { baseUrl: '${service.baseUrl}' }\n${auth}\n`);
    return { given: ['--target', file], env: { [name.toUpperCase()]: token } };
  };
  const [one, other] = [profile('one'), profile('other', 'a-token-that-nobody-issued')];
  const out = info.outputPath('out');
  const given = [...one.given, ...other.given, '--only', 'upload.pdf', '--out', out];
  const env = { ...one.env, ...other.env };
  const { code, stdout } = await inProcess(given, env);
  await service.close();
  expect(stdout).toContain('one.yaml (1 of 2)\n');
  expect(stdout).toMatch(/of 1 requirements and \d+ of \d+ open questions differ/);
  const codes = ['one', 'other'].map((name) => readRun(join(out, name)).exitCode);
  expect(codes).toEqual([0, code]);
  expect(code).not.toBe(0);
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain('href="other/index.html');

  const refused = await inProcess([...given, '--target', 'nowhere.yaml', '--out', join(out, 'none')], env);
  expect(refused).toMatchObject({ code: 3, stdout: '' });
  expect((await inProcess([...given, '--baseline', out], env)).stderr).toContain(
    '--baseline is for one --target',
  );
});

const untestable = catalogue.find((entry) => 'notTestable' in entry)?.id ?? '';

const cases: readonly (readonly [title: string, given: readonly string[], message: RegExp])[] = [
  ['an unknown option', ['--bogus'], /unknown option '--bogus'\n\(\S* ?run --help shows what there is\)/],
  ['an unknown command', ['lst'], /there is no command "lst"; did you mean list\? \(.*\)$/m],
  ['help for an unknown command', ['help', 'lst'], /there is no command "lst"; did you mean list\?/],
  ['an argument too many', ['list', 'extra'], /too many arguments for 'list'/],
  ['an unknown requirement', ['--only', 'otp.smz'], /no such requirement or area; did you mean otp\.sms\?/],
  ['a requirement without a check', ['--only', untestable], /this requirement has no check: /],
  ['a concurrency of nothing', ['--concurrency', '0'], /Give a whole number, at least 1/],
  ['a profile that is not there', ['--target', 'nowhere.yaml'], /nowhere\.yaml: there is no such profile/],
  ['a target that a variable lacks', ['--target', ''], /--target is empty; leave it out, or give its value/],
  ['a recording and a target', ['--replay', 'nowhere', '--base-url', 'http://a'], /exclude each other/],
  ['a folder that cannot be made', ['--out', 'package.json/out'], /--out .*is no folder that can be written/],
  ['no fault', ['serve', '--fault', 'otp.sms'], /of this requirement there are .*otp\.sms\/refused/],
  ['a setting alone', ['serve', '--dialect', 'uploadStatus'], /lacks a value, as in uploadStatus=200/],
  ['a value of no setting', ['serve', '--dialect', 'uploadStatus=299'], /it takes 200, 201, 202/],
  ['a run that is not there', ['report', 'nowhere'], /nowhere: there is no such file or folder/],
];

for (const [title, given, message] of cases) {
  test(`${title} ends with exit code 3 and says what is wrong`, async () => {
    const { code, stdout, stderr } = await cli(...given);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  });
}

test('of a file with hundreds of mistakes one screen is told', async ({}, info) => {
  const file = info.outputPath('profile.yaml');
  writeFileSync(file, Array.from({ length: 300 }, (_, index) => `wrong${index}: 1\n`).join(''));
  const { code, stderr } = await cli('--target', file);
  const lines = stderr.trimEnd().split('\n');
  expect({ code, lines: lines.length }).toEqual({ code: 3, lines: 25 });
  expect(lines.at(-1)).toMatch(/^… and \d+ more lines$/);
});

test('the help of each command ends with examples, whose options exist', async () => {
  for (const [name, given] of Object.entries(examples)) {
    const { code, stdout } = await cli(...name.split(' ').filter(Boolean), '--help');
    const [above = '', below = ''] = stdout.split('\nExamples:\n');
    expect.soft(below.match(/^ {2}\S*esign-conformance|^ {2}npm run/gm)?.length, name).toBeGreaterThan(1);
    const options = given.flatMap(([words]) => words.match(/--[a-z-]+/g) ?? []);
    if (!['', 'deviations'].includes(name))
      for (const each of options) expect.soft(above).toContain(`${each} `);
    expect.soft(code, name).toBe(0);
  }
  const { stdout } = await cli('help');
  const commands = [...stdout.matchAll(/^ {2}([a-z]+)(?: \[options\]| {2,})/gm)].map(([, name]) => name);
  expect(commands.filter((name) => name !== 'help' && !((name ?? '') in examples))).toEqual([]);
  expect(commands).toContain('report');
});

test('help and hints name the program as npx was told to start it', async () => {
  const env = {
    npm_lifecycle_event: 'npx',
    npm_lifecycle_script: "'esign-conformance' 'help'",
    npm_config_package: './esign-conformance-1.0.0.tgz',
  };
  const { stdout } = await inProcess(['help', 'serve'], env);
  expect(stdout).toContain('\n  npx --package ./esign-conformance-1.0.0.tgz esign-conformance serve ');
});

test('serve prints an address, tokens and first steps that work as they stand, tells each call, keeps its data for its owner, and stops cleanly', async ({}, info) => {
  const data = info.outputPath('data');
  mkdirSync(data);
  chmodSync(data, 0o755);
  const more = ['--fault', 'otp.sms/refused', '--dialect', 'uploadStatus=202'];
  const served = start(['serve', '--verbose', '--data', data, ...more]);
  await served.printed(/but for what it breaks on purpose: otp\.sms\/refused\.$/m);
  await served.printed(/dialect +uploadStatus=202$/m);
  const [, baseUrl = ''] = await served.printed(/base URL +(\S+)/);
  const [, token = ''] = await served.printed(/valid token +(\S+)/);
  const [, steps = ''] = await served.printed(
    /^(BASE=[\s\S]*?\/_control\/deliveries\?requestId=\$REQUEST"; echo)$/m,
  );
  await served.printed(/Ctrl\+C stops it/);
  mkdirSync(info.outputPath('empty'));
  const shell = spawn('sh', ['-e', '-c', steps], { cwd: info.outputPath('empty') });
  const printed = await text(shell.stdout);
  expect(printed).toContain('"status":"sent"');
  expect(printed).toContain('"state":"completed"');
  const last = printed.trim().split('\n').at(-1) ?? '';
  const { deliveries } = JSON.parse(last) as { deliveries: { event: number }[] };
  expect(deliveries.map(({ event }) => event)).toEqual([1, 2, 2, 3]);
  // A client that were cut off while it sends would see no answer.
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(30e6)]), 'large.pdf');
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${baseUrl}${path.upload}`, { method: 'POST', headers, body })).status).toBe(413);
  const modes = readdirSync(data).map((file) => statSync(join(data, file)).mode & 0o777);
  expect([...new Set(modes)]).toEqual([0o600]);
  served.process.kill('SIGTERM');
  const { code, stdout, stderr } = await served.ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/stopped\n$/) });
  // Others can read the folder.
  expect(stderr).toContain('mode 755');
  expect(stderr).toMatch(
    /^[\d:.]+ POST \S+\/signatories \{"Email":"Ann@example\.com".* -> 200 \{"requestId"/m,
  );
  expect(stderr).toMatch(/^[\d:.]+ callback of event 3 to \S+\/_control\/callbacks -> 204$/m);
});

test('a port that is taken is named', async () => {
  const taken = await serveRaw(() => undefined);
  const { code, stderr } = await cli('serve', '--port', String(taken.port));
  await taken.close();
  expect(stderr).toContain(`--port ${taken.port}: this port is in use`);
  expect(code).toBe(3);
});
