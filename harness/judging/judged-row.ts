/** A row of a check under judgement: how it is sent, first and again, and what its answer comes to. */
import { ifCouldNotRun } from '../../record/errors.ts';
import { isPage, type Purpose } from '../../record/exchange.ts';
import { type Answer, isAccepted } from '../target/call.ts';
import { type Asking, decide } from './ask.ts';
import { type Case, expectsRefusal, type Judged, met, unbuilt, undecided } from './case.ts';
import { NotApplicable, type RowContext } from './check.ts';
import { againAfter, classify } from './classify.ts';
import {
  type Choices,
  holdsFor,
  type Inputs,
  inputOf,
  type LazyRow,
  type Others,
  type Rows,
} from './inputs.ts';
import { type CheckRun, creationWith, type Draft, elsewhere, type Kind, type OwnRequest } from './kinds.ts';
import { ownTitle } from './names.ts';
import type { Reading } from './readings.ts';
import { onceIn } from './session.ts';
import { endsDocument } from './shared-documents.ts';

/** How rows are judged, besides that the shared call of their operation vouches for them. */
export interface Judging<Given, Input> extends Pick<Case, 'expected' | 'about' | 'excuses'> {
  readonly others?: Others<Given, Input>;
  readonly choices?: Choices<Given, Input>;
  /** A further judgement, of what stands in the answer. */
  readonly reading?: Reading;
  /** The rows go to one request, which no other check gets, one after the other. */
  readonly together?: OwnRequest;
}

/** A row, where it stands among those that its check makes, and what it is sent with. */
interface Placed<Given, Input> {
  readonly make: Rows<Given, Input>;
  readonly row: LazyRow<Input>;
  readonly index: number;
  readonly differs: Partial<Draft>;
  readonly context: RowContext;
}

export class JudgedRow<Given, Input> {
  readonly #kind: Kind<Given, Input>;
  readonly #run: CheckRun;
  readonly #inputs: Inputs<Given, Input>;
  readonly #judging: Judging<Given, Input>;
  readonly #placed: Placed<Given, Input>;
  readonly #of: Case;
  readonly #others: Others<Given, Input> | undefined;
  /** How often it was sent. */
  #calls = 0;
  /** The document token of its last answer. */
  #documentToken: string | undefined;
  /** Its first answer spoke of the access token, so its body was not the reason. */
  #isDenied = false;

  constructor(
    kind: Kind<Given, Input>,
    run: CheckRun,
    inputs: Inputs<Given, Input>,
    judging: Judging<Given, Input>,
    placed: Placed<Given, Input>,
  ) {
    this.#kind = kind;
    this.#run = run;
    this.#inputs = inputs;
    this.#judging = judging;
    this.#placed = placed;
    const { make, row, index } = placed;
    const whole = { rows: wholeAt(make, index), blames: 'unless-alike' } as const;
    this.#others = judging.others ?? (row.whole && whole);
    this.#of = this.#case();
  }

