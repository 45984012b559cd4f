/** A request as a `curl` command for POSIX shells, with shell variables in place of redacted secrets. */
import { type Exchange, type HeaderField, isFieldName } from './exchange.ts';

/** A request as it was recorded, redacted. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HeaderField[];
  /** The body when it is text. */
  readonly text?: string;
  /** The file with the body, relative to the folder of run.json, where the command is to be run. */
  readonly file?: string;
}

/** Secrets that a person can put in again, by the label that stands for them in the record. */
const variables: Readonly<Record<string, string>> = {
  'access token': 'TOKEN',
  'expired access token': 'EXPIRED_TOKEN',
};

/**
 * The command that sends a recorded request again. It is made from the parts of the request: the ready `curl` in a
 * run.json may come from a stranger, and is not used.
 */
export function curlOf({ request: { method, url, headers, body } }: Exchange): string {
  const empty = headers.some(([name, value]) => name.toLowerCase() === 'content-length' && value === '0');
  const text = body ? (body.text ?? '') : empty ? '' : undefined;
  const file = body?.file;
  return curlCommand({
    method,
    url,
    headers,
    ...(file === undefined && text !== undefined ? { text } : {}),
    file,
  });
}

/** Headers that curl makes itself. */
const made = new Set(['content-length', 'host', 'connection']);

export function curlCommand({ method, url, headers, text, file }: RecordedRequest): string {
  // -g: brackets and braces in the URL are meant as they stand. -X HEAD would wait for a body.
  const words = ['curl', ...(/[[\]{}]/.test(url) ? ['-g'] : [])];
  words.push(
    ...(method === 'HEAD' ? ['-I'] : ['-X', /^[A-Z]+$/.test(method) ? method : quoted(method)]),
    quoted(url),
  );
  for (const [name, value] of headers) {
    // `-H @file` would make curl read header fields from a file.
    if (!made.has(name.toLowerCase()) && isFieldName(name))
      words.push('-H', quoted(value === '' ? `${name};` : `${name}: ${value}`));
  }
  const body = file ?? text;
  if (body !== undefined && !headers.some(([name]) => name.toLowerCase() === 'content-type')) {
    // Otherwise curl would say that the body is a form.
    words.push('-H', quoted('Content-Type:'));
  }
  // Only --data-raw sends a text that begins with @, only --data-binary a file as it is.
  if (file !== undefined) words.push('--data-binary', quoted(`@${file}`));
  else if (text !== undefined) words.push('--data-raw', quoted(text));
  return words.join(' ');
}

/** A word of the shell: as it stands, except for the labels of secrets, which become variables. */
function quoted(word: string): string {
  const labels = Object.entries(variables).filter(([label]) => word.includes(`[${label}]`));
  if (labels.length === 0) return `'${word.replaceAll("'", `'\\''`)}'`;
  let shown = word.replaceAll(/[\\"$`]/g, '\\$&');
  for (const [label, variable] of labels) shown = shown.replaceAll(`[${label}]`, `$${variable}`);
  // An interactive shell would put earlier commands in the place of `!`, also within double quotes.
  return `"${shown.replaceAll('!', `"'!'"`)}"`;
}
