/** Decodes the text of a body: by its byte order mark, by the charset that its header or itself declares, or else as UTF-8; and related helpers for texts. */
import { type HeaderField, headerOf, isPage } from '../../record/exchange.ts';
import { visible } from '../../record/visible.ts';
import { percentBytes } from './payload/base64.ts';

/** The body as text without a byte order mark; bytes that cannot be decoded become U+FFFD. */
export function textOf(headers: readonly HeaderField[], bytes: Uint8Array): string {
  return textAs(headerOf(headers, 'content-type') ?? '', bytes);
}

/** The same, of a body or a part with this media type. */
export function textAs(contentType: string, bytes: Uint8Array): string {
  return new TextDecoder(charsetOf(contentType, bytes) ?? 'utf-8').decode(bytes);
}

/** The body as text that encodes back to the same bytes, or `null` when it is no text. */
export function exactTextOf(headers: readonly HeaderField[], bytes: Buffer): string | null {
  const charset = charsetOf(headerOf(headers, 'content-type') ?? '', bytes);
  if (charset === undefined && bytes.includes(0)) return null;
  try {
    return new TextDecoder(charset ?? 'utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The bytes do not fit the charset, so the caller keeps them instead.
    return null;
  }
}

/** A text or a number of a payload as text; `undefined` for anything else, and where it is empty. */
export function scalarText(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? undefined : text;
}

/** How much of the bytes tells whether they are UTF-16: a third of them is zero then in texts of our languages. */
const tellingBytes = 1024;

/** The bytes with a change to the texts in them, also to those in UTF-16: Latin-1 makes a character of each byte, and back. */
export function withTexts(bytes: Buffer, change: (text: string) => string): Buffer {
  const shown = Buffer.from(change(bytes.toString('latin1')), 'latin1');
  const start = bytes.subarray(0, tellingBytes);
  if (3 * start.filter((byte) => byte === 0).length < start.length) return shown;
  // In the other byte order the text begins a byte later, and lacks the last one.
  return [0, 1].reduce((found: Buffer, at) => {
    const pairs = Buffer.concat([found.subarray(at), Buffer.alloc((found.length - at) % 2)]);
    const changed = Buffer.from(change(pairs.toString('utf16le')), 'utf16le');
    const kept = changed.length - ((found.length - at) % 2);
    return Buffer.concat([found.subarray(0, at), changed.subarray(0, kept)]);
  }, shown);
}

/** What a page of HTML or an XML document says of its own charset, which stands within its first 1024 bytes. */
const inItself = /^\s*<(?:\?xml\b[^>]*\sencoding|[\s\S]*?<meta\b[^>]*[\s;"']charset)\s*=\s*["']?([\w.:-]+)/i;

/** The charset, when it is known and is not UTF-8. */
function charsetOf(contentType: string, bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  const declared = parameterOf(contentType, 'charset') ?? inItself.exec(start)?.[1];
  if (declared === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(declared);
    // In UTF-16 each sign of ASCII has a zero byte. Without any the body is UTF-8: read as it says to be, it would be signs
    // of Chinese, in which no secret is found.
    const isOnlyNamed = encoding.startsWith('utf-16') && !bytes.includes(0);
    return encoding === 'utf-8' || isOnlyNamed ? undefined : encoding;
  } catch {
    // The charset is unknown: UTF-8 is the best guess.
    return undefined;
  }
}

/** The text without percent-encoding; as it is where that makes no UTF-8. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The text has no percent-encoding, or one of another character set: it is taken as it is.
    return text;
  }
}

/** White space folded, so that line breaks of a page or a mail do not matter; accents composed. */
export const plain = (text: string): string =>
  text.normalize().replaceAll(/\s+/g, ' ').replaceAll(/[‘’]/g, "'").toLowerCase();

/** The text up to a length, without half a character at its end. */
export function cutAt(text: string, most: number): string {
  // The copy is on purpose: a slice would hold the whole text in memory as long as it is kept.
  const cut = text.length <= most ? text : Buffer.from(text.slice(0, most), 'utf16le').toString('utf16le');
  return cut.replace(/[\ud800-\udbff]$/, '');
}

/** The text in one line, with what nobody sees as its code, so that it has no colors either, cut off after so many characters. */
export function inShort(text: string, most: number): string {
  const line = visible(text.replaceAll(/\s+/g, ' ').trim());
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

/** The text percent-encoded; lone surrogates, which patterns and tables of entities may leave, become U+FFFD. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));
}

/** Whether a success may not come from the target itself: a login page or a gateway may also answer with success, once. */
export function isStray({ text }: { readonly text: string }): boolean {
  return isPage(text) || text.includes('\ufffd');
}

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
