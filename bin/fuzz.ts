/** `npm run fuzz`: fuzz of the reference service, the listener, and all that reads foreign texts and our own files; with --seed and --path one input again. */
import { randomInt } from 'node:crypto';
import { Command } from 'commander';
import { ConfigurationError } from '../record/errors.ts';
import { print } from '../record/print.ts';
import { didYouMean } from '../record/schema-errors.ts';
import { fuzzBorders } from '../tests/proof/fuzz/borders-fuzz.ts';
import { fuzzDocuments } from '../tests/proof/fuzz/documents-fuzz.ts';
import { fuzzFiles } from '../tests/proof/fuzz/files-fuzz.ts';
import type { FuzzResult, FuzzRun } from '../tests/proof/fuzz/fuzz-run.ts';
import { fuzzListener } from '../tests/proof/fuzz/listener-fuzz.ts';
import { fuzzReference } from '../tests/proof/fuzz/reference-fuzz.ts';
import { developmentCommand } from './development-command.ts';
import { integer } from './main.ts';

/** By how much a run's memory may grow: logs, caches and tables grow a little, a leak with each input grows more. */
const mostGrownBytes = 128 * 1024 * 1024;

const fuzzed =
  (fuzz: (run: FuzzRun) => Promise<FuzzResult>, weight: number) =>
  async ({ inputs, ...replayed }: FuzzRun): Promise<readonly [number, FuzzResult['outcomes']]> => {
    const most = Math.ceil(inputs / weight);
    const { outcomes, grownBytes } = await fuzz({ ...replayed, inputs: most });
    if (grownBytes > mostGrownBytes) throw new Error(`${grownBytes} bytes of memory are held after the run`);
    return [replayed.path === undefined ? most : 1, outcomes];
  };

const parts = {
  reference: fuzzed(fuzzReference, 1),
  listener: fuzzed(fuzzListener, 1),
  borders: fuzzed(fuzzBorders, 1),
  files: fuzzed(fuzzFiles, 1),
  documents: fuzzed(fuzzDocuments, 20),
};

const names = Object.keys(parts) as (keyof typeof parts)[];

const command = new Command('npm run fuzz --')
  .argument('[part...]', names.join(', '))
  .option('--inputs <n>', 'inputs of each part; a document counts for 20', integer(1, 2 ** 31 - 1), 10_000)
  .option('--seed <n>', 'the same inputs again; drawn by default', integer(0, 2 ** 31 - 1))
  .option('--path <path>', 'of a failure: this input alone');

export function main(args: readonly string[]): Promise<number> {
  return developmentCommand<Partial<FuzzRun> & Pick<FuzzRun, 'inputs'>>(command, args, (given, options) =>
    fuzzAll(chosen(given), { seed: randomInt(2 ** 31), path: undefined, ...options }),
  );
}

async function fuzzAll(some: readonly (keyof typeof parts)[], settings: FuzzRun): Promise<number> {
  let failed = 0;
  for (const name of some) {
    const started = performance.now();
    try {
      const [count, outcomes] = await parts[name](settings);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const shown = Object.entries(outcomes).map(([outcome, times]) => `${outcome}: ${times}`);
      print(`${name}: ${count} inputs, seed ${settings.seed}, ${seconds} s: nothing found\n`);
      print(`  ${shown.join(' · ')}\n`);
    } catch (error) {
      failed += 1;
      print(`${name}: FAILED\n${(error as Error).message}\n`);
      print(`to have it again: npm run fuzz -- ${name} --seed ${settings.seed} --path PATH\n`);
    }
  }
  return failed === 0 ? 0 : 1;
}

function chosen(given: readonly string[]): readonly (keyof typeof parts)[] {
  const unknown = given.find((name) => !Object.hasOwn(parts, name));
  if (unknown === undefined) return given.length === 0 ? names : names.filter((name) => given.includes(name));
  throw new ConfigurationError(`${unknown} is no part of the fuzz${didYouMean(unknown, names)}`);
}
