/** Drift since an accepted run: what changed, what of it gates, and the command line about it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, type TestInfo, test } from '@playwright/test';
import type { Observation } from '../../openapi/observation.ts';
import type { CheckResult } from '../../record/check-result.ts';
import type { Explored } from '../../record/explored.ts';
import { type Baseline, baselineOf, baselineText, readBaseline } from '../../reports/accepted/baseline.ts';
import { type DriftOptions, driftBetween } from '../../reports/accepted/drift.ts';
import type { Material } from '../../reports/assembling/assemble.ts';
import { junitXml } from '../../reports/machine/junit.ts';
import { driftText } from '../../reports/texts/drift-text.ts';
import { terminalText } from '../../reports/texts/terminal.ts';
import { cli } from './cli-spawn.ts';
import { entryWith, record, result, results, run, writeRun } from './reports-sample.ts';

const must = entryWith((entry) => entry.level === 'must' && 'check' in entry).id;
function baselineWith(checks: readonly CheckResult[], differing: Partial<Material> = {}): Baseline {
  return baselineOf(run({ results: results(...checks), ...differing }));
}

/** The differences in short: what, from, to, and whether it gates. */
function differences(before: Baseline, after: Baseline, options: DriftOptions = {}): string[] {
  return driftBetween(before, after, options).map(
    ({ id, key, before: from, after: to, gating }) =>
      `${gating ? 'gates' : 'warns'} ${id}${key ? ` ${key}` : ''}: ${from} → ${to}`,
  );
}

const same = baselineWith([]);

type Change = readonly [from: CheckResult['verdict'], to: CheckResult['verdict'], gates: boolean];

const changes: readonly Change[] = [
  ['passed', 'failed', true],
  ['passed', 'not-applicable', true],
  ['failed', 'not-applicable', true],
  ['passed', 'could-not-run', false],
  ['failed', 'passed', false],
  ['not-applicable', 'passed', false],
];

for (const [from, to, gates] of changes) {
  test(`a must: ${from}, then ${to}, ${gates ? 'gates' : 'is told'}`, () => {
    const [before, after] = [from, to].map((verdict) => baselineWith([result(must, verdict)]));
    const told = `${must}: ${from} → ${to}`;
    expect(differences(before ?? same, after ?? same)).toEqual([`${gates ? 'gates' : 'warns'} ${told}`]);
  });
}

test('a failure that was accepted meanwhile does not gate', () => {
  const after = baselineWith([result(must, 'failed')], {
    deviations: {
      file: 'deviations.yaml',
      stale: 'fail',
      entries: [
        { list: 'deviations', line: 1, requirement: must, reason: 'r', owner: 'o', until: '2026-12-31' },
      ],
    },
  });
  expect(differences(same, after)).toEqual([`warns ${must}: passed → deviation`]);
});

const twice = (...titles: readonly string[]) =>
  baselineWith(titles.map((title) => result(must, 'passed', { title })));

test('a check that vanished gates, unless another version of the suite judged', () => {
  expect(differences(twice('one', 'two'), twice('one'))).toEqual([`gates ${must} two: reported → (absent)`]);
  const newer = { ...twice('one'), suite: { name: 'esign-conformance', version: '0.2.0' } };
  expect(driftBetween(twice('one', 'two'), newer)).toMatchObject([{ gating: false, cause: 'suite' }]);
});

test('what another version of the suite does not judge any more is told, and does not gate', () => {
  const newer = { suite: { name: 'esign-conformance', version: '0.2.0' } };
  const after = baselineWith([result(must, 'not-applicable')], newer);
  expect(driftBetween(same, after)).toMatchObject([{ id: must, gating: false, cause: 'unclear' }]);
  const [gone, ...others] = same.requirements;
  expect(driftBetween(same, { ...same, requirements: others })).toMatchObject([
    { id: gone?.id, after: '(absent)', gating: false, cause: 'suite' },
  ]);
  expect(driftText({ before: same, after }, [])).toContain('the suite changed: 0.1.0 before, 0.2.0 now');
});

test('a partial run is not blamed for what it left out', () => {
  const before = baselineWith([], { record: record({ observations: [seen('status', '200')] }) });
  const part = run({ selection: [must], results: [result(must, 'passed')] });
  expect(differences(before, baselineOf(part), { selection: part.selection })).toEqual([]);
});

function seen(key: string, value: Observation['value'], stability: Observation['stability'] = 'stable') {
  return { gap: 'skeleton.success-status', key, value, stability, exchanges: [] };
}

function observing(...observations: readonly Observation[]): Baseline {
  return baselineWith([], { record: record({ observations }) });
}

test('what is observed warns when it changes, appears or leaves, and gates under --strict-drift', () => {
  const before = observing(seen('status', '200'), seen('fields', ['requestId', 'state']), seen('gone', true));
  const after = observing(seen('status', '201'), seen('fields', ['state', 'requestId']), seen('new', 3));
  const told = ['gone: true → (absent)', 'status: 200 → 201', 'new: (absent) → 3'];
  const all = (word: string) => told.map((line) => `${word} skeleton.success-status ${line}`);
  expect(differences(before, after)).toEqual(all('warns'));
  expect(differences(before, after, { strict: true })).toEqual(all('gates'));
});

