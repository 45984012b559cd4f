/** Decides whether an answer is what every compliant service gives, and never takes trouble for a violation. */
import { type Answer, is2xx, isAccepted, isTrouble } from '../harness/call.ts';
import type { Purpose } from '../harness/exchange.ts';
import { CouldNotRun, type Session, type SharedCall } from '../harness/session.ts';
import { received, shortAnswer } from '../harness/show.ts';
import { type RowContext, Violation } from './check.ts';

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
  accepted(context: RowContext, send: Send, expectation: Expectation = accepted): Promise<Answer> {
    return this.#judge(context, expectation, send);
  }

  async #judge(context: RowContext, expectation: Expectation, send: Send): Promise<Answer> {
    const session = this.#session;
    const twin = await session.shared(this.#twin);
    if (!isAccepted(twin)) {
      context.exchanges.push(twin.exchange.index);
      throw new CouldNotRun(`depends on a call that is not accepted: ${shortAnswer(twin)}`);
    }
    const answer = await send('judged');
    context.exchanges.push(answer.exchange.index);
    if (expectation.met(answer)) return answer;
    const violation = () =>
      new Violation(`expected ${expectation.words} · received ${received(answer.exchange)}`);
    if (isAccepted(answer)) throw violation();
    // Anything else may be trouble: blame only a target that goes on accepting the twin and says the same again.
    if (answer.exchange.failure?.code === 'NOT_SENT') throw new CouldNotRun(received(answer.exchange));
    const after = await session.repeat(this.#twin);
    if (!isAccepted(after)) {
      context.exchanges.push(after.exchange.index);
      throw new CouldNotRun(`the target is in trouble: ${shortAnswer(after)}, though it was accepted before`);
    }
    const again = await send('confirmation');
    context.exchanges.push(again.exchange.index);
    if (expectation.met(again)) {
      if (isTrouble(answer)) return again;
      throw new CouldNotRun(
        `the target is not of one mind: ${received(answer.exchange)} at first, ${received(again.exchange)} when asked again`,
      );
    }
    if (isTrouble(again) && again.status === 429)
      throw new CouldNotRun('the target limits the rate of calls');
    throw violation();
  }
}

/** Statuses that speak of the credentials of the run rather than of the target. */
const credentials = new Set([401, 402, 403, 407]);

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
  const told = received(answer.exchange);
  if (credentials.has(answer.status))
    throw new CouldNotRun(`the access token of the run is not accepted: ${told}`);
  if (isTrouble(answer)) {
    const alive =
      witness && answer.exchange.failure?.code !== 'NOT_SENT' ? await session.repeat(witness) : null;
    if (!alive || !isAccepted(alive)) throw new CouldNotRun(`the target is in trouble: ${told}`);
    const again = await session.repeat(name);
    context.exchanges.push(again.exchange.index);
    if (expectation.met(again)) return again;
    if (again.status === 429 || again.status === 503)
      throw new CouldNotRun(`the target is in trouble: ${told}`);
  }
  throw new Violation(`expected ${expectation.words} · received ${told}`);
}
