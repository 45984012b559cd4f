/** Concludes the verdict of one requirement from results of checks and breaks of the contract; rows have verdicts already. */
import { type CatalogueEntry, isOwn } from '../../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../../record/check-result.ts';
import type { Exchange } from '../../record/exchange.ts';
import { worst } from '../../record/verdict.ts';
import type { RunCheck, RunRequirement } from '../run/run.ts';
import {
  atItsWorst,
  type ConfirmationRecord,
  confirmationOf,
  contractConfirmation,
  withoutChance,
} from './confirmation.ts';

/** Title of the check that has the answers which break the contract. */
export const contractCheckTitle = 'Every answer keeps to the contract';

interface RequirementEvidence {
  readonly results: readonly CheckResult[];
  /** Exchanges with an answer that breaks the contract at a place where this requirement is marked. */
  readonly broken: readonly Exchange[];
  /** Whether the run ended before all checks of the requirement had. */
  readonly interrupted: boolean;
  /** Areas and requirement ids that must not be not-applicable. */
  readonly mustRun: readonly string[];
  /** How failures were confirmed; absent when they were not. */
  readonly confirmation?: ConfirmationRecord;
  readonly exchanges?: readonly Exchange[];
}

export function concludeRequirement(entry: CatalogueEntry, evidence: RequirementEvidence): RunRequirement {
  const checks = evidence.results.map((result): RunCheck => {
    const check = { id: entry.id, ...atItsWorst(result) };
    const confirmed = { ...check, ...confirmationOf(check, evidence.confirmation) };
    return withoutChance(confirmed, evidence.exchanges ?? []);
  });
  const [first] = evidence.broken;
  if (first) {
    const check = contractCheck(entry.id, evidence.broken);
    checks.push({
      ...check,
      ...contractConfirmation(check, first, evidence.exchanges ?? [], evidence.confirmation),
    });
  }
  const base = {
    id: entry.id,
    level: entry.level,
    section: entry.section,
    statement: entry.statement,
    operation: entry.operation,
    since: entry.since,
    checks,
  };
  if (checks.length === 0) return { ...base, ...withoutCheck(entry, evidence.interrupted) };
  const verdict = worst(checks.map((check) => check.verdict));
  const reason = reasonOf(checks, verdict);
  const named = [entry.id, entry.area].find((name) => evidence.mustRun.includes(name));
  if (verdict === 'not-applicable' && named !== undefined) {
    const why = `mustRun of the target profile names ${named === entry.id ? 'it' : `the area ${named}`}`;
    return { ...base, verdict: 'could-not-run', reason: reason ? `${why}, but: ${reason}` : why };
  }
  return { ...base, verdict, reason };
}

function withoutCheck(
  entry: CatalogueEntry,
  interrupted: boolean,
): Pick<RunRequirement, 'verdict' | 'reason' | 'notTestable'> {
  if ('notTestable' in entry) return { verdict: 'not-applicable', notTestable: entry.notTestable };
  if (interrupted)
    return { verdict: 'could-not-run', reason: 'the run was interrupted before the check had ended' };
  const of = isOwn(entry.id) ? '' : ` of tests/conformance/${entry.check}.spec.ts`;
  return { verdict: 'error', reason: `no check${of} reported on it` };
}

/** One failed row for the requirement, however many answers broke the contract at its place. */
function contractCheck(id: string, broken: readonly Exchange[]): RunCheck {
  const first = broken[0];
  const violation = first?.violations.find((candidate) => candidate.requirement === id);
  const where = violation?.pointer ? `at ${violation.pointer}: ` : '';
  return {
    id,
    title: contractCheckTitle,
    verdict: 'failed',
    durationMs: 0,
    rows: [
      {
        title: `answer ${first?.response?.status ?? ''} of ${first?.operation ?? 'a call'}`,
        verdict: 'failed',
        message: `${where}${violation?.message ?? ''}`,
        // The first exchange decided, and the decisive one has to stand last.
        exchanges: broken.map((exchange) => exchange.index).reverse(),
      },
    ],
  };
}

/** Why a requirement neither passed nor failed: the words of the first check with that verdict. */
function reasonOf(checks: readonly RunCheck[], verdict: RunRequirement['verdict']): string | undefined {
  if (verdict === 'passed' || verdict === 'failed') return undefined;
  for (const check of checks) {
    if (check.verdict !== verdict) continue;
    const message = check.message ?? check.rows.find((row) => row.verdict === verdict)?.message;
    if (message) return message;
  }
  return undefined;
}
