/** Runs the checks against a reference service with one fault, in a session of its own. */
import type { Profile } from '../../../harness/profile/schema.ts';
import type { RunSession } from '../../../harness/session/run-session.ts';
import { type RequirementId, requirement } from '../../../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../../../record/check-result.ts';
import type { Exchanges } from '../../../record/finding-text.ts';
import type { CombinedFaultId } from '../../../reference/faults/combined.ts';
import type { FaultId } from '../../../reference/faults.ts';
import { violationsByRequirement } from '../../../reports/assembling/assemble.ts';
import { concludeRequirement } from '../../../reports/concluding/conclude.ts';
import type { RunRequirement } from '../../../reports/run/run.ts';
import type { LoadedCheck } from '../../../running/load-checks.ts';
import { runCheck } from '../../../running/run-checks.ts';
import { flows as allFlows } from '../../flows/all.ts';
import { changedReference, withSession } from '../session.ts';
import type { FaultResult, RedRow } from './fault-result.ts';
import { plainReason } from './plain-reason.ts';
import type { Selection } from './selection.ts';

/** Longer times for calls and callbacks, so that a busy machine turns nothing red. */
const unhurried = (profile: Profile): Partial<Profile> => ({
  // Nobody listens at the URL; the service accepts it nevertheless.
  callbacks: { grace: { arrivalMs: 3_000, silenceMs: 300 }, placeholderUrl: 'http://127.0.0.1:9/' },
  outbox: { ...profile.outbox, waitMs: 2_000 },
  address: { ...profile.address, deadlineMs: 60_000 },
});

/** Runs the checks against the reference with the fault; `null` leaves it without one. */
export async function runFault(fault: FaultId | null, { checks, flows }: Selection): Promise<FaultResult> {
  const use = async (results: readonly CheckResult[], session: RunSession) =>
    resultOf(fault, checks, judged(results, session), (index) => session.recorder.exchanges[index]);
  return withFaults(fault === null ? [] : [fault], checks, use, flows);
}

/** Runs the checks against the reference with several faults; `use` gets their results while the session is open. */
export async function withFaults<Result>(
  faults: readonly (FaultId | CombinedFaultId)[],
  checks: readonly LoadedCheck[],
  use: (results: readonly CheckResult[], session: RunSession) => Promise<Result>,
  flows: Selection['flows'] = allFlows,
): Promise<Result> {
  const start = () => changedReference({ faults }, unhurried);
  return withSession(start, { runId: 'faults', flows }, async (session) => {
    const facts = await session.facts();
    const results = await Promise.all(checks.map((check) => runCheck(check, { session, facts })));
    return use(results.flat(), session);
  });
}

/** The verdicts that a report of these results would give, answers that break the contract included. */
export function judged(results: readonly CheckResult[], { recorder }: RunSession): RunRequirement[] {
  const broken = violationsByRequirement(recorder.exchanges);
  const ids = new Set<string>([...results.map(({ id }) => id), ...broken.keys()]);
  return [...ids].map((id) =>
    concludeRequirement(requirement(id as RequirementId), {
      results: results.filter((result) => result.id === id),
      broken: broken.get(id) ?? [],
      interrupted: false,
      mustRun: [],
    }),
  );
}

function resultOf(
  fault: FaultResult['fault'],
  checks: readonly LoadedCheck[],
  requirements: readonly RunRequirement[],
  exchangeAt: Exchanges,
): FaultResult {
  const rowsOf = ({ checks: of }: RunRequirement, verdict: string) =>
    of.flatMap(({ rows }) => rows.filter((row) => row.verdict === verdict));
  const having = (verdict: string) => requirements.filter((each) => each.verdict === verdict);
  const redRows = (each: RunRequirement): RedRow[] =>
    rowsOf(each, 'failed').map((row) => ({ row: row.title, reason: plainReason(row, exchangeAt) }));
  const reasons = (verdict: string) =>
    Object.fromEntries(
      having(verdict).map((each) => [
        each.id,
        each.reason ?? rowsOf(each, verdict)[0]?.message ?? 'no reason was given',
      ]),
    );
  return {
    fault,
    ran: checks.flatMap(({ ids }) => ids),
    rows: Object.fromEntries(
      requirements.map((each) => [
        each.id,
        each.checks.flatMap(({ rows }) => rows.map(({ title }) => title)),
      ]),
    ),
    red: Object.fromEntries(having('failed').map((each) => [each.id, redRows(each)])),
    couldNotRun: reasons('could-not-run'),
    errors: reasons('error'),
  };
}
