/** A case, what may be asked about it, and what was seen: all that a judgement looks at. */
import { is2xx, is4xx } from '../../record/exchange.ts';
import type { Because, Cause, ExcuseId, Expected, Found, SharedCall } from '../../record/finding.ts';
import { type Answer, isAccepted } from '../target/call.ts';
import { classify, explained, transient } from './classify.ts';
import { receivedOf, whyUnavailable } from './unavailable.ts';

/** Which call of a row is judged, and by what; rows that are judged alike share it. */
export interface Case {
  /** `own`: a call that only this row makes; else the name of a shared call, on which other checks build. */
  readonly judged: 'own' | SharedCall;
  readonly expected: Expected;
  /** The call differs from its twin only in its access token, not in its input. */
  readonly about?: 'access';
  /** The twin of a call of its own, or the step before a shared one: it has to be accepted for anything to be proved. */
  readonly vouching?: SharedCall;
  /** The only statuses that violate the requirement; where absent, every unexpected status does. */
  readonly convicts?: readonly number[];
  /**
   * Other bodies, each with one difference, tell whose requirement a refusal violates. `if-accepted`: this
   * requirement is violated if such a body is accepted, since then nothing else can be the reason. `unless-accepted`:
   * if such a body is accepted, the difference is the reason, and it has a requirement of its own. `unless-alike`: if
   * such a body, which has to be refused as well, is refused with the same wrong status, that is one mistake.
   */
  readonly blames?: 'if-accepted' | 'unless-accepted' | 'unless-alike';
  /**
   * The call is one of several that add people to a request in turn; all can be repeated on a fresh one. Where the other
   * bodies go: to a request of their own, or to that of the call.
   */
  readonly company?: 'apart' | 'beside';
  /** The call adds somebody, and can be repeated on a fresh request, between two additions that are accepted. */
  readonly beside?: boolean;
  /** The row also passes with another value that the suite may choose freely, such as another mobile number. */
  readonly choices?: boolean;
  /** Excuses that hold in this case only. */
  readonly excuses?: readonly (
    | 'invented-number'
    | 'unreachable-url'
    | 'token-used-up'
    | 'cancelled'
    | 'not-expired'
    | 'not-ended'
    | 'of-no-use'
  )[];
  /** CallbackUrls that are tried; an excuse names them. */
  readonly urls?: readonly string[];
}

/**
 * What may be asked:
 * - `call`, `call again`: the judged call; `vouching`, `vouching again`: its twin, or the step before it
 * - `choice`: the row with the next value that the suite may choose freely; `other`: the next other body
 * - `company`: the judged call and all rows before it, sent to a fresh request at the same time; gives the first
 *   refusal, or else the answer to the judged call
 * - `between`: the judged call on a fresh request, after one addition and before another; gives no answer unless both
 *   additions are accepted
 * - `basis`: a call that checks an assumption of the case: a call of another operation with the token that should
 *   have expired, the profile's call that ended an object once more, or a creation with the token of an upload
 * - `no access`: a call without an access token, whose refusal says nothing about a body
 * - `shared`: another shared call; `repeated`: the same made anew
 */
export type Question =
  | { readonly ask: Own | Other }
  | { readonly ask: 'shared' | 'repeated'; readonly call: SharedCall };

type Own = 'call' | 'call again' | 'vouching' | 'vouching again';
type Other = 'choice' | 'other' | 'company' | 'between' | 'basis' | 'no access';

/** A question and its answer; `null` where there was nothing (more) to ask. */
export interface Reply {
  readonly asked: Question;
  readonly answer: Answer | null;
  readonly title?: string;
}

/** What follows from all that was asked. */
export interface Judged {
  readonly verdict: 'passed' | 'failed' | 'could-not-run';
  readonly found: Found;
  /** The answers that the finding refers to. */
  readonly answers: readonly Answer[];
  /** The answer that was as expected, from which more may be read. */
  readonly answer?: Answer;
  /** The finding in words, where there are only words. */
  readonly said?: string;
}

export type Step = Judged | Question;

export interface CaseFacts {
  readonly of: Case;
  /** Answers to the judged call, in order. */
  readonly calls: readonly Answer[];
  readonly first: Answer;
  readonly last: Answer;
  /** Answers to the vouching call when it was repeated. */
  readonly vouchedAgain: readonly Answer[];
  /** What came of the first question of a kind, once it was asked. */
  readonly seen: (ask: Question['ask'], call?: SharedCall) => Reply | undefined;
  readonly all: (ask: Question['ask']) => readonly Reply[];
  /** Whether a question of a kind got no answer, so that there is no more to ask. */
  readonly exhausted: (ask: Question['ask']) => boolean;
  readonly answers: readonly Answer[];
}

