/** The operations of the interface as the checks use them: rows go in, each becomes a case, verdicts come out. */
import type { GapId } from '../../openapi/gaps/register.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { ifCouldNotRun } from '../../record/errors.ts';
import { is2xx, isPage, type Purpose } from '../../record/exchange.ts';
import type { Expected, SharedCall } from '../../record/finding.ts';
import { inTurn } from '../target/budgets/pause.ts';
import { type Answer, isAccepted } from '../target/call.ts';
import { type Asking, decide, decideShared } from './ask.ts';
import { type Case, expectsRefusal, type Judged, met, unbuilt, undecided } from './case.ts';
import { NotApplicable, type RowContext } from './check.ts';
import { againAfter, classify } from './classify.ts';
import { isToldRefusal } from './excuses.ts';
import { type Choices, holdsFor, Inputs, inputOf, type LazyRow, type Others, type Rows } from './inputs.ts';
import {
  type CheckRun,
  creationWith,
  type Draft,
  elsewhere,
  type Kind,
  type OwnRequest,
  type WithoutAccess,
} from './kinds.ts';
import { ownTitle } from './names.ts';
import { observeAll } from './observation.ts';
import type { Reading } from './readings.ts';
import { onceIn } from './session.ts';
import { endsDocument } from './shared.ts';

/** A row that probes a gap, if it names one. */
export type SilentRow<Input> = LazyRow<Input> & { readonly gap?: GapId };

/** What counts as the refusal: the status that the document states, or a wider form where it states none. */
export type RefusalForm = 400 | 401 | 404 | '4xx' | 'rejection' | 'no-token';

function expectedOf(refusal: RefusalForm): Expected {
  if (refusal === '4xx') return { is: 'refusal' };
  return typeof refusal === 'number' ? { is: 'status', status: refusal } : { is: refusal };
}

const success: Expected = { is: 'success' };
/** Status 200 where the document states it. */
export const status200: Expected = { is: 'status', status: 200 };

/** How rows are judged, besides that the shared call of their operation vouches for them. */
interface Judging<Given, Input> extends Pick<Case, 'expected' | 'about' | 'excuses'> {
  readonly others?: Others<Given, Input>;
  readonly choices?: Choices<Given, Input>;
  /** A further judgement, of what stands in the answer. */
  readonly reading?: Reading;
  /** The rows go to one request, which no other check gets, one after the other. */
  readonly together?: OwnRequest;
}

interface JudgedRow<Given, Input> {
  readonly make: Rows<Given, Input>;
  readonly row: LazyRow<Input>;
  readonly index: number;
  readonly differs: Partial<Draft>;
  readonly of: Case;
  readonly context: RowContext;
  /** How often it was sent. */
  calls: number;
  /** The document token of its last answer. */
  documentToken?: string;
  /** Its first answer spoke of the access token, so its body was not the reason. */
  isDenied: boolean;
}

export class Operation<Given, Input> {
  readonly #kind: Kind<Given, Input>;
  readonly #run: CheckRun;
  readonly #inputs: Inputs<Given, Input>;

  constructor(kind: Kind<Given, Input>, run: CheckRun) {
    this.#kind = kind;
    this.#run = run;
    this.#inputs = new Inputs(kind, run);
  }

