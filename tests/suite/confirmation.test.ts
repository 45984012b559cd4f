/** Failures that are asked about again: which, how often, and what comes of the answers; rechecks of a run. */
import { expect, test } from '@playwright/test';
import { checked, isJudgedByFlows } from '../../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../../record/check-result.ts';
import type { Verdict } from '../../record/verdict.ts';
import type { ConfirmationRecord } from '../../reports/concluding/confirmation.ts';
import {
  failedIds,
  isSettled,
  mostConfirmed,
  once,
  planConfirmation,
  sampleFor,
} from '../../reports/concluding/confirmation-plan.ts';
import type { Deviations } from '../../reports/run/deviations.ts';
import type { Run } from '../../reports/run/run.ts';
import { explain } from '../../reports/texts/failure.ts';
import { exchange, failure, record, requirementOf, result, results, run } from './reports-sample.ts';

const id = 'otp.sms';

const attempt = (verdict: Verdict, index: number): CheckResult =>
  result(id, verdict, { rows: [{ title: 'OTP without MobileNumber', verdict, exchanges: [index] }] });

type Notes = Partial<Pick<ConfirmationRecord, 'notes'>>;
/** A run whose first attempt failed with exchange 0, and whose rounds made one exchange each. */
function confirmed(
  verdicts: readonly Verdict[],
  more: { rate?: number; shared?: boolean } & Notes = {},
): Run {
  const { rate, notes = {}, shared = false } = more;
  const deviations: Deviations | undefined = rate === undefined ? undefined : flaky(rate);
  return run({
    record: record({
      exchanges: [exchange(0), ...verdicts.map((_, round) => exchange(round + 1))],
      confirmation: {
        rounds: verdicts.map((verdict, round) => ({
          from: round + 1,
          results: [attempt(verdict, shared ? 0 : round + 1)],
        })),
        notes,
      },
    }),
    results: results(failureOf(0)),
    deviations,
  });
}

const failureOf = (index: number) => ({ ...failure(id, index), title: `checks ${id}` });

function flaky(rate: number, until = '2026-12-31'): Deviations {
  const entry = { list: 'flaky', line: 3, requirement: id, owner: 'team', until, rate } as const;
  return { file: 'deviations.yaml', stale: 'fail', entries: [entry] };
}

const told = (given: Run): string => explain(requirementOf(given, id), given).at(-1) ?? '';

test('a failure that may be about what the profile does not say names its key', () => {
  for (const [of, words] of [
    ['skeleton.several-documents', /limits\.documents/],
    ['signatory.many', /limits\.signatories/],
    ['skeleton.callback-url', /callbacks\.placeholderUrl/],
    [id, /^exchange 0/],
  ] as const) {
    const given = run({ record: record({ exchanges: [exchange(0)] }), results: results(failure(of, 0)) });
    expect(explain(requirementOf(given, of), given).at(-1)).toMatch(words);
  }
});

test('what could not be repeated says why', () => {
  const reason = 'not asked again: a reason';
  expect(told(confirmed([], { notes: { [id]: reason } }))).toBe(reason);
  const once = 'not asked again: it rests on calls that a run makes only once';
  expect(told(confirmed(['failed'], { shared: true }))).toBe(once);
  expect(told(confirmed(['could-not-run']))).toBe('asked again at the end of the run: could not run');
});

test('a failure that passes the second time says so, and stays one', () => {
  const unsteady = confirmed(['passed']);
  expect(unsteady.exitCode).toBe(1);
  expect(told(unsteady)).toMatch(/^asked again at the end of the run: passed this time, /);
});

test('a failure that rests on trouble alone, which did not come again, blames nobody', () => {
  const [wrong] = failureOf(0).rows;
  const { finding } = wrong ?? {};
  const outcomeOf = (again: Verdict, answer: 'trouble' | 'not-there' | 'accepted') => {
    const received = { exchange: 0, answer } as const;
    const rows = [{ ...failureOf(0).rows[0], finding: { ...finding, received } }] as CheckResult['rows'];
    const rounds = [{ from: 1, results: [attempt(again, 1)] }];
    const reset = { response: null, failure: { code: 'ECONNRESET', message: 'the connection was reset' } };
    const confirmation = { rounds, notes: {} };
    const material = record({ exchanges: [exchange(0, reset), exchange(1)], confirmation });
    const given = run({ record: material, results: results({ ...failureOf(0), rows }) });
    const { verdict, reason } = requirementOf(given, id);
    return [verdict, reason];
  };
  expect(outcomeOf('passed', 'trouble')).toEqual(['could-not-run', 'the connection was reset']);
  // A request may have ended meanwhile.
  expect(outcomeOf('passed', 'not-there')[0]).toBe('could-not-run');
  // A question that could not be put again is no better answer.
  for (const again of ['failed', 'could-not-run'] as const) {
    expect(outcomeOf(again, 'trouble')).toEqual(['failed', undefined]);
  }
  expect(outcomeOf('passed', 'accepted')).toEqual(['failed', undefined]);
});

