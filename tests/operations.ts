/** The operations of the interface as the checks use them: rows go in, verdicts come out. */

import type { OtpIngredients } from '../generators/bodies/otp.ts';
import { type CallbackIngredients, minimalRequest } from '../generators/bodies/request.ts';
import { minimalSignatory } from '../generators/bodies/signatory.ts';
import { minimalStamped, type StampedIngredients } from '../generators/bodies/stamping.ts';
import type { DocumentSource, GeneratedDocument } from '../generators/documents/document.ts';
import { plainPdf } from '../generators/documents/pdf.ts';
import type { Body, Row } from '../generators/row.ts';
import { type Answer, type Authorization, type Call, is2xx } from '../harness/call.ts';
import type { Purpose } from '../harness/exchange.ts';
import { CouldNotRun, type RunFacts, type Session, type SharedCall } from '../harness/session.ts';
import { fileOf, filledCreation, personAt, titleAt } from '../harness/shared.ts';
import { received, shortAnswer } from '../harness/show.ts';
import { requestType } from '../openapi/codes.ts';
import type { GapId } from '../openapi/gaps/register.ts';
import type { AnswerJudge } from './answers.ts';
import { type Check, type RowContext, Violation } from './check.ts';
import { type Expectation, Judgement, judgeShared, type Refusal, type Send } from './judgement.ts';
import { carriesMessage } from './message.ts';
import { observeAll } from './observation.ts';

/** A row whose input is made when its turn has come: documents are not generated before they are needed. */
export type LazyRow<Input> = Omit<Row<Input>, 'input'> & {
  readonly input: Input | (() => Promise<Input> | Input);
};

/** A call without what the operation itself adds. */
type Draft = Omit<Call, 'operation' | 'purpose' | 'check' | 'row'>;

interface Kind<Given, Input> {
  readonly operation: Call['operation'];
  /** The shared call that every row differs from in one thing. */
  readonly twin: SharedCall;
  /** What the row makers need: titles, tokens, people. */
  readonly ingredients: (run: Run) => Promise<Given>;
  /** Put before the titles of rows where several operations share a check. */
  readonly label?: string;
  /** The call of a row. */
  readonly draft: (input: Input, run: Run, requestId: string | undefined) => Promise<Draft>;
  /** An input that is accepted, for calls that differ elsewhere. */
  readonly valid: (given: Given) => Input | Promise<Input>;
}

interface Run {
  readonly session: Session;
  readonly facts: RunFacts;
  readonly check: Check;
}

/** How a token is missing. Each one is a call without an access token. */
const missingTokens: readonly { title: string; authorization: Authorization }[] = [
  { title: 'no Authorization header', authorization: 'absent' },
  { title: 'an empty Authorization header', authorization: 'empty' },
  { title: 'Authorization: Bearer without a token', authorization: 'scheme-only' },
  { title: 'Authorization with another scheme (Basic)', authorization: 'other-scheme' },
];

const invalidTokens: readonly { title: string; authorization: Authorization }[] = [
  { title: 'a token that nobody issued', authorization: 'unknown' },
  { title: 'a valid token with some characters changed', authorization: 'altered' },
];

const expiredTokens: readonly { title: string; authorization: Authorization }[] = [
  { title: 'a token whose lifetime has passed', authorization: 'expired' },
];

