/** `run` and `list` as a user starts them: what they print, what they leave, and their exit codes. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { listed } from '../../bin/list.ts';
import { gaps } from '../../openapi/gaps/register.ts';
import { catalogue } from '../../openapi/requirements/catalogue.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { cli, inProcess } from './cli-spawn.ts';
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
  expect(readdirSync(out).filter((name) => name !== 'bodies' && name !== 'reproduce')).toEqual([
    'exchanges.har',
    'index.html',
    'junit.xml',
    'observed.overlay.yaml',
    'report.css',
    'run.json',
    'summary.md',
  ]);
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
