/** Drift through the command line: `compare`, and what it and `run --baseline` refuse. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, type TestInfo, test } from '@playwright/test';
import { cli } from './cli-spawn.ts';
import { record, result, results, run, writeRun } from './reports-sample.ts';

function written(info: TestInfo, name: string, given: Parameters<typeof run>[0] = {}): string {
  const folder = info.outputPath(name);
  mkdirSync(folder, { recursive: true });
  writeRun(folder, run(given));
  return folder;
}

const status = (value: string) =>
  record({
    observations: [
      { gap: 'skeleton.success-status', key: 'status', value, stability: 'stable', exchanges: [] },
    ],
  });

test('compare tells what changed as text, JSON and Markdown, and its exit code gates', async ({}, info) => {
  const before = written(info, 'before', { record: status('200') });
  const after = written(info, 'after', { record: status('201') });
  const baseline = info.outputPath('baseline.json');
  const stdout = expect.stringContaining(' run --target PROFILE --baseline ');
  const accepted = await cli('compare', '--accept', before, '--out', baseline);
  expect(accepted).toMatchObject({ code: 0, stderr: '', stdout });
  expect(readFileSync(baseline, 'utf8')).not.toContain('exchanges');
  const text = await cli('compare', baseline, after);
  expect(text.code).toBe(0);
  expect(text.stdout).toContain('warns  skeleton.success-status  status: 200 → 201');
  const json = await cli('compare', baseline, after, '--json', '--strict-drift');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({
    before: { suite: { version: '0.1.0' } },
    drift: [{ id: 'skeleton.success-status', before: '200', after: '201', gating: true }],
  });
  const markdown = await cli('compare', before, after, '--markdown');
  expect(markdown.stdout).toContain('| no | `skeleton.success-status` | `status` | `200` | `201` |');
});

test('a run in which everything passed leaves nothing to recheck', async ({}, info) => {
  const target = { name: 'reference service', baseUrl: 'http://127.0.0.1:1', profileHash: '' };
  const folder = written(info, 'green', { record: record({ target }) });
  expect((await cli('--recheck', folder)).code).toBe(0);
});

test('each wrong input is refused with exit code 3 and what to do', async ({}, info) => {
  const whole = written(info, 'whole');
  const part = written(info, 'part', { selection: ['otp.sms'], results: [result('otp.sms', 'passed')] });
  const broken = written(info, 'broken', { problems: ['it broke'] });
  const failed = written(info, 'failed', { results: results(result('otp.sms', 'failed')) });
  const filled = info.outputPath('filled.yaml');
  writeFileSync(filled, 'deviations: []\n');
  const wrong: readonly (readonly [given: readonly string[], message: RegExp])[] = [
    [['--baseline', part], /part\/run\.json: scope "partial" is no baseline/],
    [['--baseline', broken], /verdict "error" is no baseline/],
    [['--baseline', 'package.json'], /package\.json:1: is no run of the conformance suite/],
    [['--baseline', 'nowhere'], /nowhere: there is no such file or folder/],
    [['--strict-drift'], /--strict-drift is of no use without --baseline/],
    [['--baseline', whole, '--drift-factor', '1'], /Give a number above 1/],
    [
      ['--deviations', 'nowhere.yaml'],
      /nowhere\.yaml: there is no such file; esign-conformance deviations draft/,
    ],
    [['--stale', 'warn'], /--stale warn is of no use without --deviations/],
    [['--stale', 'maybe'], /Allowed choices are fail, warn/],
    [['--recheck', failed], /that run is of the target "sample", this one would call "reference service"/],
    [['--recheck', failed, '--only', 'otp.sms'], /--recheck and --only exclude each other/],
    [['--recheck', 'nowhere'], /nowhere: there is no such file or folder/],
    [['--recheck', 'package.json/x'], /x: there is no such file or folder/],
    [['--replay', 'package.json'], /there is no recording\.json; make one with/],
    [['--checks', 'package.json'], /requirements\.yaml: there is no such file/],
    [['--replay-sequence', 'package.json/x'], /x: there is no such file/],
    [['compare', whole], /name two runs, or one with --accept/],
    [['compare', part, whole], /scope "partial" is no baseline/],
    [['compare', whole, whole, '--out', 'x.json'], /--out belongs to --accept/],
    [['compare', whole, whole, '--json', '--markdown'], /exclude each other/],
    [['compare', '--accept', whole], /say with --out FILE/],
    [['compare', '--accept', part, '--out', info.outputPath('x.json')], /scope "partial" is no baseline/],
    [['compare', '--accept', whole, whole, '--out', 'x.json'], /name one run only/],
    [
      ['compare', '--accept', whole, '--out', 'package.json/x.json'],
      /x\.json: cannot be written \(ENOTDIR; a part of the path is a file/,
    ],
    [['deviations', 'draft', failed, '--out', filled], /filled\.yaml: exists already and may be filled in/],
    [['deviations', 'prune', failed], /required option '--file <file>' not specified/],
    [['deviations', 'prune', failed, '--file', 'package.json'], /package\.json:2: name is unknown/],
  ];
  for (const [given, message] of wrong) {
    const { code, stderr } = await cli(...given);
    expect.soft([given, code]).toEqual([given, 3]);
    expect.soft(stderr).toMatch(message);
  }
});
