/** Finds the document token in the answer to an upload, whose place the interface document does not show. */
import { type HeaderField, headerOf } from '../../../record/exchange.ts';
import { parseJson } from '../../../record/json.ts';
import { limits } from '../../untrusted/limits.ts';
import { escapedPattern } from '../../untrusted/pattern.ts';
import { leaves, leavesOf, placesOfTexts, unfolded } from '../../untrusted/payload/tree.ts';
import { type Place, placeName, read, readText, scopeOf } from '../../untrusted/place.ts';
import type { FoundToken } from '../call.ts';

/** The answer to an upload, read once: a long number in it is a number, since the type of a token is stated. */
const uploaded = (headers: readonly HeaderField[], text: string) => {
  return { headers, text, scope: scopeOf({ headers, text }, parseJson) };
};
type Uploaded = ReturnType<typeof uploaded>;

/** Reads the token from where the profile says it stands; `auto` looks for it. A number keeps all its digits. */
export function findDocumentToken(place: Place, headers: readonly HeaderField[], text: string): FoundToken {
  const answer = uploaded(headers, text);
  const found = place === 'auto' ? search(answer) : tokenAt(place, answer);
  if (!('wrongType' in found) || found.wrongType !== 'number') return found;
  return { ...found, value: readText(found.place, scopeOf({ headers, text })) ?? found.value };
}

function tokenAt(place: Place, answer: Uploaded): FoundToken {
  const { scope } = answer;
  const value = read(place, scope);
  const at = placeName(place);
  const missing = {
    missing: `no token stands at ${at} of the answer${ofOneFile(at) ? `, and a key there is the name of one file: find it by a pattern (upload.token: { pattern: ${lastingPattern(at)} })` : ''}`,
    place,
    hidden: mayHide(answer),
  };
  if (value === undefined || value === null || value === '') return missing;
  // An object or a list is a token of the wrong type only where its name speaks of a token or an id. Elsewhere it may hold
  // the token, or be another answer, such as an error with 200.
  if (typeof value === 'object' && rankOf(keyOf(place)) >= holders) return missing;
  if (typeof value !== 'string') {
    const [better] = fromTree(scope.root).filter(
      ({ value: other, rank }) =>
        typeof other === 'string' && (rank < rankOf(keyOf(place)) || !isNamedLikeToken(place)),
    );
    const doubt = better && `no text stands at ${at}, and one at ${placeName(better.place)} (upload.token)`;
    return { ...wrongType(value, place), ...(doubt ? { doubt } : {}) };
  }
  if (place === 'text') return isPlainToken(value) ? { token: value, place } : missing;
  const named = typeof place === 'object' && place.header !== undefined;
  // A field that usually describes the answer has a token only where its value is one word that no message would be.
  const maybe = remark.test(keyOf(place)) ? looksLikeToken : maybeNamedToken;
  return named || maybe(value) ? { token: value, place, ...mistaken(place, value, answer) } : missing;
}

function keyOf(place: Place): string {
  return lastKey((typeof place === 'string' ? place : (place.pointer ?? place.root)) ?? '');
}

const isLocation = (place: Place) =>
  typeof place === 'object' && place.pattern === undefined && place.header?.toLowerCase() === 'location';

/** The last part of the address of the created document. */
const endOfLocation: Place = { header: 'Location', pattern: '([^/?#]+)/?$' };

