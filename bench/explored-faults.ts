/** How many of the faults that only combinations show exploring finds in 300 steps: the median of five seeds, and how short each gets. */
import { type CombinedFaultId, combinedFaults, isCombinedFault } from '../reference/faults/combined.ts';
import { runExplored } from '../tests/proof/exploring/run-explored.ts';

const [, , ...args] = process.argv;
const seeds = args.filter((each) => /^\d+$/.test(each)).map(Number);
const named = args.filter(isCombinedFault);
const faults = named.length > 0 ? named : (Object.keys(combinedFaults) as CombinedFaultId[]);
const found = new Map<number, number>();
for (const seed of seeds.length > 0 ? seeds : [1, 2, 3, 4, 5]) {
  for (const fault of faults) {
    const requirement = fault.slice(0, fault.indexOf('/'));
    const { explored, red, calls, ms } = await runExplored({ fault, seed, steps: 300 });
    const story = explored.stories.find((each) => each.requirement === requirement);
    if (story) found.set(seed, (found.get(seed) ?? 0) + 1);
    const short = story
      ? `${story.firstLength} → ${story.length} steps in ${story.calls} calls${story.confirmed ? '' : ', not confirmed'}`
      : 'not found';
    console.log(
      `${seed}  ${fault}: ${short}; red: ${red.join(' ')} (${calls} calls, ${(ms / 1000).toFixed(1)} s)`,
    );
  }
}
const counts = [...found.values()].sort((a, b) => a - b);
console.log(
  `found of ${faults.length}, by seed: ${[...found].map(([seed, count]) => `${seed}: ${count}`).join(', ')}; median ${counts[Math.floor(counts.length / 2)] ?? 0}`,
);
