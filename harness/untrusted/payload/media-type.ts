/** Media types and their parameters (RFC 9110, RFC 6266). */
import { percentBytes } from './base64.ts';

/** `application/json` of `Application/JSON; charset=utf-8`; empty when there is none. */
export function mediaTypeOf(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

/** A parameter of a header value, quoted or not, or in the encoded form `name*=UTF-8''…`. */
export function parameterOf(value: string, name: string): string | undefined {
  const encoded = new RegExp(`;\\s*${name}\\*\\s*=\\s*[\\w-]*'[^']*'([^;\\s]+)`, 'i').exec(value)?.[1];
  if (encoded !== undefined && !/%(?![0-9A-Fa-f]{2})/.test(encoded))
    return percentBytes(encoded).toString('utf8');
  const [, quoted, token] =
    new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s"]+))`, 'i').exec(value) ?? [];
  return quoted === undefined ? token : quoted.replaceAll(/\\(.)/g, '$1');
}
