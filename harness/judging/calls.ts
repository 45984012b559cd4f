/** The calls of one operation in one check: made anew each time, and sent as the check asks. */

import type { Purpose } from '../../record/exchange.ts';
import type { Answer } from '../target/call.ts';
import type { Send } from './judgement.ts';
import type { Draft, Kind, Run } from './kinds.ts';

export class Calls<Given, Input> {
  readonly #kind: Kind<Given, Input>;
  readonly #run: Run;

  constructor(kind: Kind<Given, Input>, run: Run) {
    this.#kind = kind;
    this.#run = run;
  }

  /** What bodies are made of; others from `again` 1 on. */
  given(again = 0): Promise<Given> {
    return this.#kind.ingredients(this.#run, again);
  }

  /** Sends a call as often as it is asked for, each time made anew. */
  sending(input: (again: number) => Promise<Input>, row: string, differs: Partial<Draft> = {}): Send {
    let again = 0;
    return async (purpose) => {
      const made = await input(again++);
      return this.send(made, purpose, row, differs);
    };
  }

  sendingValid(row: string, differs: Partial<Draft> = {}): Send {
    return this.sending(async (again) => this.#kind.valid(await this.given(again)), row, differs);
  }

  async send(input: Input, purpose: Purpose, row: string, differs: Partial<Draft> = {}): Promise<Answer> {
    const { session, check } = this.#run;
    const draft = await this.#kind.draft(input, this.#run, differs.requestId, purpose);
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
