/** Judges a case by the evidence, rule after rule: gives a verdict, or what to ask next. Pure. */

import { is2xx, is4xx, isPage, tellsMaximum } from '../../record/exchange.ts';
import type { AnswerClass } from '../../record/finding.ts';
import { type Answer, isAccepted } from '../target/call.ts';
import { hadNoConnection } from '../wire/transport-failure.ts';
import {
  type Case,
  type CaseFacts,
  caseFactsOf,
  type Evidence,
  excused,
  expectsRefusal,
  explainedOtherwise,
  failed,
  met,
  passed,
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

/** Once more: the twin first, then the call. */
function again({ of, calls, vouchedAgain }: CaseFacts): Step {
  const vouched = of.vouching === undefined || vouchedAgain.length >= calls.length;
  return { ask: vouched ? 'call again' : 'vouching again' };
}

/** An accepted call vouches for another one; a page may be a login, which says nothing of the service. */
const vouches = (answer: Answer): boolean =>
  isAccepted(answer) && (answer.named === true || !isPage(answer.text));

/** The twin, or the step before a shared call, is not accepted any more: then nothing is proved. */
const vouchedStill: Rule = (facts) => {
  const { of, vouchedAgain, first } = facts;
  const refused = vouchedAgain.find((answer) => !vouches(answer));
  if (!refused || of.vouching === undefined) return;
  return of.judged === 'own' ? unbuilt(of.vouching, refused) : unproved(facts, first);
};

/** Nothing was sent. */
const sent: Rule = (facts) => (classify(facts.last) === 'unsent' ? unproved(facts, facts.last) : undefined);

/**
 * The answer is the expected one. A refusal that another reason may explain, such as the access token, counts only when
 * it comes again beside an accepted twin. A call that was refused beside other people and is accepted alone may have met a
 * request that takes nobody any more: it is made once more between two additions, and fails if these two are accepted and
 * it is refused.
 */
const asExpected: Rule = (facts) => {
  const { of, calls, first, last } = facts;
  if (!met(of, last)) return;
  if (calls.length === 1) {
    return of.judged === 'own' && explainedOtherwise(of, last) ? again(facts) : passed(facts, last);
  }
  if (of.excuses?.includes('token-used-up')) return;
  const isShared = of.judged !== 'own' && of.blames !== 'if-accepted';
  if (isShared || met(of, first) || (of.judged === 'own' && replaceable.includes(classify(first))))
    return passed(facts, last);
  if (of.beside && classify(first) === 'refused') {
    const between = facts.seen('between');
    if (!between) return { ask: 'between' };
    const { answer } = between;
    if (answer && !met(of, answer) && classify(answer) === 'refused') return failed(facts, undefined, answer);
  }
  return excused(facts, 'two-minds', { exchange: last.exchange.index }, first);
};

/** Words such as "quota exceeded" say nothing where a call without access is refused with them, too: they stand in every refusal. */
const saidAnyway: Rule = (facts) => {
  const { of, calls, last } = facts;
  if (calls.length > 1 || !met(of, last) || !explainedOtherwise(of, last)) return;
  if (!speaksOfQuota(last) || speaksOfQuota({ ...last, text: '' })) return;
  const said = saidWithoutAccess(facts);
  if (typeof said !== 'string') return said;
  const own = { ...last, text: ownWords(last.text, said) };
  return explainedOtherwise(of, own) ? undefined : passed(facts, last);
};

/** The status of the answer is none of those that violate the requirement. */
const convicts: Rule = (facts) => {
  const { of, first, last } = facts;
  if (of.judged !== 'own' && first.guess !== undefined) return unproved(facts, first);
  if (!of.convicts || of.convicts.includes(last.status)) return;
  if (first !== last && !met(of, last)) {
    return excused(facts, 'two-minds', { exchange: last.exchange.index }, first);
  }
  return first === last ? unproved(facts, last) : undefined;
};

/** Refusals of types 1 to 3 are not shown: an answer that names no request, where accepted ones do, may be a refusal with 200. */
const nameless: Rule = (facts) => {
  const { of, last } = facts;
  const isNamed = facts.seen('vouching')?.answer?.named === true;
  if (of.expected.is !== 'rejection' || !is2xx(last) || last.named || !isNamed) return;
  const what = 'requestId (create.requestId), which a refusal would lack';
  return excused(facts, 'lacks', { exchange: last.exchange.index, what });
};

/** A file is taken when it is sent in another way than the profile's. */
const sentOtherwise: Rule = (facts) => {
  const { guess, exchange } = facts.first;
  return guess === undefined
    ? undefined
    : excused(facts, 'guess', { exchange: exchange.index, what: guess }, facts.first);
};

/** Classes of answers that may come from something on the way to the target, so that two in a row may be a coincidence. */
const maybeElsewhere: readonly AnswerClass[] = [...transient, 'foreign', 'redirected'];

/** A call of its own is asked for again as often as the table says, and no more once it is answered plainly. */
const askedAgain: Rule = (facts) => {
  const { calls, last } = facts;
  const repeats = calls.length - 1;
  const most = Math.max(...calls.map((answer) => againAfter[classify(answer)].times));
  return repeats < most && (repeats === 0 || maybeElsewhere.includes(classify(last)))
    ? again(facts)
    : undefined;
};

/** No connection came about, however often it was tried: the call cannot be the reason. */
const connected: Rule = (facts) => {
  const { failure } = facts.last.exchange;
  return failure && hadNoConnection(failure) ? unproved(facts, facts.last) : undefined;
};

/**
 * A limit of the pace, something used up, or something that is still at work, says nothing about the call, nor does a
 * maximum, which no document shows.
 */
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

/** A shared call that met trouble is asked for once more, if an earlier step still works. */
const sharedAgain: Rule = (facts) => {
  const { of, calls, first, last } = facts;
  if (!transient.includes(classify(first))) return;
  if (of.vouching === undefined) return unproved(facts, first);
  if (calls.length === 1) return again(facts);
  return ['rate', 'busy'].includes(classify(last)) ? unproved(facts, last) : undefined;
};

/** The same row with another choice of ours is accepted. */
const choices: Rule = (facts) => {
  if (!facts.of.choices) return;
  const taken = facts.all('choice').find(({ answer }) => answer && isAccepted(answer))?.answer;
  if (taken) return passed(facts, taken);
  return facts.exhausted('choice') ? undefined : { ask: 'choice' };
};

/**
 * A request may be sent or closed a while after the first addition, and then takes nobody. A person who is refused because
 * of the others is refused, too, when all are added at the same time.
 */
const refusedInCompany: Rule = (facts) => {
  const { of, first } = facts;
  if (!of.company) return;
  const together = facts.seen('company');
  if (!together) return { ask: 'company' };
  const { answer } = together;
  // Without an answer the row is the first, which has no company. A request that was made a moment ago is there.
  if (!answer || ['refused', 'not-there'].includes(classify(answer))) return;
  return excused(facts, 'closed-early', { exchange: answer.exchange.index }, first);
};

/** Other bodies tell whose requirement is violated. */
const others: Rule = (facts) => {
  const { of, calls, last } = facts;
  // A shared call was accepted with another status than the stated one: its body is not the reason.
  if (!of.blames || (of.judged !== 'own' && is2xx(last) && !last.denied)) return;
  const tried = facts.all('other');
  // A service that calls each CallbackUrl first may do so in vain on a busy day, whatever else is in the body.
  if (of.judged === 'own' && tried.length > 0 && speaksOfUrl(last)) {
    return excused(facts, 'unreachable-url', { urls: of.urls ?? [] });
  }
  const taken = tried.find(({ answer }) => answer && isAccepted(answer));
  if (taken?.answer) {
    // The other body went to another request: the shared call may be accepted there, too.
    if (of.judged !== 'own' && of.blames === 'if-accepted' && calls.length === 1)
      return { ask: 'call again' };
    const because = { bodies: [taken.title ?? ''], exchange: taken.answer.exchange.index };
    return of.blames === 'if-accepted'
      ? failed(facts, { excuse: 'other-requirement', because })
      : excused(facts, 'other-requirement', because);
  }
  if (!facts.exhausted('other')) return { ask: 'other' };
  if (of.blames === 'unless-accepted') return;
  // No body can be accepted: nothing is at the address, or the account is refused or limited.
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
  askedAgain,
  connected,
  limited,
  choices,
  unreachableUrl,
  inventedNumber,
  onlyCancelled,
  refusedInCompany,
  others,
];

/** Rules for a shared call that only certain statuses condemn. */
const rulesOfNamedStatuses: readonly Rule[] = [asExpected, convicts, tokenUsedUp];

/** Rules for a shared call: only an earlier step vouches for it, and its failure shows in every check that builds on it. */
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
  others,
];

/** Rules for a shared call where another body decides, unless the answer was about what the path names. */
const rulesOfComparison: readonly Rule[] = [asExpected, idUnknown, others];

function rulesFor({ judged, blames, convicts }: Case): readonly Rule[] {
  if (judged === 'own') return rulesOfOwnCalls;
  if (convicts) return rulesOfNamedStatuses;
  return blames === 'if-accepted' ? rulesOfComparison : rulesOfSharedCalls;
}

/** What follows from the evidence, or what to ask next. */
export function judge(of: Case, evidence: readonly Evidence[]): Step {
  if (of.judged === 'own' && of.vouching !== undefined) {
    const vouching = evidence.find(({ asked }) => asked.ask === 'vouching');
    if (!vouching?.answer) return { ask: 'vouching' };
    if (!vouches(vouching.answer)) return unbuilt(of.vouching, vouching.answer);
  }
  if (!evidence.some(({ asked }) => asked.ask === 'call')) return { ask: 'call' };
  const facts = caseFactsOf(of, evidence);
  for (const rule of rulesFor(of)) {
    const step = rule(facts);
    if (step) return step;
  }
  return failed(facts);
}
