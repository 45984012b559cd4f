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
  credentials: 'CREDENTIALS',
};

/** What a person has to put into such a variable. */
export const meanings: Readonly<Record<string, string>> = {
  TOKEN: 'an access token of the target',
  EXPIRED_TOKEN: 'an access token whose lifetime has passed',
  ALTERED_TOKEN: 'an access token with some of its characters replaced',
  UNKNOWN_TOKEN: 'a token that the target never gave out',
  ONE_TIME_SECRET: 'the one-time password or signing link that was sent',
  CREDENTIALS: 'the credentials of the header Authorization',
};

/** The pieces of a text. Longer values are looked for first, since one may be part of another. */
export function piecesOf(text: string, known: readonly Known[]): Piece[] {
  const found = new Map<string, Piece>();
  for (const [label, variable] of Object.entries(secrets)) found.set(`[${label}]`, { variable });
  for (const { value, variable } of known) {
    found.set(encodeURIComponent(value), { variable, encoded: true });
    found.set(value, { variable });
  }
  const words = [...found.keys()].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(`(${words.map(escaped).join('|')})`, 'g');
  return text.split(pattern).flatMap((part): Piece[] => (part === '' ? [] : [found.get(part) ?? part]));
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
