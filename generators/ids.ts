/** Makes an id that does not exist from one that does, in the same shape. */
import { type Draw, digestOf } from './seed.ts';

/** Ids of fewer digits are often counted up, so that the next ones may exist: they are made longer. */
const shortestNumber = 9;

/** An id with fewer letters and digits than `enough` is repeated until it has `many` of them. */
const enough = 6;
const many = 12;

/** The largest numbers that 32-bit, JavaScript's and 64-bit integers hold. */
const integerLimits = [2n ** 31n - 1n, 2n ** 53n - 1n, 2n ** 63n - 1n];

/**
 * Another id of the same shape: a UUID stays one of its version and variant, digits stay digits, hexadecimal
 * stays hexadecimal, letters keep their case, a prefix (`req_`) and all other signs stay. So a service that
 * checks the shape first still has to look the id up. Short ids become longer, since a similar one could exist.
 *
 * The result never equals `id` when case is ignored or both are decoded as base64. It is always the same for the same
 * `id` and `seed`.
 */
export function alter(id: string, seed: number): string {
  for (let attempt = 0; ; attempt++) {
    const altered = alterOnce(id, digitsOf(id, seed, attempt));
    if (!sameTo(id, altered)) return altered;
  }
}

/** Whether an id is long enough, and no number, so that no other object of the target has it by chance. */
export const isUnmistakable = (id: string): boolean => !/^\d+$/.test(id) && placesIn(id) >= many;

/**
 * Ids that are nearly the given one: four characters longer, one shorter, or with another last or first one. A service
 * that compares only a part of ids takes them for it. There are none for an id that is a number or short, since similar ones
 * may exist, and none that decodes to the same bytes.
 */
export function nearly(id: string): readonly { readonly what: string; readonly id: string }[] {
  if (!isUnmistakable(id)) return [];
  return [
    { what: 'with four characters more', id: `${id}${id.slice(-4)}` },
    { what: 'with one character less', id: id.slice(0, -1) },
    { what: 'with another last character', id: `${id.slice(0, -1)}${otherEnd(id)}` },
    // Other ids may begin with the kind of the object.
    ...(uuid.test(id)
      ? [{ what: 'with another first character', id: `${id.startsWith('0') ? 1 : 0}${id.slice(1)}` }]
      : []),
  ].filter((near) => !sameTo(id, near.id));
}

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The id with another last character of the same kind. In base64, decoders ignore some of its lower bits. */
function otherEnd(id: string): string {
  const last = id.slice(-1);
  if (/^[0-9a-f-]+$/i.test(id)) return last === '0' ? '1' : '0';
  const place = Math.max(0, signs.indexOf(last));
  return signs[place ^ 32] ?? signs[place ^ 16] ?? 'A';
}

function alterOnce(id: string, draw: Draw): string {
  // An id in the form of an e-mail address keeps its domain, since another one may belong to somebody.
  const [, own = '', domain = ''] = /^(.+)(@[^@]+)$/s.exec(id) ?? [];
  if (placesIn(own) >= enough) return alterOnce(own, draw) + domain;
  const prefix = prefixOf(id);
  // A UUID has no prefix, though its first group of eight characters may be all letters.
  if (prefix && !uuid.test(id) && !token.test(id))
    return prefix + changedInForm(id.slice(prefix.length), draw);
  return changedInForm(id, draw);
}

/** The prefix of an id, such as `req_`, `doc:v:` or `REQ/`, but no text that only happens to look like one. */
function prefixOf(id: string): string | undefined {
  const names = [/^(?:[a-z]{1,16}[_:./])+(?=.)|^[a-z]{1,16}-(?=.)/i, /^[a-z]{1,16}[_:./](?=.)/i];
  const found = names.flatMap((name) => name.exec(id)?.[0] ?? []);
  const rest = (prefix: string) => id.slice(prefix.length);
  // If only a few characters other than digits follow, the separator occurs in the id by chance.
  return (
    found.find((each) => placesIn(rest(each)) >= enough) ??
    found.find((each) => /^\d+$/.test(rest(each)) || placesIn(id) < many)
  );
}

const placesIn = (id: string): number => id.replace(/[^0-9A-Za-z]/g, '').length;

