/** Lists how a secret may be spelled on the wire: in URLs, forms, JSON, HTML, mail and base64. */
import { below } from '../../openapi/json-pointer.ts';
import { base64Bytes } from '../untrusted/payload/base64.ts';
import { percentEncoded } from '../untrusted/text.ts';

/** The least length of a value that is also searched for in lower and upper case: shorter ones may be ordinary words. */
const shortestRecased = 16;

/** The spellings of a value in a text; the order is the same for every value. */
export function spellingsOf(secret: string): readonly string[] {
  const percent = percentEncoded(secret);
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const json = JSON.stringify(secret).slice(1, -1);
  const bytes = Buffer.from(secret);
  const wide = Buffer.from(secret, 'utf16le');
  const isLong = secret.length >= shortestRecased;
  const recased = isLong ? [secret.toLowerCase(), secret.toUpperCase()] : [secret, secret];
  return [
    // Names of header fields may change their case on the way. These come first, so that an equal later spelling counts.
    ...recased.flatMap((each) => [each, JSON.stringify(each).slice(1, -1)]),
    // A field may have it as its name, which the suite writes so.
    below('', secret).slice(1),
    secret,
    percent,
    percentEncoded(percent),
    form,
    strictly(secret),
    // Quoted-printable as in mail, and UTF-8 bytes of a body that is no text.
    [...bytes].map(quotedPrintable).join(''),
    bytes.toString('latin1'),
    // UTF-16 without a declared charset: both byte orders share these bytes.
    wide.subarray(0, -1).toString('latin1'),
    wide.toString('base64').replace(/=+$/, ''),
    // Some encoders write hexadecimal digits in small letters.
    ...[percent, form, strictly(secret)].map((text) =>
      text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    ),
    json,
    json.replaceAll('/', '\\/'),
    ...jsonForms(secret),
    ...htmlForms(secret),
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    ...inGroups(secret),
  ];
}

/** What stands between the digits of a code that is shown in groups; the first two are the usual ones. */
const gaps = [' ', '-', '\u00a0', '\u202f', '&nbsp;', '&#160;', '&#xA0;'] as const;

/** A code of six to eight digits, such as a one-time password, in halves, in pairs, and each digit by itself. */
function inGroups(code: string, between: readonly string[] = gaps): readonly string[] {
  if (!/^\d{6,8}$/.test(code)) return [];
  const half = code.slice(0, Math.ceil(code.length / 2));
  const groups = [[half, code.slice(half.length)], code.match(/\d\d?/g) ?? [], [...code]];
  return groups.flatMap((each) => between.map((gap) => each.join(gap)));
}

/** A byte in quoted-printable (RFC 2045, 6.7). */
function quotedPrintable(byte: number): string {
  const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x3d;
  return isPlain ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Percent-encoded except letters and digits, as clients do before they make Basic credentials (RFC 6749, 2.3.1). */
function strictly(text: string): string {
  const code = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return percentEncoded(text).replace(/[-_.!~*'()]/g, code);
}

/** The least number of bytes that a secret in digits stands for: shorter ones may be ordinary words. */
const leastBytes = 8;

/**
 * What a secret of a profile stands for, where that is another text: without the word before it (`whsec_…`, `Basic …`);
 * and what it is in base64 or hexadecimal digits, as a text, of which a password stands behind a colon, or in other digits.
 */
export function innerOf(secret: string): readonly string[] {
  const bare = secret.replace(/^(?:whsec_|(?:api-?key|basic|bearer|token) +)/i, '');
  const bytes = /^(?:[\da-f]{2})+$/i.test(bare) ? Buffer.from(bare, 'hex') : base64Bytes(bare);
  if (!bytes || bytes.length < leastBytes) return [bare];
  const text = bytes.toString('latin1');
  if (/^[ -~]+$/.test(text)) return [bare, text, text.slice(text.indexOf(':') + 1)];
  return [
    bare,
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ];
}

/** What a value becomes within a longer text that is encoded as a whole; the order is the same for every value. */
export function codesOf(secret: string): readonly string[] {
  const plain = [
    ...[secret, percentEncoded(secret), strictly(secret), JSON.stringify(secret).slice(1, -1)],
    ...inGroups(secret, gaps.slice(0, 2)),
  ];
  // The first four are the same for most values.
  const codes = new Map([...new Set(plain)].map((text) => [text, codesOfText(text)]));
  return plain.flatMap((text) => codes.get(text) ?? []);
}

function codesOfText(text: string): readonly string[] {
  const hex = Buffer.from(text).toString('hex');
  return [hex, hex.toUpperCase(), ...[0, 1, 2].flatMap((before) => base64Within(text, before))];
}

/**
 * The characters of base64 that depend on this text alone when it is a part of a longer one, in the alphabets and
 * spellings that occur on the wire.
 * @param before bytes in front of the text, modulo 3
 */
export function base64Within(text: string, before: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
  const first = Math.ceil((before * 8) / 6);
  const base64 = bytes.toString('base64').slice(first, Math.floor((bytes.length * 8) / 6));
  return [
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_'),
    percentEncoded(base64),
    base64.replaceAll('/', '\\/'),
  ];
}

/** Characters that JSON encoders write as codes: those of Go, of Gson and of .NET, and all but letters and digits. */
const jsonSigns = [/[<>&]/g, /[<>&=']/g, /[<>&"'+`\u007f-\uffff]/g, /[^A-Za-z0-9]/g] as const;

function jsonForms(secret: string): string[] {
  const code = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const large = (sign: string) => `\\u${code(sign).slice(2).toUpperCase()}`;
  // A quote has a backslash before it and no code.
  const others = (text: string) => text.replaceAll(/"/g, '\\"');
  return jsonSigns.flatMap((signs) => [code, large].map((each) => others(secret.replaceAll(signs, each))));
}

function htmlForms(secret: string): string[] {
  const shown = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = shown.replaceAll('"', '&quot;');
  const large = (sign: string) => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`;
  return [
    ...['&#39;', '&#x27;', '&apos;'].map((quote) => quoted.replaceAll("'", quote)),
    // The codes of .NET, and of encoders that encode all but letters and digits.
    quoted.replaceAll(/['+`\u007f-\uffff]/g, large),
    secret.replaceAll(/[^A-Za-z0-9]/g, (sign) => `&#${sign.charCodeAt(0)};`),
  ];
}
