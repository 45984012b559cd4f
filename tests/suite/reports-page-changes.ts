/** A run for the tests of the report page with all that came before it: deviations of every kind, a baseline, a recheck. */
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../../record/check-result.ts';
import { baselineOf } from '../../reports/baseline.ts';
import type { Listed } from '../../reports/deviations.ts';
import type { Run } from '../../reports/run.ts';
import { exchange, failure, record, result, results, run } from './reports-sample.ts';

const entry = (requirement: RequirementId, line: number, differing: Partial<Listed> = {}): Listed => ({
  list: 'deviations',
  line,
  requirement,
  reason: 'the gateway of the vendor answers before the service does',
  owner: 'integration team',
  until: '2026-12-31',
  ...differing,
});

const entries: readonly Listed[] = [
  entry('otp.mobile-required', 2, { link: 'https://tickets.example.com/browse/ESIGN-4711' }),
  entry('otp.email', 8, { reason: 'mended in the release of January' }),
  entry('otp.sms', 13, { until: '2026-01-01' }),
  entry('upload.pdf', 19, { list: 'flaky', reason: 'fails under load', rate: 0.2 }),
  entry('upload.docx', 25, { list: 'flaky', reason: 'fails under load', rate: 0.2 }),
  entry('skeleton.title-required', 31, { targets: ['another sandbox'] }),
];

/** So many attempts, of which the first few failed again. */
function attempts(failed: number): { results: readonly CheckResult[]; from: number }[] {
  return Array.from({ length: 10 }, (_, round) => ({
    from: 2,
    results: (['upload.pdf', 'upload.docx'] as const).map((id) => {
      const verdict = id === 'upload.pdf' && round >= failed ? 'passed' : 'failed';
      return result(id, verdict, { rows: [{ title: 'asked again', verdict, exchanges: [2 + round] }] });
    }),
  }));
}

const seen = (key: string, value: string | number, stability: 'stable' | 'volatile' = 'stable') =>
  ({ gap: 'skeleton.success-status', key, value, stability, exchanges: [0] }) as const;

const before = run({
  record: record({
    startedAt: '2025-12-24T08:00:00.000Z',
    observations: [seen('status', 201), seen('fields at the top', 'requestId')],
  }),
  results: results(failure('otp.mobile-required', 0), result('skeleton.token-expired', 'could-not-run')),
});

const judged = run({
  record: record({
    exchanges: Array.from({ length: 12 }, (_, index) => exchange(index)),
    observations: [seen('status', 200), seen('fields at the top', 'requestId')],
    confirmation: { rounds: attempts(1), notes: {} },
  }),
  results: results(
    failure('otp.mobile-required', 0),
    failure('otp.sms', 1),
    failure('upload.pdf', 0),
    failure('upload.docx', 1),
    result('skeleton.token-expired', 'not-applicable', { message: 'the profile has no auth.expiredToken' }),
  ),
  deviations: { file: 'deviations.yaml', stale: 'fail', entries },
  baseline: baselineOf(before),
});

/** Accepted, stale, expired, flaky, too flaky; drift that gates and drift that does not; a recheck. */
export const changed: Run = {
  ...judged,
  recheck: {
    startedAt: before.startedAt,
    fixed: ['skeleton.malformed', 'skeleton.title-required'],
    still: ['otp.mobile-required'],
    new: [],
    'not-judged': ['skeleton.token-expired'],
  },
};