/** A UUID. Groups: before the version, the version, up to the variant, the variant, the rest. */
const uuid = /^([0-9a-f]{8}-?[0-9a-f]{4}-?)([0-9a-f])([0-9a-f]{3}-?)([0-9a-f])([0-9a-f]{3}-?[0-9a-f]{12})$/i;

/** A token of three parts (JWT), the last of which is the signature. */
const token = /^(eyJ[\w-]*\.eyJ[\w-]*\.)([\w-]+)$/;

function changedInForm(id: string, draw: Draw): string {
  const [, head = '', version = '', middle = '', variant = '', tail = ''] = uuid.exec(id) ?? [];
  if (head) return [hex(head, draw), version, hex(middle, draw), variant, hex(tail, draw)].join('');
  if (/^[0-9]+$/.test(id)) return number(id, draw);
  if (/^(?=.*[a-f])[0-9a-f]{6,}$/i.test(id)) return hex(id, draw);
  const text = textInBase64(id);
  if (text !== undefined) return Buffer.from(alterOnce(text, draw)).toString('base64');
  // Of a JWT, only the signature is changed: other changes may make it unreadable.
  const [, signed = '', signature = ''] = token.exec(id) ?? [];
  return signed + letters(lengthened(signature || id), draw);
}

/** Digits, kept within the integer type that holds the original, so that a service can still read them. */
function number(id: string, draw: Draw): string {
  const length = Math.max(id.length, shortestNumber);
  // A number with leading zeros is a name of fixed length, and is not read as a number.
  const padded = id.startsWith('0');
  const limit = padded ? undefined : integerLimits.find((largest) => BigInt(id) <= largest);
  for (;;) {
    const drawn = Array.from({ length }, (_, index) =>
      index === 0 && !padded ? 1 + draw(9) : draw(10),
    ).join('');
    if (limit === undefined || BigInt(drawn) <= limit) return drawn;
  }
}

function hex(id: string, draw: Draw): string {
  return mapped(id, draw, { digits: '0123456789', lower: 'abcdef', upper: 'ABCDEF' });
}

/** Changes letters and digits. It uses only those of all usual alphabets: no I, L, O, U (Crockford's base 32), no 0, 1, 8, 9 (RFC 4648). */
function letters(id: string, draw: Draw): string {
  const lower = 'abcdefghjkmnpqrstvwxyz';
  return mapped(id, draw, { digits: '234567', lower, upper: lower.toUpperCase() });
}

function mapped(id: string, draw: Draw, to: { digits: string; lower: string; upper: string }): string {
  const pick = (from: string) => from.charAt(draw(from.length));
  return id.replace(/[0-9]|[a-z]|[A-Z]/g, (sign) => {
    if (/[0-9]/.test(sign)) return pick(to.digits);
    return pick(/[a-z]/.test(sign) ? to.lower : to.upper);
  });
}

function lengthened(id: string): string {
  const places = placesIn(id);
  if (places === 0) return `${id}${'a'.repeat(many)}`;
  return places < enough ? id.repeat(Math.ceil(many / places)) : id;
}

/** Letters of base64 or base64url, padded or not. */
const base64 = /^[\w+/-]+={0,2}$/;

/** The text in an id that is base64 of readable ASCII, such as `UmVxdWVzdDo3` (Request:7). */
function textInBase64(id: string): string | undefined {
  if (id.length < 8 || !base64.test(id)) return undefined;
  const text = Buffer.from(id, 'base64').toString('latin1');
  const readable = /^[\x20-\x7e]+$/.test(text) && Buffer.from(text).toString('base64') === id;
  return readable ? text : undefined;
}

function sameTo(one: string, other: string): boolean {
  if (one.toLowerCase() === other.toLowerCase()) return true;
  // Decoding stops at the first character outside of base64, so such ids cannot be compared by their bytes.
  if (!base64.test(one) || !base64.test(other)) return false;
  const bytes = Buffer.from(one, 'base64');
  return bytes.length > 0 && bytes.equals(Buffer.from(other, 'base64'));
}

function digitsOf(id: string, seed: number, attempt: number): Draw {
  let place = 0;
  return (below) => Number.parseInt(digestOf(seed, id, attempt, place++).slice(0, 12), 16) % below;
}