/** The calls that lack a valid token, by what is wrong with it. */
export const withoutAccess = {
  missing: missingTokens,
  invalid: invalidTokens,
  expired: expiredTokens,
} as const;

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
        if (!(error instanceof Violation)) throw error;
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
      if (!accepted) throw new CouldNotRun(`depends on a call that is not accepted: ${shortAnswer(answer)}`);
      throw new Violation(
        `expected a 2xx status, as for ${accepted.title} · received ${received(answer.exchange)}`,
      );
    });
  }

  async #alternative(
    context: RowContext,
    make: (given: Given) => LazyRow<Input>,
  ): Promise<LazyRow<Input> | null> {
    const row = make(await this.#kind.ingredients(this.#run));
    const answer = await this.#send(await inputOf(row), 'confirmation', row.title, { deliberate: true });
    context.exchanges.push(answer.exchange.index);
    return is2xx(answer) ? row : null;
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
      const input = await this.#kind.valid(await this.#kind.ingredients(this.#run));
      const other = await this.#judgement.accepted(context, (purpose) =>
        this.#send(input, purpose, title, { freshIds: true }),
      );
      judge(one, other);
    });
  }

  /** The rows are accepted one beside the other, for one and the same request. */
  async acceptsTogether(make: (given: Given) => readonly LazyRow<Input>[]): Promise<Answer[]> {
    const { check, session } = this.#run;
    const requestId = await check.prepare(async () =>
      session.request(make(await this.#kind.ingredients(this.#run)).length),
    );
    return this.#each(make, (context, send) => this.#judgement.accepted(context, send), {
      freshIds: true,
      requestId,
    });
  }

  /** Each row is sent, and what comes is noted about its gap. */
  observes(make: (given: Given) => readonly (LazyRow<Input> & { readonly gap?: GapId })[]): Promise<void> {
    return observeAll(this.#run.session, async () =>
      make(await this.#kind.ingredients(this.#run)).flatMap(({ gap, ...row }) =>
        gap === undefined
          ? []
          : [
              {
                gap,
                title: row.title,
                send: async () =>
                  this.#send(await inputOf(row), 'observation', row.title, {
                    deliberate: true,
                    freshIds: true,
                  }),
              },
            ],
      ),
    );
  }

  /** A valid call with an unusual Authorization header is sent, and what comes is noted. */
  observesAccess(gap: GapId, title: string, authorization: Authorization): Promise<void> {
    return observeAll(this.#run.session, async () => {
      const input = await this.#kind.valid(await this.#kind.ingredients(this.#run));
      return [{ gap, title, send: () => this.#send(input, 'observation', title, { authorization }) }];
    });
  }

  /** Each row is accepted. */
  accepts(make: (given: Given) => readonly LazyRow<Input>[], expectation?: Expectation): Promise<Answer[]> {
    return this.#each(make, (context, send) => this.#judgement.accepted(context, send, expectation), {
      freshIds: true,
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
      async (context, send) => {
        const answer = await this.#refusedBefore(context, () =>
          this.#judgement.refused(context, refusal, send),
        );
        carriesMessage(answer, words);
        return answer;
      },
      { deliberate: true, ...differs },
    );
  }

  /** A valid call is refused for its access token. */
  async deniesAccess(
    rows: readonly { title: string; authorization: Authorization }[],
    refusal: Refusal,
  ): Promise<Answer[]> {
    const { check } = this.#run;
    const { label } = this.#kind;
    const input = await check.prepare(async () => this.#kind.valid(await this.#kind.ingredients(this.#run)));
    const labelled = rows.map((row) => (label ? { ...row, title: `${label}: ${row.title}` } : row));
    return check.rows(labelled, ({ title, authorization }, context) =>
      this.#judgement.refused(context, refusal, (purpose) =>
        this.#send(input, purpose, title, { authorization }),
      ),
    );
  }

  /** The first way of calling without access is refused and says the message. */
  async deniesAccessSaying(
    rows: readonly { title: string; authorization: Authorization }[],
    refusal: Refusal,
    words: string,
  ): Promise<Answer[]> {
    const { check } = this.#run;
    const input = await check.prepare(async () => this.#kind.valid(await this.#kind.ingredients(this.#run)));
    return check.rows(rows.slice(0, 1), async ({ title, authorization }, context) => {
      const answer = await this.#refusedBefore(context, () =>
        this.#judgement.refused(context, refusal, (purpose) =>
          this.#send(input, purpose, title, { authorization }),
        ),
      );
      carriesMessage(answer, words);
      return answer;
    });
  }

  async #accepted(context: RowContext): Promise<Answer> {
    const answer = await this.#run.session.shared(this.#kind.twin);
    context.exchanges.push(answer.exchange.index);
    if (!is2xx(answer))
      throw new CouldNotRun(`depends on a call that is not accepted: ${shortAnswer(answer)}`);
    return answer;
  }

  async #refusedBefore(context: RowContext, judge: () => Promise<Answer>): Promise<Answer> {
    try {
      return await judge();
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      throw new CouldNotRun(
        `there is no refusal to read (exchange ${context.exchanges.at(-1)}): ${error.message}`,
      );
    }
  }

  async #each(
    make: (given: Given) => readonly LazyRow<Input>[],
    judge: (context: RowContext, send: Send) => Promise<Answer>,
    differs: Partial<Draft>,
  ): Promise<Answer[]> {
    const { check } = this.#run;
    const rows = await check.prepare(async () => make(await this.#kind.ingredients(this.#run)));
    return check.rows(rows, async (row, context) => {
      const input = await inputOf(row);
      return judge(context, (purpose) => this.#send(input, purpose, row.title, differs));
    });
  }

  async #send(input: Input, purpose: Purpose, row: string, differs: Partial<Draft>): Promise<Answer> {
    const { session, check } = this.#run;
    const draft = await this.#kind.draft(input, this.#run, differs.requestId);
    return session.call({
      ...draft,
      ...differs,
      operation: this.#kind.operation,
      purpose,
      ...(check.judges ? { check: check.place } : {}),
      row,
    });
  }
}

async function inputOf<Input>(row: LazyRow<Input>): Promise<Input> {
  return typeof row.input === 'function' ? (row.input as () => Promise<Input> | Input)() : row.input;
}

const ofJson = (body: Body): Pick<Draft, 'body'> => ({ body });

/** Endpoint 1. Rows are generated documents. */
export const uploading: Kind<DocumentSource, GeneratedDocument> = {
  operation: 'uploadDocument',
  twin: 'document',
  ingredients: async ({ facts, check }) => ({ run: facts.runId, seed: facts.seed, name: check.place }),
  draft: async (document) => ({ body: { file: fileOf(document) } }),
  valid: (source) => plainPdf(source),
};

/** Endpoint 4. */
export const skeletonCreation: Kind<CallbackIngredients, Body> = {
  operation: 'createSkeletonRequest',
  twin: 'skeleton',
  ingredients: async ({ session, facts, check }) => ({
    title: titleAt(facts, check.place),
    documents: await session.documents(2),
    callbackUrl: facts.callbackUrl,
  }),
  draft: async (body) => ofJson(body),
  valid: (given) => ({ json: minimalRequest({ ...given, documents: given.documents.slice(0, 1) }) }),
};

/** Endpoint 5. Every signatory goes to a request that has room, each person under an address of their own. */
export const signatoryAddition: Kind<OtpIngredients, Body> = {
  operation: 'addSignatory',
  twin: 'signatory',
  ingredients: async ({ facts, check }) => ({
    personOf: (place) => personAt(facts, check.place, place),
    accessCode: facts.accessCode,
    ...(facts.people.mobileNumbers ? { mobileNumbers: labelled(facts.people.mobileNumbers) } : {}),
  }),
  draft: async (body, { session }, requestId) => ({
    body,
    requestId: requestId ?? (await session.request(1)),
  }),
  valid: ({ personOf }) => ({ json: minimalSignatory({ person: personOf('denied') }) }),
};

/** The numbers that the profile allows, by their place in it: reports show the label, not the number. */
function labelled(numbers: readonly string[]): Record<string, string> {
  return Object.fromEntries(numbers.map((number, index) => [index === 0 ? 'us' : `${index + 1}`, number]));
}

const stampedIngredients = async ({ session, facts, check }: Run): Promise<StampedIngredients> => ({
  title: titleAt(facts, check.place),
  documents: await session.documents(2),
  people: ['first', 'second', 'third'].map((place) => personAt(facts, check.place, place)),
});

const validStamped = (given: StampedIngredients): Body => ({
  json: minimalStamped({
    ...given,
    documents: given.documents.slice(0, 1),
    people: given.people.slice(0, 1),
  }),
});

/** Endpoint 3. */
export const stampedCreation: Kind<StampedIngredients, Body> = {
  operation: 'createStampedRequest',
  twin: 'stamped',
  ingredients: stampedIngredients,
  draft: async (body) => ofJson(body),
  valid: validStamped,
};

/** Endpoint 2 with type 3, the one type whose body the document shows. */
export const unversionedCreation: Kind<StampedIngredients, Body> = {
  ...stampedCreation,
  label: 'type 3',
  operation: 'createRequest',
  twin: 'stamped-unversioned',
  draft: async (body) => ({ ...ofJson(body), type: 3 }),
};

/** Endpoint 2 with type 1 or 2, whose body the profile gives; `null` when it gives none. */
export function profiledCreation(
  name: 'template' | 'fixed',
  facts: RunFacts,
): Kind<StampedIngredients, Body> | null {
  const body = facts.creations[name];
  if (body === undefined) return null;
  const type = name === 'template' ? requestType.template : requestType.fixed;
  return {
    operation: 'createRequest',
    twin: name,
    label: `type ${type}`,
    ingredients: stampedIngredients,
    draft: async (input) => ({ ...ofJson(input), type }),
    valid: (given) => ({ json: filledCreation(body, given) }),
  };
}
