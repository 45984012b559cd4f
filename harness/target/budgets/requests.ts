/** Limits how many signature requests a run creates; where there are too few, checks of `must`s get them first. */
import { isOwn, isRequirementId, requirement } from '../../../openapi/requirements/catalogue.ts';
import { CouldNotRun } from '../../../record/errors.ts';
import { limitsByDefault } from '../../profile/schema.ts';
import type { Call } from '../call.ts';

interface RequestBudgetOptions {
  /** `limits.requests` of the profile. */
  readonly limit?: number;
  /** `--budget`. */
  readonly budget?: number;
  /** How many more than by default, where the user sets no limit: one for each step that is explored. */
  readonly more?: number;
  /** How many requests the `must`s of the run are expected to need; so many are kept for them. */
  readonly forMusts: number;
}

type Asking = Pick<Call, 'operation' | 'purpose' | 'check' | 'deliberate' | 'authorization'>;

/** How many a run may create, by `limits.requests` and `--budget`. */
export function mostRequests({ limit, budget, more = 0 }: Omit<RequestBudgetOptions, 'forMusts'>): number {
  return Math.min(
    limit ?? (budget === undefined ? limitsByDefault.requests + more : Infinity),
    budget ?? Infinity,
  );
}

/** How many requests are kept for calls to be refused. Each call gives its own back, unless accepted by mistake. */
export const keptForRefusals = 2;

/** Called when it is known whether the call has created its signature request. */
export type Settle = (created: boolean) => void;

export class RequestBudget {
  readonly #most: number;
  /** The setting that the limit comes from, as the user wrote it. */
  readonly #from: string;
  readonly #forMusts: number;
  readonly #forRefusals: number;
  readonly #waiting: (() => void)[] = [];
  #used = 0;
  #usedByMusts = 0;
  /** Calls under way: each may turn out to create nothing. */
  #underWay = 0;

  constructor(options: RequestBudgetOptions) {
    const { budget, forMusts } = options;
    this.#most = mostRequests(options);
    this.#from = this.#most === budget ? '--budget' : 'limits.requests';
    this.#forMusts = forMusts;
    this.#forRefusals = Math.min(keptForRefusals, Math.floor(this.#most / 5));
  }

  /**
   * Takes a place in the budget for the request that a call would create; `null` for calls that create none. Where no
   * place is left, waits for calls under way, which may be refused and give theirs back.
   * @throws CouldNotRun when no place is left, or the rest is kept for `must`s
   */
  async take(call: Asking): Promise<Settle | null> {
    if (call.operation === 'uploadDocument' || call.operation === 'addSignatory') return null;
    const must = isForMust(call);
    const lacking = () => this.#lacking(must, isToBeRefused(call));
    for (let why = lacking(); why; why = lacking()) {
      if (this.#underWay === 0) throw new CouldNotRun(why);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    const step = (by: 1 | -1) => {
      this.#used += by;
      if (must) this.#usedByMusts += by;
    };
    step(1);
    this.#underWay += 1;
    return (created) => {
      this.#underWay -= 1;
      if (!created) step(-1);
      for (const wake of this.#waiting.splice(0)) wake();
    };
  }

  /** Why the call gets no place in the budget; `null` when it gets one. */
  #lacking(must: boolean, toBeRefused: boolean): string | null {
    const may = `the run may create ${this.#most} signature requests (${this.#from})`;
    if (this.#used >= this.#most) return `${may}, and has; --dry-run says how many a whole run needs`;
    // Refused calls give their places back, so a few places are enough for all of them.
    if (!toBeRefused && this.#used + this.#forRefusals >= this.#most)
      return `${may}; those that are left are kept for calls that are to be refused`;
    const kept = Math.max(0, this.#forMusts - this.#usedByMusts);
    return !must && this.#used + kept >= this.#most ? `${may}; those that are left are kept for musts` : null;
  }
}

/** Whether a call serves `must`s, as shared calls and flows do. Observations, `should`s and repeats come after them. */
function isForMust({ purpose, check }: Asking): boolean {
  if (purpose === 'observation' || purpose === 'cross-check') return false;
  if (isOwn(check)) return false;
  return check === undefined || !isRequirementId(check) || requirement(check).level === 'must';
}

function isToBeRefused({ deliberate = false, authorization = 'valid' }: Asking): boolean {
  return deliberate || authorization !== 'valid';
}
