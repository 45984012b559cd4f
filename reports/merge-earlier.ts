/** What shards say about an earlier run, put together: drift since a baseline, and a recheck. */
import { baselineOf } from './baseline.ts';
import { driftBetween, shownValue } from './drift.ts';
import { conclude } from './outcome.ts';
import type { Run } from './run.ts';
import type { Drift, Recheck } from './run-additions.ts';

/**
 * The merged run with the recheck of its shards, and with their drift where it was not compared with a baseline
 * itself, and the verdict that follows. The baseline is not in a run, so that then nobody misses what no shard saw.
 */
export function withEarlier(merged: Run, shards: readonly Run[], interrupted: boolean): Run {
  const recheck = recheckOf(merged, shards);
  if (merged.baseline) return { ...merged, ...(recheck ? { recheck } : {}) };
  const [baseline, warning] = commonBaseline(shards);
  const drift = baseline ? driftOf(merged, shards) : undefined;
  return {
    ...merged,
    ...conclude({ ...merged, interrupted, drift }),
    warnings: warning ? [...merged.warnings, warning] : merged.warnings,
    ...(baseline ? { baseline } : {}),
    ...(drift ? { drift } : {}),
    ...(recheck ? { recheck } : {}),
  };
}

/** The one baseline of all shards, or why there is none. */
function commonBaseline(shards: readonly Run[]): [Run['baseline'], string?] {
  const heads = shards.map(({ baseline }) => baseline);
  const [first] = heads.filter((head) => head !== undefined);
  if (!first) return [undefined];
  const alike = heads.filter((head) => JSON.stringify(head) === JSON.stringify(first)).length;
  if (alike === shards.length) return [first];
  const others = heads.filter((head) => head !== undefined).length > alike;
  if (others) {
    return [undefined, 'the shards were compared with different baselines: their drift is left out'];
  }
  return [first, `only ${alike} of ${shards.length} shards were compared with the baseline`];
}

/** Each difference once. What is observed is that of all shards: what one lacks another may have seen. */
function driftOf(merged: Run, shards: readonly Run[]): Drift[] {
  const once = new Map<string, Drift>();
  for (const each of shards.flatMap(({ drift = [] }) => drift)) {
    once.set(JSON.stringify([each.kind, each.id, each.key]), each);
  }
  const told = [...once.values()].flatMap((each) => {
    const after = now(merged, each);
    return after === each.before ? [] : [{ ...each, after: after ?? each.after }];
  });
  const known = new Set(told.flatMap(({ kind, id }) => (kind === 'verdict' ? [id] : [])));
  return [...turned(merged, shards).filter(({ id }) => !known.has(id)), ...told];
}

/** What only the whole shows: a requirement fails by what another shard saw than the one that checked it. */
function turned(merged: Run, shards: readonly Run[]): Drift[] {
  const then = shards
    .filter(({ baseline }) => baseline !== undefined)
    .map((shard) => ({ ...baselineOf(shard), observations: [] }));
  const now = { ...baselineOf(merged), observations: [] };
  return then.flatMap((shard) => {
    const selection = shard.requirements.map(({ id }) => id);
    return driftBetween(shard, now, { selection }).filter(
      ({ kind, id }) => kind === 'verdict' && selection.includes(id),
    );
  });
}

/** What the merged run says about a difference; `undefined` where it says nothing of its own. */
function now(merged: Run, { kind, id, key }: Drift): string | undefined {
  if (kind === 'verdict') {
    const found = merged.requirements.find((each) => each.id === id);
    return found && (found.deviation?.status === 'accepted' ? 'deviation' : found.verdict);
  }
  if (kind !== 'observation') return undefined;
  const gap = merged.gaps.find((each) => each.id === id);
  const found = gap?.observations.find((each) => each.key === key);
  return found && shownValue(found.value);
}

/** The worst that any shard says of each requirement. */
function recheckOf(merged: Run, shards: readonly Run[]): Recheck | undefined {
  const found = shards.flatMap(({ recheck }) => recheck ?? []);
  const [first] = found;
  if (!first) return undefined;
  const order = ['new', 'still', 'not-judged', 'fixed'] as const;
  const fate = ({ id }: { readonly id: string }) =>
    order.find((name) => found.some((recheck) => recheck[name].includes(id)));
  const idsOf = (name: (typeof order)[number]) =>
    merged.requirements.filter((each) => fate(each) === name).map(({ id }) => id);
  return {
    startedAt: first.startedAt,
    fixed: idsOf('fixed'),
    still: idsOf('still'),
    new: idsOf('new'),
    'not-judged': idsOf('not-judged'),
  };
}
