/** The operations of the interface as the checks use them: rows go in, verdicts come out. */

import type { SharedCall } from '../../record/finding.ts';
import { inTurn } from '../people/in-turn.ts';
import { type Answer, type Authorization, is2xx } from '../target/call.ts';
import type { AnswerJudge } from './answers.ts';
import { Calls } from './calls.ts';
import { type RowContext, Violation } from './check.ts';
import { type CrossCheck, crossCheck } from './cross-check.ts';
import { type Expectation, Judgement, judgeShared, needed, type Refusal, type Send } from './judgement.ts';
import type { Draft, Kind, Run } from './kinds.ts';
import { inputOf, type LazyRow } from './lazy-row.ts';
import { carriesMessage } from './message.ts';
import { observeAll } from './observation.ts';
import { ownTitle } from './own-title.ts';
import type { Accepted, Rescue, SilentRow } from './rescue.ts';
import { unavailable, unmet } from './unavailable.ts';

export class Operation<Given, Input> {
  readonly #kind: Kind<Given, Input>;
  readonly #run: Run;
  readonly #calls: Calls<Given, Input>;
  readonly #judgement: Judgement;
  /** How many there were: each one gets people and titles of its own. */
  #crossChecks = 0;

  constructor(kind: Kind<Given, Input>, run: Run) {
    this.#kind = kind;
    this.#run = run;
    this.#calls = new Calls(kind, run);
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
        const rows = (given: Given) => alternatives.map((alternative) => alternative(given));
        return this.#crossCheck(error, { rows, blames: 'unless-accepted' }, context);
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
      const error = unmet({ is: 'success' }, answer);
      const rows = (given: Given) => [alternative(given)];
      await this.#crossCheck(error, { rows, blames: 'if-accepted' }, context);
    });
  }

  async #alternative(
    context: RowContext,
    make: (given: Given) => LazyRow<Input> | undefined,
  ): Promise<Accepted | null> {
    const row = make(await this.#calls.given());
    if (!row || this.#run.facts.smoke) return null;
    const answer = await this.#calls.send(await inputOf(row), 'confirmation', row.title, {
      deliberate: true,
    });
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

  /** Judges the answers to two valid calls beside each other. */
  answersTwice(title: string, judge: (one: Answer, other: Answer) => void): Promise<void> {
    return this.#run.check.row(title, async (context) => {
      const requestId = await this.#kind.own?.(this.#run, 2);
      const send = this.#calls.sendingValid(title, requestId === undefined ? {} : { requestId });
      const accepted = () =>
        needed(this.#judgement.accepted(context, send), () => 'there are no two answers to compare');
      judge(requestId === undefined ? await this.#accepted(context) : await accepted(), await accepted());
    });
  }

  /** The rows are accepted one after the other, for one and the same request, which nobody else gets. */
  async acceptsTogether(
    make: (given: Given) => readonly LazyRow<Input>[],
    cross: CrossCheck<Given, Input>,
  ): Promise<Answer[]> {
    const requestId = await this.#run.check.prepare(async () =>
      this.#kind.own?.(this.#run, make(await this.#calls.given()).length),
    );
    const turns = inTurn();
    const judge = (row: RowContext, send: Send) => turns('', () => this.#judgement.accepted(row, send));
    return this.#each(make, judge, requestId ? { requestId } : {}, cross);
  }

  /** Each row is sent, and what comes is noted about its gap. */
  observes(make: (given: Given) => readonly SilentRow<Input>[]): Promise<void> {
    const send = async (row: SilentRow<Input>) =>
      this.#calls.send(await inputOf(row), 'observation', row.title, { deliberate: true, ...row.differs });
    return observeAll(this.#run.session, async () =>
      make(await this.#calls.given()).flatMap((row) =>
        row.gap === undefined ? [] : [{ gap: row.gap, title: row.title, send: () => send(row) }],
      ),
    );
  }

  /** Each row is accepted; `rescue` has the last word on one that is not. */
  accepts(
    make: (given: Given) => readonly LazyRow<Input>[],
    cross?: CrossCheck<Given, Input>,
    rescue?: Rescue<Given, Input>,
  ): Promise<Answer[]> {
    const judge = (context: RowContext, send: Send, index: number) => {
      const judged = this.#judgement.accepted(context, send);
      const instead: Parameters<Rescue<Given, Input>>[1] = (other) =>
        this.#alternative(context, (given) => other(given)[index]);
      return rescue ? judged.catch((error: unknown) => rescue(error, instead)) : judged;
    };
    return this.#each(make, judge, {}, cross);
  }

  /** Each row is refused, while the same call with the one thing repaired is accepted. */
  refuses(
    make: (given: Given) => readonly LazyRow<Input>[],
    refusal: Refusal,
    differs: Partial<Draft> = {},
    cross?: CrossCheck<Given, Input>,
  ): Promise<Answer[]> {
    return this.#each(
      make,
      (context, send) => this.#judgement.refused(context, refusal, send),
      { deliberate: true, freshIds: refusal !== 404, ...differs },
      cross,
    );
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
      this.#judgement.refused(context, refusal, this.#calls.sendingValid(title, { authorization })),
    );
  }

  /** The first way of calling without access is refused and says the message. */
  async deniesAccessSaying(
    rows: readonly { title: string; authorization: Authorization }[],
    refusal: Refusal,
    words: string,
  ): Promise<Answer[]> {
    return this.#run.check.rows(rows.slice(0, 1), ({ title, authorization }, context) =>
      this.#refusedSaying(context, refusal, words, this.#calls.sendingValid(title, { authorization })),
    );
  }

  async #accepted(context: RowContext): Promise<Answer> {
    const answer = await this.#run.session.shared(this.#kind.twin);
    context.exchanges.push(answer.exchange.index);
    if (!is2xx(answer)) throw unavailable(this.#kind.twin, answer);
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
    cross?: CrossCheck<Given, Input>,
  ): Promise<Answer[]> {
    const { check } = this.#run;
    const rows = await check.prepare(async () => make(await this.#calls.given()));
    // Where a document token may be used only so often, each call gets tokens of its own.
    const anew = this.#run.facts.limits.documentUses !== undefined;
    const inputs = (row: LazyRow<Input>, index: number) => async (again: number) => {
      const made = anew || again > 0 ? make(await this.#calls.given(again))[index] : row;
      return ownTitle(await inputOf(made ?? row), index);
    };
    const sends = rows.map((row, index) => {
      return { title: row.title, index, send: this.#calls.sending(inputs(row, index), row.title, differs) };
    });
    return check.rows(sends, ({ send, index }, context) => {
      const judged = judge(context, send, index);
      return cross ? judged.catch((error) => this.#crossCheck(error, cross, context, differs)) : judged;
    });
  }

  /** Sends other bodies as the refused one was sent, to find out whose requirement is violated. */
  async #crossCheck(
    error: unknown,
    { rows, blames }: CrossCheck<Given, Input>,
    context: RowContext,
    differs: Partial<Draft> = {},
  ): Promise<never> {
    const time = ++this.#crossChecks;
    const how = { ...differs, deliberate: true };
    const send = async (row: LazyRow<Input>, index: number) =>
      this.#calls.send(ownTitle(await inputOf(row), `x${time}.${index}`), 'confirmation', row.title, how);
    const others = async () => (this.#run.facts.smoke ? [] : rows(await this.#calls.given(time), time));
    return crossCheck(error, blames, others, send, context);
  }
}
