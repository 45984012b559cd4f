/** A request as a `curl` command for POSIX shells, with shell variables in place of redacted secrets. */
import { type Exchange, headerOf, isFieldName } from './exchange.ts';

/** Secrets that a person can put in again, by the label that stands for them in the record. */
const variables: Readonly<Record<string, string>> = {
  'access token': 'TOKEN',
  'expired access token': 'EXPIRED_TOKEN',
};

/** Headers that curl makes itself. */
const fieldsOfCurl = new Set(['content-length', 'host', 'connection']);

/**
 * The command that sends a recorded request again, in the folder of run.json, where large bodies are. For a run.json it is made
 * anew, since the `curl` in there may come from a stranger.
 */
export function curlOf({ method, url, headers, body }: Exchange['request']): string {
  // -g: brackets and braces in the URL are meant as they stand. -X HEAD would wait for a body.
  const words = ['curl', ...(/[[\]{}]/.test(url) ? ['-g'] : [])];
  words.push(
    ...(method === 'HEAD' ? ['-I'] : ['-X', /^[A-Z]+$/.test(method) ? method : quoted(method)]),
    quoted(url),
  );
  for (const [name, value] of headers) {
    // `-H @file` would make curl read header fields from a file.
    if (!fieldsOfCurl.has(name.toLowerCase()) && isFieldName(name))
      words.push('-H', quoted(value === '' ? `${name};` : `${name}: ${value}`));
  }
  // An empty body is sent too, with a length of 0.
  if (!body && headerOf(headers, 'content-length') !== '0') return words.join(' ');
  // Otherwise curl would say that the body is a form.
  if (headerOf(headers, 'content-type') === undefined) words.push('-H', quoted('Content-Type:'));
  // Only --data-raw sends a text that begins with @, only --data-binary a file as it is.
  if (body?.file === undefined) words.push('--data-raw', quoted(body?.text ?? ''));
  else words.push('--data-binary', quoted(`@${body.file}`));
  return words.join(' ');
}

/** A word of the shell in which no sign means anything. */
export const inSingleQuotes = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** A word of the shell: as it stands, except for the labels of secrets, which become variables. */
function quoted(word: string): string {
  const labels = Object.entries(variables).filter(([label]) => word.includes(`[${label}]`));
  if (labels.length === 0) return inSingleQuotes(word);
  let shown = word.replaceAll(/[\\"$`]/g, '\\$&');
  for (const [label, variable] of labels) shown = shown.replaceAll(`[${label}]`, `$${variable}`);
  // An interactive shell would put earlier commands in the place of `!`, also within double quotes.
  return `"${shown.replaceAll('!', `"'!'"`)}"`;
}