/** The text after a match shows that the match is a part of a word, or the name of a field in JSON. */
const partOrName = /^(?:[\w%]|\\(?!")|"\s*:)/;

/** The doubt about a place of the profile: it has no name of a token, and another place has; or it matches only a part. */
function mistaken(place: Place, value: string, answer: Uploaded): { doubt?: string } {
  const key = keyOf(place);
  if (isLocation(place) && /^https?:\/\/|^\//.test(value))
    return {
      doubt: `what stands at ${placeName(place)} is an address: name the part that is the token by a pattern (upload.token)`,
    };
  const isPattern = typeof place === 'object' && Object.keys(place).join() === 'pattern';
  const [, ...rests] = answer.text.split(value);
  if (isPattern && rests.length > 0 && rests.every((rest) => partOrName.test(rest)))
    return { doubt: 'the pattern matches a part of something, or the name of a field (upload.token)' };
  const isNamed = key !== '' && rankOf(key) < likely.length && !remark.test(key);
  const isName = typeof place === 'object' && place.key !== undefined;
  if (isNamed || (key === '' && !isPattern && !isName)) return {};
  const rival = candidatesIn(answer).find((each) => each.rank < holders && each.value !== value);
  if (!rival && !remark.test(key)) return {};
  const other = rival ? `; ${placeName(rival.place)} is named like one` : '';
  return { doubt: `what stands at ${placeName(place)} may be no document token (upload.token)${other}` };
}

function wrongType(value: unknown, place: Place): FoundToken & { wrongType: string } {
  const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return { wrongType: Array.isArray(value) ? 'array' : typeof value, value: shown, place };
}

const fileName = /\.(pdf|docx?)$/i;

/** Whether a pointer contains the name of a file, so that it fits no answer to another upload. */
const ofOneFile = (pointer: string): boolean => pointer.split('/').some((part) => fileName.test(part));

/** A pattern for the text before the value at such a pointer, whatever the name of the file is. */
function lastingPattern(pointer: string): string {
  const key = lastKey(pointer);
  const name = fileName.test(key) ? '\\.(?:pdf|docx?)' : key.replaceAll(/[^\w]/g, '\\$&');
  return `${name}"\\s*:\\s*"([^"]+)"`;
}

/** The place of a value such that it also fits the answers to other uploads. */
function lasting(place: Place, value: unknown, { scope }: Uploaded): Place {
  const pointer = (typeof place === 'string' ? place : place.pointer) ?? '';
  if (!ofOneFile(pointer)) return place;
  const other = { pattern: lastingPattern(pointer) };
  return read(other, scope) === value ? other : place;
}

/** Names of fields and headers that may carry a token, the likeliest first; the first name is certain. */
const likely = [
  /document[-_]?token/i,
  /token/i,
  /document[-_]?(id|key|ref)|doc[-_]?id/i,
  /(^|[-_/])(id|guid|uuid|key|handle|reference|ref)$/i,
  /^(?!.*(request|trace|correlation|transaction|session|tenant|account|user|owner|folder)).*id$/i,
  /document|file|value|result|data/i,
];
/** The first rank of names that may also hold an object with the token in it. */
const holders = likely.length - 1;
/** Headers count only with a rank below this one. */
const likelyOfHeader = 4;

/** Names of tokens of other kinds, which many frameworks send. */
const otherToken =
  /(csrf|xsrf|forgery|verification|access|refresh|session|auth|continuation|next|page)[-_]?token/i;

/** Names of fields that describe the answer, and are no token. */
const remark =
  /^(message|msg|errors?|details?|description|reason|code|status|state|type|title|version|method|name|filename)$/i;

/** Headers that every server sends; a token is not among them. */
const ordinary =
  /^(date|server|content-.*|connection|keep-alive|transfer-encoding|cache-control|expires|pragma|etag|last-modified|vary|allow|accept-.*|set-cookie|strict-transport-security|access-control-.*|cross-origin-.*|referrer-policy|permissions-policy|x-frame-options|x-content-type-options|x-xss-protection|x-powered-by|x-runtime|x-amz.*|cf-.*|via|age|alt-svc|nel|report-to|x-request-id|x-correlation-id|request-id|x-trace.*|traceparent|retry-after|ratelimit.*|x-ratelimit.*)$/i;

interface Candidate {
  readonly place: Place;
  readonly value: string | number;
  /** Position in `likely` of what its name resembles; its length when it resembles nothing. */
  readonly rank: number;
}

function search(answer: Uploaded): FoundToken {
  const { headers, text, scope } = answer;
  const document = scope.root;
  const plain = text.trim();
  // Digits alone are both JSON and plain text: the declared media type decides whether they are a number.
  const declaredJson = /[/+]json/i.test(headerOf(headers, 'content-type') ?? '');
  if (typeof document === 'number')
    return declaredJson ? wrongType(document, { pointer: '' }) : { token: plain, place: 'text' };
  if (typeof document === 'string' && looksLikeToken(document))
    return { token: document, place: { pointer: '' } };
  const all = candidatesIn(answer);
  const strings = all.filter(({ value }) => typeof value === 'string');
  // A number is taken only where nothing else can be the token: it would be of the wrong type.
  const only = strings.length === 1 ? strings[0] : undefined;
  const best = firstOf(strings) ?? only ?? firstOf(all);
  if (best) {
    const place = lasting(best.place, best.value, answer);
    return { ...tokenFrom(best, all), place };
  }
  if (document === undefined && isPlainToken(plain)) return { token: plain, place: 'text' };
  const place = plain === '' ? endOfLocation : document === undefined ? behindWords(plain) : undefined;
  const token = place && read(place, scope);
  if (place && typeof token === 'string') return { token, place, doubt: byGuess(place) };
  const places = placesOfTexts(leavesOf(document));
  return {
    missing: `nothing in the answer looks like a document token${places && ` (texts stand at ${places})`}`,
    place: 'auto',
    hidden: mayHide(answer),
  };
}

/** The place of a word like `D-17c4e0f2` at the end of a short plain text such as `OK D-17c4e0f2`: no word of a sentence looks so. */
function behindWords(plain: string): Place | undefined {
  const token = plain.split(/\s/).at(-1) ?? '';
  const before = plain.slice(0, -token.length);
  const isTold = /^\D{2,80}$/.test(before) && !/[<>]/.test(before);
  if (!isTold || token.length < 8 || !/\d/.test(token) || !isPlainToken(token)) return undefined;
  return { pattern: `${escapedPattern(before)}(\\S+)` };
}

/** Every place of an answer that may hold the token, the likeliest first. */
export function possiblePlaces(headers: readonly HeaderField[], text: string): Place[] {
  return candidatesIn(uploaded(headers, text))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ place }) => place);
}

