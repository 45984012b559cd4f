/** Makes, of an id that exists, one of the same shape that does not. */
import { digestOf } from './seed.ts';

/** Shorter ids of digits are counted up in many services: their neighbours may exist. */
const shortestNumber = 9;

/** What is left of an id after its prefix and has fewer places than this is made longer. */
const shortestName = 12;

/** The largest numbers that 32-bit, JavaScript's and 64-bit integers hold. */
const integerLimits = [2n ** 31n - 1n, 2n ** 53n - 1n, 2n ** 63n - 1n];

/**
 * Another id of the same shape: a UUID stays one of its version and variant, digits stay digits, hexadecimal
 * stays hexadecimal, letters keep their case, a prefix (`req_`) and all other signs stay. So a service that
 * looks at the shape first still has to look the id up. Short ids become longer: a neighbour could exist.
 *
 * Never an id that is equal to `id` when case is ignored or both are read as base64. The same for the same
 * `id` and `seed`.
 */
export function alter(id: string, seed: number): string {
  for (let attempt = 0; ; attempt++) {
    const altered = alterOnce(id, digitsOf(id, seed, attempt));
    if (!sameTo(id, altered)) return altered;
  }
}

/** Draws numbers 0 to `below` - 1. */
type Draw = (below: number) => number;

function alterOnce(id: string, draw: Draw): string {
  const uuid =
    /^([0-9a-f]{8}-[0-9a-f]{4}-)([0-9a-f])([0-9a-f]{3}-)([0-9a-f])([0-9a-f]{3}-[0-9a-f]{12})$/i.exec(id);
  if (uuid) {
    const [, head = '', version = '', middle = '', variant = '', tail = ''] = uuid;
    return [hex(head, draw), version, hex(middle, draw), variant, hex(tail, draw)].join('');
  }
  if (/^[0-9]+$/.test(id)) return number(id, draw);
  if (/^(?=.*[a-f])[0-9a-f]{8,}$/i.test(id)) return hex(id, draw);
  const inside = textInBase64(id);
  if (inside !== undefined) return Buffer.from(alterOnce(inside, draw)).toString('base64');
  // A token of three parts (JWT): the last is its signature, and only it may change without a parser noticing.
  const parts = /^(eyJ[\w-]*\.eyJ[\w-]*\.)([\w-]+)$/.exec(id);
  if (parts) return `${parts[1]}${letters(parts[2] ?? '', draw)}`;
  const [prefix = ''] = /^[A-Za-z]{1,16}[_:.-](?=.)/.exec(id) ?? [];
  const rest = id.slice(prefix.length);
  return prefix + (/^[0-9]+$/.test(rest) ? number(rest, draw) : letters(lengthened(rest), draw));
}

/** Digits, kept within the integer type that holds the original, so that a service can still read them. */
function number(id: string, draw: Draw): string {
  const long = id.length < shortestNumber ? '9'.repeat(shortestNumber) : id;
  const limit = integerLimits.find((largest) => BigInt(long) <= largest);
  for (;;) {
    const drawn = [...long]
      .map((_, index) => (index === 0 && id[0] !== '0' ? 1 + draw(9) : draw(10)))
      .join('');
    if (limit === undefined || BigInt(drawn) <= limit) return drawn;
  }
}

function hex(id: string, draw: Draw): string {
  return mapped(id, draw, { digits: '0123456789', lower: 'abcdef', upper: 'ABCDEF' });
}

/** Only signs that are in all usual alphabets: no I, L, O, U (Crockford's base 32), no 0, 1, 8, 9 (RFC 4648). */
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

/** Repeated until it has enough places that can change; an id without any gets some. */
function lengthened(id: string): string {
  const changeable = id.replace(/[^0-9A-Za-z]/g, '').length;
  if (changeable === 0) return `${id}${'a'.repeat(shortestName)}`;
  return id.repeat(Math.ceil(shortestName / changeable));
}

/** The text in an id that is base64 of readable ASCII, such as `UmVxdWVzdDo3` (Request:7). */
function textInBase64(id: string): string | undefined {
  if (id.length < 8 || !/^(?:[\w+/-]{4})*(?:[\w+/-]{2}==|[\w+/-]{3}=)?$/.test(id)) return undefined;
  const text = Buffer.from(id, 'base64').toString('latin1');
  const readable = /^[\x20-\x7e]+$/.test(text) && Buffer.from(text).toString('base64') === id;
  return readable ? text : undefined;
}

function sameTo(one: string, other: string): boolean {
  if (one.toLowerCase() === other.toLowerCase()) return true;
  const bytes = Buffer.from(one, 'base64');
  return bytes.length > 0 && bytes.equals(Buffer.from(other, 'base64'));
}

function digitsOf(id: string, seed: number, attempt: number): Draw {
  let place = 0;
  return (below) => Number.parseInt(digestOf(seed, id, attempt, place++).slice(0, 12), 16) % below;
}
