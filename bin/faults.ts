/** Runs the checks against the reference service with each of its faults: `npm run faults`, with names for some of them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { isRequirementId } from '../openapi/requirements/catalogue.ts';
import { ConfigurationError } from '../record/errors.ts';
import { print } from '../record/print.ts';
import { didYouMean } from '../record/schema-errors.ts';
import { type FaultId, faults } from '../reference/faults.ts';
import { packageRoot } from '../reports/run/package.ts';
import { uncovered } from '../tests/proof/faults/coverage.ts';
import { type FaultResult, inexactness } from '../tests/proof/faults/fault-result.ts';
import type { Job } from '../tests/proof/faults/job.ts';
import { isInSample } from '../tests/proof/faults/selection.ts';
import { comparable, faultTable, knownFrom } from '../tests/proof/faults/table.ts';
import { runJobs } from '../tests/proof/pool.ts';
import { developmentCommand, told } from './development-command.ts';

const tableFile = join(packageRoot(), 'docs', 'faults.md');

const command = new Command('npm run faults --')
  .argument('[names...]', 'faults, requirements or areas')
  .option(
    '--all',
    'before every check, not only before those that could see a fault and a sample of the others',
  )
  .option(
    '--check',
    'compare docs/faults.md with what the faults do, instead of writing it; first with the checks or the flow alone that it names',
  )
  .option('--sampled', 'the first fault of each requirement, and one in three of the others')
  .option('--counts <file>', 'write how many passed and failed, as JSON');

type Given = {
  readonly all?: boolean;
  readonly check?: boolean;
  readonly sampled?: boolean;
  readonly counts?: string;
};

export function main(args: readonly string[]): Promise<number> {
  return developmentCommand<Given>(command, args, (names, given) => run(chosen(names), given));
}

/** The faults that the arguments name; all without any. */
function chosen(names: readonly string[]): readonly FaultId[] {
  const ids = Object.keys(faults) as FaultId[];
  if (names.length === 0) return ids;
  return names.flatMap((name) => {
    const found = ids.filter((id) => id === name || id.startsWith(`${name}/`) || id.startsWith(`${name}.`));
    if (found.length > 0) return found;
    const hint = didYouMean(name, [...ids, ...ids.map((id) => faults[id].requirement)]);
    const what = isRequirementId(name)
      ? 'has no fault: it is not testable'
      : 'is no fault, requirement or area';
    throw new ConfigurationError(`${name} ${what}${hint}`);
  });
}

async function run(
  named: readonly FaultId[],
  { all = false, check = false, sampled = false, counts }: Given,
): Promise<number> {
  const started = performance.now();
  const everything = named.length === Object.keys(faults).length;
  const ids = sampled ? named.filter(isInSample) : named;
  const seen = check ? knownFrom(readFileSync(tableFile, 'utf8')) : null;
  const writes = everything && !all && !check && !sampled;
  const jobs = (everything ? [null, ...ids] : ids).map(
    (fault): Job => ({ fault, everyCheck: all, known: writes ? 'look' : seen?.get(fault as FaultId) }),
  );
  const results = await resultsOf(jobs);
  if (ids.length === 1) for (const result of results) print(describeFault(result));
  const failures = results.flatMap((result) => {
    const wrong = inexactness(result);
    return wrong.length > 0 ? [`${result.fault ?? 'without a fault'}\n  ${wrong.join('\n  ')}`] : [];
  });
  let passed = results.length - failures.length;
  if (everything) {
    // The rows that no fault of a sample turns red are not without one.
    const missing = sampled ? [] : uncovered(results);
    if (missing.length > 0) failures.push(`coverage\n  ${missing.join('\n  ')}`);
    else passed += 1;
    // Where every check runs, the table's last column would differ.
    if (!all) {
      const stale = keepTable(faultTable(results), !writes, new Set(ids));
      if (stale) failures.push(stale);
      else passed += 1;
    }
  }
  for (const failure of failures) print(`FAILED ${failure}\n`);
  const checksRun = results.reduce((sum, { ran }) => sum + ran.length, 0);
  return told(`${checksRun} checks run`, started, { passed, failed: failures.length }, counts);
}

async function resultsOf(jobs: readonly Job[]): Promise<readonly FaultResult[]> {
  // Starting another process takes longer than a single fault.
  if (jobs.length === 1) {
    const { doJob } = await import('../tests/proof/faults/job.ts');
    return Promise.all(jobs.map(doJob));
  }
  return runJobs(jobs, {
    module: new URL('../tests/proof/faults/job', import.meta.url),
    atATime: 6,
    told: (_, count) => {
      if (count % 50 === 0) print(`${count} of ${jobs.length}\n`);
    },
    isRight: (result: FaultResult) => inexactness(result).length === 0,
    broken: ({ fault }, message) => {
      return { fault, ran: [], rows: {}, red: {}, couldNotRun: {}, errors: { 'the suite': message } };
    },
    name: ({ fault }) => fault ?? 'no fault',
  });
}

/** Writes the table, or compares it; gives a sentence when it is not up to date. */
function keepTable(text: string, compare: boolean, ran: ReadonlySet<FaultId>): string | undefined {
  if (!compare) {
    writeFileSync(tableFile, text);
    return undefined;
  }
  const kept = readFileSync(tableFile, 'utf8').split('\n');
  const lines = text.split('\n');
  const place = lines.findIndex(
    (line, index) => comparable(line, ran) !== comparable(kept[index] ?? '', ran),
  );
  if (place < 0 && kept.length === lines.length) return undefined;
  return `docs/faults.md is not up to date: run npm run faults\n  it has     ${kept[place]}\n  it ought to have ${lines[place]}`;
}

function describeFault({ fault, ran, red, couldNotRun }: FaultResult): string {
  if (fault === null) return '';
  const blocked = Object.entries(couldNotRun);
  const first = blocked[0];
  return [
    `${fault}: ${faults[fault].title}`,
    ...Object.entries(red).flatMap(([id, rows]) => [
      `  failed  ${id}`,
      ...rows.map(({ row, reason }) => `    ${row}: ${reason}`),
    ]),
    ...(first
      ? [
          `  could not run  ${blocked.map(([id]) => id).join(', ')}`,
          `    ${first[0]}: ${first[1].split('\n')[0]}`,
        ]
      : []),
    `  ${ran.length} checks run`,
    '',
  ].join('\n');
}