const candidatesIn = ({ headers, scope }: Uploaded) => [...fromTree(scope.root), ...fromHeaders(headers)];

function fromTree(document: unknown): Candidate[] {
  if (document === null || typeof document !== 'object') return [];
  return leaves(document)
    .filter(({ pointer, value }) => mayBeToken(lastKey(pointer), value) && !remark.test(lastKey(pointer)))
    .map(({ pointer, value }) => ({ place: { pointer }, value, rank: rankOf(lastKey(pointer)) }));
}

/** Whether a value may be a token; of a field whose name says that it is one, any value may. */
function mayBeToken(key: string, value: string | number): boolean {
  const named = typeof value === 'string' && (rankOf(key) === 0 || /^token$/i.test(key));
  return named ? maybeNamedToken(value) : looksLikeToken(value);
}

function fromHeaders(headers: readonly HeaderField[]): Candidate[] {
  return headers
    .filter(([name, value]) => !ordinary.test(name) && looksLikeToken(value))
    .map(([header, value]) => ({ place: { header }, value, rank: rankOf(header) }))
    .filter(({ rank }) => rank < likelyOfHeader);
}

function rankOf(name: string): number {
  if (otherToken.test(name)) return likely.length;
  const rank = likely.findIndex((pattern) => pattern.test(name));
  return rank < 0 ? likely.length : rank;
}

/** Whether the name of a place speaks of a token, or of an id. */
export const isNamedLikeToken = (place: Place): boolean =>
  rankOf((typeof place === 'object' && place.header) || keyOf(place)) < likely.length;

function firstOf(candidates: readonly Candidate[]): Candidate | undefined {
  const [best] = candidates.toSorted((one, other) => one.rank - other.rank);
  return best && best.rank < likely.length ? best : undefined;
}

