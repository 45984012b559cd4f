/** Splits the text of a recorded call into fixed parts and variables, which a person or an earlier answer fills in. */

/** A part of a text: fixed, or the value of a variable, percent-encoded if `encoded`. */
export type Piece = string | { readonly variable: string; readonly encoded?: true };

/** A value that an earlier answer gave, and the variable that holds it. */
export interface KnownValue {
  readonly value: string;
  readonly variable: string;
}

/** Labels of secrets in the record, and the variables of the environment that have to hold the secrets. */
const secrets: ReadonlyMap<string, string> = new Map([
  ['[access token]', 'TOKEN'],
  ['[expired access token]', 'EXPIRED_TOKEN'],
  ['[altered access token]', 'ALTERED_TOKEN'],
  ['[extended access token]', 'EXTENDED_TOKEN'],
  ['[shortened access token]', 'SHORTENED_TOKEN'],
  ['[access token in other case]', 'OTHER_CASE_TOKEN'],
  ['[unknown access token]', 'UNKNOWN_TOKEN'],
  ['[one-time secret]', 'ONE_TIME_SECRET'],
  ['[access code]', 'ACCESS_CODE'],
  ['[wrong access code]', 'WRONG_ACCESS_CODE'],
  ['[credentials]', 'CREDENTIALS'],
]);

/**
 * The variable of the environment with a secret for one host. A run.json may come from a stranger, so a script sends a
 * secret only to a host for which the reader has set its variable. No two hosts have the same variable.
 * @param host with its port, where it has one
 */
export function forHost(secret: string, host: string): string {
  // A label such as x2d would stand for a hyphen where capitals count as small letters, as on Windows.
  const signs = /[^a-z0-9.]|(?<=\.)x(?=[0-9a-f]+\.)/gi;
  const name = host.replaceAll(signs, (sign) => `_x${sign.charCodeAt(0).toString(16)}_`);
  const upper = name.replaceAll(/_x[0-9a-f]+_|[A-Za-z.]/g, (part) =>
    part === '.' ? '_' : part.length > 1 ? part : part.toUpperCase(),
  );
  return `${secret}${ofHost}${upper}`;
}

const ofHost = '_FOR_';

/** Whether a variable holds what the target sends to people while the script runs, so that it cannot be set before. */
export const isSentMeanwhile = (variable: string): boolean => variable.startsWith(`ONE_TIME_SECRET${ofHost}`);

/** What a person has to put into a variable. */
export function meaningOf(variable: string): string {
  const [secret = ''] = variable.split(ofHost);
  return `${meanings[secret] ?? 'its value'} for this host alone`;
}

/** Values for variables that may hold anything, in the form that the suite uses. */
export const stand: Readonly<Record<string, string>> = {
  UNKNOWN_TOKEN: 'bm9ib2R5IGlzc3VlZCB0aGlzIHRva2Vu',
  ACCESS_CODE: '5d3c19a0b7e2',
  WRONG_ACCESS_CODE: '5d3c19b1b7e2',
};

const meanings: Readonly<Record<string, string>> = {
  TOKEN: 'an access token of the target',
  EXPIRED_TOKEN: 'an access token whose lifetime has passed',
  ALTERED_TOKEN: 'an access token with some characters in its middle replaced',
  EXTENDED_TOKEN: 'an access token with four characters more',
  SHORTENED_TOKEN: 'an access token without its last four characters',
  OTHER_CASE_TOKEN: 'an access token with small letters for capitals, and capitals for small ones',
  CREDENTIALS: 'the credentials of the header Authorization',
};

/** Labels of secrets that the profile takes from the environment: the names of their variables. */
const environment = /(\[[A-Z][A-Z0-9_]{2,}\])/;

/**
 * The pieces of a text. Longer values are searched first, since one may be part of another.
 * @param host that the text is sent to
 * @param where in a body, capitals in brackets may be ordinary text
 */
export function piecesOf(
  text: string,
  known: readonly KnownValue[],
  { host, where }: { readonly host: string; readonly where: 'head' | 'body' },
): Piece[] {
  const asked = (name: string) => (stand[name] === undefined ? forHost(name, host) : name);
  const found = new Map<string, Piece>();
  for (const { value, variable } of known) {
    found.set(encodeURIComponent(value), { variable, encoded: true });
    found.set(value, { variable });
  }
  const words = [...secrets.keys(), ...found.keys()].sort((one, other) => other.length - one.length);
  return splitAt(text, words).flatMap((part): Piece[] => {
    const piece = found.get(part);
    if (piece !== undefined) return [piece];
    const secret = secrets.get(part);
    if (secret !== undefined) return [{ variable: asked(secret) }];
    const [first = '', ...rest] = where === 'head' ? part.split(environment) : [part];
    // The split text has names and the text behind them in turn.
    const others = rest.map((each, at) => (at % 2 === 0 ? { variable: asked(each.slice(1, -1)) } : each));
    return [first, ...others].filter((each) => each !== '');
  });
}

/** Shorter ids, such as numbers that count up, are also found in what is no id: a type, a code, a part of an address. */
const leastId = 6;

/** Whether a value stands at this place of a text: a short one only as a whole part of a path, or between quotes. */
function standsAt(text: string, at: number, value: string): boolean {
  if (!text.startsWith(value, at)) return false;
  if (value.length >= leastId) return true;
  const isWhole = /^["/]?$/.test(text.charAt(at - 1)) && /^["/?#]?$/.test(text.charAt(at + value.length));
  return isWhole && !/type"\s*:\s*"$/i.test(text.slice(Math.max(0, at - 10), at));
}

/** Whether a text names an id, as `piecesOf` finds it. */
export function names(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1))
    if (standsAt(text, at, id)) return true;
  return false;
}

/** Splits a text at each of the words; where several match, the first of them counts. No pattern, since words may be too long for one. */
function splitAt(text: string, words: readonly string[]): string[] {
  const parts: string[] = [];
  const starts = new Set(words.map((word) => word.charAt(0)));
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const word = starts.has(text.charAt(at)) && words.find((each) => each !== '' && standsAt(text, at, each));
    if (!word) continue;
    parts.push(text.slice(from, at), word);
    from = at + word.length;
    at = from - 1;
  }
  return [...parts, text.slice(from)];
}

export function variablesIn(pieces: readonly Piece[]): string[] {
  return pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.variable]));
}

/** A regular expression that matches exactly this text. */
export const escaped = (word: string): string => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

export function withTextsJoined(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') result[result.length - 1] = last + piece;
    else result.push(piece);
  }
  return result;
}
