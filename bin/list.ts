/** The command `list`: requirements with their checks, and gaps, without calling anything. */

import { gaps } from '../openapi/gaps/register.ts';
import { areas, type CatalogueEntry, catalogue } from '../openapi/requirements/catalogue.ts';
import { print, printJson } from '../record/print.ts';

/** Columns of a table that say no more than its texts in a narrower terminal. */
const leastForTables = 120;
/** Of a terminal that does not say how wide it is. */
const usualWidth = 160;

/** Where the list goes, as `process.stdout` is. */
interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** One line of a table: id, short cells, and a text that may need several lines. */
interface Line {
  readonly id: string;
  readonly cells: readonly string[];
  readonly text: string;
}

export interface ListArguments {
  readonly checks?: string;
  readonly json?: boolean;
}

/** Prints the catalogue and the gap register: as tables, for a file or a pipe as plain lines, or as JSON. */
export async function list({ checks, json }: ListArguments): Promise<number> {
  const own =
    checks === undefined
      ? undefined
      : (await (await import('../running/own-checks.ts')).ownChecks(checks)).entries;
  if (json) printJson({ requirements: catalogue, gaps, own });
  else print(await listed(process.stdout, own));
  return 0;
}

/** What is printed to an output: only a terminal gets lines around tables. */
export async function listed(
  { isTTY, columns }: Output,
  own: readonly CatalogueEntry[] = [],
): Promise<string> {
  const width = columns || usualWidth;
  const lineOf = (entry: CatalogueEntry): Line => {
    const [check, text] = evidence(entry);
    return { id: entry.id, cells: [entry.level, check], text };
  };
  const requirements = areas.flatMap((area) => catalogue.filter((entry) => entry.area === area)).map(lineOf);
  const questions = gaps.map(({ id, kind, question }): Line => ({ id, cells: [kind], text: question }));
  const show = !isTTY ? plain : width < leastForTables ? paragraphs : await tables();
  const number = (has: string) => catalogue.filter((entry) => has in entry).length;
  return [
    show(requirements, ['requirement', 'level', 'check', 'statement'], width),
    `${catalogue.length} requirements: ${number('check')} with a check, ${number('notTestable')} not testable`,
    '',
    ...(own.length > 0
      ? [
          show(own.map(lineOf), ['requirement', 'level', 'check', 'statement'], width),
          `${own.length} of your own`,
          '',
        ]
      : []),
    show(questions, ['gap', 'kind', 'question'], width),
    `${gaps.length} gaps`,
    '',
  ].join('\n');
}

/** One line for each, so that `grep` and `cut` find what they look for. */
const plain: Show = (lines) => {
  const widest = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length));
  const first = lines[0]?.cells ?? [];
  const widths = first.map((_, index) => widest(lines.map(({ cells }) => cells[index] ?? '')));
  const ids = widest(lines.map(({ id }) => id));
  return lines
    .map(({ id, cells, text }) =>
      [id.padEnd(ids), ...cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)), text].join('  '),
    )
    .join('\n');
};

type Show = (lines: readonly Line[], head: readonly string[], width: number) => string;

async function tables(): Promise<Show> {
  const { default: Table } = await import('cli-table3');
  return (lines, head, width) => {
    const widest = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length)) + 2;
    const short = head.slice(1, -1);
    const columns = [
      widest(lines.map(({ id }) => id)),
      ...short.map((title, index) => widest([title, ...lines.map(({ cells }) => cells[index] ?? '')])),
    ];
    // A line stands before each column and at the end.
    const rest = width - columns.reduce((sum, each) => sum + each + 1, 2);
    const table = new Table({
      head: [...head],
      colWidths: [...columns, rest],
      wordWrap: true,
      style: { head: [], border: [], compact: true },
    });
    for (const { id, cells, text } of lines) table.push([id, ...cells, text]);
    return table.toString();
  };
}

const paragraphs: Show = (lines, _, width) =>
  `${lines
    .map(({ id, cells, text }) => `${id}  (${cells.join(', ')})\n${wrapped(text, width - 1, '    ')}`)
    .join('\n')}\n`;

/** The words of a text in lines of at most `width` characters, each of which begins with `indent`. */
function wrapped(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = indent.trimEnd();
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? `${indent}${word}` : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

/** Which check covers an entry, and its statement with the reason when none does. */
function evidence(entry: CatalogueEntry): [string, string] {
  if ('check' in entry) return [entry.check, entry.statement];
  return ['not testable', `${entry.statement} (${entry.notTestable})`];
}
