/** Accepted deviations: which failures they excuse, which entries have to be changed, the file in which they stand, and the command line about them at a service that changes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, type TestInfo, test } from '@playwright/test';
import type { CheckResult } from '../../record/check-result.ts';
import type { Verdict } from '../../record/verdict.ts';
import { baselineOf, baselineText } from '../../reports/accepted/baseline.ts';
import { pruneDeviations, readDeviations } from '../../reports/accepted/deviations-file.ts';
import { junitXml } from '../../reports/machine/junit.ts';
import { type Deviations, fits, type Listed } from '../../reports/run/deviations.ts';
import type { Run } from '../../reports/run/run.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { summary } from '../../reports/texts/summary.ts';
import { terminalText } from '../../reports/texts/terminal.ts';
import { cli } from './cli-spawn.ts';
import { requirementOf, result, results, run } from './reports-sample.ts';
import { instead } from './services/proxy.ts';
import { startGround } from './services/tenant-ground.ts';

const id = 'otp.sms';

/** The runs of these tests are of 2026-01-02. */
function file(...entries: readonly Partial<Listed>[]): Deviations {
  const entry: Listed = {
    list: 'deviations',
    line: 7,
    requirement: id,
    reason: 'a known mistake',
    owner: 'team',
    until: '2026-01-02',
  };
  return { file: 'deviations.yaml', stale: 'fail', entries: entries.map((each) => ({ ...entry, ...each })) };
}

type Row = readonly [title: string, verdict: Verdict, message?: string];

function withRows(...rows: readonly Row[]): CheckResult {
  return result(id, 'failed', {
    rows: rows.map(([title, verdict, message]) => ({
      title,
      verdict,
      ...(message ? { message } : {}),
      exchanges: [],
    })),
  });
}

function judged(deviations: Deviations, ...checks: readonly CheckResult[]): Run {
  return run({ results: results(...checks), deviations });
}

/** What became of the run, of its requirement and of the first entry. */
function fate(given: Run) {
  const [entry] = given.deviations?.entries ?? [];
  const { verdict, deviation } = requirementOf(given, id);
  return [given.verdict, given.exitCode, verdict, deviation?.status ?? 'none', entry?.status];
}

const failing = withRows(['one', 'failed', 'expected 400 · received 422 {}'], ['two', 'passed']);

test('an accepted failure does not fail the run, and is counted apart', () => {
  const accepted = judged(file({}), failing);
  expect(fate(accepted)).toEqual(['conformant', 0, 'failed', 'accepted', 'accepted']);
  expect(accepted.counts.requirements).toMatchObject({ failed: 0, deviation: 1 });
  const terminal = terminalText(accepted, (_, text) => text);
  expect(terminal).not.toContain('FAILED');
  expect(terminal).toMatch(
    /ACCEPTED DEVIATIONS\notp\.sms .*\n {2}accepted until 2026-01-02 \(team\): a known mistake/,
  );
  expect(summary(accepted)).toContain('### Accepted deviations');
  expect(junitXml(accepted)).not.toContain('<failure');
});

const passing = result(id, 'passed');
const unable = result(id, 'could-not-run');
const stuck = withRows(['one', 'failed'], ['two', 'could-not-run']);

const bothFail = withRows(['one', 'failed'], ['two', 'failed']);
const past = { until: '2026-01-01' };
const saying = (message: string) => ({ match: [{ title: 'one', message }] });

/** An entry that is so, what the check says, and what becomes of run, requirement and entry. */
type Case = readonly [title: string, entry: Partial<Listed>, check: CheckResult, fate: string];
const cases: readonly Case[] = [
  ['is past its date', past, failing, 'nonconformant 1 failed expired expired'],
  ['is past its date, and not needed', past, passing, 'nonconformant 1 passed expired expired'],
  ['is not needed any more', {}, passing, 'nonconformant 1 passed stale stale'],
  ['names no requirement', { requirement: 'otp.smz' }, passing, 'nonconformant 1 passed none unknown'],
  ['is of another target', { targets: ['acme-*'] }, failing, 'nonconformant 1 failed none other-target'],
  ['matches row and message', saying('*received 422*'), failing, 'conformant 0 failed accepted accepted'],
  ['matches another message', saying('*received 500*'), failing, 'nonconformant 1 failed stale stale'],
  ['matches one of two rows', { match: 'one' }, bothFail, 'nonconformant 1 failed none accepted'],
  ['is of a check that could not run', {}, unable, 'incomplete 2 could-not-run none not-judged'],
  ['accepts one row while another could not run', {}, stuck, 'incomplete 2 failed accepted accepted'],
  ['matches the row that could not run', { match: 'two' }, stuck, 'nonconformant 1 failed none not-judged'],
];

