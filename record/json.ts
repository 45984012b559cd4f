/** Reads JSON that strangers wrote, within bounds: the one place where a foreign text becomes a value. */

/** Bounds of a text; one that exceeds them is unreadable. */
export const jsonLimits = {
  /** Characters of a text: enough for the largest body that is taken. */
  characters: 64 * 1024 * 1024,
  /** Objects and lists within each other: real payloads stay below 20, and recursion is safe up to this depth. */
  depth: 64,
  /** Objects, lists and keys together. */
  nodes: 1_000_000,
  /** Values in all lists: a list of numbers costs a hundred times as much memory for each byte as a text does. */
  elements: 4_000_000,
} as const;

type JsonReading =
  | { readonly value: unknown }
  /** `excess`: the text exceeds the bounds, and may be JSON all the same. */
  | { readonly problem: string; readonly excess: boolean };

const quote = 0x22;
const backslash = 0x5c;

/**
 * The value of a JSON text, without its byte order mark; else `problem` says why. Never throws.
 * @param nodes at most
 * @param types `unstated`: an integer that JavaScript would round becomes a text, since ids of 64 bits are such, and would
 * become those of others
 */
export function readJson(
  text: string,
  nodes: number = jsonLimits.nodes,
  types: 'stated' | 'unstated' = 'stated',
): JsonReading {
  const excess = excessOf(text, nodes);
  if (excess !== undefined) return { problem: excess, excess: true };
  try {
    const whole = withWholeCharacters(text.startsWith('\uFEFF') ? text.slice(1) : text);
    return { value: JSON.parse(types === 'stated' ? whole : withWholeNumbers(whole)) as unknown };
  } catch (error) {
    return { problem: (error as Error).message, excess: false };
  }
}

const escapes =
  /\\(?:u[Dd][89ABab][\dA-Fa-f]{2}(\\u[Dd][C-Fc-f][\dA-Fa-f]{2})?|u[Dd][C-Fc-f][\dA-Fa-f]{2}|[\s\S])/g;

/** The text with U+FFFD for each escape of a lone surrogate (RFC 8259, 8.2), which no URL and no file can hold. */
function withWholeCharacters(text: string): string {
  if (!/\\u[Dd][89A-Fa-f]/.test(text)) return text;
  return text.replace(escapes, (found, second?: string) =>
    found.length === 6 && second === undefined ? '\\ufffd' : found,
  );
}

/** No payload has as many ids, and each long number takes several times its memory as a text. */
const mostWhole = 10_000;

/** The text with integers that JavaScript would round as strings, the first `mostWhole` of them. */
function withWholeNumbers(text: string): string {
  if (!/\d{16}/.test(text)) return text;
  const signs = /"|[-\d][-+.\deE]*/g;
  const parts: string[] = [];
  let from = 0;
  for (let found = signs.exec(text); found && parts.length < 2 * mostWhole; found = signs.exec(text)) {
    const [number] = found;
    if (number === '"') signs.lastIndex = endOfString(text, found.index) + 1;
    else if (/^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number))) {
      parts.push(text.slice(from, found.index), `"${number}"`);
      from = signs.lastIndex;
    }
  }
  return parts.join('') + text.slice(from);
}

/** The value of a JSON text; `undefined` when the text is no JSON or exceeds the bounds. */
export function parseJson(text: string, types?: 'stated' | 'unstated'): unknown {
  const reading = readJson(text, undefined, types);
  return 'value' in reading ? reading.value : undefined;
}

/** The same for a text of which no type is stated. */
export const parseUntyped = (text: string): unknown => parseJson(text, 'unstated');

/** The bound that a text exceeds. Counts the signs outside of strings, once, before anything is parsed. */
function excessOf(text: string, mostNodes: number): string | undefined {
  if (text.length > jsonLimits.characters) return `it is longer than ${jsonLimits.characters} characters`;
  let depth = 0;
  let nodes = 0;
  let commas = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        nodes += 1;
        if (depth > jsonLimits.depth) return `it is nested deeper than ${jsonLimits.depth} levels`;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      case 0x3a: // :
        nodes += 1;
        break;
      case 0x2c: // ,
        commas += 1;
        break;
    }
    if (commas - nodes > jsonLimits.elements)
      return `it has more than ${jsonLimits.elements} values in lists`;
    if (nodes > mostNodes) return `it has more than ${mostNodes} objects, lists and keys`;
  }
  return undefined;
}

/** Where the string that begins at `start` ends; the end of the text when it is not closed. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

export const beginsJson = (text: string): boolean => /^\s*[[{]/.test(text);

/** The text; where it is JSON within a JSON string, as some frameworks send it, the inner JSON. */
export function unquoted(text: string): string {
  const told = /^\s*"\s*[[{]/.test(text) ? parseJson(text) : undefined;
  return typeof told === 'string' ? told : text;
}
