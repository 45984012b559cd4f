/** One check under way: runs its rows, keeps their verdicts, and says at its end what they come to. */
import { isRequirementId, type RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../../record/check-result.ts';
import { CouldNotRun } from '../../record/errors.ts';
import { decisivePlace } from '../../record/finding.ts';
import { findingText } from '../../record/finding-text.ts';
import { harmless } from '../../record/print.ts';
import { type Verdict, worst } from '../../record/verdict.ts';
import type { Judged } from './case.ts';
import { inRound } from './names.ts';
import type { RunFacts } from './session.ts';

/** Thrown when the profile says that a requirement does not concern the target. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

type RowResult = CheckResult['rows'][number];

interface TitledRow {
  readonly title: string;
  readonly breaks?: string;
}

type JudgeOf<Row> = (row: Row, context: RowContext) => Promise<Judged>;

/** What one row has seen: exchanges and deliveries, in order. */
export class RowContext {
  readonly title: string;
  readonly exchanges: number[] = [];
  readonly deliveries: string[] = [];

  constructor(title: string) {
    this.title = title;
  }

  /** Puts the exchange that decided about the row last. */
  decidedBy(index: number): void {
    const others = this.exchanges.filter((each) => each !== index);
    this.exchanges.splice(0, this.exchanges.length, ...others, index);
  }
}

export class Check {
  readonly ids: readonly RequirementId[];
  /** The round of confirmations; 0 in the run itself. */
  readonly round: number;
  readonly #title: string;
  /** Groups of rows in the order in which they began, so that reports of two runs can be compared. */
  readonly #groups: RowResult[][] = [];
  readonly #started = performance.now();
  #message: string | undefined;
  #timeline: CheckResult['timeline'];
  #thrown = false;

  /** @param tags the ids of the requirements that are judged, each behind an `@`, and other tags */
  constructor({ title, tags }: { readonly title: string; readonly tags: readonly string[] }, round = 0) {
    this.#title = title;
    this.round = round;
    this.ids = tags.map((tag) => tag.slice(1)).filter(isRequirementId);
  }

  /** Whether requirements are judged here; an observation judges none. */
  get judges(): boolean {
    return this.ids.length > 0;
  }

  /** The name under which calls are recorded: the first requirement. */
  get place(): string {
    return this.ids[0] ?? `observation ${this.#title}`;
  }

  /** The name from which titles, people and documents get theirs. */
  get origin(): string {
    return inRound(this.place, this.round);
  }

  /** Judges the rows, and throws if one of them did not pass. */
  async rows<Row extends TitledRow>(rows: readonly Row[], judge: JudgeOf<Row>): Promise<void> {
    await this.judge(rows, judge);
    if (this.#verdict() === 'passed') return;
    this.#thrown = true;
    const bad = this.#rows.filter(({ verdict }) => verdict !== 'passed');
    const told = bad.map(
      ({ title, verdict, message }) => `${verdict}: ${title}\n  ${message?.replaceAll('\n', '\n  ')}`,
    );
    // A runner prints the message without escaping control characters.
    throw new Error(harmless(`${this.ids.join(', ')}\n${told.join('\n')}`));
  }

  /** Runs the rows, all at the same time and each to its end. */
  async judge<Row extends TitledRow>(rows: readonly Row[], judge: JudgeOf<Row>): Promise<void> {
    if (rows.length === 0) throw new Error('a check without rows proves nothing');
    const group: RowResult[] = [];
    this.#groups.push(group);
    const ended = await Promise.all(
      rows.map(async (row): Promise<RowResult> => {
        const context = new RowContext(row.title);
        try {
          return resultOf(context, await judge(row, context), row.breaks);
        } catch (error) {
          return resultOf(context, thrown(error), row.breaks);
        }
      }),
    );
    // In the order of the rows, not in that in which they ended.
    group.push(...ended);
  }

  /** Gets what the rows need; where that fails, the failure is a row. */
  async prepare<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      await this.row('what the check needs', () => Promise.reject(error));
      throw error;
    }
  }

  row(title: string, judge: (context: RowContext) => Promise<Judged>): Promise<void> {
    return this.rows([{ title }], (_, context) => judge(context));
  }

  /** Why the profile makes all requirements of the check not applicable; `undefined` when one is left. */
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

  /**
   * The results of the check, one for each requirement; none where nothing was judged.
   * @param broke whether the check ended with an error; one that no row threw is a bug of the suite, which the runner reports
   */
  results({ broke = false } = {}): readonly CheckResult[] {
    if (broke && !this.#thrown) return [];
    if (this.#rows.length === 0 && this.#message === undefined) return [];
    const verdict: Verdict = this.#rows.length > 0 ? this.#verdict() : 'not-applicable';
    return this.ids.map((id) => ({
      id,
      title: this.#title,
      verdict,
      message: this.#message,
      durationMs: Math.round(performance.now() - this.#started),
      rows: this.#rows.map((row) => ({
        ...row,
        finding: row.finding && { ...row.finding, requirement: id },
      })),
      timeline: this.#timeline?.length ? this.#timeline : undefined,
    }));
  }

  get #rows(): readonly RowResult[] {
    return this.#groups.flat();
  }

  #verdict(): Verdict {
    return worst(this.#rows.map(({ verdict }) => verdict));
  }
}

/** The result of a row, with its finding in words too; the finding's requirement is filled in at the end of the check. */
function resultOf(
  { title, exchanges, deliveries }: RowContext,
  judged: Ended,
  breaks: string | undefined,
): RowResult {
  const { verdict, found, answers } = judged;
  const exchangeAt = (index: number) => answers.find(({ exchange }) => exchange.index === index)?.exchange;
  const message = verdict === 'passed' ? undefined : (judged.said ?? findingText(found, exchangeAt));
  const finding = {
    requirement: '',
    row: title,
    verdict,
    ...found,
    breaks: breaks?.startsWith('/') ? breaks : undefined,
    decisive: found.expected && found.received ? decisivePlace(found.expected) : undefined,
    evidence: { exchanges, deliveries: deliveries.length > 0 ? deliveries : undefined },
  };
  return { title, verdict, message, exchanges, finding };
}

type Ended = Omit<Judged, 'verdict'> & { readonly verdict: Verdict };

function thrown(error: unknown): Ended {
  const { message, stack = message } = error as Error;
  if (error instanceof CouldNotRun)
    return { verdict: 'could-not-run', found: error.found, answers: [], said: message };
  const verdict = error instanceof NotApplicable ? 'not-applicable' : 'error';
  return { verdict, found: {}, answers: [], said: verdict === 'error' ? stack : message };
}
