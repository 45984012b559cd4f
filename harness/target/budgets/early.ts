/** Which calls are sent again because they came too early: before the target knew an object, or noticed that it has ended. */
import { message } from '../../../openapi/codes.ts';
import { type Exchange, is2xx, is4xx } from '../../../record/exchange.ts';
import { percentDecoded } from '../../untrusted/text.ts';
import type { HttpOutcome } from '../../wire/http.ts';
import { type Ids, isUnshown } from '../call.ts';
import { type Resending, statusOf, underWay } from './retry.ts';

/** Statuses that may refuse an unknown document token with types 1 to 3, for which none is shown. */
const refusals = new Set([400, 409, 422]);
/** A refusal in stated words shows that the operation is there: its ids, if too new, get this multiple of the grace. */
const toldFactor = 3;
const statedMessages = new RegExp(
  `${message.documentNotFound}|${message.requestNotFound}`.replaceAll(' ', '[ _-]?'),
  'i',
);
/** The first pause; each is twice as long as the one before. */
const firstPauseMs = 100;

/** The facts about a call that decide whether its answer came too early. */
export interface SentCall {
  readonly about: Pick<Exchange, 'operation' | 'template'>;
  readonly request: { readonly url: URL; readonly body: Buffer | null };
  /** How long the target may need to know of an object that was made or ended a moment ago, in milliseconds. */
  readonly graceMs: number;
  /** The call should show that something has ended. As long as the target has not noticed that, the call succeeds. */
  readonly ended: boolean;
  /** Whether the answer, if it is a success, has to keep to the contract. */
  readonly validated: boolean;
  /** By `performance.now()`. */
  readonly startedMs: number;
}

/** Decides whether an answer came too early. What the run learned from one call holds for all calls of that kind. */
export class EarlyAnswers {
  /** When ids were first given, by `performance.now()`. */
  readonly #givenMs = new Map<string, number>();
  /** Kinds of calls that were accepted once. */
  readonly #accepted = new Set<string>();
  /** Kinds of calls that were refused to the end of the grace before any was accepted: they are not waited for again. */
  readonly #refused = new Set<string>();

  noteIds({ documentToken, requestId, signatoryId }: Ids): void {
    const now = performance.now();
    for (const id of [documentToken, requestId, signatoryId]) {
      // Adding a signatory answers with the id of its request once more; the first time counts.
      if (id && !this.#givenMs.has(id)) this.#givenMs.set(id, now);
    }
  }

  /**
   * The reason to send a call again whose answer may have come too early; `null` when the answer counts. A call about an
   * ended object is early while it succeeds. Any other call is early while it is refused and names an id, or a document
   * token in its body, from within the grace. One operation may know an id before another one does.
   */
  resendingOf(sent: SentCall, outcome: HttpOutcome, times: number): Resending | null {
    const status = statusOf(outcome);
    const { ended, startedMs } = sent;
    const isEarly = ended ? is2xx({ status }) : refusesUnknown(sent, outcome);
    if (!isEarly || this.#refused.has(kindOf(sent))) return null;
    const givenMs = ended ? undefined : this.#newestIdMs(sent);
    const sinceMs = ended || status === 404 ? (givenMs ?? startedMs) : givenMs;
    if (sinceMs === undefined) return null;
    const isTold = givenMs !== undefined && says(outcome, statedMessages, underWay);
    const graceMs = isTold ? toldFactor * sent.graceMs : sent.graceMs;
    const leftMs = graceMs - (performance.now() - sinceMs);
    if (leftMs <= 0) return null;
    return {
      status,
      because: ended ? 'ended' : 'early',
      pauseMs: Math.min(firstPauseMs * 2 ** times, Math.max(1, leftMs)),
      what: `${status} for ${ended ? 'what was ended a moment ago' : 'an id made a moment ago'}`,
    };
  }

  /** Notes the answer that counts. */
  noteAnswer(sent: SentCall, outcome: HttpOutcome): void {
    const kind = kindOf(sent);
    if (is2xx({ status: statusOf(outcome) })) {
      this.#accepted.add(kind);
      this.#refused.delete(kind);
      return;
    }
    const wasAwaited = sent.validated && sent.graceMs > 0 && refusesUnknown(sent, outcome);
    if (wasAwaited && !this.#accepted.has(kind)) this.#refused.add(kind);
  }

  /** When the newest of the ids that a call names was given. */
  #newestIdMs({ request: { url, body } }: SentCall): number | undefined {
    const path = url.pathname.split('/').map(percentDecoded);
    const text = body?.toString('utf8') ?? '';
    const named = [...this.#givenMs].filter(([id]) => path.includes(id) || text.includes(JSON.stringify(id)));
    return named.length > 0 ? Math.max(...named.map(([, ms]) => ms)) : undefined;
  }
}

const says = (outcome: HttpOutcome, ...words: readonly RegExp[]) =>
  'response' in outcome && words.some((each) => each.test(outcome.response.body.toString()));

/** Whether an answer may say that the target does not know an object of the call, or not yet. */
function refusesUnknown({ about: { operation }, ended }: SentCall, outcome: HttpOutcome): boolean {
  if (ended) return false;
  const status = statusOf(outcome);
  if (status === 404 || (is4xx({ status }) && says(outcome, underWay))) return true;
  return isUnshown(operation) && refusals.has(status);
}

/** The operation, with the type where one path has several. */
function kindOf({ about, request: { url } }: SentCall): string {
  return `${about.operation ?? about.template} ${url.searchParams.get('type')}`;
}
