/** Decides whether an answer is what every compliant service gives, and never takes trouble for a violation. */

import { message } from '../../openapi/codes.ts';
import type { CouldNotRun } from '../../record/errors.ts';
import type { Purpose } from '../../record/exchange.ts';
import type { ExcuseId, Expected, SharedCall } from '../../record/finding.ts';
import { isStray } from '../target/answers/stray.ts';
import { type Answer, is2xx, isAccepted, isConflict, isTrouble } from '../target/call.ts';
import { type RowContext, Violation } from './check.ts';
import { placeOfMessage } from './message.ts';
import type { Session } from './session.ts';
import {
  blamesAccount,
  couldNotRun,
  receivedOf,
  refersTo,
  twoMinds,
  unavailable,
  violation,
} from './unavailable.ts';

/**
 * What a refusal has to look like: the status that the document states, or any `4xx` where it states that a
 * call is not accepted but not how.
 */
export type Refusal = 400 | 401 | 404 | '4xx' | Expectation;

/** An outcome as data and as a test of an answer. */
export interface Expectation {
  readonly expected: Expected;
  readonly met: (answer: Answer) => boolean;
}

/** How a row sends its call; called again when an outcome has to be confirmed. */
export type Send = (purpose: Purpose) => Promise<Answer>;

const accepted: Expectation = { expected: { is: 'success' }, met: is2xx };
/** The same where it is known how an accepted call is answered: an upload with a document token. */
const acceptedAsTwin: Expectation = { expected: { is: 'success' }, met: isAccepted };

/**
 * Endpoints 2 and 3 answer a success with 200, and no status is shown for what they reject: whatever is no
 * success is a rejection, a redirection to a login page included.
 */
export const rejected: Expectation = {
  expected: { is: 'rejection' },
  met: ({ status }) => status >= 300 && status < 500 && status !== 429,
};

/** An upload is rejected when it gives no token: neither its error statuses nor its success status are shown. */
export const rejectedUpload: Expectation = {
  expected: { is: 'no-token' },
  met: (answer) => answer.status !== 0 && !isTrouble(answer) && !isAccepted(answer),
};

/** Status 200 where the document states it. */
export const status200: Expectation = {
  expected: { is: 'status', status: 200 },
  met: ({ status }) => status === 200,
};

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
    return {
      expected: { is: 'refusal' },
      met: ({ status }) => status >= 400 && status < 500 && status !== 429,
    };
  }
  return { expected: { is: 'status', status: refusal }, met: ({ status }) => status === refusal };
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
      throw unavailable(this.#twin, twin);
    }
    context.found = { expected: expectation.expected, twin: twin.exchange.index };
    const answer = await send('judged');
    context.exchanges.push(answer.exchange.index);
    if (expectation.met(answer)) return decided(context, answer);
    if (isAccepted(answer) && !isStray(answer)) throw unmetBy(expectation, answer, context);
    if (answer.documentToken && 'missing' in answer.documentToken && answer.documentToken.hidden) {
      const because = { exchange: answer.exchange.index, what: answer.documentToken.missing };
      throw couldNotRun({ ...context.found, cause: { excuse: 'hidden-token', because } }, answer);
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
        throw unavailable(this.#twin, twin);
      }
      last = await send('confirmation');
      context.exchanges.push(last.exchange.index);
      if (expectation.met(last)) {
        if (isTrouble(first) || isConflict(first)) return decided(context, last);
        throw twoMinds(expectation.expected, first, last);
      }
      // Plain words, whatever the trouble was before.
      if (!isTrouble(last)) break;
    }
    assertSent(last);
    if (last.status === 429) throw refersTo(last);
    throw unmetBy(expectation, last, context);
  }
}

function confirmationsAfter(answer: Answer): number {
  if (!isTrouble(answer)) return confirmations;
  return answer.exchange.failure?.code === 'DEADLINE' ? confirmationsOfHang : confirmationsOfTrouble;
}

function unmetBy({ expected }: Expectation, answer: Answer, { found }: RowContext): Violation {
  return violation({ ...found, expected, received: receivedOf(answer) }, answer);
}

function decided(context: RowContext, answer: Answer): Answer {
  context.found = { ...context.found, received: receivedOf(answer) };
  return answer;
}

/** An answer that a check needs but does not judge: what is wrong with it is another requirement. */
export async function needed(made: Promise<Answer>, lacking: () => string): Promise<Answer> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof Violation) {
      const { expected, received } = error.found;
      const finding = { ...(expected ? { expected } : {}), ...(received ? { received } : {}) };
      throw couldNotRun({ cause: { finding, lacking: lacking() } }, ...error.answers);
    }
    throw error;
  }
}

/** @throws CouldNotRun when nothing was sent, because the target is taken as gone */
function assertSent(answer: Answer): void {
  if (answer.exchange.failure?.code === 'NOT_SENT') throw refersTo(answer);
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
    throw unavailable(name, answer);
  }
  // That the request is found by its id is a requirement of its own.
  if (name === 'signatory' && answer.status === 404) throw unavailable(name, answer);
  if (creations.includes(name)) await assertTokenTaken(session, name, answer);
  const other = otherPath[name];
  if (other && notThere.has(answer.status) && is2xx(await session.shared(other))) {
    throw excused('other-path', name, answer);
  }
  if (!isTrouble(answer)) throw unmetBy(expectation, answer, context);
  const alive =
    witness && answer.exchange.failure?.code !== 'NOT_SENT' ? await session.repeat(witness) : null;
  if (!alive || !isAccepted(alive)) throw unavailable(name, answer);
  const again = await session.repeat(name);
  context.exchanges.push(again.exchange.index);
  if (expectation.met(again)) return again;
  assertSent(again);
  if (again.status === 429 || again.status === 503) throw unavailable(name, again);
  throw unmetBy(expectation, again, context);
}

function excused(excuse: ExcuseId, call: SharedCall, answer: Answer): CouldNotRun {
  const because = { exchange: answer.exchange.index, call };
  return couldNotRun({ cause: { excuse, because } }, answer);
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
  throw excused('tokens-unknown', name, answer);
}

/** Judges that the token of an upload is known where a request is created: the answer is not 404. */
export async function judgeTokenTaken(session: Session, context: RowContext): Promise<void> {
  const answer = await session.shared('skeleton');
  context.exchanges.push(answer.exchange.index);
  if (is2xx(answer)) return;
  if (answer.status !== 404 || answer.guess !== undefined) {
    throw unavailable('skeleton', answer);
  }
  // The shared token may have been used before: how often one can be used is not shown.
  const anew = await session.repeat('skeleton');
  context.exchanges.push(anew.exchange.index);
  if (!is2xx(anew)) throw unmetBy(accepted, answer, context);
  throw excused('token-used-up', 'skeleton', answer);
}

/** Judges that a request is found by its id: the shared signatory is not answered with 404. */
export async function judgeFound(session: Session, context: RowContext): Promise<void> {
  const answer = await session.shared('signatory');
  context.exchanges.push(answer.exchange.index);
  if (is2xx(answer)) return;
  if (answer.status === 404) throw unmetBy(accepted, answer, context);
  throw unavailable('signatory', answer);
}