for (const [title, entry, check, expected] of cases) {
  test(`an entry that ${title}: ${expected}`, () =>
    expect(fate(judged(file(entry), check)).join(' ')).toBe(expected));
}

test('what has to be changed is named with file and line, everywhere', () => {
  const stale = judged(file({}), result(id, 'passed'));
  const words =
    'deviations.yaml:7: otp.sms passes now: remove the entry (the command deviations prune does it)';
  expect(terminalText(stale, (_, text) => text)).toContain(words);
  expect(summary(stale)).toContain(words);
  expect(junitXml(stale)).toContain('otp.sms passes now');
});

test('--stale warn: a stale entry is a warning; an expired and an unknown one are not', () => {
  const warn = { stale: 'warn' } as const;
  const stale = judged({ ...file({}), ...warn }, result(id, 'passed'));
  expect([stale.verdict, stale.exitCode]).toEqual(['conformant', 0]);
  expect(terminalText(stale, (_, text) => text)).toContain('warning  deviations.yaml:7: otp.sms passes now');
  for (const entry of [{ until: '2025-12-31' }, { requirement: 'otp.smz' }]) {
    expect(judged({ ...file(entry), ...warn }, failing).exitCode).toBe(1);
  }
});

test('a pattern stands for itself, but for its stars', () => {
  expect(fits('a.c*', 'a.c(d)\nmore')).toBe(true);
  expect(fits('a.c*', 'abc')).toBe(false);
  expect(fits('*', '')).toBe(true);
  expect(fits('', 'a')).toBe(false);
  expect(fits('ab*ba', 'aba')).toBe(false);
  expect(fits('a*b*c', 'a-b-b-c')).toBe(true);
  expect(fits('a*b*c', 'a-c-b')).toBe(false);
  // With a regular expression this took hours.
  expect(fits(`${'*e'.repeat(200)}*Z`, 'e'.repeat(10_000))).toBe(false);
  expect(fits(`${'*e'.repeat(200)}*Z`, `${'e'.repeat(10_000)}Z`)).toBe(true);
  expect(fits('*[1]*', 'item [1] of 2')).toBe(true);
  expect(fits('', 'x')).toBe(false);
});

function written(info: TestInfo, text: string): string {
  const path = info.outputPath('deviations.yaml');
  writeFileSync(path, text);
  return path;
}

const good = `# kept by the integration team
deviations:
  # answers 422 since May
  - requirement: otp.sms
    targets: [sample]
    reason: a known mistake
    link: https://tickets.example.com/1
    owner: team # asks every Monday
    until: 2026-12-31
    match: OTP *
  # soon mended
  - requirement: otp.email
    reason: another one
    owner: team
    until: 2026-06-30
flaky:
  - requirement: upload.pdf
    owner: team
    until: 2026-06-30
    rate: 0.2
`;

test('entries are read with the lines on which they stand', ({}, info) => {
  const { entries } = readDeviations(written(info, good));
  expect(entries.map(({ list, line, requirement }) => [list, line, requirement])).toEqual([
    ['deviations', 4, 'otp.sms'],
    ['deviations', 12, 'otp.email'],
    ['flaky', 17, 'upload.pdf'],
  ]);
  expect(readDeviations(written(info, '')).entries).toEqual([]);
});

const wrong: readonly (readonly [title: string, text: string, message: RegExp])[] = [
  ['no YAML', 'deviations: [', /deviations\.yaml:1: is neither YAML nor JSON: /],
  ['an unknown key', good.replace('owner: team #', 'ower: x #'), /:8: .*ower is unknown; did you mean owner/],
  ['an empty owner', good.replace('owner: team #', 'owner: #'), /:8: .*\.owner is not filled in/],
  ['no day', good.replace('2026-12-31', '2026-02-30'), /until "2026-02-30" must match format/],
  ['a rate above a half', good.replace('0.2', '0.9'), /:20: flaky\[0\]\.rate 0\.9 must be <= 0\.5: Share/],
];

for (const [title, text, message] of wrong) {
  test(`${title} is refused`, ({}, info) => {
    const path = written(info, text);
    expect(() => readDeviations(path)).toThrow(message);
  });
}