/** Looks at a case, and gives a verdict or the next question; `undefined` leaves it to the next rule. */
export type Rule = (facts: CaseFacts) => Step | undefined;

/** @param replies with an answer to the judged call in it */
export function caseFactsOf(of: Case, replies: readonly Reply[]): CaseFacts {
  const all = (ask: Question['ask']) => replies.filter(({ asked }) => asked.ask === ask);
  const answersOf = (ask: Question['ask']) => all(ask).flatMap(({ answer }) => answer ?? []);
  const calls = [...answersOf('call'), ...answersOf('call again')];
  const [first] = calls;
  const last = calls.at(-1);
  if (!first || !last) throw new Error('nothing is judged before the call was made');
  return {
    of,
    calls,
    first,
    last,
    vouchedAgain: answersOf('vouching again'),
    seen: (ask, call) => all(ask).find(({ asked }) => !('call' in asked) || asked.call === call),
    all,
    exhausted: (ask) => all(ask).some(({ answer }) => answer === null),
    answers: replies.flatMap(({ answer }) => answer ?? []),
  };
}

/** Whether an answer is what was expected. An upload is accepted when it gives a token. */
export function met({ judged, expected }: Case, answer: Answer): boolean {
  const { status } = answer;
  switch (expected.is) {
    case 'status':
      return status === expected.status && !(answer.denied && expected.status === 200);
    case 'success':
      return judged === 'own' ? isAccepted(answer) : is2xx(answer) && !answer.denied;
    case 'refusal':
      return is4xx({ status }) && status !== 429;
    // The document states no status for what endpoints 2 and 3 and uploads reject.
    case 'rejection':
      return answer.denied || (status >= 300 && status < 500 && status !== 429);
    case 'no-token':
      return !transient.includes(classify(answer)) && !isAccepted(answer);
    default:
      throw new Error(`${expected.is} is read from an answer, and no answer of a call is that`);
  }
}

export function expectsRefusal(expected: Expected): boolean {
  return expected.is !== 'success' && !(expected.is === 'status' && expected.status < 300);
}

/**
 * Whether an answer seems to have another reason than what the case is about: a refusal that speaks of the account,
 * a redirect to a login, or the page of a login.
 */
export function explainedOtherwise({ about, expected }: Case, answer: Answer): boolean {
  const own = classify(answer);
  if (own === 'foreign') return true;
  if (!expectsRefusal(expected)) return false;
  if (answer.doubted) return true;
  const ofAccess = own === 'access' || own === 'redirected';
  return ofAccess ? about !== 'access' : explained.includes(own);
}

const twinOf = ({ of, seen }: CaseFacts) => {
  const twin = of.judged === 'own' ? seen('vouching')?.answer : undefined;
  return twin ? { twin: twin.exchange.index } : {};
};

function outcomeOf(facts: CaseFacts, answer: Answer): Found {
  return { expected: facts.of.expected, received: receivedOf(answer), ...twinOf(facts) };
}

export function passed(facts: CaseFacts, answer: Answer): Judged {
  return { verdict: 'passed', found: outcomeOf(facts, answer), answers: facts.answers, answer };
}

/** @param cause what else was tried and points at the requirement */
export function failed(facts: CaseFacts, cause?: Cause, answer = facts.last): Judged {
  return { verdict: 'failed', found: { ...outcomeOf(facts, answer), cause }, answers: facts.answers };
}

/** The answer is not the expected one, and yet nothing is proved. */
export function excused(facts: CaseFacts, excuse: ExcuseId, because: Because, answer = facts.last): Judged {
  return undecided({ ...outcomeOf(facts, answer), cause: { excuse, because } }, facts.answers);
}

export function undecided(found: Found, answers: readonly Answer[]): Judged {
  return { verdict: 'could-not-run', found, answers };
}

/** Nothing is proved, since a shared call that the case needs was not accepted. */
export function unbuilt(call: SharedCall, answer: Answer): Judged {
  return undecided({ cause: whyUnavailable(call, answer) }, [answer]);
}

/** Nothing is proved, for the reason that the class of the answer gives. */
export function unproved({ of, answers }: CaseFacts, answer: Answer): Judged {
  const own = { answer: classify(answer), of: answer.exchange.index };
  return undecided({ cause: of.judged === 'own' ? own : whyUnavailable(of.judged, answer) }, answers);
}

/** As `excused`, for a shared call; the excuse names that call. */
export function excusedShared(facts: CaseFacts, excuse: ExcuseId, answer = facts.last): Judged {
  const { of, first } = facts;
  const call = of.judged === 'own' ? undefined : of.judged;
  return excused(facts, excuse, { exchange: first.exchange.index, call }, answer);
}
