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
const failedShould = requirement('should', 'failed');
const stuck = requirement('must', 'could-not-run');
const stuckShould = requirement('should', 'could-not-run');
const broken = requirement('must', 'error');
const notApplicable = requirement('must', 'not-applicable');

type Case = readonly [title: string, facts: Partial<Facts>, verdict: string, exitCode: number];

const cases: readonly Case[] = [
  ['all passed', { requirements: [passed] }, 'conformant', 0],
  ['some not applicable', { requirements: [passed, notApplicable] }, 'conformant', 0],
  ['a newer must that failed', { requirements: [passed, { ...failedMust, newer: true }] }, 'conformant', 0],
  ['a newer must that could not run', { requirements: [passed, { ...stuck, newer: true }] }, 'conformant', 0],
  ['a newer must that broke', { requirements: [passed, { ...broken, newer: true }] }, 'error', 4],
  ['a failed should', { requirements: [passed, failedShould] }, 'conformant', 0],
  [
    'a failed should under --strict',
    { requirements: [passed, failedShould], strict: true },
    'nonconformant',
    1,
  ],
  ['a failed must', { requirements: [passed, failedMust] }, 'nonconformant', 1],
  [
    'a failed must that is an accepted deviation',
    { requirements: [passed, requirement('must', 'failed', 'accepted')] },
    'conformant',
    0,
  ],
  [
    'a failed must whose deviation is past its end',
    { requirements: [passed, requirement('must', 'failed', 'expired')] },
    'nonconformant',
    1,
  ],
  [
    'a deviation of what has passed',
    { requirements: [requirement('must', 'passed', 'stale')] },
    'nonconformant',
    1,
  ],
  [
    'a deviation of a should that has passed',
    { requirements: [passed, requirement('should', 'passed', 'stale')] },
    'nonconformant',
    1,
  ],
  ['a must that could not run', { requirements: [passed, stuck] }, 'incomplete', 2],
  ['a should that could not run', { requirements: [passed, stuckShould] }, 'incomplete', 2],
  ['a failed must beside one that could not run', { requirements: [failedMust, stuck] }, 'nonconformant', 1],
  ['an interrupted run', { requirements: [passed], interrupted: true }, 'incomplete', 2],
  [
    'a failed must in an interrupted run',
    { requirements: [failedMust], interrupted: true },
    'nonconformant',
    1,
  ],
  ['no must passed', { requirements: [notApplicable, requirement('should', 'passed')] }, 'incomplete', 2],
  ['nothing at all', { requirements: [] }, 'incomplete', 2],
  ['an error beside a failed must', { requirements: [broken, failedMust] }, 'error', 4],
  ['a problem of the suite', { requirements: [passed], problems: ['it broke'] }, 'error', 4],
  ['an error in an interrupted run', { requirements: [broken], interrupted: true }, 'error', 4],
  ['a selection that passed', { requirements: [passed], scope: 'partial' }, 'partial', 0],
  ['a selection with a failed must', { requirements: [failedMust], scope: 'partial' }, 'nonconformant', 1],
  [
    'a selection of shoulds that passed',
    { requirements: [requirement('should', 'passed')], scope: 'partial' },
    'partial',
    0,
  ],
  ['a selection of shoulds that failed', { requirements: [failedShould], scope: 'partial' }, 'incomplete', 2],
  [
    'a selection that is not applicable',
    { requirements: [notApplicable], scope: 'partial' },
    'incomplete',
    2,
  ],
  ['an empty selection', { requirements: [], scope: 'partial' }, 'incomplete', 2],
];

for (const [title, facts, verdict, exitCode] of cases) {
  test(`${title}: ${verdict}, exit code ${exitCode}`, () => {
    const whole: Facts = {
      requirements: [],
      scope: 'full',
      strict: false,
      problems: [],
      interrupted: false,
      ...facts,
    };
    expect(conclude(whole)).toEqual({ verdict, exitCode });
  });
}
