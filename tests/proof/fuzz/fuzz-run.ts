/** A fuzz run: its settings, its result, and how it is done. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';

export interface FuzzRun {
  readonly inputs: number;
  readonly seed: number;
  /** The path of a failure, to repeat that one input. */
  readonly path?: string;
}

export interface FuzzResult {
  readonly outcomes: Readonly<Record<string, number>>;
  /** By how many bytes the memory in use grew during the run. */
  readonly grownBytes: number;
}

/**
 * Throws with the smallest input that did harm, and with what replays it.
 * @param read takes an input, and resolves with the outcome
 * @param found inputs that once did harm, which are read first with any seed
 */
export async function fuzzed<Input>(
  { inputs, seed, path }: FuzzRun,
  input: fc.Arbitrary<Input>,
  read: (each: Input) => Promise<string | number>,
  found: readonly Input[] = [],
): Promise<FuzzResult> {
  const counts = new Map<string, number>();
  const heldBefore = heldBytes();
  await fc.assert(
    fc.asyncProperty(input, async (each) => {
      const outcome = String(await read(each));
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    }),
    {
      numRuns: path === undefined ? inputs : 1,
      seed,
      includeErrorInReport: true,
      ...(path === undefined ? { examples: found.map((each): [Input] => [each]) } : { path }),
    },
  );
  const outcomes = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
  return { outcomes: Object.fromEntries(outcomes), grownBytes: heldBytes() - heldBefore };
}

/** Bytes of objects and buffers in use, after garbage collection. */
export function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // The second collection frees what only finalizers held.
  for (let times = 0; times < 2; times += 1) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