  async judge(): Promise<Judged> {
    const { session, facts } = this.#run;
    const { choices, reading, together } = this.#judging;
    const others = this.#others;
    const { make, row, index, differs, context } = this.#placed;
    const inputs = this.#inputs;
    const asking: Asking = {
      call: (purpose) => this.#call(purpose),
      smoke: facts.smoke,
      other: others && inputs.others(others, differs, index),
      choice: choices && inputs.choices(choices, index),
      basis: () => this.#basis(),
      company: together && index > 0 ? () => inputs.inCompany(make, index, together) : undefined,
      between: differs.requestId === undefined ? () => inputs.between(make, index, row, others) : undefined,
    };
    const found = await decide(session, this.#of, asking, context);
    const { cause } = found.found;
    const isUnvouched = cause && 'excuse' in cause && cause.excuse === 'not-accepted-either';
    if (isUnvouched && holdsFor(index, others?.optional))
      throw new NotApplicable('what stands beside it is not accepted either');
    return reading ? this.#read(found, reading) : found;
  }

  #case(): Case {
    const { twin, beside, operation } = this.#kind;
    const { others: _others, choices, reading: _, together, ...how } = this.#judging;
    const others = this.#others;
    const { excuses = how.excuses ?? [], urls = [this.#run.facts.callbackUrl] } = choices ?? {};
    const mayBeOfNoUse = how.expected.is === 'no-token' && how.about === undefined;
    // The profile's call may have cancelled a request where it should have deleted it. Document tokens know no cancelling.
    const ofEnded =
      operation === 'addSignatory' ? (['not-ended', 'cancelled'] as const) : (['not-ended'] as const);
    return {
      ...how,
      judged: 'own',
      vouching: twin,
      blames: others?.blames,
      choices: choices !== undefined,
      excuses: [
        ...excuses,
        ...(this.#placed.row.ended ? ofEnded : []),
        ...(mayBeOfNoUse ? (['of-no-use'] as const) : []),
      ],
      urls,
      company: together && (holdsFor(this.#placed.index, others?.apart) ? 'apart' : 'beside'),
      beside: beside && !together,
    };
  }

  /** Checks an assumption of the row: that an object has ended, a token has expired, or a file was accepted. */
  async #basis(): Promise<Answer | null> {
    const { session } = this.#run;
    const { row, differs } = this.#placed;
    const documentToken = this.#documentToken;
    if (this.#of.excuses?.includes('of-no-use'))
      return documentToken === undefined ? null : session.call(creationWith(documentToken, this.#run));
    if (!row.ended)
      return session.call(await elsewhere(this.#kind.operation, differs.authorization, this.#run));
    // If this call does not find the object any more, the first one ended it.
    return session.template(...row.ended, 'again').catch(ifCouldNotRun(() => null));
  }

  async #call(purpose: Purpose): Promise<Answer> {
    if (purpose !== 'judged') return this.#sendWithTokens(purpose);
    const answer = await onceForAll(this.#run, this.#placed.row.title, () => this.#sendWithTokens(purpose));
    this.#calls = Math.max(this.#calls, 1);
    this.#isDenied = this.#of.about === 'access' && classify(answer) === 'access';
    return answer;
  }

  /** Sends the row. Rows share document tokens; if one can be used only so often, each call gets its own. */
  async #sendWithTokens(purpose: Purpose): Promise<Answer> {
    const { session } = this.#run;
    if (this.#calls > 0 || (await session.tokensEnd())) return this.#send(purpose, true);
    const answer = await this.#send(purpose, false);
    if (met(this.#of, answer) || !endsDocument(answer) || !(await session.tokensEnd(this.#kind.twin)))
      return answer;
    this.#placed.context.exchanges.push(answer.exchange.index);
    return this.#send(purpose, true);
  }

  async #send(purpose: Purpose, anew: boolean): Promise<Answer> {
    const { make, row, index, differs } = this.#placed;
    const calls = this.#calls;
    this.#calls += 1;
    const again = this.#isDenied ? 0 : calls;
    const made = anew ? make(await this.#kind.ingredients(this.#run, calls), again)[index] : undefined;
    // A repetition goes to a request with nobody else, so that company cannot be the reason.
    const isFirst = calls === 0 && differs.requestId === undefined;
    const isBeside = this.#kind.beside && expectsRefusal(this.#of.expected) && isFirst;
    const place = isBeside ? { ...differs, requestId: '', beside: true as const } : differs;
    const input = ownTitle(await inputOf(made ?? row), index);
    const answer = await this.#inputs.send(input, purpose, row.title, place);
    this.#documentToken = answer.ids.documentToken;
    return answer;
  }

  async #read(found: Judged, reading: Reading): Promise<Judged> {
    const { context } = this.#placed;
    const read = readFurther(found, context, reading);
    if (!expectsRefusal(this.#of.expected) || read.verdict !== 'failed' || this.#run.facts.smoke) return read;
    // A gateway may have refused this call in the place of the service. Its page may be a coincidence more than once.
    const { times } = againAfter[read.answer && isPage(read.answer.text) ? 'foreign' : 'refused'];
    for (let time = 0; time < times; time += 1) {
      const later = await this.#send('cross-check', false).catch(ifCouldNotRun(() => undefined));
      if (!later) return read;
      context.exchanges.push(later.exchange.index);
      if (!met(this.#of, later) || reading(later).verdict !== 'passed') continue;
      const cause = { excuse: 'two-minds', because: { exchange: later.exchange.index } } as const;
      return undecided({ ...read.found, cause }, [...read.answers, later]);
    }
    // A firewall may refuse every call once it has seen many refusals. Then the twin is refused, too.
    const twin = await this.#run.session.repeat(this.#kind.twin);
    return isAccepted(twin) ? read : unbuilt(this.#kind.twin, twin);
  }
}

/** What a row is with nothing broken, with people and titles of its own each time. */
const wholeAt =
  <Given, Input>(make: Rows<Given, Input>, index: number): Others<Given, Input>['rows'] =>
  (given, time) =>
    [make(given, time)[index]?.whole].flatMap((whole) => whole ?? []);

/** A row that several requirements judge is sent once in a round of confirmations. */
export function onceForAll(
  { session, check, owner }: CheckRun,
  title: string,
  send: () => Promise<Answer>,
): Promise<Answer> {
  return owner === undefined ? send() : onceIn(session, `${owner} ${check.round} ${title}`, send);
}

/** Reads a refusal further. After an answer that was not the expected one another requirement fails. */
function readFurther(judged: Judged, { exchanges }: RowContext, reading: Reading): Judged {
  const refused = needed(judged, `there is no refusal to read (exchange ${exchanges.at(-1)})`);
  if (!refused.answer) return refused;
  const { twin } = judged.found;
  const read = reading(refused.answer);
  return twin === undefined ? read : { ...read, found: { ...read.found, twin } };
}

/** An answer that a check needs but does not judge: what is wrong with it is another requirement. */
export function needed(judged: Judged, lacking: string): Judged {
  if (judged.verdict !== 'failed') return judged;
  const { expected, received } = judged.found;
  return undecided({ cause: { finding: { expected, received }, lacking } }, judged.answers);
}