test('pruning removes stale entries, and keeps comments and everything else', ({}, info) => {
  const path = written(info, good);
  const failing = result('otp.sms', 'failed', {
    rows: [{ title: 'OTP by SMS', verdict: 'failed', exchanges: [] }],
  });
  const { text, removed } = pruneDeviations(path, run({ results: results(failing) }));
  expect(removed.map(({ requirement }) => requirement)).toEqual(['otp.email']);
  const [before = '', after = ''] = good.split(/ {2}# soon mended\n[\s\S]*?(?=flaky:)/);
  expect(text).toBe(before + after);
  const none = pruneDeviations(written(info, text), run({ results: results(failing) }));
  expect(none).toMatchObject({ text, removed: [] });
});

const mended = 'skeleton.title-required';
const only = ['--only', `${mended},upload.pdf`];

test('a failure is drafted, accepted, mended, rechecked, stale, told as drift and pruned', async ({}, info) => {
  let broken = true;
  const ground = await startGround(info, {
    behave: instead(({ method, url, body }, index) => {
      if (!broken || method !== 'POST' || !url.includes('type=0') || body.includes('"Title"'))
        return undefined;
      const created = Buffer.from(JSON.stringify({ requestId: `without-title-${index}` }));
      return { status: 201, headers: { 'Content-Type': 'application/json' }, body: created };
    }),
  });
  /** Runs the checks; the result lies in the folder `out` of the test's output. */
  const run = async (out: string, ...given: readonly string[]) => {
    const folder = info.outputPath(out);
    const ended = await ground.cli('--out', folder, ...given);
    return { ...ended, run: readRun(folder) };
  };

  const failed = await run('failed', ...only);
  expect(failed.code).toBe(1);
  expect(failed.stdout).toContain(`asking again about what failed: ${mended}`);
  expect(failed.stdout).toContain('asked again at the end of the run: failed again');
  // The second attempt made calls of its own.
  const [check] = requirementOf(failed.run, mended).checks;
  const first = check?.rows.flatMap(({ exchanges }) => exchanges) ?? [];
  const second = check?.confirmation?.attempts[0]?.rows.flatMap(({ exchanges }) => exchanges) ?? [];
  expect(Math.max(...first)).toBeLessThan(Math.min(...second));

  const file = info.outputPath('deviations.yaml');
  const drafted = await cli('deviations', 'draft', info.outputPath('failed'), '--out', file);
  expect(drafted).toMatchObject({ code: 0, stderr: '' });
  expect(await cli('--deviations', file, ...only)).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/deviations\.yaml:\d+: deviations\[0\]\.owner is not filled in/),
  });
  const draftText = readFileSync(file, 'utf8');
  writeFileSync(file, draftText.replace('owner:', 'owner: team').replace('until:', 'until: 2999-12-31'));

  const accepted = await run('accepted', ...only, '--deviations', file, '--no-confirm');
  expect({ code: accepted.code, stderr: accepted.stderr }).toEqual({ code: 0, stderr: '' });
  expect(accepted.stdout).toMatch(
    /ACCEPTED DEVIATIONS\nskeleton\.title-required .*\n {2}accepted until 2999/,
  );

  broken = false;
  const rechecked = await run('rechecked', '--recheck', info.outputPath('failed'));
  expect(rechecked.code).toBe(0);
  expect(rechecked.run).toMatchObject({
    scope: 'partial',
    selection: [mended],
    recheck: { fixed: [mended], still: [] },
  });
  expect(rechecked.stdout).toMatch(/RECHECK of the run of .*\n {2}fixed +skeleton\.title-required/);

  const baseline = info.outputPath('baseline.json');
  writeFileSync(baseline, baselineText(baselineOf(accepted.run)));
  const stale = await run('stale', ...only, '--deviations', file, '--baseline', baseline);
  expect(stale.code).toBe(1);
  expect(stale.stdout).toMatch(/warns {2}skeleton\.title-required: deviation → passed/);
  expect(stale.stdout).toMatch(/deviations\.yaml:\d+: skeleton\.title-required passes now: remove the entry/);
  await ground.close();
  const pruned = await cli('deviations', 'prune', info.outputPath('stale'), '--file', file);
  expect(pruned).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(file, 'utf8')).toMatch(/^# yaml-language-server[\s\S]*\ndeviations: \[\]\n$/);
});
