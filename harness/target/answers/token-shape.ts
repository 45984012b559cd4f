/** Tells what may be an id or a token from what surely is something else: words, dates, names of files. */

/** What a service says about an upload, not what it calls the document. */
const words =
  /^(true|false|null|none|ok|success|successful|successfully|error|uploaded|created|accepted|done|completed?|pending|processing|active|draft|available|ready)$/i;

/** One word or several, joined by signs, that speaks of a refusal: `INVALID_TOKEN`, `Unauthorized`. */
const refusal =
  /^(?=.*(unauthori[sz]ed|unauthenticated|forbidden|denied|invalid|expired|error|fail|unsupported|missing|required|not[-_.]?(found|allowed|valid)))[a-z_.:!-]+$/i;

const elsewhere = [
  /^https?:\/\//i,
  /^(application|text|image|multipart)\/[\w.+-]+$/i,
  /\.(pdf|docx?|png|txt)$/i,
  /^\d{4}-\d\d-\d\d(T|$)/,
];

/** Whether a value may be a token: one word of visible signs of any script, or a whole number. */
export function looksLikeToken(value: string | number): boolean {
  if (typeof value === 'number') return Number.isInteger(value);
  if (!/^[^\s\p{C}]{1,4096}$/u.test(value)) return false;
  return !words.test(value) && !refusal.test(value) && !elsewhere.some((pattern) => pattern.test(value));
}

/** Several words without a digit that speak of a refusal: `Invalid access token`. */
const sentence =
  /^(?=.*(unauthori[sz]ed|unauthenticated|forbidden|denied|invalid|expired|error|fail|unsupported|missing|required|not ))[^\d]+$/i;

/**
 * Whether a value may be a token where its name or the profile says that it is: any text that says nothing about
 * the outcome, since no alphabet of tokens is shown.
 */
export function maybeNamedToken(value: string): boolean {
  if (!/^[^\p{Cc}]{1,4096}$/u.test(value) || value.trim() === '') return false;
  return !words.test(value) && !refusal.test(value) && !sentence.test(value);
}
