/** The command `list`: requirements with their checks, and gaps, without calling anything. */
import { gaps } from '../openapi/gaps/register.ts';
import { areas, type CatalogueEntry, catalogue } from '../openapi/requirements/catalogue.ts';

/** Prints the catalogue and the gap register, as tables or as JSON. */
export async function list({ json }: { readonly json?: boolean }): Promise<number> {
  process.stdout.write(
    json ? `${JSON.stringify({ requirements: catalogue, gaps }, null, 2)}\n` : await tables(),
  );
  return 0;
}

async function tables(): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const width = process.stdout.columns || 160;
  const style = { head: [], border: [], compact: true };
  // A cell has a space on either side, a table a line before each column and one at its end.
  const ids = Math.max(...[...catalogue, ...gaps].map(({ id }) => id.length)) + 2;
  const rest = (...others: number[]) => {
    const taken = [ids, ...others].reduce((sum, each) => sum + each + 1, 2);
    return Math.max(30, width - taken);
  };
  const requirements = new Table({
    head: ['requirement', 'level', 'check', 'statement'],
    colWidths: [ids, 8, 20, rest(8, 20)],
    wordWrap: true,
    style,
  });
  for (const area of areas) {
    for (const entry of catalogue.filter((each) => each.area === area)) {
      requirements.push([entry.id, entry.level, ...evidence(entry)]);
    }
  }
  const questions = new Table({
    head: ['gap', 'kind', 'question'],
    colWidths: [ids, 12, rest(12)],
    wordWrap: true,
    style,
  });
  for (const gap of gaps) questions.push([gap.id, gap.kind, gap.question]);
  const number = (has: string) => catalogue.filter((entry) => has in entry).length;
  return [
    requirements.toString(),
    `${catalogue.length} requirements: ${number('check')} with a check, ${number('pending')} pending, ${number('notTestable')} not testable`,
    '',
    questions.toString(),
    `${gaps.length} gaps`,
    '',
  ].join('\n');
}

/** Which check covers an entry, and its statement with the reason when none does. */
function evidence(entry: CatalogueEntry): [string, string] {
  if ('check' in entry) return [entry.check, entry.statement];
  if ('pending' in entry) return ['pending', `${entry.statement} (${entry.pending})`];
  return ['not testable', `${entry.statement} (${entry.notTestable})`];
}
