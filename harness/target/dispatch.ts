/** Sends a call of a run, again where that is safe and has a reason, and records the answer; in a replay takes it from the recording. */
import { monotonicMs } from '../../record/clock.ts';
import { type Exchange, is2xx } from '../../record/exchange.ts';
import type { Profile } from '../profile/schema.ts';
import type { Recorder } from '../recording/recorder.ts';
import { type Place, type Scope, scopeOf } from '../untrusted/place.ts';
import { textOf } from '../untrusted/text.ts';
import type { HttpOutcome, HttpRequest, HttpSender } from '../wire/http.ts';
import { type AskedCall, type PlayedCall, readsMailbox, type Tape } from '../wire/tape.ts';
import { isFinal } from '../wire/transport-failure.ts';
import { authorizationValue, bearerOf, endsToken } from './access/authorization.ts';
import type { AccessTokens } from './access/tokens.ts';
import { recordAnswer } from './answers/answer-record.ts';
import type { IssuedIds } from './answers/issued-ids.ts';
import type { ResultCodes } from './answers/result-codes.ts';
import { BreakerOpen, type Budget } from './budgets/calls.ts';
import { EarlyAnswers, type SentCall } from './budgets/early.ts';
import {
  forAll,
  leaveAlone,
  locks,
  mayHaveArrived,
  type Patience,
  type Resending,
  repeatAfter,
  statusOf,
  timingOf,
} from './budgets/retry.ts';
import type { Answer, Authorization, Creation, Journal } from './call.ts';
import { isTarget, requestOf } from './outgoing.ts';

export interface DispatchParts {
  readonly profile: Profile;
  readonly sender: Pick<HttpSender, 'send'>;
  readonly budget: Budget;
  readonly tokens: AccessTokens;
  readonly recorder: Recorder;
  /** Absent where no later command cleans up. */
  readonly journal?: Journal;
  /** Keeps the calls of this run, or plays those of a recording. */
  readonly tape?: Tape;
  /** Gives an expired token, or undefined when the profile has no way to one. */
  readonly expiredToken: () => Promise<string | undefined>;
}

/** What the run has learned of its target. */
interface Learned {
  readonly issued: IssuedIds;
  readonly codes: ResultCodes;
  readonly patience: Patience;
  /** Where the token of an upload stands. */
  readonly tokenPlace: Place;
}

interface Sending extends Pick<SentCall, 'graceMs' | 'ended' | 'validated'> {
  /** The request without the Authorization header, which each attempt gets anew. */
  readonly draft: HttpRequest;
  /** Statuses that count as an answer and not as trouble, even 429 and 5xx. */
  readonly refuse?: readonly number[];
  /** What the call would create; absent for a call that is not of the contract. */
  readonly creation?: Creation;
  readonly authorization: Authorization;
  /** Takes another signature request from the budget: the call was accepted, and is made again. */
  readonly again?: () => Promise<void>;
  readonly about: Pick<Exchange, 'operation' | 'purpose' | 'template' | 'check' | 'row'>;
  /** The exchange that created the request that the call is for. It is no part of the key of the call in a recording. */
  readonly madeFor?: number;
  readonly learn?: Learn;
  /** The file that an upload carries, in base64. */
  readonly file?: string;
}

/** Sees an answer before it is recorded, so that secrets in it can be registered. */
export type Learn = (answer: Scope) => void;

export class Dispatch {
  readonly #parts: DispatchParts;
  readonly #learned: Learned;
  readonly #bodies = new WeakMap<Answer, Buffer>();
  readonly #early = new EarlyAnswers();
  /** Whether the access token was refused, and has not been accepted since. */
  #doubted = false;
  /** Whether the target has taken no call because another one of the account was at work. */
  #locksAccount = false;

  constructor(parts: DispatchParts, learned: Learned) {
    this.#parts = parts;
    this.#learned = learned;
  }

  /** The body of an answer as bytes. Kept here and not in the answer, since answers also travel to workers. */
  bytesOf(answer: Answer): Uint8Array {
    return this.#bodies.get(answer) ?? Buffer.alloc(0);
  }

  /** Trouble on the way is an answer with status 0, no exception. @throws TokenError when there is no access token */
  async send(sending: Sending): Promise<Answer> {
    const answer = await this.#answerTo(sending);
    if (sending.about.operation !== null) this.#early.noteIds(answer.ids);
    return answer;
  }

