/** How results, record and contract violations become the verdicts of requirements, and these the verdict and the exit code of a run. */
import { expect, test } from '@playwright/test';
import { catalogue, checked } from '../../openapi/requirements/catalogue.ts';
import type { Verdict } from '../../record/verdict.ts';
import { type OutcomeFacts, outcomeOf } from '../../reports/concluding/outcome.ts';
import type { Deviation, RunRequirement } from '../../reports/run/run.ts';
import { exchange, record, requirementOf, result, results, run } from './reports-sample.ts';

test('a run in which everything passed is conformant, and each requirement is counted once', () => {
  const all = run();
  expect(all).toMatchObject({ verdict: 'conformant', exitCode: 0, scope: 'full' });
  expect(all.requirements.map(({ id }) => id)).toEqual(catalogue.map(({ id }) => id));
  const counted = Object.values(all.counts.requirements).reduce((sum, count) => sum + count, 0);
  expect(counted).toBe(catalogue.length);
  expect(all.counts.checks).toEqual({ expected: checked.length, reported: checked.length });
  expect(all.counts.musts.passed).toBe(all.counts.musts.applicable);
  expect(all.counts.musts.all).toBe(
    catalogue.filter((entry) => entry.level === 'must' && !('notTestable' in entry)).length,
  );
});

test('a requirement has the worst verdict of its checks and of their rows', () => {
  const row = { title: 'a row', verdict: 'could-not-run', exchanges: [] } as const;
  const given = run({
    results: [...results(), result('otp.sms', 'failed'), result('otp.email', 'passed', { rows: [row] })],
  });
  expect(requirementOf(given, 'otp.sms')).toMatchObject({ verdict: 'failed' });
  expect(requirementOf(given, 'otp.sms').checks).toHaveLength(2);
  expect(requirementOf(given, 'otp.email').verdict).toBe('could-not-run');
});

test('a requirement on which no check reported is an error of the suite', () => {
  const given = run({ results: results().filter(({ id }) => id !== 'otp.sms') });
  expect(requirementOf(given, 'otp.sms')).toMatchObject({
    verdict: 'error',
    reason: 'no check of tests/conformance/otp.spec.ts reported on it',
  });
  expect(given).toMatchObject({ verdict: 'error', exitCode: 4 });
  expect(given.counts.checks.reported).toBe(given.counts.checks.expected - 1);
});

test('what is missing from an interrupted run could not run', () => {
  const given = run({ results: [result('otp.sms', 'passed')], interrupted: true });
  expect(requirementOf(given, 'otp.email').verdict).toBe('could-not-run');
  expect(given).toMatchObject({ verdict: 'incomplete', exitCode: 2 });
  expect(given.warnings.join()).toContain('interrupted');
});

test('answers that break the contract fail the requirement that is marked there, once', () => {
  const violations = [
    { requirement: 'signatory.signatory-id', pointer: '/signatoryId', message: 'is no string' },
  ];
  const exchanges = [exchange(0), exchange(1, { violations }), exchange(2, { violations })];
  const given = run({ record: record({ exchanges }) });
  const broken = requirementOf(given, 'signatory.signatory-id');
  expect(broken.verdict).toBe('failed');
  const rows = broken.checks.flatMap((check) => check.rows);
  expect(rows).toEqual([
    {
      title: 'answer 200 of addSignatory',
      verdict: 'failed',
      message: 'at /signatoryId: is no string',
      exchanges: [2, 1],
    },
  ]);
  expect(given).toMatchObject({ verdict: 'nonconformant', exitCode: 1 });
  expect(given.counts.requirements.failed).toBe(1);
});

test('a break of the contract outside of the selection is a warning', () => {
  const violations = [{ requirement: 'signatory.signatory-id', pointer: '', message: 'is empty' }];
  const given = run({ record: record({ exchanges: [exchange(0, { violations })] }), selection: ['otp.sms'] });
  expect(given).toMatchObject({ verdict: 'partial', exitCode: 0, scope: 'partial', selection: ['otp.sms'] });
  expect(given.warnings).toEqual([
    'exchange 0 breaks signatory.signatory-id, which this selection leaves out',
  ]);
});

test('names that stand nowhere are problems of the suite', () => {
  const violations = [{ requirement: 'no.such', pointer: '', message: '' }];
  const observation = { gap: 'no.gap', key: 'k', value: 1, stability: 'stable', exchanges: [7] } as const;
  const given = run({
    record: record({ exchanges: [exchange(0, { violations })], observations: [observation] }),
  });
  expect(given.problems).toEqual([
    'the contract is marked with no.such, which is no requirement',
    'an observation speaks of no.gap, which is no gap',
    'exchange 7 is referred to but was not recorded',
  ]);
  expect(given).toMatchObject({ verdict: 'error', exitCode: 4 });
  expect(given.warnings).toEqual([]);
});

test('a requirement that the profile says must run is not left out, others of its area are', () => {
  const left = ['otp.sms', 'otp.email'] as const;
  const message = 'the profile has no calls.x';
  const given = run({
    results: results(...left.map((id) => result(id, 'not-applicable', { message }))),
    record: record({ mustRun: ['otp.sms'] }),
  });
  expect(requirementOf(given, 'otp.sms')).toMatchObject({
    verdict: 'could-not-run',
    reason: `mustRun of the target profile names it, but: ${message}`,
  });
  expect(requirementOf(given, 'otp.email').verdict).toBe('not-applicable');
  expect(given).toMatchObject({ verdict: 'incomplete', exitCode: 2 });
});

