/** Judges a case by the replies to its questions, rule after rule: gives a verdict, or what to ask next. Pure. */
import { is2xx, is4xx, isPage, tellsMaximum } from '../../record/exchange.ts';
import type { AnswerClass } from '../../record/finding.ts';
import { type Answer, isAccepted } from '../target/call.ts';
import { cameUnread, hadNoConnection } from '../wire/transport-failure.ts';
import {
  type Case,
  type CaseFacts,
  caseFactsOf,
  excused,
  expectsRefusal,
  explainedOtherwise,
  failed,
  met,
  passed,
  type Reply,
  type Rule,
  type Step,
  unbuilt,
  unproved,
} from './case.ts';
import { againAfter, classify, explained, isNotThere, speaksOfQuota, transient } from './classify.ts';
import {
  baseless,
  guessed,
  hiddenToken,
  idUnknown,
  inventedNumber,
  oneTooMany,
  onlyCancelled,
  otherPath,
  ownWords,
  saidWithoutAccess,
  speaksOfUrl,
  tokenless,
  tokensUnknown,
  tokenUsedUp,
  unreachableUrl,
} from './excuses.ts';

/** Classes of a first answer that a later answer may replace. */
const replaceable: readonly AnswerClass[] = [...transient, ...explained, 'foreign'];

/** Asks once more: for the twin first, then for the call. */
function again({ of, calls, vouchedAgain }: CaseFacts): Step {
  const vouched = of.vouching === undefined || vouchedAgain.length >= calls.length;
  return { ask: vouched ? 'call again' : 'vouching again' };
}

/** Whether this answer shows that such calls are accepted; a web page with 200 may be a login, and shows nothing. */
const vouches = (answer: Answer): boolean =>
  isAccepted(answer) && (answer.named === true || !isPage(answer.text));

/** If the twin, or the step before a shared call, is refused when it is asked again, nothing is proved. */
const vouchedStill: Rule = (facts) => {
  const { of, vouchedAgain, first } = facts;
  const refused = vouchedAgain.find((answer) => !vouches(answer));
  if (!refused || of.vouching === undefined) return;
  return of.judged === 'own' ? unbuilt(of.vouching, refused) : unproved(facts, first);
};

/** A call that was never sent proves nothing. */
const sent: Rule = (facts) => (classify(facts.last) === 'unsent' ? unproved(facts, facts.last) : undefined);

/**
 * The answer is the expected one. A refusal that may have another reason, such as the access token, counts only if it
 * comes again beside an accepted twin. A call may be refused, or break, beside other people and be accepted alone because
 * its first request took nobody any more, or by chance. It is then made once more between two additions, after trouble several
 * times, and fails if these are accepted and it fares as before each time.
 */
const asExpected: Rule = (facts) => {
  const { of, calls, first, last } = facts;
  if (!met(of, last)) return;
  if (calls.length === 1)
    return of.judged === 'own' && explainedOtherwise(of, last) ? again(facts) : passed(facts, last);
  if (of.excuses?.includes('token-used-up')) return;
  const kind = classify(first);
  if (of.beside && !met(of, first) && (kind === 'refused' || (kind === 'trouble' && first.status > 0))) {
    const between = facts.all('between').map(({ answer }) => answer);
    const asBefore = between.flatMap((answer) =>
      answer && !met(of, answer) && classify(answer) === kind ? [answer] : [],
    );
    const isDone = asBefore.length === againAfter[kind].times;
    if (isDone) return failed(facts, undefined, asBefore.at(-1));
    if (asBefore.length === between.length) return { ask: 'between' };
    if (kind === 'refused') return excused(facts, 'alone', { exchange: last.exchange.index }, first);
  }
  const isShared = of.judged !== 'own' && of.blames !== 'if-accepted';
  if (isShared || met(of, first) || (of.judged === 'own' && replaceable.includes(kind)))
    return passed(facts, last);
  return excused(facts, 'two-minds', { exchange: last.exchange.index }, first);
};

/**
 * Some services put words such as "quota exceeded" into every refusal. If a call without access is refused with the
 * same words, they say nothing about this one.
 */
const saidAnyway: Rule = (facts) => {
  const { of, calls, last } = facts;
  if (calls.length > 1 || !met(of, last) || !explainedOtherwise(of, last)) return;
  if (!speaksOfQuota(last) || speaksOfQuota({ ...last, text: '' })) return;
  const said = saidWithoutAccess(facts);
  if (typeof said !== 'string') return said;
  const own = { ...last, text: ownWords(last.text, said) };
  return explainedOtherwise(of, own) ? undefined : passed(facts, last);
};