test('an answer that breaks the contract is confirmed by the next ones like it', () => {
  const violations = [{ requirement: id, pointer: '/requestId', message: 'must be string' }];
  const of = (...later: Parameters<typeof exchange>[1][]) => {
    const broken = run({
      record: record({
        exchanges: [exchange(0, { violations }), ...later.map((each, index) => exchange(index + 1, each))],
        confirmation: { rounds: [{ from: 1, results: [] }], notes: {} },
      }),
    });
    return requirementOf(broken, id)
      .checks.at(-1)
      ?.confirmation?.attempts.map(({ verdict }) => verdict);
  };
  expect(of({ violations })).toEqual(['failed']);
  expect(of({})).toEqual(['passed']);
  expect(of({ operation: 'uploadDocument' })).toEqual([]);
});

test('a permitted rate decides how often is asked, and how many may fail', () => {
  expect(once).toEqual({ attempts: 1, permitted: 0 });
  expect([0.1, 0.2, 0.25, 0.3, 0.5].map(sampleFor)).toEqual([
    { attempts: 10, permitted: 1 },
    { attempts: 10, permitted: 2 },
    { attempts: 8, permitted: 2 },
    { attempts: 7, permitted: 2 },
    { attempts: 4, permitted: 2 },
  ]);
  const sample = sampleFor(0.5);
  expect(isSettled(['failed', 'passed'], sample)).toBe(false);
  expect(isSettled(['passed', 'passed'], sample)).toBe(true);
  expect(isSettled(['failed', 'failed', 'failed'], sample)).toBe(true);
});

test('a flaky check is accepted within its rate, and not beyond', () => {
  const within = confirmed(['failed', 'passed', 'passed'], { rate: 0.5 });
  expect(within.exitCode).toBe(0);
  const accepted = { status: 'accepted', flaky: { rate: 0.5, failed: 1, attempts: 3 } };
  expect(requirementOf(within, id).deviation).toMatchObject(accepted);
  const beyond = confirmed(['failed', 'failed', 'failed'], { rate: 0.5 });
  expect(beyond.exitCode).toBe(1);
  const says = expect.stringContaining('deviations.yaml:3: otp.sms failed in 3 of 3 further attempts');
  expect(beyond.deviations?.entries[0]).toMatchObject({ status: 'exceeded', says });
  const [entry] = confirmed([], { rate: 0.5 }).deviations?.entries ?? [];
  expect(entry?.says).toContain('not be asked again often enough');
});

test('a flaky check that passes is neither stale nor asked about; past its date it is expired', () => {
  const passed = run({ deviations: flaky(0.5) });
  expect([passed.exitCode, passed.deviations?.entries[0]?.status]).toEqual([0, 'unused']);
  expect(run({ deviations: flaky(0.5, '2025-12-31') }).exitCode).toBe(1);
});

const situation = { target: 'sample', day: '2026-01-02' };

test('what failed is what a check says, or an answer that breaks the contract', () => {
  const violations = [{ requirement: 'upload.pdf', pointer: '', message: '' }];
  const found = failedIds([attempt('failed', 0), result('otp.email', 'could-not-run')], [{ violations }]);
  expect(found).toEqual([id, 'upload.pdf']);
  expect(failedIds([attempt('failed', 0)], [{ violations }], [id])).toEqual([id]);
});

test('a few failures are asked about, the flaky ones first; others say why they are not', () => {
  const flows = checked.filter(isJudgedByFlows);
  const others = checked.filter((entry) => !flows.includes(entry)).map((entry) => entry.id);
  const few = others.filter((each) => each !== id).slice(0, 12);
  const failed = [...few, id, ...flows.slice(0, 1).map((each) => each.id)];
  const { ask, notes } = planConfirmation(failed, flaky(0.25), situation);
  expect(ask[0]).toEqual({ id, sample: { attempts: 8, permitted: 2 } });
  expect(ask).toHaveLength(mostConfirmed);
  const reasons = (words: string) => Object.values(notes).filter((note) => note.includes(words));
  expect(reasons('not asked again: only 10 of the 14 failures')).toHaveLength(3);
  expect(reasons('rests on a flow')).toHaveLength(1);
});