  async #answerTo(sending: Sending): Promise<Answer> {
    // Getting an expired token may need a call, so it is done before this call takes its place in the budget.
    if (sending.authorization === 'expired') await this.#expiredToken();
    const play = this.#parts.tape?.play;
    if (play) return this.#played(sending, play).catch((error: unknown) => this.#unsent(sending, error));
    // The calls of a flow go first, since its next step waits for each; the calls of checks do not wait for each other.
    const ofFlow = sending.about.purpose === 'flow' || sending.about.purpose === 'template';
    return this.#parts.budget
      .run(() => this.#attempts(sending), ofFlow)
      .catch((error: unknown) => this.#unsent(sending, error));
  }

  /** Answers from a recording, with everything that the recorded run read from the call. */
  async #played(sending: Sending, play: NonNullable<Tape['play']>): Promise<Answer> {
    // After an interrupt a replay asks for nothing any more either: mailboxes would be looked into for as long as messages are awaited.
    this.#parts.budget.assertSends();
    const value = await this.#authorization(sending.authorization);
    const request = requestOf(sending.draft, this.#parts.profile.address, value);
    for (;;) {
      const index = this.#begun(sending, request);
      const played = await play(this.#asked(sending, request, value));
      const answer = this.#recorded(index, sending, request, played.outcome, played);
      if (!played.again) return answer;
    }
  }

  #authorization(authorization: Authorization): Promise<string | null> {
    return authorizationValue(authorization, this.#parts.tokens, () => this.#expiredToken());
  }

  /** A call as it is kept and found in a recording. */
  #asked({ about, madeFor }: Sending, request: HttpRequest, authorization: string | null): AskedCall {
    const { recorder } = this.#parts;
    return {
      about,
      flow: about.row ?? (madeFor === undefined ? undefined : recorder.exchanges[madeFor]?.row),
      request,
      authorization: authorization === null ? '' : recorder.text(authorization),
    };
  }

  /** Sends a call, and again as long as there is a reason to. */
  async #attempts(sending: Sending): Promise<Answer> {
    const { budget, sender, journal } = this.#parts;
    const startedMs = performance.now();
    const before: Resending[] = [];
    let renewed: string | undefined;
    let noted: (() => void) | undefined;
    let index: number | undefined;
    for (;;) {
      // The note of the attempt before, when the call is sent again.
      noted?.();
      // The access token is fetched after the wait, since it may expire while the call waits for its turn.
      await budget.pace();
      const value = renewed ? `Bearer ${renewed}` : await this.#authorization(sending.authorization);
      const request = requestOf(sending.draft, this.#parts.profile.address, value);
      const startedAt = new Date().toISOString();
      noted = sending.creation && journal?.sending(sending.creation);
      // A call that is sent again keeps its index.
      index ??= this.#begun(sending, request, startedAt);
      const startMs = monotonicMs();
      const outcome = await sender.send(request);
      const at = { startMs, endMs: monotonicMs() };
      const sent = { ...sending, request, startedMs };
      const again =
        this.#notTaken(sending, request, outcome, before) ??
        (renewed === undefined ? await this.#renewed(sending, outcome, bearerOf(value)) : null) ??
        this.#early.resendingOf(sent, outcome, before.length);
      // A success that is repeated (`ended`) has created something, so it is kept on the tape too.
      if (!again || again.because === 'ended') {
        const played = { outcome, timing: timingOf(startedAt, at, before), at, again: again !== null };
        this.#parts.tape?.keep({ ...this.#asked(sending, request, value), ...played });
        const answer = this.#recorded(index, sending, request, outcome, played);
        if (!again) {
          this.#early.noteAnswer(sent, outcome);
          if (!mayHaveArrived(outcome)) noted?.();
          return answer;
        }
        index = undefined;
        await sending.again?.();
      }
      renewed = again.token ?? renewed;
      before.push(again);
      if (again.pauseMs > 0) await budget.away(again.pauseMs);
    }
  }

  /** The reason to send a call again that was not processed. Tells the budget how the target fares. */
  #notTaken(
    { refuse = [], about }: Sending,
    request: HttpRequest,
    outcome: HttpOutcome,
    before: readonly Resending[],
  ): Resending | null {
    const repeats = before.filter(({ because }) => because === 'not-taken').length;
    const status = statusOf(outcome);
    const what = 'response' in outcome ? String(status) : outcome.failure.message;
    const again = (pauseMs: number | null): Resending | null =>
      pauseMs === null ? null : { status, because: 'not-taken', pauseMs, what };
    // Whoever answers behind a link of a stranger tells nothing about the target, and nobody else waits for them.
    if (request.elsewhere)
      return refuse.includes(status) ? null : again(repeatAfter(request, outcome, repeats));
    const { budget } = this.#parts;
    if (refuse.includes(status)) {
      this.#learned.patience.answered();
      budget.answered();
      return null;
    }
    this.#learned.patience.saw(outcome);
    const pauseMs = this.#learned.patience.forRepeats ? repeatAfter(request, outcome, repeats) : null;
    if ('response' in outcome) budget.answered();
    else budget.failed(outcome.failure.message, isFinal(outcome.failure) && pauseMs === null);
    // A mailbox of others may ask for longer than a run can wait: then no message can be read, and everything else goes on.
    const isOthers = readsMailbox(about) && !isTarget(request.url, this.#parts.profile.address);
    const asked = isOthers ? null : leaveAlone(outcome);
    if (asked) budget.giveUp(asked);
    if (pauseMs === null) return null;
    // A lock that keeps back calls that name no request yet is one of the whole account.
    this.#locksAccount ||= locks.includes(status) && ![null, 'addSignatory'].includes(about.operation);
    if (forAll.includes(status) || (this.#locksAccount && locks.includes(status))) budget.pause(pauseMs);
    return again(pauseMs);
  }

  /** The reason to send a call again whose access token has expired, when there is a new token. */
  async #renewed(sending: Sending, outcome: HttpOutcome, token: string): Promise<Resending | null> {
    if (sending.authorization !== 'valid') return null;
    const { tokens } = this.#parts;
    const status = statusOf(outcome);
    if (is2xx({ status })) this.#doubted = false;
    if (!endsToken(outcome, sending.about.operation)) {
      if (status !== 0) tokens.took(token);
      return null;
    }
    const renewed = await tokens.after(token);
    this.#doubted = renewed === undefined;
    if (renewed === undefined) return null;
    return { status, because: 'token', pauseMs: 0, what: String(status), token: renewed };
  }

  async #expiredToken(): Promise<string> {
    const token = await this.#parts.expiredToken();
    if (token === undefined) throw new Error('an expired token was asked for that nobody has');
    return token;
  }

  /** The answer of a call that was not sent because the target is gone. */
  #unsent(sending: Sending, error: unknown): Answer {
    if (!(error instanceof BreakerOpen)) throw error;
    const failure = { code: 'NOT_SENT', message: `not sent: ${error.message}` };
    const timing = { startedAt: new Date().toISOString(), durationMs: 0, retries: [] };
    const now = monotonicMs();
    const at = { startMs: now, endMs: now };
    const index = this.#begun(sending, sending.draft, timing.startedAt);
    return this.#recorded(index, sending, sending.draft, { failure }, { timing, at });
  }

  /** The index of a call that is sent now. */
  #begun(sending: Sending, request: HttpRequest, startedAt = new Date().toISOString()): number {
    const about = { ...shownOf(sending), startedAt, durationMs: 0, retries: [] };
    return this.#parts.recorder.begin({ request, about });
  }

  #recorded(
    index: number,
    sending: Sending,
    request: HttpRequest,
    outcome: HttpOutcome,
    { timing, at }: Pick<PlayedCall, 'timing' | 'at'>,
  ): Answer {
    const { recorder, profile } = this.#parts;
    const { validated, learn, file } = sending;
    if (learn && 'response' in outcome) {
      const { headers, body } = outcome.response;
      learn(scopeOf({ headers, text: textOf(headers, body) }));
    }
    const about = { ...shownOf(sending), ...timing };
    const { issued, codes } = this.#learned;
    const parts = { index, request, outcome, about, validated, issued, codes, file };
    const recorded = recordAnswer(recorder, profile, this.#learned.tokenPlace, parts);
    const answer: Answer = { ...recorded, at, doubted: this.#doubted || undefined };
    if ('response' in outcome) this.#bodies.set(answer, outcome.response.body);
    return answer;
  }
}

/** What is recorded of a call besides itself; one that reads a mailbox belongs to no request. */
function shownOf({ about, madeFor }: Sending) {
  return madeFor === undefined || readsMailbox(about) ? about : { ...about, madeFor };
}