/** Where the requirement names the statuses that violate it, any other status proves nothing. */
const convicts: Rule = (facts) => {
  const { of, first, last } = facts;
  if (of.judged !== 'own' && first.guess !== undefined) return unproved(facts, first);
  if (!of.convicts || of.convicts.includes(last.status)) return;
  if (first !== last && !met(of, last))
    return excused(facts, 'two-minds', { exchange: last.exchange.index }, first);
  return first === last ? unproved(facts, last) : undefined;
};

/**
 * Refusals of types 1 to 3 are not shown, and may come with status 200. If accepted creations name a request and this
 * answer does not, it may be a refusal.
 */
const nameless: Rule = (facts) => {
  const { of, last } = facts;
  const isNamed = facts.seen('vouching')?.answer?.named === true;
  if (of.expected.is !== 'rejection' || !is2xx(last) || last.named || !isNamed) return;
  const what = 'requestId (create.requestId), which a refusal would lack';
  return excused(facts, 'lacks', { exchange: last.exchange.index, what });
};

/** The file was accepted when it was sent in another way than the profile says, so the profile may be wrong. */
const sentOtherwise: Rule = (facts) => {
  const { guess, exchange } = facts.first;
  return guess === undefined
    ? undefined
    : excused(facts, 'guess', { exchange: exchange.index, what: guess }, facts.first);
};

/** Answers that may come from a proxy or gateway and not from the target. Two in a row may be a coincidence. */
const maybeElsewhere: readonly AnswerClass[] = [...transient, 'foreign', 'redirected'];

/** The call is made again as often as `againAfter` says, or until an answer surely is the target's. */
const askedAgain: Rule = (facts) => {
  const { calls, last } = facts;
  const repeats = calls.length - 1;
  const most = Math.max(...calls.map((answer) => againAfter[classify(answer)].times));
  return repeats < most && (repeats === 0 || maybeElsewhere.includes(classify(last)))
    ? again(facts)
    : undefined;
};

/** No attempt reached the target, so the body of the call cannot be the reason. */
const connected: Rule = (facts) => {
  const { failure } = facts.last.exchange;
  return failure && hadNoConnection(failure) ? unproved(facts, facts.last) : undefined;
};

/** An answer began to come, which a hang has not: what it says is not known, and neither time nor length are stated. */
const readable: Rule = (facts) => {
  const unread = facts.calls.find(({ exchange }) => exchange.failure && cameUnread(exchange.failure));
  return unread && facts.last.exchange.failure ? unproved(facts, unread) : undefined;
};

/** A rate limit, a quota, work still going on, or a maximum, which the document shows none of, says nothing of the call. */
const limited: Rule = (facts) => {
  const { of, last } = facts;
  const isBeyond = !expectsRefusal(of.expected) && is4xx(last) && tellsMaximum(last.text);
  return isBeyond || ['rate', 'quota', 'early'].includes(classify(last)) ? unproved(facts, last) : undefined;
};

/** A shared call was refused at first, and is accepted since. */
const refusedBefore: Rule = (facts) => {
  const { of, first } = facts;
  if (!first.before || !met(of, first)) return;
  return excused(facts, 'two-minds', { exchange: first.exchange.index }, first.before);
};

/** A shared call that met trouble, or what may come from a gateway, is made once more, if the step before it still works. */
const sharedAgain: Rule = (facts) => {
  const { of, calls, first, last } = facts;
  if (!maybeElsewhere.includes(classify(first))) return;
  if (of.vouching === undefined) return unproved(facts, first);
  if (calls.length === 1) return again(facts);
  return ['rate', 'busy'].includes(classify(last)) ? unproved(facts, last) : undefined;
};

/** The row is accepted with another value that the suite may choose freely, such as another mobile number. */
const choices: Rule = (facts) => {
  if (!facts.of.choices) return;
  const taken = facts.all('choice').find(({ answer }) => answer && isAccepted(answer))?.answer;
  if (taken) return passed(facts, taken);
  return facts.exhausted('choice') ? undefined : { ask: 'choice' };
};

/**
 * A service may send or close a request a while after the first addition, and then accept nobody else. So all people
 * are added again at the same time: if somebody is still refused, the reason is the other people, and not the time.
 */
const refusedInCompany: Rule = (facts) => {
  const { of, first } = facts;
  if (!of.company) return;
  const together = facts.seen('company');
  if (!together) return { ask: 'company' };
  const { answer } = together;
  // Without an answer, this is the first row, and there are no others to add. A request that was just made cannot be
  // closed yet, so 404 is a refusal here. Trouble that comes whenever these people are together does not come by chance.
  const asOften = classify(first) === 'trouble' ? ['trouble'] : ['refused', 'not-there'];
  if (!answer || asOften.includes(classify(answer))) return;
  // A conflict may come from the others who are added at the same time. If somebody else is accepted after this one was refused,
  // the request is not closed.
  const taken = facts.all('other').some((each) => each.answer && isAccepted(each.answer));
  if (classify(answer) === 'conflict' && of.company === 'beside') {
    if (taken) return;
    if (!facts.exhausted('other')) return { ask: 'other' };
  }
  return excused(facts, 'closed-early', { exchange: answer.exchange.index }, first);
};

