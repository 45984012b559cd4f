/** No text of ours is read by our code: in other words, all verdicts, causes and marks are the same. */
import { expect, test } from '@playwright/test';
import type { RunSession } from '../../harness/session/run-session.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../../record/check-result.ts';
import type { Exchange } from '../../record/exchange.ts';
import type { Cause } from '../../record/finding.ts';
import { wording } from '../../record/finding-text.ts';
import type { FaultId } from '../../reference/faults.ts';
import { page } from '../../reports/page/page.ts';
import { ticket } from '../../reports/ticket/ticket.ts';
import { loadChecks } from '../../running/load-checks.ts';
import { eventFlows } from '../flows/events.ts';
import { inParallel, mixedRoles } from '../flows/people.ts';
import { judged, withFaults } from '../proof/faults/run-fault.ts';
import { record, requirementOf, run } from './reports-sample.ts';

const faults = [
  'otp.mobile-required/2-absent-accepted',
  'skeleton.title-required/accepted',
  'signatory.token-invalid/403',
  'upload.token-invalid-message/other',
  'skeleton.unknown-document/400',
  'events.only-subscribed/ignored',
  'events.none-for-cc/sent',
  'signing.cc-cannot-act/signs',
] satisfies readonly FaultId[];

const red = [
  'otp.mobile-required',
  'skeleton.title-required',
  'signatory.token-invalid',
  'upload.token-invalid-message',
] as const;
/** What flows judge: by callbacks, and by what people can do. */
const redInFlows = ['events.only-subscribed', 'events.none-for-cc', 'signing.cc-cannot-act'] as const;
const asked: readonly RequirementId[] = [
  ...red,
  ...redInFlows,
  'events.signatory-completed',
  'skeleton.unknown-document-message',
  'skeleton.request-id',
  'signatory.deleted-request',
];

interface Seen {
  readonly results: readonly CheckResult[];
  readonly exchanges: readonly Exchange[];
  readonly verdicts: readonly unknown[];
}

async function seen(): Promise<Seen> {
  const checks = (await loadChecks()).filter(({ ids }) => ids.some((id) => asked.includes(id)));
  const use = async (results: readonly CheckResult[], session: RunSession): Promise<Seen> => ({
    results,
    exchanges: session.recorder.exchanges,
    verdicts: judged(results, session).map(({ id, verdict, checks: of }) => ({
      id,
      verdict,
      rows: of.flatMap(({ rows }) =>
        rows.map(({ verdict: own, finding: { expected, received, decisive, twin, flow, cause } = {} }) => ({
          own,
          expected,
          answer: received?.answer,
          decisive,
          hasTwin: twin !== undefined,
          flow: flow?.expected,
          cause: cause && kindOf(cause),
        })),
      ),
    })),
  });
  return withFaults(faults, checks, use, [inParallel, mixedRoles, ...eventFlows]);
}

/** A cause without words and places in the record, which are those of one run. */
function kindOf(cause: Cause): unknown {
  if ('excuse' in cause) return [cause.excuse, cause.because.call];
  if ('answer' in cause) return [cause.answer, cause.call];
  return 'finding' in cause ? [cause.finding.expected, cause.finding.received?.answer] : 'needs';
}

test('findings told in other words come to the same verdicts and causes', async () => {
  const plain = await seen();
  const own = wording.finding;
  try {
    wording.finding = () => 'x';
    const scrambled = await seen();
    expect(scrambled.results.flatMap(({ rows }) => rows.map(({ message }) => message))).toContain('x');
    expect(scrambled.verdicts).toEqual(plain.verdicts);
  } finally {
    wording.finding = own;
  }
  const failed = plain.results.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
  expect(failed).toEqual(expect.arrayContaining([...red, ...redInFlows]));
  const twinless = plain.results
    .filter(({ id }) => red.some((each) => each === id))
    .flatMap(({ rows }) => rows.filter(({ finding }) => finding?.twin === undefined));
  expect(twinless).toEqual([]);
  expect(plain.results.map(({ verdict }) => verdict)).toContain('could-not-run');
  expect(shown(scrambledIn(plain))).toEqual(shown(plain));
});

/** The same with all words about rows and repeats taken away after the run. */
function scrambledIn({ results, exchanges, ...more }: Seen): Seen {
  return {
    ...more,
    results: results.map((result) => ({
      ...result,
      ...(result.message === undefined ? {} : { message: 'x' }),
      rows: result.rows.map((row) => (row.message === undefined ? row : { ...row, message: 'x' })),
    })),
    exchanges: exchanges.map((each) => ({ ...each, retries: each.retries.map(() => 'x') })),
  };
}

/** What reports make of a run besides its words: verdicts, marked lines, twins. */
function shown({ results, exchanges }: Seen): unknown {
  const given = run({ results, selection: asked, record: record({ exchanges }) });
  const text = page(given, { scripts: 'nowhere' });
  const marks = text.match(/<mark>.*?<\/mark><span class="remark">.*?<\/span>/g) ?? [];
  const twins = text.match(/The accepted twin, exchange \d+/g) ?? [];
  expect(marks.length).toBeGreaterThan(red.length);
  expect(twins.length).toBeGreaterThanOrEqual(red.length);
  const { verdict, counts, requirements } = given;
  const tables = red.map((id) => ticket(given, requirementOf(given, id)).match(/^\| .*$/gm));
  return { verdict, counts, verdicts: requirements.map((each) => each.verdict), marks, twins, tables };
}