const byGuess = (place: Place) =>
  `the document token was taken from ${placeName(place)} by guess: say where it stands (upload.token)`;

function tokenFrom(best: Candidate, all: readonly Candidate[]): FoundToken {
  const { place, value, rank } = best;
  const isPlain = /(^|[/_-])(document|doc|file|upload)?[-_]?token$/i.test(placeName(place));
  const least = isPlain ? 1 : holders - 1;
  const rivals = all.filter((each) => each !== best && (rank > 1 || each.rank <= least));
  // A field whose name resembles none of `likely` may hold anything.
  const guessed = rank === likely.length || (rank > 0 && rivals.length > 0);
  const doubt = guessed ? { doubt: byGuess(place) } : {};
  return typeof value === 'string'
    ? { token: value, place, ...doubt }
    : { ...wrongType(value, place), ...doubt };
}

/** Whether an answer may hold a token although none was found. */
function mayHide({ headers, text, scope: { root: document } }: Uploaded): boolean {
  if (document === undefined && text.trim() !== '') return true;
  return (
    leaves(document).some(
      ({ pointer, value }) => mayBeToken(lastKey(pointer), value) || isTooLong(value) || isJson(value),
    ) || headers.some(([name, value]) => !ordinary.test(name) && value.trim() !== '')
  );
}

const isJson = (value: string | number) => typeof value === 'string' && unfolded(value) !== value;

/** One word is a token in plain text; a sentence or a page is not. */
export const isPlainToken = (text: string): boolean => looksLikeToken(text) && !/[<>{}]/.test(text);

/** Of `/data/0/token` the key `token`: an element of a list is named by its list. */
function lastKey(pointer: string): string {
  return (
    pointer
      .split('/')
      .filter((part) => !/^\d+$/.test(part))
      .at(-1) ?? ''
  );
}

/** Words about the state of an upload, which are no tokens. */
const words =
  /^(true|false|null|none|ok|success|successful|successfully|error|uploaded|created|initiated|received|queued|sent|accepted|done|completed?|pending|processing|active|draft|available|ready)$/i;

const refusing =
  'unauthori[sz]ed|unauthenticated|forbidden|denied|invalid|expired|error|fail|unsupported|missing|required';

/** One word or several, joined by signs, that speaks of a refusal: `INVALID_TOKEN`, `Unauthorized`. */
const refusal = new RegExp(`^(?=.*(${refusing}|not[-_.]?(found|allowed|valid)))[a-z_.:!-]+$`, 'i');

const elsewhere = [
  /^https?:\/\//i,
  /^(application|text|image|multipart)\/[\w.+-]+$/i,
  /\.(pdf|docx?|png|txt)$/i,
  /^\d{4}-\d\d-\d\d(T|$)/,
];

/** Whether a value may be a token: one word of visible signs of any script, or a whole number. */
export function looksLikeToken(value: string | number): boolean {
  if (typeof value === 'number') return Number.isInteger(value);
  // A text that is JSON may hold a token, but is none itself.
  if (!/^[^\s\p{C}]{1,4096}$/u.test(value) || isJson(value)) return false;
  return !words.test(value) && !refusal.test(value) && !elsewhere.some((pattern) => pattern.test(value));
}

/** Several words without a digit that speak of a refusal: `Invalid access token`. */
const sentence = new RegExp(`^(?=.*(${refusing}|not ))[^\\d]+$`, 'i');

const isTooLong = (value: string | number): boolean => String(value).length > limits.tokenCharacters.most;

/** Longer texts are not searched for words of a refusal. */
const longestRemark = 4096;

/**
 * Whether a value may be a token where its name or the profile says that it is: any text that says nothing about
 * the outcome, since neither alphabet nor length of tokens is shown. Base64 often comes in lines.
 */
function maybeNamedToken(value: string): boolean {
  if (value.trim() === '' || isTooLong(value)) return false;
  if (value.length > longestRemark) return true;
  return !words.test(value) && !refusal.test(value) && !sentence.test(value);
}
