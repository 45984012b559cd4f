/** Every way in which a run comes by its verdict and exit code. */
import { expect, test } from '@playwright/test';
import type { Verdict } from '../../record/verdict.ts';
import { conclude, type Facts } from '../../reports/concluding/outcome.ts';
import type { Deviation, RunRequirement } from '../../reports/run/run.ts';

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
  more?: Partial<Facts>,
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
  [
    'a deviation of a should that passed',
    [passed, requirement('should', 'passed', 'stale')],
    'nonconformant',
  ],
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
    const facts: Facts = {
      scope: 'full',
      strict: false,
      problems: [],
      interrupted: false,
      ...more,
      requirements,
    };
    expect(conclude(facts)).toEqual({ verdict, exitCode: exitCodes.get(verdict) });
  });
}
