/** Why an answer that is not the expected one blames nobody: each excuse is a rule of its own. */
import { message } from '../../openapi/codes.ts';
import { is2xx, is4xx } from '../../record/exchange.ts';
import type { SharedCall } from '../../record/finding.ts';
import type { Profile } from '../profile/schema.ts';
import { isProduction } from '../profile/smoke.ts';
import { deniesSuccess, tellsEnd } from '../profile/template.ts';
import { type Answer, type Call, isAccepted } from '../target/call.ts';
import type { Client } from '../target/client.ts';
import { placesOfText } from '../untrusted/places-of-text.ts';
import { type CaseFacts, excused, excusedShared, type Question, type Rule, unproved } from './case.ts';
import { classify, isNotThere } from './classify.ts';

/** The answer speaks of the account, or of work still going on; or the suite had to guess what the profile omits. */
export const guessed: Rule = (facts) => {
  const { first } = facts;
  const isElsewhere = ['access', 'quota', 'early'].includes(classify(first));
  return isElsewhere || first.guess !== undefined ? unproved(facts, first) : undefined;
};

/** That a request is found by its id is a requirement of its own. */
export const idUnknown: Rule = (facts) =>
  facts.of.judged === 'signatory' && facts.first.status === 404 ? unproved(facts, facts.first) : undefined;

const creations: readonly SharedCall[] = ['skeleton', 'stamped', 'stamped-unversioned', 'template', 'fixed'];

/** Creations do not know the tokens that uploads gave, which is a requirement of its own. */
export const tokensUnknown: Rule = (facts) => {
  const { of, first } = facts;
  if (of.judged === 'own' || !creations.includes(of.judged)) return;
  const skeleton = of.judged === 'skeleton' ? first : facts.seen('shared', 'skeleton')?.answer;
  if (!skeleton) return { ask: 'shared', call: 'skeleton' };
  const unknown = skeleton.status === 404 && placesOfText(message.documentNotFound, skeleton).length > 0;
  return unknown ? excusedShared(facts, 'tokens-unknown') : undefined;
};

/**
 * A new request is in conflict with nothing but other requests, and how many may be open is not shown. If it still is,
 * and a plain one is accepted after it, there is room for one.
 */
export const oneTooMany: Rule = (facts) => {
  const { of, calls, last } = facts;
  if (of.judged === 'own' || !creations.includes(of.judged)) return;
  if (!last.besideOthers || classify(last) !== 'conflict') return;
  if (calls.length === 1) return { ask: 'call again' };
  const call = of.judged === 'skeleton' ? 'stamped' : 'skeleton';
  const plain = facts.seen('repeated', call);
  if (!plain) return { ask: 'repeated', call };
  return plain.answer && isAccepted(plain.answer) ? undefined : unproved(facts, last);
};

/** Type 3 has two paths. Whether they are one operation is not shown, so a service may offer it on one of them only. */
const paths: Partial<Record<SharedCall, SharedCall>> = {
  stamped: 'stamped-unversioned',
  'stamped-unversioned': 'stamped',
};

export const otherPath: Rule = (facts) => {
  const { of, first } = facts;
  const call = of.judged === 'own' ? undefined : paths[of.judged];
  if (!call || !isNotThere(first)) return;
  const other = facts.seen('shared', call)?.answer;
  if (!other) return { ask: 'shared', call };
  return isAccepted(other) ? excusedShared(facts, 'other-path') : undefined;
};

/** How often a document token can be used is not shown. A used one may be unknown where a fresh one is accepted. */
export const tokenUsedUp: Rule = (facts) => {
  if (!facts.of.excuses?.includes('token-used-up')) return;
  if (facts.calls.length === 1) return { ask: 'call again' };
  return isAccepted(facts.last) ? excusedShared(facts, 'token-used-up', facts.first) : undefined;
};

/** The answer may hold the token at a place that was not searched. */
export const hiddenToken: Rule = (facts) => {
  const { documentToken, exchange } = facts.first;
  if (!documentToken || !('missing' in documentToken) || !documentToken.hidden) return;
  return excused(
    facts,
    'hidden-token',
    { exchange: exchange.index, what: documentToken.missing },
    facts.first,
  );
};

/** Words of an error that comes with status 200. */
const refusing =
  /\b(?:errors?|fail\w*|unsupported|invalid|reject\w*|refus\w*|denied|not (?:supported|allowed|accepted|valid))\b/i;

/** A field for errors that says there are none, such as `"errors": []`. */
const noError = /"(?:errors?|fail\w*)"\s*:\s*(?:null|false|0|""|\[\s*\]|\{\s*\})/gi;

/** Whether the answer to an upload holds no token, and words of a refusal. */
export const isToldRefusal = ({ documentToken, text }: Answer): boolean =>
  documentToken !== undefined &&
  'missing' in documentToken &&
  (refusing.test(text.replace(noError, '')) || deniesSuccess(text, 'an act'));

/** That the answer to an upload holds a token is a requirement of its own. */
export const tokenless: Rule = (facts) => {
  const { of, first } = facts;
  const { documentToken, exchange } = first;
  if (of.expected.is !== 'success' || !is2xx(first) || classify(first) !== 'refused') return;
  if (!documentToken || !('missing' in documentToken) || isToldRefusal(first)) return;
  return excused(facts, 'lacks', { exchange: exchange.index, what: documentToken.missing }, first);
};

