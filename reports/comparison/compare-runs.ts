/** Puts runs of several targets or versions side by side: each requirement and each open question in each run. */
import { grouped } from '../../record/grouped.ts';
import { visible } from '../../record/visible.ts';
import { shownValue } from '../accepted/drift.ts';
import { column } from '../concluding/outcome.ts';
import { standingInNumbers } from '../concluding/scope.ts';
import type { Run, RunGap, RunRequirement } from '../run/run.ts';

/** At least two runs, in the order in which they were named. */
export type Runs = readonly [Run, Run, ...Run[]];

export interface RequirementRow extends Pick<RunRequirement, 'id' | 'level' | 'statement' | 'operation'> {
  /** One for each run; `null` where the run did not include it. */
  readonly cells: readonly (RunRequirement | null)[];
  /** Whether the runs that judged it came to different verdicts. */
  readonly differs: boolean;
}

interface ObservationRow {
  readonly key: string;
  /** One for each run; `null` where the run observed nothing. */
  readonly cells: readonly (string | null)[];
  /** Whether the runs that observed something observed different values. */
  readonly differs: boolean;
}

export interface GapRow {
  readonly id: string;
  readonly question: string;
  readonly statuses: readonly (RunGap['status'] | null)[];
  readonly observations: readonly ObservationRow[];
  readonly differs: boolean;
}

export interface Comparison {
  readonly runs: Runs;
  /** Every requirement of any of the runs, in the order of their catalogues. */
  readonly requirements: readonly RequirementRow[];
  readonly gaps: readonly GapRow[];
}

/** Pure. A requirement that a run left out or could not judge, and a value that it did not observe, count as no difference. */
export function compareRuns(runs: Runs): Comparison {
  return {
    runs,
    requirements: byId(runs.map(({ requirements }) => requirements)).map(({ first, cells }) => ({
      ...first,
      cells,
      differs: manyOf(cells.map((cell) => (cell && isJudged(cell) ? column(cell) : null))),
    })),
    gaps: byId(runs.map(({ gaps }) => gaps)).map(({ first, cells }) => {
      const observations = observationsOf(cells);
      return {
        id: first.id,
        question: first.question,
        statuses: cells.map((cell) => cell?.status ?? null),
        observations,
        differs: observations.some(({ differs }) => differs),
      };
    }),
  };
}

/** Whether the runs are shards of one run, to be merged and not to be compared. */
export function areShards(runs: readonly Run[]): boolean {
  const [first, ...others] = runs;
  const mark = ({ target, suite, contract }: Run) =>
    JSON.stringify([target.name, target.profileHash, suite.version, contract.version]);
  return (
    first !== undefined &&
    runs.every(({ scope }) => scope === 'partial') &&
    others.every((each) => mark(each) === mark(first))
  );
}

/** Whether the requirement passed in every run that has it; those that no check can prove count as proved. */
export function isProved({ cells }: RequirementRow): boolean {
  return cells.every((cell) => !cell || cell.verdict === 'passed' || cell.notTestable !== undefined);
}

/** Longest name of a run, in characters: it stands in every cell, and a foreign run may have one of megabytes. */
const longestName = 80;

/** `2 · acme staging`: the name of a run, unique even where two targets have the same name. */
export function labelOf(run: Run, position: number): string {
  return `${position + 1} · ${visible(run.target.name.slice(0, longestName))}`;
}

function observationsOf(cells: readonly (RunGap | null)[]): ObservationRow[] {
  const seen = cells.map((cell) => grouped(cell?.observations ?? [], ({ key }) => key));
  return [...new Set(seen.flatMap((each) => [...each.keys()]))].sort().map((key) => {
    const found = seen.map((each) => each.get(key)?.[0] ?? null);
    const values = found.map((each) => each && shownValue(each.value));
    // Times and counts of repetitions differ between two runs of the same target.
    const stable = found.every((each) => each === null || each.stability === 'stable');
    return { key, cells: values, differs: stable && manyOf(values) };
  });
}

function byId<Item extends { readonly id: string }>(
  lists: readonly (readonly Item[])[],
): { first: Item; cells: (Item | null)[] }[] {
  const maps = lists.map((list) => new Map(list.map((each) => [each.id, each])));
  const firsts = new Map<string, Item>();
  for (const each of lists.flat()) if (!firsts.has(each.id)) firsts.set(each.id, each);
  return [...firsts.values()].map((first) => ({
    first,
    cells: maps.map((map) => map.get(first.id) ?? null),
  }));
}

const isJudged = ({ verdict }: RunRequirement): boolean => verdict !== 'could-not-run' && verdict !== 'error';

function manyOf(values: readonly (string | null)[]): boolean {
  return new Set(values.filter((value) => value !== null)).size > 1;
}

const most = 20;

/** One line for each run, and one for each requirement that differs; observations are only counted. */
export function comparisonText({ runs, requirements, gaps }: Comparison): string {
  const differing = requirements.filter(({ differs }) => differs);
  const open = gaps.filter(({ differs }) => differs).length;
  return [
    ...runs.map((run, at) => `${labelOf(run, at)}  ${standingInNumbers(run)}  ${visible(run.startedAt)}`),
    '',
    ...differing
      .slice(0, most)
      .map(
        ({ id, cells }) => `${id}  ${cells.map((cell) => (cell ? column(cell) : 'left out')).join(' | ')}`,
      ),
    ...(differing.length > most ? [`… and ${differing.length - most} more, on the page`] : []),
    ...(differing.length > 0 ? [''] : []),
    `${differing.length} of ${requirements.length} requirements and ${open} of ${gaps.length} open questions differ`,
  ].join('\n');
}
