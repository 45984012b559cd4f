/** Runs for the tests of the report page: one with everything on it, one with all that came before it, a large one. */

import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../../record/check-result.ts';
import { baselineOf } from '../../reports/accepted/baseline.ts';
import type { Listed } from '../../reports/run/deviations.ts';
import type { Run } from '../../reports/run/run.ts';
import { bodyOf, delivery, exchange, failure, record, result, results, run } from './reports-sample.ts';

const at = (ms: number): string => new Date(Date.parse('2026-01-02T03:04:05.000Z') + ms).toISOString();

const adding = (OTP: object) => ({ ...exchange(0).request, body: bodyOf(JSON.stringify({ OTP })) });
const sms = { IsRequired: true, Type: 2 };
const accepted = exchange(0, {
  purpose: 'shared',
  request: adding({ ...sms, MobileNumber: '+12025550123' }),
});
const wrong = exchange(1, { check: 'otp.mobile-required', request: adding(sms) });

/** One failure of a call, one of a flow, one accepted, one that could not run, one not applicable. */
export const varied: Run = run({
  record: record({
    exchanges: [
      accepted,
      wrong,
      exchange(2),
      exchange(3, { response: null, failure: { code: 'ECONNRESET', message: 'it was reset' } }),
    ],
    observations: [
      { gap: 'skeleton.success-status', key: 'status', value: 201, stability: 'stable', exchanges: [2] },
    ],
    deliveries: [
      delivery('0', { check: 'two signers', event: 3, receivedAt: { start: at(900), end: at(930) } }),
    ],
    unlocks: [{ key: 'calls.deleteRequest', requirements: ['signatory.deleted-request'] }],
    warnings: ['something was strange'],
  }),
  results: results(
    failure('otp.mobile-required', 1, 0),
    failure('otp.sms', 2),
    result('otp.email', 'could-not-run', { message: 'nothing answered' }),
    result('create.template-200', 'not-applicable', { message: 'the profile has no create.template' }),
    result('events.process-completed-last', 'failed', {
      rows: [{ title: 'two signers', verdict: 'failed', message: 'event 3 came too early', exchanges: [] }],
      timeline: [
        { flow: 'two signers', kind: 'action', title: 'request created', at: at(0), until: at(20) },
        { flow: 'two signers', kind: 'allowed', title: 'event 3, after the last event 2', at: at(500) },
        {
          flow: 'two signers',
          kind: 'delivery',
          title: 'event 3',
          delivery: '0',
          at: at(900),
          until: at(930),
          verdict: 'failed',
          message: 'events.process-completed-last: too early',
          attached: [
            { name: 'signed.pdf', size: 34_200, pages: 2, state: 'whole' },
            { name: undefined, state: 'link' },
          ],
        },
      ],
    }),
  ),
});

/** A thousand requirements or so many, each with a check, a row and an exchange of its own; one in so many has failed. */
export function large(failing = 50, count = 1000): Run {
  const [one] = varied.requirements.filter(({ id }) => id === 'otp.mobile-required');
  if (!one) throw new Error('the sample lacks its failure');
  const requirements = Array.from({ length: count }, (_, index) => ({
    ...one,
    id: `otp.number-${index}`,
    verdict: index % failing === 0 ? ('failed' as const) : ('passed' as const),
    checks: one.checks.map((check) => ({
      ...check,
      rows: check.rows.map((row) => ({ ...row, exchanges: [index] })),
    })),
  }));
  const exchanges = Array.from({ length: count }, (_, index) => ({
    ...wrong,
    index,
    check: `otp.number-${index}`,
  }));
  const { counts } = varied;
  const failed = Math.ceil(count / failing);
  const columns = { ...counts.requirements, failed, passed: count - failed };
  return { ...varied, requirements, exchanges, counts: { ...counts, requirements: columns } };
}

const entry = (requirement: RequirementId, line: number, differing: Partial<Listed>): Listed => ({
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

const seen = (key: string, value: string | number) =>
  ({ gap: 'skeleton.success-status', key, value, stability: 'stable', exchanges: [0] }) as const;

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

/** Besides what has not passed, what tests of the page look for. */
const wanted = ['upload.pdf', 'upload.other-formats', 'otp.access-code', 'otp.gates-signing'];

/** A page with everything on it once: requirements of every kind and some open questions, quicker to open than all. */
export const few: Run = {
  ...varied,
  requirements: varied.requirements.filter(
    ({ id, verdict, notTestable }, at) =>
      wanted.includes(id) || at % 25 === 0 || (verdict !== 'passed' && notTestable === undefined),
  ),
  gaps: varied.gaps.filter(({ observations }, at) => observations.length > 0 || at % 25 === 0),
};