test('a gap is observed, answered by the profile, or neither', () => {
  const observation = { key: 'status', value: '201', stability: 'stable', exchanges: [] } as const;
  const given = run({
    record: record({
      observations: [{ gap: 'skeleton.success-status', ...observation }],
      answeredByProfile: [
        { gap: 'skeleton.success-status', says: '201' },
        { gap: 'upload.encoding', says: 'raw' },
      ],
    }),
  });
  const status = (id: string) => given.gaps.find((gap) => gap.id === id)?.status;
  expect(status('skeleton.success-status')).toBe('observed');
  expect(given.gaps.find(({ id }) => id === 'skeleton.success-status')?.observations).toEqual([observation]);
  expect(status('upload.encoding')).toBe('answered-by-profile');
  expect(given.gaps.flatMap(({ id, profile }) => (profile === undefined ? [] : [[id, profile]]))).toEqual([
    ['upload.encoding', 'raw'],
    ['skeleton.success-status', '201'],
  ]);
  expect(status('upload.field-name')).toBe('unobserved');
});

function requirement(
  level: 'must' | 'should',
  verdict: Verdict,
  status?: Deviation['status'],
): RunRequirement {
  const deviation = status && { reason: 'known', owner: 'team', until: '2026-12-31', status };
  return {
    id: `area.${level}-${verdict}`,
    level,
    section: '',
    statement: '',
    operation: null,
    since: '0.1.0',
    verdict,
    checks: [],
    ...(deviation ? { deviation } : {}),
  };
}

const passed = requirement('must', 'passed');
const failedMust = requirement('must', 'failed');
const passedShould = requirement('should', 'passed');
const failedShould = requirement('should', 'failed');
const stuck = requirement('must', 'could-not-run');
const stuckShould = requirement('should', 'could-not-run');
const broken = requirement('must', 'error');
const notApplicable = requirement('must', 'not-applicable');

/** Title, requirements, verdict, and what else is known of the run. */
type Case = readonly [
  title: string,
  requirements: readonly RunRequirement[],
  verdict: string,
  more?: Partial<OutcomeFacts>,
];

const partial = { scope: 'partial' } as const;
const interrupted = { interrupted: true };

const cases: readonly Case[] = [
  ['all passed', [passed], 'conformant'],
  ['some not applicable', [passed, notApplicable], 'conformant'],
  ['a newer must that failed', [passed, { ...failedMust, newer: true }], 'conformant'],
  ['a newer must that could not run', [passed, { ...stuck, newer: true }], 'conformant'],
  ['a newer must that broke', [passed, { ...broken, newer: true }], 'error'],
  ['a failed should', [passed, failedShould], 'conformant'],
  ['a failed should under --strict', [passed, failedShould], 'nonconformant', { strict: true }],
  ['a failed must', [passed, failedMust], 'nonconformant'],
  ['an accepted deviation', [passed, requirement('must', 'failed', 'accepted')], 'conformant'],
  ['a deviation past its end', [passed, requirement('must', 'failed', 'expired')], 'nonconformant'],
  ['a deviation of what has passed', [requirement('must', 'passed', 'stale')], 'nonconformant'],
  ['a deviation of a passed should', [passed, requirement('should', 'passed', 'stale')], 'nonconformant'],
  ['a must that could not run', [passed, stuck], 'incomplete'],
  ['a should that could not run', [passed, stuckShould], 'incomplete'],
  ['a failed must beside one that could not run', [failedMust, stuck], 'nonconformant'],
  ['an interrupted run', [passed], 'incomplete', interrupted],
  ['a failed must in an interrupted run', [failedMust], 'nonconformant', interrupted],
  ['no must passed', [notApplicable, passedShould], 'incomplete'],
  ['nothing at all', [], 'incomplete'],
  ['an error beside a failed must', [broken, failedMust], 'error'],
  ['a problem of the suite', [passed], 'error', { problems: ['it broke'] }],
  ['an error in an interrupted run', [broken], 'error', interrupted],
  ['a selection that passed', [passed], 'partial', partial],
  ['a selection with a failed must', [failedMust], 'nonconformant', partial],
  ['a selection of shoulds that passed', [passedShould], 'partial', partial],
  ['a selection of shoulds that failed', [failedShould], 'incomplete', partial],
  ['a selection that is not applicable', [notApplicable], 'incomplete', partial],
  ['an empty selection', [], 'incomplete', partial],
];

const exitCodes = new Map(
  Object.entries({ conformant: 0, partial: 0, nonconformant: 1, incomplete: 2, error: 4 }),
);

for (const [title, requirements, verdict, more] of cases) {
  test(`${title}: ${verdict}`, () => {
    const facts: OutcomeFacts = {
      scope: 'full',
      strict: false,
      problems: [],
      interrupted: false,
      ...more,
      requirements,
    };
    expect(outcomeOf(facts)).toEqual({ verdict, exitCode: exitCodes.get(verdict) });
  });
}
