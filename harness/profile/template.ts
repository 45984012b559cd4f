/** Call templates: `{name}` in a URL, a header or a body stands for a variable. */
import { CouldNotRun } from '../../record/errors.ts';
import { is2xx } from '../../record/exchange.ts';
import { parseJson, unquoted } from '../../record/json.ts';
import { asMarkup } from '../untrusted/html.ts';
import { isObject, mapTexts } from '../untrusted/payload/tree.ts';
import { inShort, percentEncoded } from '../untrusted/text.ts';
import type { CallTemplate } from './parts.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Whether a header field is the key by which a target answers a repeated call as the first one. */
export const isIdempotencyKey = (field: string): boolean => /idempoten/i.test(field);

const placeholder = /\{([A-Za-z][A-Za-z0-9]*)\}/g;

/** The text with its variables filled in, each encoded by `encode`; unknown names stay as they are. */
export function fill(
  text: string,
  variables: Variables,
  encode: (value: string) => string = (value) => value,
): string {
  return text.replace(placeholder, (whole, name: string) => {
    // Properties that every object inherits, such as constructor, are no variables.
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return value === undefined ? whole : encode(value);
  });
}

/**
 * A variable as a part of a URL, percent-encoded.
 * @throws CouldNotRun when it would lead to another path: servers resolve `.` and `..` segments, percent-encoded or not
 */
export function inUrl(value: string): string {
  if (!/(?:^|[/\\])\.\.?(?:$|[/\\])/.test(value)) return percentEncoded(value);
  throw new CouldNotRun(
    `"${inShort(value, 100)}" would lead to another path, so that no call is made with it`,
  );
}

/** An encoder for variables in a text of this media type, so that each stays one value there. */
export function encodingOf(mediaType: string): (value: string) => string {
  if (/^application\/x-www-form-urlencoded/i.test(mediaType)) return percentEncoded;
  if (/[/+]json/i.test(mediaType)) return (value) => JSON.stringify(value).slice(1, -1);
  if (/[/+](xml|html)/i.test(mediaType)) return asMarkup;
  return (value) => value;
}

/** A JSON value with the variables filled into each of its strings. */
export function fillJson(value: unknown, variables: Variables): unknown {
  return mapTexts(value, (text) => fill(text, variables));
}

/** The template without the fields of JSON objects and the headers that `variables` would leave empty. */
export function withoutEmpty(template: CallTemplate, variables: Variables): CallTemplate {
  const { headers = {}, body } = template;
  const named = Object.entries(headers).filter(([, value]) => !empty(value, variables));
  // Only fields are left out: a body that is one text stays, and so does an item of a list.
  const isLeft = (text: string, key: string) => /(?:^|\])$/.test(key) || !empty(text, variables);
  const left = mapTexts(body, (text, key) => (isLeft(text, key) ? text : undefined));
  return { ...template, headers: Object.fromEntries(named), body: left };
}

/** Whether the text consists only of variables that are known and empty. */
function empty(text: string, variables: Variables): boolean {
  if (!/^(?:\{[A-Za-z][A-Za-z0-9]*\})+$/.test(text)) return false;
  const names = text.slice(1, -1).split('}{');
  return names.every((name) => Object.hasOwn(variables, name) && (variables[name] ?? '') === '');
}

const noCodes: Variables = { otp: '', otpEmail: '', otpSms: '', accessCode: '' };

/** What a call sends besides codes and its idempotency key: two calls that differ in nothing else are one. */
export function besidesCodes(template: CallTemplate): readonly unknown[] {
  const { method, url, headers, body = {}, authorize } = withoutEmpty(template, noCodes);
  const isCode = (part: string) => /^[^=]*=(?:\{(?:otp|otpEmail|otpSms|accessCode)\})+$/.test(part);
  const bare = (text: string) => text.split(/[?&]/).filter((part) => !isCode(part));
  const left = typeof body === 'string' ? bare(body) : body;
  const isBare = typeof left === 'object' && left !== null && Object.keys(left).length === 0;
  const isSent = ([field]: readonly [string, unknown]) =>
    !isIdempotencyKey(field) && !(isBare && /^content-type$/i.test(field));
  return [method, bare(url), Object.entries(headers ?? {}).filter(isSent), isBare || left, authorize];
}

/**
 * Whether a call of the profile succeeded: by a status in `accept`, or any 2xx without it, and a body that does not deny it,
 * in words or by another code than the target's when something was made.
 * @param tells what the body is about
 */
