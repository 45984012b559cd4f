/** The operations of the interface as the checks use them: rows go in, each becomes a case, verdicts come out. */
import type { GapId } from '../../openapi/gaps/register.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { is2xx, type Purpose } from '../../record/exchange.ts';
import type { Expected, SharedCall } from '../../record/finding.ts';
import { inTurn } from '../target/budgets/pause.ts';
import { type Answer, isAccepted } from '../target/call.ts';
import type { WithoutAccess } from './access-ways.ts';
import { decide, decideShared } from './ask.ts';
import type { Case, Judged } from './case.ts';
import { NotApplicable, type RowContext } from './check.ts';
import { isToldRefusal } from './excuses.ts';
import { type Choices, Inputs, inputOf, type LazyRow, type Others, type Rows } from './inputs.ts';
import { JudgedRow, type Judging, needed, onceForAll } from './judged-row.ts';
import type { CheckRun, Kind, OwnRequest } from './kinds.ts';
import { ownTitle } from './names.ts';
import { observeAll } from './observation.ts';
import type { Reading } from './readings.ts';

/** A row that probes a gap, if it names one. */
export type SilentRow<Input> = LazyRow<Input> & { readonly gap?: GapId };

/** What counts as the refusal: the status that the document states, or a wider form where it states none. */
type RefusalForm = 400 | 401 | 404 | '4xx' | 'rejection' | 'no-token';

function expectedOf(refusal: RefusalForm): Expected {
  if (refusal === '4xx') return { is: 'refusal' };
  return typeof refusal === 'number' ? { is: 'status', status: refusal } : { is: refusal };
}

const success: Expected = { is: 'success' };
/** Status 200 where the document states it. */
export const status200: Expected = { is: 'status', status: 200 };

export class Operation<Given, Input> {
  readonly #kind: Kind<Given, Input>;
  readonly #run: CheckRun;
  readonly #inputs: Inputs<Given, Input>;

  constructor(kind: Kind<Given, Input>, run: CheckRun) {
    this.#kind = kind;
    this.#run = run;
    this.#inputs = new Inputs(kind, run);
  }

  /** For rows that several requirements judge: the first check sends them, as `owner`; the others read the same answers. */
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

  /** The shared call is accepted; a refusal counts only if the alternative, which differs in one thing, is accepted. */
  acceptsRatherThan(title: string, alternative: (given: Given) => LazyRow<Input>): Promise<void> {
    const rows = (given: Given) => [alternative(given)];
    return this.#sharedRow(title, { expected: success }, { rows, blames: 'if-accepted' });
  }

  /** Judges the answer to the shared call, or to `other`; not applicable if `other` is not accepted. */
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
    const deliberate = row.outcome === 'refused';
    const isBeside = deliberate && this.#kind.beside && row.differs?.requestId === undefined;
    const place = isBeside ? ({ requestId: '', beside: true } as const) : {};
    const differs = { deliberate, ...place, ...row.differs };
    return onceForAll(this.#run, row.title, async () =>
      this.#inputs.send(ownTitle(await inputOf(row), index), 'judged', row.title, differs),
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
      const placed = { make, row, index, differs, context };
      const judged = new JudgedRow(this.#kind, this.#run, this.#inputs, judging, placed);
      return judging.together ? turns('', () => judged.judge()) : judged.judge();
    });
  }
}