/** A target may refuse a URL that it cannot reach, in whatever words. */
export const unreachableUrl: Rule = (facts) => {
  const { of } = facts;
  if (!of.excuses?.includes('unreachable-url') || is2xx(facts.last)) return;
  return excused(facts, 'unreachable-url', { urls: of.urls ?? [] });
};

/** Whether a refusal says that a URL does not answer. `Connections` is a field. */
export const speaksOfUrl = (answer: Answer): boolean =>
  is4xx(answer) &&
  /\b(?:callback ?)?ur[il]\b.{0,60}\b(?:reach\w*|unreachable|answer|respon\w+|connect(?!ions)\w*|time[ds]? ?out)\b/i.test(
    answer.text,
  );

/** The words with which this target refuses a call without access, or the question for them. */
export function saidWithoutAccess({ seen }: CaseFacts): string | Question {
  const elsewhere = seen('no access');
  if (!elsewhere) return { ask: 'no access' };
  return elsewhere.answer?.status === 401 ? elsewhere.answer.text : '';
}

const aboutNumber = /number|phone|mobile|msisdn|country|region/i;

/** Numbers of the suite are reserved for fiction, and a service may look numbers up; those of a profile may be wrong. */
export const inventedNumber: Rule = (facts) => {
  const { of, last } = facts;
  if (!of.excuses?.includes('invented-number')) return;
  if (!is4xx(last) || !aboutNumber.test(last.text)) return;
  const said = saidWithoutAccess(facts);
  if (typeof said !== 'string') return said;
  if (!aboutNumber.test(ownWords(last.text, said))) return;
  return excused(facts, 'invented-number', {});
};

const aboutCancelling = /\b(?:cancel|void|withdr|revok|recall|terminat|closed)|storni|abgebroch|annul/i;

/** A cancelled request still exists: it is not deleted, even where the profile's call for deleting cancels it. */
export const onlyCancelled: Rule = (facts) => {
  const { of, last } = facts;
  if (!of.excuses?.includes('cancelled') || !is4xx(last) || !aboutCancelling.test(last.text)) return;
  const what = 'calls.deleteRequest of the profile may cancel requests, which does not delete them';
  return excused(facts, 'guess', { exchange: last.exchange.index, what });
};

/**
 * Assumptions of a case that the answer to `basis` may refute: that a token has expired, that a call has ended an
 * object, that a file was accepted. Gives the doubt in words.
 */
const doubts: Readonly<Record<string, (last: Answer, basis: Answer) => string | undefined>> = {
  'not-expired': (_, basis) =>
    ['accepted', 'refused', 'not-there'].includes(classify(basis))
      ? 'the token counts as valid elsewhere, too: has it expired (auth.expiredToken, calls.expireToken)?'
      : undefined,
  'of-no-use': (last, basis) =>
    classify(last) === 'accepted' && ['refused', 'not-there'].includes(classify(basis))
      ? `a creation with its document token is refused (exchange ${basis.exchange.index}): the file may be looked at later, and not be accepted`
      : undefined,
  // A call whose method or words say that it ends something may succeed twice, as a DELETE and a PUT do (RFC 9110, 9.2.2).
  'not-ended': (_, basis) => {
    const { template, request } = basis.exchange;
    const isInConflict = classify(basis) === 'conflict';
    if (tellsEnd({ ...request, body: request.body?.text }) || (request.method === 'PUT' && !isInConflict))
      return undefined;
    const does = isInConflict ? 'finds' : 'succeeds for';
    return `calls.${template} ${does} the same id once more: does it end what it names?`;
  },
};

export const baseless: Rule = (facts) => {
  const { of, last } = facts;
  const doubt = of.excuses?.flatMap((each) => doubts[each] ?? [])[0];
  if (!doubt) return;
  const basis = facts.seen('basis');
  if (!basis) return { ask: 'basis' };
  const what = basis.answer && doubt(last, basis.answer);
  return what ? excused(facts, 'guess', { exchange: last.exchange.index, what }) : undefined;
};

/** Ends of sentences, and the characters between the strings of a JSON body. */
const ends = /["{}[\],.;!?()]+/;

const pieces = (text: string): readonly string[] =>
  text
    .replaceAll(/\s+/g, ' ')
    .split(ends)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');

/** The words of a refusal without those of `elsewhere`, a refusal for another reason. */
export function ownWords(text: string, elsewhere: string): string {
  const said = new Set(pieces(elsewhere));
  return pieces(text)
    .filter((piece) => !said.has(piece))
    .join('\n');
}

/** A call that is refused for a reason which has nothing to do with its body. */
export const callWithoutAccess: Call = {
  operation: 'createSkeletonRequest',
  purpose: 'cross-check',
  authorization: 'absent',
  deliberate: true,
  body: { json: {} },
};

/** The words with which this target refuses calls without access; none in production, where no call is meant for that. */
export async function standingWords(client: Pick<Client, 'call'>, profile: Profile): Promise<string> {
  if (isProduction(profile)) return '';
  const { status, text } = await client.call(callWithoutAccess);
  return status === 401 ? text : '';
}

/** The answer. If its words gave a refusal its class, those that stand in every refusal are left out. */
export async function inOwnWords(answer: Answer, standing: () => Promise<string>): Promise<Answer> {
  const isByWords = is4xx(answer) && classify(answer) !== classify({ ...answer, text: '' });
  return isByWords ? { ...answer, text: ownWords(answer.text, await standing()) } : answer;
}