export function isSuccess(
  { accept }: { readonly accept?: readonly number[] },
  { status, text, otherCode }: { readonly status: number; readonly text: string; readonly otherCode?: true },
  tells: Told = 'an act',
): boolean {
  return (accept ? accept.includes(status) : is2xx({ status })) && !otherCode && !deniesSuccess(text, tells);
}

/** Words of a call that ends something. */
const ending =
  /delet|remov|cancel|void|destroy|invalid|revok|expir|discard|withdr|purge|l(?:ö|oe)sch|storn|annul|suppr|elimin|(?:log|sign)-?_?out/i;

type Words = Pick<CallTemplate, 'method' | 'url' | 'body'>;

/** Whether the words of a call speak of an end, or its method means one. */
export const namesEnd = ({ method, url, body }: Words): boolean =>
  method === 'DELETE' || ending.test(`${url} ${JSON.stringify(body ?? '')}`);

/** Whether the method and the words of a call tell that it ends what it names; any other may do something else. */
export const tellsEnd = (call: Words): boolean => call.method !== 'GET' && namesEnd(call);

/** Whether a call of the profile may do later what it is made for: 202, which `accept` does not name. */
export function mayBeLater(
  { accept }: { readonly accept?: readonly number[] },
  { status }: { readonly status: number },
): boolean {
  return status === 202 && accept === undefined;
}

/** What a body is about. The state of a request may be a refusal, and beside a created object errors may be warnings. */
type Told = 'an act' | 'a state' | 'what was made';

/** Names of fields that say whether an act was done, also in German, French, Spanish, Portuguese and Italian. */
const flags =
  /^(?:is)?(?:ok|success(?:ful)?|succeeded|erfolg(?:reich)?|succ[eè]s|[eé]xito|sucesso|successo)$/;
const states =
  /^(?:status|result|outcome|ergebnis|statut|r[eé]sultat|estado|resultado|stato|esito|risultato)$/;
const successWords = /^(?:ok|success(?:ful)?|succeeded)$/i;
const failureWords =
  /^(?:error|fail(?:ed|ure)?|nok|fehler|fehlgeschlagen|erreur|[eé]chec|fallo|falha|errore|ko)$/i;
const refusalWords =
  /^(?:refused|rejected|denied|abgelehnt|verweigert|refus[eé]e?|rejet[eé]e?|rechazad[oa]|denegad[oa]|recusad[oa]|rifiutat[oa]|respint[oa])$/i;
const errors = /^(?:has)?(?:error|fault|exception)s?$|^err(?:or)?_?(?:code|no)$/;
const counts = /^(?:code|count)$/;
const remarks = /^(?:message|msg|reason|title|detail|description)$/;
/** The reason phrases of refusals (RFC 9110), with which no remark about a success begins. */
const reasons = /^(?:bad request|unauthori[sz]ed|forbidden|not found|unprocessable (?:content|entity))\b/i;

/**
 * Whether a body says that nothing was done, whatever the status, as GraphQL, JSON-RPC 2.0, JSend and plain flags do.
 * A body with a flag or state of success means success, even with errors beside it.
 */
export function deniesSuccess(answer: string, tells: Told): boolean {
  const text = unquoted(answer);
  if (!/^\s*\{/.test(text)) return false;
  const body = parseJson(text);
  if (!isObject(body)) return false;
  const { data } = body;
  // If a part was done, `data` holds something.
  const nothing = !data || (typeof data === 'object' && Object.values(data).every((each) => each === null));
  const fields = Object.entries(body).map(
    ([name, value]) =>
      [name.toLowerCase().normalize(), typeof value === 'string' ? value.normalize() : value] as const,
  );
  const isFlag = (wanted: boolean) =>
    fields.some(([key, value]) => flags.test(key) && (value === wanted || value === String(wanted)));
  const isState = (word: RegExp) =>
    fields.some(([key, value]) => states.test(key) && typeof value === 'string' && word.test(value));
  if (isFlag(false) || isState(failureWords) || (tells !== 'a state' && isState(refusalWords))) return true;
  if (fields.some(([key, value]) => remarks.test(key) && reasons.test(String(value)))) return true;
  const saysSo = tells === 'what was made' || isFlag(true) || isState(successWords);
  return nothing && !saysSo && fields.some(([key, value]) => errors.test(key) && !isNoError(value));
}

/** Whether the value of a field for errors says that there are none. */
function isNoError(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return !value || /^(?:\s*|false|none|no|null|0+|ok|success)$/i.test(String(value));
  return (
    Object.values(value).every(isNoError) ||
    Object.entries(value).some(
      ([key, count]) => counts.test(key.toLowerCase()) && (count === 0 || count === '0'),
    )
  );
}
