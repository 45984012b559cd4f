/** Calls of the profile as the signing drivers make them, and what their answers say. */
import { is2xx, saidIn } from '../../record/exchange.ts';
import type { CallTemplate } from '../profile/parts.ts';
import type { Profile } from '../profile/schema.ts';
import { isIdempotencyKey, isSuccess, type Variables } from '../profile/template.ts';
import type { Answer } from '../target/call.ts';
import { readText, scopeOf } from '../untrusted/place.ts';
import { inShort } from '../untrusted/text.ts';
import type { SigningTask } from './driver.ts';

export interface TemplateAnswer
  extends Pick<Answer, 'status' | 'text' | 'headers' | 'otherCode' | 'at'>,
    Partial<Pick<Answer, 'url'>> {
  readonly bytes: Uint8Array;
  /** Position of its exchange in the record. */
  readonly index: number;
}

/** The person of a task and their request, as variables of a call. */
export function variablesOf({ requestId, signatoryId, email, name, mobileNumber }: SigningTask) {
  return { requestId, signatoryId, email, name, mobileNumber };
}

/** Whether a call cannot be made, since it names the signatory and the target gave no id for one. */
export function isNameless(
  template: CallTemplate,
  { signatoryId }: Pick<SigningTask, 'signatoryId'>,
): boolean {
  return signatoryId === undefined && uses(template, 'signatoryId');
}

/**
 * Words for a signatory without an id. Only the answers of types 1 to 3 are not shown: there the id has to stand
 * beside something that tells whose it is.
 */
export const nameless = (call: string) =>
  `${call} names the signatory, whose id was not found: of several people it is looked for beside or below their e-mail address, where create.signatoryId leads to the first one; create.signatoryId: none where they do not stand so`;

/** Makes a recorded call; `name` is what the record calls it. */
export type MakeCall = (
  template: CallTemplate,
  variables: Variables,
  name: string,
) => Promise<TemplateAnswer>;

/** Statuses that mean "not allowed now" unless the profile names others. */
const refuseStatuses: readonly number[] = [400, 403, 409, 412, 422, 423, 428];

/** What an answer says without its numbers, ids and times. */
export const wordsOf = (told: string): string =>
  told
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => !/\d/.test(word))
    .join(' ');

type Meaning = 'accepted' | 'refused' | 'unclear';

/** What an answer means by the profile, or by default: any 2xx accepts; some 4xx refuse, and so does a 2xx that denies success. */
export function meaningOf(answer: TemplateAnswer, template: CallTemplate): Meaning {
  if (isSuccess(template, answer)) return 'accepted';
  const denied = isSuccess(template, { ...answer, text: '' });
  return denied || (template.refuse ?? refuseStatuses).includes(answer.status) ? 'refused' : 'unclear';
}

/** What the answer to an act means. A success, unless by `accept`, that lacks the profile's `result` is a refusal. */
export function meaningOfAct(answer: TemplateAnswer, template: CallTemplate): Meaning {
  const meaning = meaningOf(answer, template);
  const { result } = template;
  const lacks = result !== undefined && readText(result, scopeOf(answer)) === undefined;
  return lacks && (meaning === 'accepted' || is2xx(answer)) ? 'refused' : meaning;
}

/** Whether the URL, a header or the body of one of the templates names the variable. */
export function uses(
  templates: CallTemplate | readonly (CallTemplate | undefined)[],
  variable: string,
): boolean {
  const parts = [templates].flat().map((each) => {
    const headers = Object.entries(each?.headers ?? {}).filter(([field]) => !isIdempotencyKey(field));
    return [each?.url, headers, each?.body];
  });
  return JSON.stringify(parts).includes(`{${variable}}`);
}

/** Whether one of the calls goes where the link of an e-mail leads. */
export function goesByLink(templates: readonly (CallTemplate | undefined)[]): boolean {
  return uses(templates, 'link') || uses(templates, 'token');
}

/** Whether people act by ids, not by a link in a message, which could not tell two requests with the same people apart. */
export function actsByIds({ signing, calls }: Pick<Profile, 'signing' | 'calls'>): boolean {
  const names = (variable: string) => uses([calls?.sign], variable);
  const isNamed = names('signatoryId') || names('requestId');
  return signing?.driver === 'http' && isNamed && !names('token') && !names('link');
}

/** `calls.sign was answered with 500`, or that no answer came. */
export function toldAnswer(name: string, { status, text, index }: TemplateAnswer): string {
  if (status === 0) return `${name} had no answer (exchange ${index})`;
  const shown = inShort(saidIn(text), 400);
  const hint = status >= 300 && status < 400 ? '; where that means success, its key accept says so' : '';
  return `${name} was answered with ${status}${shown ? ` ${shown}` : ''} (exchange ${index})${hint}`;
}

/** Whether a profile may name the call to sign for the one to approve: their names do not tell. */
export function mayBeExchanged({ calls: { sign, approve } = {} }: Profile): boolean {
  const isApproving = (call: CallTemplate | undefined) => /approv/i.test(JSON.stringify(call ?? ''));
  return sign !== undefined && (isApproving(sign) || !isApproving(approve));
}
