/** Decides whether an answer is what every compliant service gives, and never takes trouble for a violation. */

import { message } from '../../openapi/codes.ts';
import { CouldNotRun } from '../../record/errors.ts';
import type { Purpose } from '../../record/exchange.ts';
import { isStray } from '../target/answers/stray.ts';
import { type Answer, is2xx, isAccepted, isConflict, isTrouble } from '../target/call.ts';
import type { SharedCall } from '../target/run-facts.ts';
import { received } from '../target/show.ts';
import { type RowContext, Violation } from './check.ts';
import { placeOfMessage } from './message.ts';
import type { Session } from './session.ts';
import { blamesAccount, hintFor, unavailable } from './unavailable.ts';

/**
 * What a refusal has to look like: the status that the document states, or any `4xx` where it states that a
 * call is not accepted but not how.
 */
export type Refusal = 400 | 401 | 404 | '4xx' | Expectation;

/** An outcome in words and as a test of an answer. */
export interface Expectation {
  readonly words: string;
  readonly met: (answer: Answer) => boolean;
}

/** How a row sends its call; called again when an outcome has to be confirmed. */
export type Send = (purpose: Purpose) => Promise<Answer>;

const accepted: Expectation = { words: 'a 2xx status', met: is2xx };
/** The same where it is known how an accepted call is answered: an upload with a document token. */
const acceptedAsTwin: Expectation = { words: 'a 2xx status', met: isAccepted };

/**
 * Endpoints 2 and 3 answer a success with 200, and no status is shown for what they reject: whatever is no
 * success is a rejection, a redirection to a login page included.
 */
export const rejected: Expectation = {
  words: 'a rejection',
  met: ({ status }) => status >= 300 && status < 500 && status !== 429,
};

/** An upload is rejected when it gives no token: neither its error statuses nor its success status are shown. */
export const rejectedUpload: Expectation = {
  words: 'a rejection, without a document token',
  met: (answer) => answer.status !== 0 && !isTrouble(answer) && !isAccepted(answer),
};

/** Status 200 where the document states it. */
export const status200: Expectation = { words: '200', met: ({ status }) => status === 200 };

/**
 * How often an outcome is asked for again. Trouble may be a coincidence, however often it meets the same row: at
 * a target that breaks off one call in ten, four in a row happen to one row in ten thousand.
 */
const confirmations = 1;
const confirmationsOfTrouble = 3;
/** A call that hangs takes as long as the deadline each time. */
const confirmationsOfHang = 2;

function expectationOf(refusal: Refusal): Expectation {
  if (typeof refusal === 'object') return refusal;
  if (refusal === '4xx') {
    return { words: 'a 4xx status', met: ({ status }) => status >= 400 && status < 500 && status !== 429 };
  }
  return { words: String(refusal), met: ({ status }) => status === refusal };
}

export class Judgement {
  readonly #session: Session;
  /** The shared call that has to be accepted for any refusal to mean something. */
  readonly #twin: SharedCall;

  constructor(session: Session, twin: SharedCall) {
    this.#session = session;
    this.#twin = twin;
  }

  /**
   * Judges a call that has to be refused while its twin, the same call with the one thing repaired, is accepted.
   * @throws Violation, or CouldNotRun when the twin is not accepted or the target is in trouble
   */
  refused(context: RowContext, refusal: Refusal, send: Send): Promise<Answer> {
    return this.#judge(context, expectationOf(refusal), send);
  }

  /** Judges a call that has to be accepted, as its twin is. */
  accepted(context: RowContext, send: Send, expectation: Expectation = acceptedAsTwin): Promise<Answer> {
    return this.#judge(context, expectation, send);
  }

  async #judge(context: RowContext, expectation: Expectation, send: Send): Promise<Answer> {
    const twin = await this.#session.shared(this.#twin);
    if (!isAccepted(twin)) {
      context.exchanges.push(twin.exchange.index);
      throw new CouldNotRun(unavailable(this.#twin, twin));
    }
    const answer = await send('judged');
    context.exchanges.push(answer.exchange.index);
    if (expectation.met(answer)) return answer;
    if (isAccepted(answer) && !isStray(answer)) throw violation(expectation, answer);
    if (answer.documentToken && 'missing' in answer.documentToken && answer.documentToken.hidden) {
      throw new CouldNotRun(`${answer.documentToken.missing}: ${received(answer.exchange)}`);
    }
    return this.#confirm(context, expectation, send, answer);
  }

  /** Anything may be trouble: blames only a target that goes on accepting the twin and says the same again. */
  async #confirm(context: RowContext, expectation: Expectation, send: Send, first: Answer): Promise<Answer> {
    let last = first;
    const often = confirmationsAfter(first);
    for (let round = 0; round < often; round += 1) {
      assertSent(last);
      const twin = await this.#session.repeat(this.#twin);
      if (!isAccepted(twin)) {
        context.exchanges.push(twin.exchange.index);
        throw new CouldNotRun(unavailable(this.#twin, twin));
      }
      last = await send('confirmation');
      context.exchanges.push(last.exchange.index);
      if (expectation.met(last)) {
        if (isTrouble(first) || isConflict(first)) return last;
        const [before, after] = [first, last].map(({ exchange }) => received(exchange));
        throw new CouldNotRun(`the target is not of one mind: ${before} at first, ${after} when asked again`);
      }
      // Plain words, whatever the trouble was before.
      if (!isTrouble(last)) break;
    }
    assertSent(last);
    if (last.status === 429) {
      throw new CouldNotRun(`${received(last.exchange)}; ${hintFor(this.#twin, last)}`);
    }
    throw violation(expectation, last);
  }
}

function confirmationsAfter(answer: Answer): number {
  if (!isTrouble(answer)) return confirmations;
  return answer.exchange.failure?.code === 'DEADLINE' ? confirmationsOfHang : confirmationsOfTrouble;
}

function violation({ words }: Expectation, answer: Answer): Violation {
  return new Violation(`expected ${words} · received ${received(answer.exchange)}`);
}

/** An answer that a check needs but does not judge: what is wrong with it is another requirement. */
export async function needed(made: Promise<Answer>, lacking: () => string): Promise<Answer> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof Violation) throw new CouldNotRun(`${lacking()}: ${error.message}`);
    throw error;
  }
}

