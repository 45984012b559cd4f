/** Removes the entries of a deviations file that a run does not need any more; everything else stays as written. */
import { yamlIn } from '../record/own-files.ts';
import type { Deviations } from './deviations.ts';
import { applyDeviations } from './deviations-judge.ts';
import type { Run } from './run.ts';
import type { UsedEntry } from './run-additions.ts';

export interface Pruned {
  /** The file as text. */
  readonly text: string;
  readonly removed: readonly UsedEntry[];
  /** What is still to be changed by hand. */
  readonly left: readonly UsedEntry[];
}

/** @param text the file as it is, of which `deviations` was read */
export function pruneDeviations(text: string, deviations: Deviations, run: Run): Pruned {
  const situation = { target: run.target.name, day: run.startedAt.slice(0, 10) };
  const bare = run.requirements.map(({ deviation: _, ...each }) => each);
  const { entries } = applyDeviations(bare, deviations, situation).deviations;
  const removed = entries.filter(({ status }) => status === 'stale');
  const left = entries.filter(({ status, says }) => status !== 'stale' && says !== undefined);
  if (removed.length === 0) return { text, removed, left };
  const { document } = yamlIn(text, deviations.file);
  const ofList = entries.filter(({ list }) => list === 'deviations');
  // From the last one on, so that the places of the others stay what they are.
  for (const [index, entry] of [...ofList.entries()].reverse()) {
    if (removed.includes(entry)) document.deleteIn(['deviations', index]);
  }
  const padded = /[[{] \S/.test(text);
  return { text: document.toString({ lineWidth: 0, flowCollectionPadding: padded }), removed, left };
}
