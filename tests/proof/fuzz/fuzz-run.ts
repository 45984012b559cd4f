/** A fuzz run: what it is told, and what it tells. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';

export interface FuzzRun {
  readonly inputs: number;
  readonly seed: number;
  /** Of a failure, to have that one input again. */
  readonly path?: string;
}

export interface FuzzResult {
  /** How often which status, or other outcome, was met. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Bytes that are held after the run and were not before. */
  readonly grownBytes: number;
}

/**
 * Throws with the smallest input that did harm, and with what replays it.
 * @param read takes an input, and resolves with what became of it
 * @param found what once did harm: read first, whatever the seed
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

/** Bytes of objects and buffers that are still in use, after everything that can be given back was given back. */
export function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // The second time takes what only finalizers held.
  for (let times = 0; times < 2; times += 1) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