/** @throws CouldNotRun when nothing was sent, because the target is taken as gone */
function assertSent({ exchange }: Answer): void {
  if (exchange.failure?.code === 'NOT_SENT') throw new CouldNotRun(received(exchange));
}

/**
 * Judges a shared call itself: nothing vouches for it but an earlier step that the target accepts.
 * @param witness an earlier shared call; absent for the first step of all
 */
export async function judgeShared(
  session: Session,
  context: RowContext,
  name: SharedCall,
  witness?: SharedCall,
  expectation: Expectation = accepted,
): Promise<Answer> {
  const answer = await session.shared(name);
  context.exchanges.push(answer.exchange.index);
  if (expectation.met(answer)) return answer;
  if (answer.guess !== undefined || blamesAccount(answer)) {
    throw new CouldNotRun(unavailable(name, answer));
  }
  // That the request is found by its id is a requirement of its own.
  if (name === 'signatory' && answer.status === 404) throw new CouldNotRun(unavailable(name, answer));
  if (creations.includes(name)) await assertTokenTaken(session, name, answer);
  const other = otherPath[name];
  if (other && notThere.has(answer.status) && is2xx(await session.shared(other))) {
    throw new CouldNotRun(
      `${unavailable(name, answer)}; type 3 is found on the other of its two paths: list the requirements of this one under notApplicable`,
    );
  }
  if (!isTrouble(answer)) throw violation(expectation, answer);
  const alive =
    witness && answer.exchange.failure?.code !== 'NOT_SENT' ? await session.repeat(witness) : null;
  if (!alive || !isAccepted(alive)) throw new CouldNotRun(unavailable(name, answer));
  const again = await session.repeat(name);
  context.exchanges.push(again.exchange.index);
  if (expectation.met(again)) return again;
  assertSent(again);
  if (again.status === 429 || again.status === 503) throw new CouldNotRun(unavailable(name, again));
  throw violation(expectation, again);
}

/** Type 3 has two paths, and whether they are one operation is not shown: a service may have put it on one. */
const otherPath: Partial<Record<SharedCall, SharedCall>> = {
  stamped: 'stamped-unversioned',
  'stamped-unversioned': 'stamped',
};
const notThere = new Set([404, 405, 410, 501]);

const creations: readonly SharedCall[] = ['skeleton', 'stamped', 'stamped-unversioned', 'template', 'fixed'];

/** @throws CouldNotRun when uploads give tokens that creations do not know, which is a requirement of its own */
async function assertTokenTaken(session: Session, name: SharedCall, answer: Answer): Promise<void> {
  const skeleton = await session.shared('skeleton');
  if (skeleton.status !== 404 || placeOfMessage(skeleton, message.documentNotFound) === null) return;
  throw new CouldNotRun(`${unavailable(name, answer)}; tokens of uploads are not known there`);
}

/** Judges that the token of an upload is known where a request is created: the answer is not 404. */
export async function judgeTokenTaken(session: Session, context: RowContext): Promise<void> {
  const answer = await session.shared('skeleton');
  context.exchanges.push(answer.exchange.index);
  if (is2xx(answer)) return;
  if (answer.status !== 404 || answer.guess !== undefined) {
    throw new CouldNotRun(unavailable('skeleton', answer));
  }
  // The shared token may have been used before: how often one can be used is not shown.
  const anew = await session.repeat('skeleton');
  context.exchanges.push(anew.exchange.index);
  if (!is2xx(anew)) throw violation(accepted, answer);
  throw new CouldNotRun(
    `${unavailable('skeleton', answer)}; accepted with a token that had not been used before: say how often one can be used (limits.documentUses)`,
  );
}

/** Judges that a request is found by its id: the shared signatory is not answered with 404. */
export async function judgeFound(session: Session, context: RowContext): Promise<void> {
  const answer = await session.shared('signatory');
  context.exchanges.push(answer.exchange.index);
  if (is2xx(answer)) return;
  if (answer.status === 404) throw violation(accepted, answer);
  throw new CouldNotRun(unavailable('signatory', answer));
}