/**
 * Another body meets the same, and the call does once more: that is one mistake, of another requirement. Asked before the
 * many repetitions of trouble, since a service that breaks whenever something stands in a body breaks for many rows.
 */
const alike: Rule = (facts) => {
  const { of, calls, last } = facts;
  if (of.blames !== 'unless-alike' || is2xx(last)) return;
  const same = facts.all('other').find(({ answer }) => answer?.status === last.status);
  if (same && calls.length === 1) return again(facts);
  if (same) return excused(facts, 'not-accepted-either', { bodies: [same.title ?? ''] });
  return facts.exhausted('other') ? undefined : { ask: 'other' };
};

/** Other bodies, each with one difference, tell whose requirement is violated. */
const others: Rule = (facts) => {
  const { of, calls, last } = facts;
  // A shared call was accepted with another status than the stated one: its body is not the reason.
  if (!of.blames || of.blames === 'unless-alike' || (of.judged !== 'own' && is2xx(last) && !last.denied))
    return;
  const tried = facts.all('other');
  // A service may call each CallbackUrl before it accepts a body. On a busy machine that may fail, whatever else is
  // in the body.
  if (of.judged === 'own' && tried.length > 0 && speaksOfUrl(last))
    return excused(facts, 'unreachable-url', { urls: of.urls ?? [] });
  const taken = tried.find(({ answer }) => answer && isAccepted(answer));
  if (taken?.answer) {
    // The other body went to another request. The shared call may be accepted there as well.
    if (of.judged !== 'own' && of.blames === 'if-accepted' && calls.length === 1)
      return { ask: 'call again' };
    const because = { bodies: [taken.title ?? ''], exchange: taken.answer.exchange.index };
    return of.blames === 'if-accepted'
      ? failed(facts, { excuse: 'other-requirement', because })
      : excused(facts, 'other-requirement', because);
  }
  if (!facts.exhausted('other')) return { ask: 'other' };
  if (of.blames === 'unless-accepted') return;
  // No body can be accepted if nothing is at the address, or if the account is refused or limited.
  const answers = [last, ...tried.flatMap(({ answer }) => answer ?? [])];
  const whole = (each: Answer) =>
    (of.judged !== 'own' && isNotThere(each)) || ['access', 'quota', 'rate'].includes(classify(each));
  if (answers.every(whole)) return unproved(facts, last);
  const bodies = tried.flatMap(({ title }) => title ?? []);
  return excused(facts, 'not-accepted-either', { bodies });
};

const rulesOfOwnCalls: readonly Rule[] = [
  vouchedStill,
  sent,
  saidAnyway,
  asExpected,
  sentOtherwise,
  nameless,
  convicts,
  baseless,
  hiddenToken,
  tokenless,
  alike,
  askedAgain,
  connected,
  readable,
  limited,
  choices,
  unreachableUrl,
  inventedNumber,
  onlyCancelled,
  refusedInCompany,
  others,
];

/** Rules for a shared call of which only certain statuses are violations. */
const rulesOfNamedStatuses: readonly Rule[] = [asExpected, convicts, tokenUsedUp];

/** Rules for a shared call. It has no twin, only a step before it, and its failure shows in every check that builds on it. */
const rulesOfSharedCalls: readonly Rule[] = [
  refusedBefore,
  asExpected,
  guessed,
  idUnknown,
  tokensUnknown,
  otherPath,
  vouchedStill,
  sent,
  sharedAgain,
  readable,
  others,
  oneTooMany,
];

/** Rules for a shared call whose verdict depends on another body, unless the path was not found. */
const rulesOfComparison: readonly Rule[] = [asExpected, idUnknown, readable, others];

function rulesFor({ judged, blames, convicts }: Case): readonly Rule[] {
  if (judged === 'own') return rulesOfOwnCalls;
  if (convicts) return rulesOfNamedStatuses;
  return blames === 'if-accepted' ? rulesOfComparison : rulesOfSharedCalls;
}

/** What follows from the replies so far, or what to ask next. */
export function judge(of: Case, replies: readonly Reply[]): Step {
  if (of.judged === 'own' && of.vouching !== undefined) {
    const vouching = replies.find(({ asked }) => asked.ask === 'vouching');
    if (!vouching?.answer) return { ask: 'vouching' };
    if (!vouches(vouching.answer)) return unbuilt(of.vouching, vouching.answer);
  }
  if (!replies.some(({ asked }) => asked.ask === 'call')) return { ask: 'call' };
  const facts = caseFactsOf(of, replies);
  for (const rule of rulesFor(of)) {
    const step = rule(facts);
    if (step) return step;
  }
  return failed(facts);
}
