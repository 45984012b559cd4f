/** JSON in indented lines, each with the place in the document of which it speaks. */
import { parseJson } from '../../record/json.ts';

export interface JsonLine {
  readonly text: string;
  /** JSON Pointer of the value that the line shows or opens; `null` for a line that closes one. */
  readonly pointer: string | null;
}

/** The lines of a JSON text; `null` when it is none, or a single value without any lines to speak of. */
export function jsonLines(text: string): JsonLine[] | null {
  if (!/^\s*[[{]/.test(text)) return null;
  const value = parseJson(text);
  return value === undefined ? null : linesOf(value, '', '', '');
}

function linesOf(value: unknown, pointer: string, indent: string, name: string): JsonLine[] {
  if (value === null || typeof value !== 'object' || Object.keys(value).length === 0) {
    return [{ text: `${indent}${name}${JSON.stringify(value)}`, pointer }];
  }
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const inner = Object.entries(value).flatMap(([key, each], at, all) => {
    const step = key.replaceAll('~', '~0').replaceAll('/', '~1');
    const label = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `;
    const lines = linesOf(each, `${pointer}/${step}`, `${indent}  `, label);
    const last = lines.at(-1);
    if (last && at < all.length - 1) lines[lines.length - 1] = { ...last, text: `${last.text},` };
    return lines;
  });
  return [
    { text: `${indent}${name}${open}`, pointer },
    ...inner,
    { text: `${indent}${close}`, pointer: null },
  ];
}
