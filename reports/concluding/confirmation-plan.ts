/** Plans which failures are asked about again at the end of a run, and how often; tells why others are not. */
import {
  type CatalogueEntry,
  isJudgedByFlows,
  isOwn,
  isRequirementId,
  requirement,
} from '../../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../../record/check-result.ts';
import type { Exchange } from '../../record/exchange.ts';
import { worst } from '../../record/verdict.ts';
import { type Deviations, fits, lowestRate } from '../run/deviations.ts';
import type { RunRequirement } from '../run/run.ts';
import { atItsWorst } from './confirmation.ts';

interface Sample {
  readonly attempts: number;
  /** How many of them may fail. */
  readonly permitted: number;
}

/** The sample for a failure that is not listed as flaky: it is asked about once more. */
export const once: Sample = { attempts: 1, permitted: 0 };

/**
 * Attempts for a permitted rate of failures: enough for two permitted failures, or one at the lowest rate. A check that
 * fails half as often as permitted is then accepted as flaky in more than nine of ten cases.
 * @param rate from 0.1 to 0.5, both included
 */
export function sampleFor(rate: number): Sample {
  const attempts = Math.ceil(Math.min(2 / rate, 1 / lowestRate) - Number.EPSILON);
  return { attempts, permitted: Math.floor(rate * attempts + 1e-9) };
}

/** The verdicts of a requirement in each attempt after the first. */
export function attemptsOf(requirement: Pick<RunRequirement, 'checks'>): ReturnType<typeof worst>[] {
  const lists = requirement.checks.map(({ confirmation }) => confirmation?.attempts ?? []);
  const rounds = lists.reduce((most, { length }) => Math.max(most, length), 0);
  return Array.from({ length: rounds }, (_, round) =>
    worst(lists.flatMap((attempts) => attempts[round]?.verdict ?? [])),
  );
}

/** Whether further attempts can no longer change the result. */
export function isSettled(verdicts: readonly string[], sample: Sample): boolean {
  return (
    isPermitted(verdicts, sample) || verdicts.filter((each) => each === 'failed').length > sample.permitted
  );
}

/** Whether so many attempts passed that all others may fail. */
export function isPermitted(verdicts: readonly string[], { attempts, permitted }: Sample): boolean {
  return verdicts.filter((each) => each === 'passed').length >= attempts - permitted;
}

/** How many requirements are asked about again at most: where more fail, chance is not the reason. */
export const mostConfirmed = 10;

interface AskedAgain {
  readonly id: string;
  readonly sample: Sample;
}

export interface ConfirmationPlan {
  readonly ask: readonly AskedAgain[];
  /** Why a requirement is not asked about, by its id. */
  readonly notes: Readonly<Record<string, string>>;
}

/** Ids of the failed requirements: by a check, or by an answer that breaks the contract. */
export function failedIds(
  results: readonly CheckResult[],
  exchanges: readonly Pick<Exchange, 'violations' | 'check'>[],
  selection?: readonly string[],
): string[] {
  const failed = results.filter((result) => atItsWorst(result).verdict === 'failed').map(({ id }) => id);
  const broken = exchanges.flatMap(({ check, violations }) =>
    isOwn(check) ? [] : violations.map((each) => each.requirement),
  );
  return [...new Set([...failed, ...broken])].filter((id) => !selection || selection.includes(id));
}

/** First come requirements listed as flaky, then those that gate, then those whose failure is accepted already. */
export function planConfirmation(
  failed: readonly string[],
  deviations: Pick<Deviations, 'entries'> | undefined,
  { target, day }: { readonly target: string; readonly day: string },
): ConfirmationPlan {
  const entries = (deviations?.entries ?? []).filter(
    ({ until, targets }) => until >= day && (!targets || targets.some((each) => fits(each, target))),
  );
  const rateOf = (id: string) =>
    entries.find(({ list, requirement: of }) => list === 'flaky' && of === id)?.rate;
  const isListed = (id: string) => entries.some(({ requirement: of }) => of === id);
  const repeatable = failed.filter((id) => isRequirementId(id) && noteOf(requirement(id)) === undefined);
  const rank = (id: string): number => {
    if (rateOf(id) !== undefined) return 0;
    if (isOwn(id)) return 4;
    if (isListed(id)) return 3;
    return isRequirementId(id) && requirement(id).level === 'must' ? 1 : 2;
  };
  const ordered = repeatable.toSorted((one, other) => rank(one) - rank(other));
  const ask = ordered.slice(0, mostConfirmed).map((id): AskedAgain => {
    const rate = rateOf(id);
    return { id, sample: rate === undefined ? once : sampleFor(rate) };
  });
  const notes = failed.flatMap((id): [string, string][] => {
    const note = isRequirementId(id) ? noteOf(requirement(id)) : undefined;
    if (note) return [[id, note]];
    return ordered.indexOf(id) >= mostConfirmed
      ? [[id, `not asked again: only ${mostConfirmed} of the ${failed.length} failures of the run were`]]
      : [];
  });
  return { ask, notes: Object.fromEntries(notes) };
}

function noteOf(entry: CatalogueEntry): string | undefined {
  if (!('check' in entry)) return 'not asked again: it has no check of its own';
  if (isJudgedByFlows(entry))
    return 'not asked again: it rests on a flow, a request from upload to completion, which a run makes only once';
  return undefined;
}
