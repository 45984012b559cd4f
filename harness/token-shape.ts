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

/** Whether a value may be a token: one word of printable signs, or a whole number. */
export function looksLikeToken(value: string | number): boolean {
  if (typeof value === 'number') return Number.isInteger(value);
  if (!/^[\x21-\x7e]{1,4096}$/.test(value)) return false;
  return !words.test(value) && !refusal.test(value) && !elsewhere.some((pattern) => pattern.test(value));
}
