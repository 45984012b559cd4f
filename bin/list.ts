/** The command `list`: requirements with their checks, and gaps, without calling anything. */
import { Help } from 'commander';
import { gaps } from '../openapi/gaps/register.ts';
import { areas, type CatalogueEntry, catalogue } from '../openapi/requirements/catalogue.ts';
import { print, printJson } from '../record/print.ts';

const usualWidth = 100;

interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

interface Line {
  readonly id: string;
  readonly words: readonly string[];
  readonly text: string;
}

/** Prints the catalogue and the gap register: a line for each, in a terminal with its text below it, or as JSON. */
export async function list({
  checks,
  json,
}: {
  readonly checks?: string;
  readonly json?: boolean;
}): Promise<number> {
  const own =
    checks === undefined
      ? undefined
      : (await (await import('../running/own-checks.ts')).ownChecks(checks)).entries;
  if (json) printJson({ requirements: catalogue, gaps, own });
  else print(listed(process.stdout, own));
  return 0;
}

export function listed({ isTTY, columns }: Output, own: readonly CatalogueEntry[] = []): string {
  const lineOf = (entry: CatalogueEntry): Line => {
    const [check, text] = evidence(entry);
    return { id: entry.id, words: [entry.level, check], text };
  };
  const requirements = areas.flatMap((area) => catalogue.filter((entry) => entry.area === area));
  const questions = gaps.map(({ id, kind, question }): Line => ({ id, words: [kind], text: question }));
  const show = isTTY ? (lines: readonly Line[]) => paragraphs(lines, columns || usualWidth) : plain;
  const number = (has: string) => catalogue.filter((entry) => has in entry).length;
  return [
    show(requirements.map(lineOf)),
    `${catalogue.length} requirements: ${number('check')} with a check, ${number('notTestable')} not testable`,
    '',
    ...(own.length > 0 ? [show(own.map(lineOf)), `${own.length} of your own`, ''] : []),
    show(questions),
    `${gaps.length} gaps`,
    '',
  ].join('\n');
}

/** One text line for each entry, for `grep` and `cut`. */
function plain(lines: readonly Line[]): string {
  const cells = lines.map(({ id, words, text }) => [id, ...words, text]);
  const widths = cells[0]?.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0))) ?? [];
  return cells
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function paragraphs(lines: readonly Line[], width: number): string {
  const wrapped = (text: string) => new Help().boxWrap(text, width - 5).replaceAll(/^/gm, '    ');
  const shown = lines.map(({ id, words, text }) => `${id}  (${words.join(', ')})\n${wrapped(text)}`);
  return `${shown.join('\n')}\n`;
}

/** The check that covers an entry, or that none does, and its statement, then with the reason. */
function evidence(entry: CatalogueEntry): [string, string] {
  if ('check' in entry) return [entry.check, entry.statement];
  return ['not testable', `${entry.statement} (${entry.notTestable})`];
}