test('an explored situation that comes out otherwise is drift; one to which only one run came is none', () => {
  const explored = (...learned: Explored['learned']) => {
    const situations = { seen: 1, of: 2 };
    const counts = { seed: 1, steps: 9, sequences: 1, blocked: 0, situations, stories: [] };
    return baselineWith([], {
      record: record({ explored: { ...counts, ended: '9 steps were made', learned } }),
    });
  };
  const before = explored(
    { situation: 'a signer acts again', taken: 0, refused: 2 },
    { situation: 'a cc is added', taken: 1, refused: 0 },
  );
  const after = explored(
    { situation: 'a signer acts again', taken: 1, refused: 2 },
    { situation: 'the request is deleted', taken: 1, refused: 0 },
  );
  expect(differences(before, after)).toEqual([
    'warns explored.situation a signer acts again: refused → in two ways',
  ]);
});

test('what may not have been observed because something could not run has not left', () => {
  const after = baselineWith([result(must, 'could-not-run')]);
  expect(differences(observing(seen('status', '200')), after)).toEqual([
    `warns ${must}: passed → could-not-run`,
  ]);
});

test('volatile keys are drift only beyond a factor that is set', () => {
  const of = (value: number) => observing(seen('median ms', value, 'volatile'));
  expect(differences(of(10), of(90))).toEqual([]);
  expect(differences(of(10), observing())).toEqual([]);
  expect(differences(of(10), of(90), { factor: 10 })).toEqual([]);
  expect(differences(of(10), of(90), { factor: 3 })).toHaveLength(1);
  expect(differences(of(90), of(10), { factor: 3 })).toHaveLength(1);
  // Parts of a millisecond differ by any factor, and say nothing.
  expect(differences(of(0), of(2), { factor: 3 })).toEqual([]);
});

test('a run against a baseline carries its drift, which gates it and is told everywhere', () => {
  const baseline = twice('one', 'two');
  const now = run({ results: results(result(must, 'passed', { title: 'one' })), baseline });
  expect([now.verdict, now.exitCode, now.drift?.length]).toEqual(['nonconformant', 1, 1]);
  const terminal = terminalText(now, (_, text) => text);
  expect(terminal).toContain(`DRIFT since ${baseline.startedAt}: 1 difference that gates`);
  expect(terminal).toContain(`gates  ${must}  two: reported → (absent)`);
  expect(junitXml(now)).toContain('No drift that gates');
  // A check that an interrupted run did not come to has not vanished.
  const stopped = run({
    results: results(result(must, 'passed', { title: 'one' })),
    baseline,
    interrupted: true,
  });
  expect([stopped.verdict, stopped.drift]).toEqual(['incomplete', []]);
});

function place(info: TestInfo, content: string): string {
  const path = info.outputPath('baseline.json');
  writeFileSync(path, content);
  return path;
}

test('a baseline is written without exchanges, one line a fact, and read again', ({}, info) => {
  const baseline = observing(seen('status', '200'));
  const text = baselineText(baseline);
  expect(readBaseline(place(info, text))).toEqual(JSON.parse(JSON.stringify(baseline)));
  expect(text.split('\n').filter((line) => line.includes(`"${must}"`))).toHaveLength(1);
  expect(text).not.toContain('exchanges');
});

function written(info: TestInfo, name: string, given: Parameters<typeof run>[0] = {}): string {
  const folder = info.outputPath(name);
  mkdirSync(folder, { recursive: true });
  writeRun(folder, run(given));
  return folder;
}

const status = (value: string) => record({ observations: [seen('status', value)] });

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
    [['--strict-drift'], /--strict-drift is of no use without --baseline/],
    [['--baseline', whole, '--drift-factor', '1'], /Give a number above 1/],
    [['--deviations', 'nowhere.yaml'], /nowhere\.yaml: there is no such file; .* deviations draft/],
    [['--stale', 'warn'], /--stale warn is of no use without --deviations/],
    [['--recheck', failed], /that run is of the target "sample", this one would call "reference service"/],
    [['--recheck', failed, '--only', 'otp.sms'], /--recheck and --only exclude each other/],
    [['--recheck', 'nowhere'], /nowhere: there is no such file or folder/],
    [['--replay', 'package.json'], /there is no recording\.json; make one with/],
    [['--checks', 'package.json'], /requirements\.yaml: there is no such file/],
    [['compare', whole], /name two runs, or one with --accept/],
    [['compare', whole, whole, '--out', 'x.json'], /--out belongs to --accept/],
    [['compare', whole, whole, '--json', '--markdown'], /exclude each other/],
    [['compare', '--accept', whole], /say with --out FILE/],
    [['compare', '--accept', whole, whole, '--out', 'x.json'], /name one run only/],
    [['compare', '--accept', part, '--out', info.outputPath('x.json')], /scope "partial" is no baseline/],
    [['compare', '--accept', whole, '--out', 'package.json/x'], /x: cannot be written \(ENOTDIR; /],
    [['deviations', 'draft', failed, '--out', filled], /filled\.yaml: exists already and may be filled in/],
    [['deviations', 'prune', failed, '--file', 'package.json'], /package\.json:2: name is unknown/],
  ];
  for (const [given, message] of wrong) {
    const { code, stderr } = await cli(...given);
    expect.soft([given, code]).toEqual([given, 3]);
    expect.soft(stderr).toMatch(message);
  }
});
