/** What the answer to an act says: done, refused, or unknown. */
import { is2xx, is4xx, isPage } from '../../record/exchange.ts';
import type { Interval } from '../../record/facts.ts';
import type { CallTemplate } from '../profile/parts.ts';
import { mayBeLater } from '../profile/template.ts';
import { shownText } from '../untrusted/html.ts';
import { leavesOf, pointerOf } from '../untrusted/payload/tree.ts';
import { readText, scopeOf, treeOf } from '../untrusted/place.ts';
import { type ActOutcome, type Codes, type EnteredCodes, type Said, unknown } from './driver.ts';
import { meaningOf, meaningOfAct, type TemplateAnswer, toldAnswer, uses, wordsOf } from './template-call.ts';

export interface ActAnswer {
  readonly answer: TemplateAnswer;
  readonly at: Interval;
  /** The call has a `{token}`, and the profile has no pattern that tells which part of the link it is. */
  readonly guessed?: true;
  /** The call was made several times, since an id may be unknown at first. */
  readonly insisted?: true;
}

/** Words by which a page says that something was not done. */
const denial =
  /\b(?:sorry|error|please wait|your turn|wrong|invalid|incorrect|denied|failed|refused|expired|not (?:allowed|possible|valid|yet|now|correct)|cannot|try again|enter (?:the|your|an?)|falsch|fehler|nicht (?:möglich|erlaubt|gültig))\b/i;

/** An act that was answered: what is needed to say what came of it. */
interface Answered extends ActAnswer {
  readonly template: CallTemplate;
  /** What the record calls the call. */
  readonly name: string;
  readonly exchanges: readonly number[];
  /** The answer in words. */
  readonly told: string;
}

/** @param doubts why a code, or a call for this act alone, is missing: then a refusal says nothing */
export function outcomeOf(
  asked: ActAnswer,
  template: CallTemplate,
  name: string,
  exchanges: readonly number[],
  doubts: readonly string[] = [],
  codes: Codes | EnteredCodes = 'right',
): ActOutcome {
  const told = toldAnswer(name, asked.answer);
  const answered = { ...asked, template, name, exchanges, told };
  const meaning = meaningOfAct(asked.answer, template);
  if (meaning === 'accepted') return whenAccepted(answered, codes);
  if (meaning === 'unclear') return whenUnclear(answered);
  const { at } = asked;
  if (doubts.length > 0) return { ...unknown([told, ...doubts].join('; '), exchanges), at, refused: true };
  const malformed = isMalformed(asked.answer, template);
  return { kind: 'refused', at, reason: told, exchanges, malformed: malformed || undefined };
}

/** Done, unless the answer is a page, which may say anything: one whose status `accept` names is done until disproved. */
function whenAccepted(answered: Answered, codes: Codes | EnteredCodes): ActOutcome {
  const { answer, at, template, name, exchanges, told } = answered;
  const { status } = answer;
  const isMarkup = /^\s*</.test(answer.text) && !template.result;
  const denies = denial.test(shownText(answer.text));
  if (isMarkup && !template.accept && (codes !== 'right' || denies)) {
    const hint = `a page, which may say anything; let ${name}.result find what it says when all is done`;
    return { ...unknown(`${told}: ${hint}`, exchanges), at, mayBeDone: !denies || undefined };
  }
  const isOpen = !template.result && (status >= 300 || mayBeLater(template, answer));
  const said = {
    ...saidBy(name, answer, template),
    ...(isMarkup ? { page: 'a page' } : {}),
    ...(status === 202 ? { later: template.accept ? 'done by then, says the profile' : 'perhaps' } : {}),
  };
  return { kind: 'done', at, exchanges, later: isOpen ? laterOf(answered) : undefined, said };
}

/** Why an act that was taken may still be refused. */
const laterOf = ({ answer: { status, index }, name, told }: Answered) =>
  status >= 300
    ? `${name} was answered with ${status} (exchange ${index}), which may lead to a refusal; let ${name}.result find in { header: Location } what says that it was done`
    : `${told}: 202 may be taken for later, and refused then; where it means done, ${name}.accept says so`;

function whenUnclear({ answer, at, guessed, template, name, exchanges, told }: Answered): ActOutcome {
  const { status, otherCode } = answer;
  // A page may come from a gateway whose service is away.
  const idUnknown = status === 404 && !isPage(answer.text) && uses(template, 'signatoryId');
  const mayBeDone = status === 0 || status >= 500 || otherCode;
  return {
    ...unknown(told + hintOf({ status, otherCode, guessed, name }), exchanges),
    at,
    idUnknown: idUnknown || undefined,
    mayBeDone: mayBeDone || undefined,
    refused: otherCode,
  };
}

/** What the profile may have to say so that the answer is understood. */
function hintOf({
  status,
  otherCode,
  guessed,
  name,
}: Pick<TemplateAnswer, 'status' | 'otherCode'> & Pick<Answered, 'guessed' | 'name'>): string {
  if (otherCode)
    return `, with another code than where something was made; let ${name}.result find what says that it was done`;
  if (!is4xx({ status }) && !is2xx({ status })) return '';
  if (status === 404 && guessed) return '; {token} was guessed: outbox.link finds it in a link by a pattern';
  const way = status === 404 ? `is ${name}.url right? Where` : 'where';
  return `; ${way} ${status} means "not allowed", ${name}.refuse says so`;
}

/** What an answer says: in the place of `result`, or anywhere outside of lists, by its fields where it has some, else in its words. */
function saidBy(call: string, answer: TemplateAnswer, { result }: CallTemplate): Said {
  if (result !== undefined) return { call, result: readText(result, scopeOf(answer)) ?? '' };
  const { status, text, headers } = answer;
  const fields = leavesOf(treeOf(text, headers)).filter(({ lists, path }) => lists === 0 && path.length > 0);
  const said = fields.map(({ path, value }) => [pointerOf(path), String(value)]);
  return {
    call,
    status: `${status}`,
    ...(said.length > 0 ? Object.fromEntries(said) : { text: wordsOf(text) }),
  };
}

/** Whether a refusal may be about how the call is made, or where its answer is read, unless the profile says what it means. */
const isMalformed = (answer: TemplateAnswer, template: CallTemplate) =>
  template.refuse === undefined &&
  ([400, 412, 422].includes(answer.status) || meaningOf(answer, template) !== 'refused');
