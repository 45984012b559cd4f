/** Text of a recorded call, taken apart into what stands as it is and what a person or an earlier answer fills in. */

/** A part of a text: as it is, or the value of a variable, percent-encoded where `encoded` says so. */
export type Piece = string | { readonly variable: string; readonly encoded?: true };

/** A value that an earlier answer gave, and the variable that holds it. */
export interface Known {
  readonly value: string;
  readonly variable: string;
}

/** What stands in the record for a secret, as the variable of the environment that has to hold it. */
const secrets: Readonly<Record<string, string>> = {
  'access token': 'TOKEN',
  'expired access token': 'EXPIRED_TOKEN',
  'altered access token': 'ALTERED_TOKEN',
  'unknown access token': 'UNKNOWN_TOKEN',
  'one-time secret': 'ONE_TIME_SECRET',
  'access code': 'ACCESS_CODE',
  'wrong access code': 'WRONG_ACCESS_CODE',
  credentials: 'CREDENTIALS',
};

/** The access token of a script. */
export const token = 'TOKEN';

/** The access token with some of its characters replaced, which a script makes itself. */
export const alteredToken = 'ALTERED_TOKEN';

/** Each character of it has another one after it, of the same kind: what one is replaced with. */
export const nextOf = 'ABCDEFGHIJKLMNOPQRSTUVWXYZAabcdefghijklmnopqrstuvwxyza01234567890';

/** What any value will do for, of the shape that the suite uses. */
export const stand: Readonly<Record<string, string>> = {
  UNKNOWN_TOKEN: 'bm9ib2R5IGlzc3VlZCB0aGlzIHRva2Vu',
  ACCESS_CODE: '5d3c19a0b7e2',
  WRONG_ACCESS_CODE: '5d3c19b1b7e2',
};

/** What a person has to put into such a variable. */
export const meanings: Readonly<Record<string, string>> = {
  TOKEN: 'an access token of the target',
  EXPIRED_TOKEN: 'an access token whose lifetime has passed',
  ONE_TIME_SECRET: 'the one-time password or signing link that was sent',
  CREDENTIALS: 'the credentials of the header Authorization',
};

/** Secrets that a profile takes from the environment stand in the record under the names that they have there. */
const environment = '\\[[A-Z][A-Z0-9_]{2,}\\]';

/**
 * The pieces of a text. Longer values are looked for first, since one may be part of another.
 * @param where in a body, capitals between brackets may be anything
 */
export function piecesOf(text: string, known: readonly Known[], where: 'head' | 'body' = 'head'): Piece[] {
  const found = new Map<string, Piece>();
  for (const [label, variable] of Object.entries(secrets)) found.set(`[${label}]`, { variable });
  for (const { value, variable } of known) {
    found.set(encodeURIComponent(value), { variable, encoded: true });
    found.set(value, { variable });
  }
  const words = [...found.keys()].sort((one, other) => other.length - one.length);
  const patterns = [...words.map(escaped), ...(where === 'head' ? [environment] : [])];
  const named = new RegExp(`^${environment}$`);
  return text.split(new RegExp(`(${patterns.join('|')})`, 'g')).flatMap((part): Piece[] => {
    if (part === '') return [];
    const other = where === 'head' && named.test(part) ? { variable: part.slice(1, -1) } : part;
    return [found.get(part) ?? other];
  });
}

/** Names of the variables in some pieces. */
export function variablesIn(pieces: readonly Piece[]): string[] {
  return pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.variable]));
}

function escaped(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The same with texts that stand side by side put together. */
export function merged(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') result[result.length - 1] = last + piece;
    else result.push(piece);
  }
  return result;
}