  /**
   * For rows that several requirements judge. The first of their checks sends them, under the name of `owner`, and
   * the others read the same answers.
   */
  as(owner: RequirementId): Operation<Given, Input> {
    return new Operation(this.#kind, { ...this.#run, owner });
  }

  valid(given: Given): Input | Promise<Input> {
    return this.#kind.valid(given);
  }

  /**
   * The shared call of the operation succeeds.
   * @param alternatives bodies that differ in one thing, which has a requirement of its own. If one of them is
   *   accepted, that requirement is violated, and not this one.
   */
  succeeds(
    title: string,
    vouching: SharedCall,
    expected: Expected = success,
    alternatives: readonly ((given: Given) => LazyRow<Input>)[] = [],
  ): Promise<void> {
    const rows = (given: Given) => alternatives.map((alternative) => alternative(given));
    return this.#sharedRow(title, { expected, vouching }, { rows, blames: 'unless-accepted' });
  }

  /**
   * The shared call is accepted. If it is refused, that counts only if the alternative, which differs in one thing,
   * is accepted.
   */
  acceptsRatherThan(title: string, alternative: (given: Given) => LazyRow<Input>): Promise<void> {
    const rows = (given: Given) => [alternative(given)];
    return this.#sharedRow(title, { expected: success }, { rows, blames: 'if-accepted' });
  }

  /**
   * Judges the answer to the shared call of the operation, or to `other`; if `other` is not accepted, the row is not
   * applicable.
   */
  answers(title: string, reading: Reading, other?: SharedCall): Promise<void> {
    return this.#run.check.row(title, async (context) => {
      const accepted = await this.#sharedAccepted(context, other);
      const judged = accepted.answer ? reading(accepted.answer) : accepted;
      if (!other || judged.verdict !== 'could-not-run') return judged;
      throw new NotApplicable('that it is accepted is a requirement of its own');
    });
  }

  /** Judges the answers to rows where they are accepted, which is a requirement of its own. */
  async reads(make: Rows<Given, Input>, reading: Reading): Promise<void> {
    const { check } = this.#run;
    const rows = make(await check.prepare(() => this.#kind.ingredients(this.#run, 0)));
    const indexed = rows.map((row, index) => ({ row, index, title: row.title }));
    return check.rows(indexed, async ({ row, index }, context) => {
      const answer = await this.#plainly(row, index);
      context.exchanges.push(answer.exchange.index);
      if (is2xx(answer) && !isToldRefusal(answer)) return reading(answer);
      throw new NotApplicable('that it is accepted is a requirement of its own');
    });
  }

  /** Whether the rows are accepted, which is a requirement of its own. */
  async takes(make: Rows<Given, Input>): Promise<boolean> {
    return (await this.#answersTo(make)).every(isAccepted);
  }

  /** The answer to the first of the rows, or to its twin where the twin is not accepted. */
  async answerTo(make: Rows<Given, Input>): Promise<Answer> {
    const [answer] = await this.#answersTo((given) => make(given).slice(0, 1));
    return answer ?? this.#run.session.shared(this.#kind.twin);
  }

  #answersTo(make: Rows<Given, Input>): Promise<readonly Answer[]> {
    return this.#run.check.prepare(async () => {
      const rows = make(await this.#kind.ingredients(this.#run, 0));
      return Promise.all(rows.map((row, index) => this.#plainly(row, index)));
    });
  }

  /** The answer to a row, or to its twin where the twin is not accepted. */
  async #plainly(row: LazyRow<Input>, index: number): Promise<Answer> {
    const twin = await this.#run.session.shared(this.#kind.twin);
    if (!isAccepted(twin)) return twin;
    return this.#once(row.title, async () =>
      this.#inputs.send(ownTitle(await inputOf(row), index), 'judged', row.title, row.differs),
    );
  }

  /**
   * Judges the answers to two valid calls beside each other.
   * @param alike makes the second input like that of the first call, a shared one; a repetition has a plain one
   */
  comparesAnswers(
    title: string,
    judge: (one: Answer, other: Answer) => Judged,
    alike?: (given: Given) => Input | Promise<Input>,
  ): Promise<void> {
    const { check, session } = this.#run;
    return check.row(title, async (context) => {
      const requestId = await this.#kind.own?.(this.#run, 2);
      const differs = requestId === undefined ? {} : { requestId };
      let again = 0;
      const call = async (purpose: Purpose) => {
        const given = await this.#kind.ingredients(this.#run, again);
        const make = again++ === 0 && alike ? alike : this.#kind.valid;
        return this.#inputs.send(await make(given), purpose, title, differs);
      };
      const of: Case = { judged: 'own', expected: success, vouching: this.#kind.twin };
      const accepted = async () =>
        needed(await decide(session, of, { call }, context), 'there are no two answers to compare');
      const one = requestId === undefined ? await this.#sharedAccepted(context) : await accepted();
      if (!one.answer) return one;
      const other = await accepted();
      return other.answer ? judge(one.answer, other.answer) : other;
    });
  }

  /** Sends each row, and notes its answer as an observation about its gap. */
  observes(make: (given: Given) => readonly SilentRow<Input>[]): Promise<void> {
    const send = async (row: SilentRow<Input>) =>
      this.#inputs.send(await inputOf(row), 'observation', row.title, { deliberate: true, ...row.differs });
    return observeAll(this.#run.session, async () =>
      make(await this.#kind.ingredients(this.#run, 0)).flatMap((row) =>
        row.gap === undefined ? [] : [{ gap: row.gap, title: row.title, send: () => send(row) }],
      ),
    );
  }

  accepts(
    make: Rows<Given, Input>,
    others?: Others<Given, Input>,
    choices?: Choices<Given, Input>,
  ): Promise<void> {
    return this.#each(make, { expected: success, others, choices });
  }

  /** The rows are accepted one after the other, for one and the same request, which nobody else gets. */
  acceptsTogether(
    make: Rows<Given, Input>,
    others: Others<Given, Input>,
    together: OwnRequest = 'own',
  ): Promise<void> {
    return this.#each(make, { expected: success, others, together });
  }

  /**
   * Each row is refused, while the shared call of the operation is accepted.
   * @param reading judges what stands in the refusal; that it is refused so is another requirement then
   */
  refuses(
    make: Rows<Given, Input>,
    refusal: RefusalForm,
    others?: Others<Given, Input>,
    reading?: Reading,
  ): Promise<void> {
    const differs = { deliberate: true, freshIds: refusal !== 404 };
    const rows = (given: Given) =>
      make(given).map((row) => ({ ...row, differs: { ...differs, ...row.differs } }));
    return this.#each(rows, { expected: expectedOf(refusal), others, reading });
  }

  /**
   * Valid calls are refused for their access token. If there are several ways to lack a token, each is tried with
   * another kind of input; a single way is tried with every kind. Repetitions have the plain input, so that nothing
   * else can be the reason.
   */
  deniesAccess({ is, rows }: WithoutAccess, refusal: RefusalForm, reading?: Reading): Promise<void> {
    const { label = '', valid, alsoValid } = this.#kind;
    const [way] = rows;
    const make = (given: Given, again = 0) => {
      const plain = () => valid(given);
      const kinds = Object.entries({ '': plain, ...alsoValid?.(given) });
      const ways =
        rows.length === 1 && way
          ? kinds.map(([kind]) => ({ ...way, title: [way.title, kind].filter(Boolean).join(', ') }))
          : rows;
      return ways.map(({ title, authorization }, index) => ({
        title: label ? `${label}: ${title}` : title,
        outcome: 'refused' as const,
        input: async () => ((again === 0 && kinds[index % kinds.length]?.[1]) || plain)(),
        differs: { authorization },
      }));
    };
    const isDoubtful = is === 'expired' && this.#run.facts.expiredBy === 'profile';
    const excuses = isDoubtful ? (['not-expired'] as const) : [];
    return this.#each(make, { expected: expectedOf(refusal), about: 'access', excuses, reading });
  }

  #sharedRow(
    title: string,
    of: Pick<Case, 'expected' | 'vouching'>,
    others: Others<Given, Input>,
  ): Promise<void> {
    const { check, session, facts } = this.#run;
    const full = { ...of, judged: this.#kind.twin, blames: others.blames };
    const asking = { other: this.#inputs.others(others), smoke: facts.smoke };
    return check.row(title, (context) => decideShared(session, full, context, asking));
  }

  /** Whether the shared call is accepted, which is a requirement of its own. */
  #sharedAccepted(context: RowContext, judged: SharedCall = this.#kind.twin): Promise<Judged> {
    const of = { judged, expected: success, convicts: [] };
    return decideShared(this.#run.session, of, context);
  }

  /** Judges all rows at the same time, or one after the other if they go to one request. */
  async #each(make: Rows<Given, Input>, judging: Judging<Given, Input>): Promise<void> {
    const { check } = this.#run;
    const [rows, requestId] = await check.prepare(async () => {
      const all = make(await this.#kind.ingredients(this.#run, 0));
      const { together } = judging;
      return [all, together && (await this.#kind.own?.(this.#run, all.length, together))] as const;
    });
    const turns = inTurn();
    const indexed = rows.map((row, index) => ({ ...row, index }));
    return check.rows(indexed, async ({ index, ...row }, context) => {
      const ends = row.ended ? { endedIds: true } : {};
      const differs = { ...(requestId === undefined ? {} : { requestId }), ...ends, ...row.differs };
      const of = this.#caseOf(judging, row.ended);
      const judged = { make, row, index, differs, of, context, calls: 0, isDenied: false };
      return judging.together ? turns('', () => this.#judge(judged, judging)) : this.#judge(judged, judging);
    });
  }

  #caseOf(
    { others, choices, reading: _, together, ...how }: Judging<Given, Input>,
    ended: LazyRow<Input>['ended'],
  ): Case {
    const { twin, beside, operation } = this.#kind;
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
      excuses: [...excuses, ...(ended ? ofEnded : []), ...(mayBeOfNoUse ? (['of-no-use'] as const) : [])],
      urls,
      company: together ? true : undefined,
      beside: beside && !together,
    };
  }

  async #judge(
    judged: JudgedRow<Given, Input>,
    { others, choices, reading, together }: Judging<Given, Input>,
  ): Promise<Judged> {
    const { session, facts } = this.#run;
    const { make, row, index, differs, of, context } = judged;
    const inputs = this.#inputs;
    const asking: Asking = {
      call: (purpose) => this.#call(judged, purpose),
      smoke: facts.smoke,
      other: others && inputs.others(others, differs, index),
      choice: choices && inputs.choices(choices, index),
      basis: () => this.#basis(judged),
      company: together && index > 0 ? () => inputs.inCompany(make, index, together) : undefined,
      between: differs.requestId === undefined ? () => inputs.between(make, index, row, others) : undefined,
    };
    const found = await decide(session, of, asking, context);
    const { cause } = found.found;
    const isUnvouched = cause && 'excuse' in cause && cause.excuse === 'not-accepted-either';
    if (isUnvouched && holdsFor(index, others?.optional))
      throw new NotApplicable('what stands beside it is not accepted either');
    return reading ? this.#read(judged, found, reading) : found;
  }

  /**
   * Checks an assumption of the row: that an object has ended, that an access token has expired, or that a file was
   * accepted.
   */
  async #basis({ row, differs, of, documentToken }: JudgedRow<Given, Input>): Promise<Answer | null> {
    const { session } = this.#run;
    if (of.excuses?.includes('of-no-use')) {
      return documentToken === undefined ? null : session.call(creationWith(documentToken, this.#run));
    }
    if (!row.ended)
      return session.call(await elsewhere(this.#kind.operation, differs.authorization, this.#run));
    // If this call does not find the object any more, the first one ended it.
    return session.template(...row.ended, 'again').catch(ifCouldNotRun(() => null));
  }

  async #call(judged: JudgedRow<Given, Input>, purpose: Purpose): Promise<Answer> {
    if (purpose !== 'judged') return this.#sendWithTokens(judged, purpose);
    const answer = await this.#once(judged.row.title, () => this.#sendWithTokens(judged, purpose));
    judged.calls = Math.max(judged.calls, 1);
    judged.isDenied = judged.of.about === 'access' && classify(answer) === 'access';
    return answer;
  }

  /**
   * Sends a row. Rows share their document tokens; if a token can be used only so often, each call gets tokens of its
   * own.
   */
  async #sendWithTokens(judged: JudgedRow<Given, Input>, purpose: Purpose): Promise<Answer> {
    const { session } = this.#run;
    const { of, context, calls } = judged;
    if (calls > 0 || (await session.tokensEnd())) return this.#send(judged, purpose, true);
    const answer = await this.#send(judged, purpose, false);
    if (met(of, answer) || !endsDocument(answer) || !(await session.tokensEnd(this.#kind.twin)))
      return answer;
    context.exchanges.push(answer.exchange.index);
    return this.#send(judged, purpose, true);
  }

  async #send(judged: JudgedRow<Given, Input>, purpose: Purpose, anew: boolean): Promise<Answer> {
    const { make, row, index, differs, of, calls, isDenied } = judged;
    judged.calls += 1;
    const again = isDenied ? 0 : calls;
    const made = anew ? make(await this.#kind.ingredients(this.#run, calls), again)[index] : undefined;
    // A repetition goes to a request with nobody else, so that company cannot be the reason.
    const isFirst = calls === 0 && differs.requestId === undefined;
    const isBeside = this.#kind.beside && expectsRefusal(of.expected) && isFirst;
    const place = isBeside ? { ...differs, requestId: '', beside: true as const } : differs;
    const answer = await this.#inputs.send(
      ownTitle(await inputOf(made ?? row), index),
      purpose,
      row.title,
      place,
    );
    judged.documentToken = answer.ids.documentToken;
    return answer;
  }

  async #read(judged: JudgedRow<Given, Input>, found: Judged, reading: Reading): Promise<Judged> {
    const { of, context } = judged;
    const read = readFurther(found, context, reading);
    if (!expectsRefusal(of.expected) || read.verdict !== 'failed' || this.#run.facts.smoke) return read;
    // A gateway may have refused this call in the place of the service. Its page may be a coincidence more than once.
    const { times } = againAfter[read.answer && isPage(read.answer.text) ? 'foreign' : 'refused'];
    for (let time = 0; time < times; time += 1) {
      const later = await this.#send(judged, 'cross-check', false).catch(ifCouldNotRun(() => undefined));
      if (!later) return read;
      context.exchanges.push(later.exchange.index);
      if (!met(of, later) || reading(later).verdict !== 'passed') continue;
      const cause = { excuse: 'two-minds', because: { exchange: later.exchange.index } } as const;
      return undecided({ ...read.found, cause }, [...read.answers, later]);
    }
    // A firewall may refuse every call once it has seen many refusals. Then the twin is refused, too.
    const twin = of.vouching && (await this.#run.session.repeat(of.vouching));
    return of.vouching && twin && !isAccepted(twin) ? unbuilt(of.vouching, twin) : read;
  }

  /** A row that several requirements judge is sent once in a round of confirmations. */
  #once(title: string, send: () => Promise<Answer>): Promise<Answer> {
    const { session, check, owner } = this.#run;
    return owner === undefined ? send() : onceIn(session, `${owner} ${check.round} ${title}`, send);
  }
}

/**
 * Reads a refusal further. If the answer was not the expected one, there is nothing to read, and another requirement
 * fails.
 */
function readFurther(judged: Judged, { exchanges }: RowContext, reading: Reading): Judged {
  const refused = needed(judged, `there is no refusal to read (exchange ${exchanges.at(-1)})`);
  if (!refused.answer) return refused;
  const { twin } = judged.found;
  const read = reading(refused.answer);
  return twin === undefined ? read : { ...read, found: { ...read.found, twin } };
}

/** An answer that a check needs but does not judge: what is wrong with it is another requirement. */
function needed(judged: Judged, lacking: string): Judged {
  if (judged.verdict !== 'failed') return judged;
  const { expected, received } = judged.found;
  return undecided({ cause: { finding: { expected, received }, lacking } }, judged.answers);
}
