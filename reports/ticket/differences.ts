/** What differs between a call and its accepted twin, with the values of both, as rows of a Markdown table. */
import type { Exchange } from '../../record/exchange.ts';
import { parseJson } from '../../record/json.ts';
import { code } from '../markdown.ts';
import type { Difference, Twin } from '../twin.ts';

/** A table; of what is there in one of the two only, the outermost part is named. */
export function differenceTable(exchange: Exchange, { exchange: accepted, differences }: Twin): string[] {
  const outermost = differences.filter(
    ({ at }) => !differences.some((other) => other.at !== '' && at.startsWith(`${other.at}/`)),
  );
  return [
    '| | above | in the accepted call |',
    '|---|---|---|',
    ...outermost.map(
      (each) => `| ${nameOf(each)} | ${cell(valueAt(exchange, each))} | ${cell(valueAt(accepted, each))} |`,
    ),
  ];
}

function nameOf(difference: Difference): string {
  if (difference.in === 'header') return `header ${code(difference.at)}`;
  return difference.at === '' ? 'the body' : code(partsOf(difference).join('.'));
}

function cell(text: string | undefined): string {
  return text === undefined ? 'absent' : code(text).replaceAll('|', '\\|');
}

/** Longest value in the table, in characters. */
const longest = 200;

function valueAt({ request }: Exchange, difference: Difference): string | undefined {
  if (difference.in === 'header') {
    return request.headers.find(([name]) => name.toLowerCase() === difference.at)?.[1];
  }
  const { text, file, size } = request.body ?? {};
  if (file !== undefined) return `${size} bytes, ${file}`;
  if (text === undefined || difference.at === '') return text?.slice(0, longest);
  let value: unknown = parseJson(text);
  for (const part of partsOf(difference)) {
    value =
      value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[part] : undefined;
  }
  return value === undefined ? undefined : JSON.stringify(value).slice(0, longest);
}

/** The steps of a JSON Pointer. */
function partsOf({ at }: Difference): string[] {
  return at
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}
