/** Runs the checks against compliant services, `npm run dialects`: nothing may fail, and what cannot run has to be expected. */
import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { counted } from '../record/counted.ts';
import { ConfigurationError } from '../record/errors.ts';
import { print } from '../record/print.ts';
import { didYouMean } from '../record/schema-errors.ts';
import { drawnRow } from '../tests/proof/dialects/drawn.ts';
import { dialectRows, everyDay } from '../tests/proof/dialects/rows.ts';
import type { RowJob, RowResult } from '../tests/proof/dialects/run-row.ts';
import { runJobs } from '../tests/proof/pool.ts';
import { developmentCommand, told } from './development-command.ts';
import { integer } from './main.ts';

const command = new Command('npm run dialects --')
  .argument('[row...]')
  .option('--all', 'every row, not only those of every day', false)
  .option('--sampled', 'a third of the checks and flows of each row', false)
  .option('--drawn <n>', 'services with habits drawn at random instead, so many', integer(1, 10_000))
  .option('--seed <n>', 'the seed of the first one of these', integer(0, 2 ** 31 - 1), 1)
  .option('--found <file>', 'write what did not pass, as JSON')
  .option('--counts <file>', 'write how many rows passed and failed, as JSON');

type Given = {
  readonly all: boolean;
  readonly sampled: boolean;
  readonly drawn?: number;
  readonly seed: number;
  readonly found?: string;
  readonly counts?: string;
};

export function main(args: readonly string[]): Promise<number> {
  return developmentCommand<Given>(command, args, async (names, given) => {
    const started = performance.now();
    const results = await resultsOf(chosen(names, given));
    const bad = results.filter((result) => wrongIn(result).length > 0);
    for (const result of bad) print(`FAILED ${result.row}\n${described(result)}`);
    if (given.found) writeFileSync(given.found, `${JSON.stringify(results, null, 2)}\n`);
    const counts = { passed: results.length - bad.length, failed: bad.length };
    return told(counted(results.length, 'row'), started, counts, given.counts);
  });
}

/** The rows that the arguments name; without any those of every day. */
function chosen(names: readonly string[], { all, sampled, drawn, seed }: Given): readonly RowJob[] {
  if (drawn !== undefined)
    return Array.from({ length: drawn }, (_, index) => ({ row: `drawn-${seed + index}` }));
  const known = dialectRows.map(({ name }) => name);
  for (const name of names) {
    if (!known.includes(name) && !drawnRow(name))
      throw new ConfigurationError(`${name} is no row${didYouMean(name, known)}`);
  }
  if (names.length > 0) return names.map((row) => ({ row }));
  return (all ? dialectRows : everyDay).map((row) => ({
    row: row.name,
    ...(sampled ? { sampled } : {}),
  }));
}

function resultsOf(jobs: readonly RowJob[]): Promise<readonly RowResult[]> {
  return runJobs(jobs, {
    module: new URL('../tests/proof/dialects/run-row', import.meta.url),
    atATime: 4,
    // What is wrong at the first try alone is told too: a busy machine must blame nobody either.
    told: (result: RowResult) => print(`${result.row}: ${countsOf(result)}\n${described(result)}`),
    isRight: (result) => wrongIn(result).length === 0,
    broken: ({ row }, message) => {
      const found = [{ id: 'the suite', verdict: 'error' as const, message, expected: false }];
      return { row, counts: {}, found, passed: [] };
    },
    name: ({ row }) => row,
  });
}

const wrongIn = ({ found }: RowResult): RowResult['found'] => found.filter((each) => !each.expected);

function countsOf({ counts }: RowResult): string {
  return Object.entries(counts)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(', ');
}

function described(result: RowResult): string {
  return wrongIn(result)
    .map(({ id, verdict, message }) => `  ${verdict} ${id}\n    ${message.replaceAll('\n', '\n    ')}\n`)
    .join('');
}
