/** Sends rows, and further bodies that show what the answer to a row means. */
import type { Row } from '../../generators/row.ts';
import { CouldNotRun, ifCouldNotRun } from '../../record/errors.ts';
import type { Purpose } from '../../record/exchange.ts';
import type { CallName } from '../profile/schema.ts';
import type { Variables } from '../profile/template.ts';
import { type Answer, isAccepted } from '../target/call.ts';
import type { Asking, Tried } from './ask.ts';
import type { Case } from './case.ts';
import type { CheckRun, Draft, Kind, OwnRequest } from './kinds.ts';
import { ownTitle } from './names.ts';

/** A row whose input may be a function, which makes documents when needed; `differs` is what its call has besides. */
export type LazyRow<Input> = Omit<Row<Input>, 'input'> & {
  readonly input: Input | (() => Promise<Input> | Input);
  readonly differs?: Partial<Draft>;
  /** The call of the profile that ended what the input names. */
  readonly ended?: readonly [call: CallName, variables: Variables];
  /** The same with nothing broken, which has to be accepted: where it meets the same trouble, that is no matter of what is broken. */
  readonly whole?: Row<Input>;
};

export type Rows<Given, Input> = (given: Given, again?: number) => readonly LazyRow<Input>[];

type Which = boolean | ((index: number) => boolean);

export const holdsFor = (index: number, which: Which = false) =>
  typeof which === 'function' ? which(index) : which;

/** Other bodies, which tell whose requirement a refusal violates. */
export interface Others<Given, Input> {
  /** Bodies to try, in order. `time` counts the tries of a check from 1, for names of its own; `index` is the row's. */
  readonly rows: (given: Given, time: number, index: number) => readonly LazyRow<Input>[];
  /** For all rows, or some by index: the other bodies go to their own request, with the usual access and headers. */
  readonly apart?: Which;
  /** For all rows, or some by index: not applicable if no other body is accepted, since other rows judge that alone. */
  readonly optional?: Which;
  readonly blames: NonNullable<Case['blames']>;
  /** What is added after a row that was refused beside others, and should be accepted; the first other body if absent. */
  readonly after?: (given: Given) => LazyRow<Input> | undefined;
}

/** The rows with each other value that the suite may choose, such as another mobile number; one accepted is enough. */
export interface Choices<Given, Input> extends Pick<Case, 'excuses' | 'urls'> {
  readonly rows: readonly Rows<Given, Input>[];
}

/** The input of a row; a function is called now. */
export async function inputOf<Input>(row: LazyRow<Input>): Promise<Input> {
  return typeof row.input === 'function' ? (row.input as () => Promise<Input> | Input)() : row.input;
}

/** Sends the rows of an operation, and other inputs, each time with people and titles of their own. */
export class Inputs<Given, Input> {
  readonly #kind: Kind<Given, Input>;
  readonly #run: CheckRun;
  /** How often others were tried. */
  #times = 0;

  constructor(kind: Kind<Given, Input>, run: CheckRun) {
    this.#kind = kind;
    this.#run = run;
  }

  /**
   * Sends the rows up to `last` to a fresh request, at the same time. Gives the first refusal, or else the answer to
   * the last row.
   * @throws CouldNotRun if nobody is accepted: then nobody was refused because of the others
   */
  async inCompany(make: Rows<Given, Input>, last: number, how: OwnRequest): Promise<Answer> {
    const requestId = await this.#kind.own?.(this.#run, last + 1, how);
    const time = ++this.#times;
    const rows = make(await this.#kind.ingredients(this.#run, time)).slice(0, last + 1);
    const place = requestId === undefined ? {} : { requestId };
    const tried = await Promise.all(
      rows.map(async (row, index) =>
        this.#tried(row.title, ownTitle(await inputOf(row), `x${time}.${index}`), place),
      ),
    );
    const answers = tried.flatMap(({ answer }) => answer ?? []);
    if (!answers.some(isAccepted)) throw new CouldNotRun('nobody can be added to a request made for them');
    return answers.find((answer) => !isAccepted(answer)) ?? (answers.at(-1) as Answer);
  }

  /**
   * Sends a row to a fresh request, between two additions: first a valid one, at the end one that equals the row but
   * for what is judged. Gives `null` unless both are accepted.
   */
  async between(
    make: Rows<Given, Input>,
    index: number,
    row: LazyRow<Input>,
    others?: Others<Given, Input>,
  ): Promise<Answer | null> {
    const likeOf = (given: Given, time: number) =>
      others?.after ? others.after(given) : others?.rows(given, time, index)[0];
    if (others && !likeOf(await this.#kind.ingredients(this.#run, 0), 0)) return null;
    // This needs a request with room for three.
    const requestId = await this.#kind.own?.(this.#run, 3).catch(ifCouldNotRun(() => undefined));
    if (requestId === undefined) return null;
    const send = async (input: (given: Given, time: number) => Input | Promise<Input>, differs = {}) => {
      const time = ++this.#times;
      const made = ownTitle(await input(await this.#kind.ingredients(this.#run, time), time), `b${time}`);
      return this.send(made, 'cross-check', row.title, { deliberate: true, ...differs, requestId });
    };
    const before = await send((given) => this.#kind.valid(given));
    const answer = await send((given, time) => inputOf(make(given, time)[index] ?? row), row.differs);
    const after = await send((given, time) => {
      const like = likeOf(given, time);
      return like ? inputOf(like) : this.#kind.valid(given);
    });
    return isAccepted(before) && isAccepted(after) ? answer : null;
  }

  /** Sends other bodies as the judged one was sent, one after the other. */
  others(
    { rows, apart }: Others<Given, Input>,
    { requestId, ...differs }: Partial<Draft> = {},
    at = 0,
  ): NonNullable<Asking['other']> {
    const place = holdsFor(at, apart) ? {} : requestId === undefined ? differs : { ...differs, requestId };
    let waiting: readonly LazyRow<Input>[] | undefined;
    let time = 0;
    let index = 0;
    return async () => {
      if (!waiting) {
        time = ++this.#times;
        waiting = rows(await this.#kind.ingredients(this.#run, time), time, at);
      }
      const row = waiting[index];
      if (!row) return null;
      const input = ownTitle(await inputOf(row), `x${time}.${index++}`);
      return this.#tried(row.title, input, { ...place, ...row.differs });
    };
  }

  choices({ rows }: Choices<Given, Input>, index: number): NonNullable<Asking['choice']> {
    const waiting = [...rows];
    return async () => {
      const row = waiting.shift()?.(await this.#kind.ingredients(this.#run, 0))[index];
      return row ? this.#tried(row.title, await inputOf(row), { deliberate: false }) : null;
    };
  }

  async #tried(title: string, input: Input, differs: Partial<Draft>): Promise<Tried> {
    const how = { deliberate: true, ...differs };
    return { title, answer: await this.send(input, 'cross-check', title, how) };
  }

  async send(input: Input, purpose: Purpose, row: string, differs: Partial<Draft> = {}): Promise<Answer> {
    const { session, check, owner = check.place } = this.#run;
    const draft = await this.#kind.draft(input, this.#run, differs.requestId, purpose);
    return session.call({
      // The objects that the call names were made a moment ago, unless it is about an id that does not exist.
      freshIds: true,
      ...draft,
      ...differs,
      operation: this.#kind.operation,
      purpose,
      check: check.judges ? owner : undefined,
      row,
    });
  }
}
