/** A recheck: which requirements of an earlier run are checked again, and how they turned out. */
import { isRequirementId, requirement } from '../../openapi/requirements/catalogue.ts';
import type { Recheck, Run, RunRequirement } from '../run/run.ts';

const unsettled: readonly RunRequirement['verdict'][] = ['failed', 'could-not-run', 'error'];

/** Ids of the requirements that failed, deviate or could not run, and have a check in this version of the suite. */
export function toRecheck(earlier: Run): string[] {
  return earlier.requirements
    .filter(({ verdict }) => unsettled.includes(verdict))
    .map(({ id }) => id)
    .filter((id) => isRequirementId(id) && 'check' in requirement(id));
}

type Fate = Exclude<keyof Recheck, 'startedAt'>;

/** How the requirements turned out. Accepted deviations and failed `should`s count too. */
export function recheckOf(earlier: Run, requirements: readonly RunRequirement[]): Recheck {
  const before = new Map(earlier.requirements.map((each) => [each.id, each]));
  return grouped(earlier.startedAt, requirements, (each) => {
    if (each.verdict === 'passed') return 'fixed';
    if (each.verdict !== 'failed') return 'not-judged';
    return isFailing(before.get(each.id)) || isAccepted(each) ? 'still' : 'new';
  });
}

/** For each requirement, the worst outcome in any shard; `undefined` where no shard was a recheck. */
export function mergedRecheck(whole: Run, shards: readonly Run[]): Recheck | undefined {
  const found = shards.flatMap(({ recheck }) => recheck ?? []);
  const [first] = found;
  if (!first) return undefined;
  const worstFirst = ['new', 'still', 'not-judged', 'fixed'] as const;
  return grouped(first.startedAt, whole.requirements, ({ id }) =>
    worstFirst.find((name) => found.some((recheck) => recheck[name].includes(id))),
  );
}

function grouped(
  startedAt: string,
  requirements: readonly RunRequirement[],
  fateOf: (each: RunRequirement) => Fate | undefined,
): Recheck {
  const ids = (fate: Fate) => requirements.filter((each) => fateOf(each) === fate).map(({ id }) => id);
  return {
    startedAt,
    fixed: ids('fixed'),
    still: ids('still'),
    new: ids('new'),
    'not-judged': ids('not-judged'),
  };
}

const isAccepted = (each: RunRequirement): boolean => each.deviation?.status === 'accepted';

const isFailing = (each: RunRequirement | undefined): boolean =>
  each?.verdict === 'failed' && !isAccepted(each);

export function recheckGroups(recheck: Recheck): (readonly [title: string, ids: readonly string[]])[] {
  const groups = ['fixed', 'still', 'new', 'not-judged'] as const;
  return groups.flatMap((name) =>
    recheck[name].length > 0 ? [[name.replace('-', ' '), recheck[name]] as const] : [],
  );
}

export function recheckLines(recheck: Recheck): string[] {
  return recheckGroups(recheck).map(([title, ids]) => `${title.padEnd(10)}  ${ids.join(', ')}`);
}
