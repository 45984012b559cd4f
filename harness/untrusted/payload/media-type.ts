/** Media types and their parameters (RFC 9110, RFC 6266), and text in the charset that one names. */

/** `application/json` of `Application/JSON; charset=utf-8`; empty when there is none. */
export function mediaTypeOf(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

/** A parameter of a header value, quoted or not, or in the encoded form `name*=UTF-8''…`. */
export function parameterOf(value: string, name: string): string | undefined {
  const encoded = new RegExp(`;\\s*${name}\\*\\s*=\\s*[\\w-]*'[^']*'([^;\\s]+)`, 'i').exec(value)?.[1];
  if (encoded !== undefined && !/%(?![0-9A-Fa-f]{2})/.test(encoded)) return percentDecoded(encoded);
  const [, quoted, token] =
    new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s"]+))`, 'i').exec(value) ?? [];
  return quoted === undefined ? token : quoted.replaceAll(/\\(.)/g, '$1');
}

/** The bytes as text, in the charset that the media type names, UTF-8 by default; without a byte order mark. */
export function textOf(bytes: Uint8Array, contentType: string): string {
  const charset = parameterOf(contentType, 'charset') ?? 'utf-8';
  return decoder(charset).decode(bytes);
}

function decoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // An unknown charset: most are written in ASCII all the same.
    return new TextDecoder();
  }
}

function percentDecoded(text: string): string {
  const bytes = text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
