/** The operations of the interface as the checks use them: rows go in, verdicts come out. */
import { type Answer, type Authorization, is2xx } from '../harness/call.ts';
import { CouldNotRun } from '../harness/could-not-run.ts';
import type { Purpose } from '../harness/exchange.ts';
import type { SharedCall } from '../harness/run-facts.ts';
import { received } from '../harness/show.ts';
import { unavailable } from '../harness/unavailable.ts';
import type { AnswerJudge } from './answers.ts';
import { type RowContext, Violation } from './check.ts';
import { type Expectation, Judgement, judgeShared, needed, type Refusal, type Send } from './judgement.ts';
import type { Draft, Kind, Run } from './kinds.ts';
import { inputOf, type LazyRow } from './lazy-row.ts';
import { carriesMessage } from './message.ts';
import { observeAll } from './observation.ts';
import type { Accepted, Rescue, SilentRow } from './rescue.ts';

export class Operation<Given, Input> {
  readonly #kind: Kind<Given, Input>;
  readonly #run: Run;
  readonly #judgement: Judgement;

  constructor(kind: Kind<Given, Input>, run: Run) {
    this.#kind = kind;
    this.#run = run;
    this.#judgement = new Judgement(run.session, kind.twin);
  }

  /**
   * Judges the shared call of the operation itself.
   * @param alternatives bodies that differ in one thing that has a requirement of its own: when one of them is
   *   accepted, it is that requirement which is violated
   */
  succeeds(
    title: string,
    witness?: SharedCall,
    expectation?: Expectation,
    alternatives: readonly ((given: Given) => LazyRow<Input>)[] = [],
  ): Promise<Answer> {
    const { check, session } = this.#run;
    return check.row(title, async (context) => {
      try {
        return await judgeShared(session, context, this.#kind.twin, witness, expectation);
      } catch (error) {
        // What was accepted with another status than the stated one is no matter of the body.
        if (!(error instanceof Violation) || is2xx(await session.shared(this.#kind.twin))) throw error;
        for (const alternative of alternatives) {
          const row = await this.#alternative(context, alternative);
          if (row) throw new CouldNotRun(`${error.message}, but accepted with ${row.title}`);
        }
        throw error;
      }
    });
  }

  /** The shared call is accepted as it is, or at least not refused for what the alternative has otherwise. */
  acceptsRatherThan(title: string, alternative: (given: Given) => LazyRow<Input>): Promise<void> {
    const { check, session } = this.#run;
    return check.row(title, async (context) => {
      const answer = await session.shared(this.#kind.twin);
      context.exchanges.push(answer.exchange.index);
      if (is2xx(answer)) return;
      const accepted = await this.#alternative(context, alternative);
      if (!accepted) throw new CouldNotRun(unavailable(this.#kind.twin, answer));
      throw new Violation(
        `expected a 2xx status, as for ${accepted.title} · received ${received(answer.exchange)}`,
      );
    });
  }

  async #alternative(
    context: RowContext,
    make: (given: Given) => LazyRow<Input> | undefined,
  ): Promise<Accepted | null> {
    const row = make(await this.#given());
    if (!row || this.#run.facts.smoke) return null;
    const answer = await this.#send(await inputOf(row), 'confirmation', row.title, { deliberate: true });
    context.exchanges.push(answer.exchange.index);
    return is2xx(answer) ? { title: row.title, answer } : null;
  }

  /** Judges the answer to the shared call of the operation. */
  answers(title: string, judge: AnswerJudge): Promise<Answer> {
    return this.#run.check.row(title, async (context) => {
      const answer = await this.#accepted(context);
      judge(answer);
      return answer;
    });
  }

  /** Judges the answer to the shared call beside the answer to another valid call. */
  answersTwice(title: string, judge: (one: Answer, other: Answer) => void): Promise<void> {
    return this.#run.check.row(title, async (context) => {
      const one = await this.#accepted(context);
      const made = this.#judgement.accepted(context, this.#sendingValid(title));
      judge(one, await needed(made, () => 'there is no second answer to compare'));
    });
  }

  /** The rows are accepted one beside the other, for one and the same request. */
  async acceptsTogether(make: (given: Given) => readonly LazyRow<Input>[]): Promise<Answer[]> {
    const { check, session } = this.#run;
    const requestId = await check.prepare(async () => session.request(make(await this.#given()).length));
    return this.#each(make, (context, send) => this.#judgement.accepted(context, send), { requestId });
  }

  /** Each row is sent, and what comes is noted about its gap. */
  observes(make: (given: Given) => readonly SilentRow<Input>[]): Promise<void> {
    const send = async (row: SilentRow<Input>) =>
      this.#send(await inputOf(row), 'observation', row.title, { deliberate: true, ...row.differs });
    return observeAll(this.#run.session, async () =>
      make(await this.#given()).flatMap((row) =>
        row.gap === undefined ? [] : [{ gap: row.gap, title: row.title, send: () => send(row) }],
      ),
    );
  }

  /** Each row is accepted; `rescue` has the last word on one that is not. */
  accepts(
    make: (given: Given) => readonly LazyRow<Input>[],
    expectation?: Expectation,
    rescue?: Rescue<Given, Input>,
  ): Promise<Answer[]> {
    return this.#each(make, (context, send, index) => {
      const judged = this.#judgement.accepted(context, send, expectation);
      return rescue
        ? judged.catch((error: unknown) =>
            rescue(error, (other) => this.#alternative(context, (given) => other(given)[index])),
          )
        : judged;
    });
  }

  /** Each row is refused, while the same call with the one thing repaired is accepted. */
  refuses(
    make: (given: Given) => readonly LazyRow<Input>[],
    refusal: Refusal,
    differs: Partial<Draft> = {},
  ): Promise<Answer[]> {
    return this.#each(make, (context, send) => this.#judgement.refused(context, refusal, send), {
      deliberate: true,
      freshIds: refusal !== 404,
      ...differs,
    });
  }

  /** The first row is refused with the status and says the message; another status is another requirement. */
  refusesSaying(
    make: (given: Given) => readonly LazyRow<Input>[],
    refusal: Refusal,
    words: string,
    differs: Partial<Draft> = {},
  ): Promise<Answer[]> {
    return this.#each(
      (given) => make(given).slice(0, 1),
      (context, send) => this.#refusedSaying(context, refusal, words, send),
      { deliberate: true, freshIds: refusal !== 404, ...differs },
    );
  }

  /** A valid call is refused for its access token. */
  async deniesAccess(
    rows: readonly { title: string; authorization: Authorization }[],
    refusal: Refusal,
  ): Promise<Answer[]> {
    const { label } = this.#kind;
    const labelled = rows.map((row) => (label ? { ...row, title: `${label}: ${row.title}` } : row));
    return this.#run.check.rows(labelled, ({ title, authorization }, context) =>
      this.#judgement.refused(context, refusal, this.#sendingValid(title, { authorization })),
    );
  }

  /** The first way of calling without access is refused and says the message. */
  async deniesAccessSaying(
    rows: readonly { title: string; authorization: Authorization }[],
    refusal: Refusal,
    words: string,
  ): Promise<Answer[]> {
    return this.#run.check.rows(rows.slice(0, 1), ({ title, authorization }, context) =>
      this.#refusedSaying(context, refusal, words, this.#sendingValid(title, { authorization })),
    );
  }

  async #accepted(context: RowContext): Promise<Answer> {
    const answer = await this.#run.session.shared(this.#kind.twin);
    context.exchanges.push(answer.exchange.index);
    if (!is2xx(answer)) throw new CouldNotRun(unavailable(this.#kind.twin, answer));
    return answer;
  }

  /** Another refusal, or none, is another requirement: then there is nothing to read. */
  async #refusedSaying(context: RowContext, refusal: Refusal, words: string, send: Send): Promise<Answer> {
    const answer = await needed(
      this.#judgement.refused(context, refusal, send),
      () => `there is no refusal to read (exchange ${context.exchanges.at(-1)})`,
    );
    carriesMessage(answer, words);
    return answer;
  }

  async #each(
    make: (given: Given) => readonly LazyRow<Input>[],
    judge: (context: RowContext, send: Send, index: number) => Promise<Answer>,
    differs: Partial<Draft> = {},
  ): Promise<Answer[]> {
    const { check } = this.#run;
    const rows = await check.prepare(async () => make(await this.#given()));
    // Where a document token may be used only so often, each call gets tokens of its own.
    const anew = this.#run.facts.limits.documentUses !== undefined;
    const inputs = (row: LazyRow<Input>, index: number) => async (again: number) =>
      inputOf(anew || again > 0 ? (make(await this.#given(again))[index] ?? row) : row);
    const sends = rows.map((row, index) => {
      const { title } = row;
      return { title, index, send: this.#sending(inputs(row, index), title, differs) };
    });
    return check.rows(sends, ({ send, index }, context) => judge(context, send, index));
  }

  #given(again = 0): Promise<Given> {
    return this.#kind.ingredients(this.#run, again);
  }

  /** Sends a call as often as it is asked for, each time made anew. */
  #sending(input: (again: number) => Promise<Input>, row: string, differs: Partial<Draft> = {}): Send {
    let again = 0;
    return async (purpose) => {
      const made = await input(again++);
      return this.#send(made, purpose, row, differs);
    };
  }

  #sendingValid(row: string, differs: Partial<Draft> = {}): Send {
    return this.#sending(async (again) => this.#kind.valid(await this.#given(again)), row, differs);
  }

  async #send(input: Input, purpose: Purpose, row: string, differs: Partial<Draft> = {}): Promise<Answer> {
    const { session, check } = this.#run;
    const draft = await this.#kind.draft(input, this.#run, differs.requestId);
    return session.call({
      // What the call builds on was made a moment ago, unless the call is about an id that does not exist.
      freshIds: true,
      ...draft,
      ...differs,
      operation: this.#kind.operation,
      purpose,
      ...(check.judges ? { check: check.place } : {}),
      row,
    });
  }
}
