/** One check under way: runs its rows, keeps their verdicts, and hands them to the reporter. */
import type { TestInfo } from '@playwright/test';
import { isRequirementId, type RequirementId } from '../../openapi/requirements/catalogue.ts';
import { attachmentName, type CheckResult } from '../../record/check-result.ts';
import { CouldNotRun, type Found } from '../../record/errors.ts';
import { decisivePlace } from '../../record/finding.ts';
import { type Verdict, worst } from '../../record/verdict.ts';
import type { Answer } from '../target/call.ts';
import type { RunFacts } from '../target/run-facts.ts';
import { inRound } from './round.ts';

/** What a row may throw: the target did something that no compliant service does. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly found: Found;
  /** To which what was found refers. */
  readonly answers: readonly Answer[];

  /** @param said the same in words */
  constructor(found: Found, said: string, answers: readonly Answer[] = []) {
    super(said);
    this.found = found;
    this.answers = answers;
  }
}

/** Thrown when the profile says that a requirement does not concern the target. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

type RowResult = CheckResult['rows'][number];

/** What a check has to know of the test that it is, and to say to it. */
export type CheckInfo = Pick<TestInfo, 'tags' | 'title' | 'attach' | 'setTimeout'> & {
  readonly errors: readonly unknown[];
};

/** What one row has seen: exchanges and deliveries, in order, and what follows from them if it passes. */
export class RowContext {
  readonly title: string;
  readonly exchanges: number[] = [];
  readonly deliveries: string[] = [];
  found: Found = {};

  constructor(title: string) {
    this.title = title;
  }
}

export class Check {
  readonly ids: readonly RequirementId[];
  readonly #info: CheckInfo;
  readonly #rows: RowResult[] = [];
  readonly #started = performance.now();
  readonly #round: number;
  #message: string | undefined;
  #timeline: CheckResult['timeline'];
  #thrown = false;

  /** @param round in which failures are confirmed; 0 in the run itself */
  constructor(info: CheckInfo, round = 0) {
    this.#info = info;
    this.#round = round;
    this.ids = info.tags.map((tag) => tag.slice(1)).filter(isRequirementId);
  }

  /** Whether requirements are judged here; an observation judges none. */
  get judges(): boolean {
    return this.ids.length > 0;
  }

  /** What calls are recorded under: the first requirement. */
  get place(): string {
    return this.ids[0] ?? `observation ${this.#info.title}`;
  }

  /** What titles, people and documents are named after. */
  get origin(): string {
    return inRound(this.place, this.#round);
  }

  /** What the check waits for has bounds of its own: the runner sets none. */
  takesItsTime(): void {
    this.#info.setTimeout(0);
  }

  /** Runs the rows, all at the same time and each to its end; then throws if one of them did not pass. */
  async rows<Row extends { readonly title: string }, Result>(
    rows: readonly Row[],
    judge: (row: Row, context: RowContext) => Promise<Result>,
  ): Promise<Result[]> {
    if (rows.length === 0) throw new Error('a check without rows proves nothing');
    const results: Result[] = [];
    const ended = await Promise.all(
      rows.map(async (row, index): Promise<RowResult> => {
        const context = new RowContext(row.title);
        try {
          results[index] = await judge(row, context);
          return resultOf(context, 'passed');
        } catch (error) {
          const { message, stack = message } = error as Error;
          const verdict = verdictOf(error);
          if (error instanceof Violation || error instanceof CouldNotRun) context.found = error.found;
          return { ...resultOf(context, verdict), message: verdict === 'error' ? stack : message };
        }
      }),
    );
    // In their own order, whichever ended first.
    this.#rows.push(...ended);
    this.#throwUnlessPassed();
    return results;
  }

  /** Gets what the rows need; leaves a row of its own only when it cannot be had. */
  async prepare<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      await this.row('what the check needs', () => Promise.reject(error));
      throw error;
    }
  }

  /** One row that is not one of many. */
  async row<Result>(title: string, judge: (context: RowContext) => Promise<Result>): Promise<Result> {
    const [result] = await this.rows([{ title }], (_, context) => judge(context));
    return result as Result;
  }

  /** Why the profile leaves nothing of the check; `undefined` when something is left. */
  notApplicable(run: Pick<RunFacts, 'notApplicable'>): string | undefined {
    const reasons = this.ids.map((id) => run.notApplicable[id]);
    return reasons.includes(undefined) ? undefined : reasons[0];
  }

  /** Ends the check as not applicable, for the reason that the profile gives. */
  skip(reason: string): void {
    this.#message = reason;
  }

  /** Shows what happened, action by action and callback by callback. */
  showTimeline(timeline: NonNullable<CheckResult['timeline']>): void {
    this.#timeline = timeline;
  }

  /** Hands the result to the reporter; called once, after the test. */
  async conclude(): Promise<void> {
    // An error that no row threw is the suite's own, and the reporter finds it in the test's result.
    if (!this.#thrown && this.#info.errors.length > 0) return;
    const verdict: Verdict = this.#rows.length > 0 ? this.#verdict() : 'not-applicable';
    if (this.#rows.length === 0 && this.#message === undefined) return;
    const results: CheckResult[] = this.ids.map((id) => ({
      id,
      title: this.#info.title,
      verdict,
      ...(this.#message === undefined ? {} : { message: this.#message }),
      durationMs: Math.round(performance.now() - this.#started),
      rows: this.#rows.map((row) => ({
        ...row,
        ...(row.finding ? { finding: { ...row.finding, requirement: id } } : {}),
      })),
      ...(this.#timeline && this.#timeline.length > 0 ? { timeline: this.#timeline } : {}),
    }));
    await this.#info.attach(attachmentName, {
      contentType: 'application/json',
      body: JSON.stringify(results),
    });
  }

  #verdict(): Verdict {
    return worst(this.#rows.map(({ verdict }) => verdict));
  }

  #throwUnlessPassed(): void {
    if (this.#verdict() === 'passed') return;
    this.#thrown = true;
    const bad = this.#rows.filter(({ verdict }) => verdict !== 'passed');
    const told = bad.map(
      ({ title, verdict, message }) => `${verdict}: ${title}\n  ${message?.replaceAll('\n', '\n  ')}`,
    );
    throw new Error(`${this.ids.join(', ')}\n${told.join('\n')}`);
  }
}

/** What a row found; whose finding it is is known at the end of the check. */
function resultOf({ title, exchanges, deliveries, found }: RowContext, verdict: Verdict): RowResult {
  const evidence = { exchanges, ...(deliveries.length > 0 ? { deliveries } : {}) };
  const place = found.expected && found.received ? { decisive: decisivePlace(found.expected) } : {};
  return {
    title,
    verdict,
    exchanges,
    finding: { requirement: '', row: title, verdict, ...found, ...place, evidence },
  };
}

function verdictOf(error: unknown): Verdict {
  if (error instanceof Violation) return 'failed';
  if (error instanceof CouldNotRun) return 'could-not-run';
  if (error instanceof NotApplicable) return 'not-applicable';
  return 'error';
}
