/** What a run tells GitHub Actions: annotations that no text of a target can break, and the summary of the job. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { tellGitHub, workflowCommands } from '../../reports/texts/github.ts';
import { summary } from '../../reports/texts/summary.ts';
import { exchange, failure, record, result, results, run } from './reports-sample.ts';

const hostile = '100%\r\n::error::owned, file=x: y';

const red = run({
  record: record({ exchanges: [exchange(0)], warnings: [hostile] }),
  results: results(
    failure('otp.sms', 0),
    failure('otp.type-values', 0),
    result('otp.email', 'could-not-run', { message: hostile }),
  ),
});

/** A workflow command as a runner reads it. */
function read(line: string) {
  const [, level, list = '', message = ''] = /^::(\w+) (.*?)::(.*)$/.exec(line) ?? [];
  const plain = (text: string) => text.replaceAll('%0A', '\n').replaceAll('%0D', '\r').replaceAll('%25', '%');
  const properties = list.split(',').map((each) => each.split('='));
  return {
    level,
    message: plain(message),
    title: plain(properties.find(([name]) => name === 'title')?.[1] ?? ''),
  };
}

test('what makes a run red is an error, and what is only told a warning', () => {
  const found = workflowCommands(red).map(read);
  expect(found.map(({ level, title }) => `${level} ${title}`)).toEqual([
    'error otp.email (must) could-not-run',
    'error otp.sms (must) failed',
    'warning otp.type-values (should) failed',
    'warning conformance',
  ]);
  expect(found[1]?.message).toContain('expected 400 · received 200 {}');
});

test('no text of a target makes a command of its own', () => {
  const lines = workflowCommands(red);
  for (const line of lines) expect(line).not.toMatch(/[\r\n]/);
  expect(read(lines.at(-1) ?? '').message).toBe('100%\\u{000d}\n::error::owned, file=x: y');
});

test('an entry of the deviations file is annotated at its line', () => {
  const file = '/home/runner/work/deviations.yaml';
  const entry = { list: 'deviations', requirement: 'otp.sms', reason: 'known', owner: 'team' } as const;
  const given = run({
    deviations: { file, stale: 'fail', entries: [{ ...entry, until: '2026-12-31', line: 7 }] },
  });
  const [line = ''] = workflowCommands(given, '/home/runner/work');
  expect(line).toMatch(/^::error file=deviations\.yaml,line=7,title=deviations file::/);
});

test('the summary is added to that of the job, and nothing is said elsewhere', ({}, info) => {
  const file = info.outputPath('summary.md');
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  tellGitHub(red, {}, say);
  expect(said).toEqual([]);
  tellGitHub(red, { GITHUB_STEP_SUMMARY: file }, say);
  tellGitHub(red, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: file }, say);
  expect(readFileSync(file, 'utf8')).toBe(`${summary(red)}\n${summary(red)}\n`);
  expect(said).toEqual(workflowCommands(red));
  const place = { GITHUB_SERVER_URL: 'https://github.test', GITHUB_REPOSITORY: 'a/b', GITHUB_RUN_ID: '7' };
  const linked = info.outputPath('linked.md');
  tellGitHub(red, { GITHUB_STEP_SUMMARY: linked, ...place }, say);
  const text = readFileSync(linked, 'utf8');
  expect(text).toContain('[index.html](https://github.test/a/b/actions/runs/7#artifacts)');
});
