/** Holds random sequences of calls, legal and illegal ones, against the reference service beside the model. */
import fc from 'fast-check';
import { beginning } from './beginning.ts';
import { create, invalidate, upload } from './creation.ts';
import { emptyModel } from './model.ts';
import { race } from './race.ts';
import { actAs, addSignatory, deleteRequest, sendRequest } from './steps.ts';
import { World } from './world.ts';

/** In how many requests which state was reached. */
export type Reached = Readonly<Record<string, number>>;

export interface ModelRun {
  readonly sequences: number;
  readonly seed: number;
  /** Faults that are on: for tests of the model itself. */
  readonly faults?: readonly string[];
  /** Stops at the first failure, without looking for a shorter one. */
  readonly unshrunk?: boolean;
  /** Path and commands of a failure, to have it again and nothing else. */
  readonly path?: string;
  readonly replayPath?: string;
}

const alphabet = [
  ...[upload, create, create, invalidate, deleteRequest, sendRequest, sendRequest],
  ...Array.from({ length: 4 }, () => addSignatory),
  ...Array.from({ length: 6 }, () => actAs),
  ...[race, race],
];

/** Throws with the shortest failing sequence that was found, and with what replays it. */
export async function runModel(run: ModelRun): Promise<Reached> {
  const { sequences, seed, path, replayPath, faults = [], unshrunk = false } = run;
  const reached: Record<string, number> = {};
  const commands = fc.commands(alphabet, {
    maxCommands: 40,
    size: 'max',
    ...(replayPath === undefined ? {} : { replayPath }),
  });
  await fc.assert(
    fc.asyncProperty(beginning, commands, async (first, sequence) => {
      const world = await World.start(faults);
      const model = emptyModel();
      try {
        for (const command of first) await command.run(model, world);
        await fc.asyncModelRun(() => ({ model, real: world }), sequence);
        await world.compareAll(model);
      } finally {
        await world.close();
      }
      for (const { state } of model.requests) reached[state] = (reached[state] ?? 0) + 1;
    }),
    {
      numRuns: sequences,
      seed,
      endOnFailure: unshrunk,
      includeErrorInReport: true,
      ...(path === undefined ? {} : { path }),
    },
  );
  return reached;
}
