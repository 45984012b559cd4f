/**
 * Measures exploring, 300 steps for each seed: `npx tsx bench/exploring.ts [--seeds 1,2,3,4,5] [--steps 300] [--dialects | --checks] [fault or row …]`.
 * How many of the faults that show only in combinations are found, and how short their sequences get; each run ends with its
 * first violation. With `--dialects`, whether a compliant service is blamed; with `--checks`, how many of these faults the
 * checks find, too. Exit code 1 where the median of the seeds is below 90 %, or a service is blamed.
 */
import { parseArgs } from 'node:util';
import { type CombinedFaultId, combinedFaults, isCombinedFault } from '../reference/faults/combined.ts';
import { loadJudgingChecks } from '../running/load-checks.ts';
import { everyDay } from '../tests/proof/dialects/rows.ts';
import { exploreDialect, exploreFault } from '../tests/proof/exploring/run-explored.ts';
import { withFaults } from '../tests/proof/faults/run-fault.ts';

/** Callbacks of the reference service arrive at once; three seconds allow for a busy machine. */
const arrivalMs = 3_000;
const share = 0.9;

const { values, positionals } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1,2,3,4,5' },
    dialects: { type: 'boolean', default: false },
    steps: { type: 'string', default: '300' },
    checks: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const seeds = values.seeds.split(',').map(Number);
const steps = Number(values.steps);

async function faultsFound(faults: readonly CombinedFaultId[]): Promise<boolean> {
  const counts: number[] = [];
  for (const seed of seeds) {
    let found = 0;
    for (const fault of faults) {
      const requirement = fault.slice(0, fault.indexOf('/'));
      const { explored, red, calls, ms } = await exploreFault(fault, {
        seed,
        steps,
        arrivalMs,
        untilFound: true,
      });
      const story = explored.stories.find((each) => each.requirement === requirement) ?? explored.stories[0];
      if (story) found += 1;
      const told = story
        ? `${story.firstLength} → ${story.length} steps in ${story.calls} calls${story.confirmed ? '' : ', not confirmed'}`
        : 'not found';
      const other = red.filter((id) => id !== requirement).join(' ');
      console.log(
        `${seed}  ${fault}: ${told}${other ? `; also ${other}` : ''} (after ${explored.steps} steps, ${calls} calls, ${(ms / 1000).toFixed(1)} s)`,
      );
    }
    console.log(`seed ${seed}: ${found} of ${faults.length} found`);
    counts.push(found);
  }
  const median = counts.sort((one, other) => one - other)[Math.floor(counts.length / 2)] ?? 0;
  console.log(`median of the seeds: ${median} of ${faults.length}`);
  return median >= share * faults.length;
}

async function foundByChecks(faults: readonly CombinedFaultId[]): Promise<boolean> {
  const checks = await loadJudgingChecks();
  let found = 0;
  for (const fault of faults) {
    const results = await withFaults([fault], checks, async (each) => each);
    const red = results.flatMap(({ id, verdict }) => (verdict === 'failed' ? [id] : []));
    if (red.length > 0) found += 1;
    console.log(`${fault}: ${red.length > 0 ? `found by ${red.join(' ')}` : 'not found by the checks'}`);
  }
  console.log(`the checks find ${found} of ${faults.length}`);
  return true;
}

async function nobodyBlamed(rows: readonly string[]): Promise<boolean> {
  let blamed = 0;
  for (const row of rows) {
    for (const seed of seeds) {
      const result = await exploreDialect(row, { seed, steps }).catch((error: Error) => error);
      if (result instanceof Error) {
        console.log(`${seed}  ${row}: ${result.message}`);
        continue;
      }
      const { explored, red, ms } = result;
      blamed += red.length;
      const { sequences, blocked, situations } = explored;
      console.log(
        `${seed}  ${row}: ${red.join(' ') || 'nobody blamed'} (${sequences} sequences, ${blocked} blocked, ${situations.seen} of ${situations.of} situations, ${(ms / 1000).toFixed(1)} s; ${explored.ended})`,
      );
      for (const { requirement, says, sequence } of explored.stories)
        console.log(`   ${requirement}: ${says}\n   ${JSON.stringify(sequence)}`);
    }
  }
  return blamed === 0;
}

const named = positionals.filter(isCombinedFault);
const rows = positionals.length > 0 ? positionals : everyDay.map(({ name }) => name);
const right = values.dialects
  ? await nobodyBlamed(rows)
  : await (values.checks ? foundByChecks : faultsFound)(
      named.length > 0 ? named : (Object.keys(combinedFaults) as CombinedFaultId[]),
    );
process.exitCode = right ? 0 : 1;
