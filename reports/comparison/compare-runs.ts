/** Puts runs of several targets or versions side by side: what each requirement and each open question is in each. */

import { grouped } from '../../record/grouped.ts';
import { visible } from '../../record/visible.ts';
import { shownValue } from '../accepted/drift.ts';
import { column } from '../concluding/outcome.ts';
import { standingInNumbers } from '../concluding/scope.ts';
import type { Run, RunGap, RunRequirement } from '../run/run.ts';

/** Two at least, in the order in which they were named. */
export type Runs = readonly [Run, Run, ...Run[]];

export interface RequirementRow {
  readonly id: string;
  readonly level: RunRequirement['level'];
  readonly statement: string;
  readonly operation: RunRequirement['operation'];
  /** One for each run; `null` where the run left it out. */
  readonly cells: readonly (RunRequirement | null)[];
  /** Whether the runs that judged it came to different verdicts. */
  readonly differs: boolean;
}

interface ObservationRow {
  readonly key: string;
  /** One for each run; `null` where it saw nothing. */
  readonly cells: readonly (string | null)[];
  /** Whether runs that saw something saw different things. */
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
  /** Every requirement of any run, in the order of the runs' catalogues. */
  readonly requirements: readonly RequirementRow[];
  readonly gaps: readonly GapRow[];
}

/** Pure. What a run did not ask about, could not run or did not see differs from nothing. */
export function compareRuns(runs: Runs): Comparison {
  return {
    runs,
    requirements: byId(runs.map(({ requirements }) => requirements)).map(({ first, cells }) => ({
      id: first.id,
      level: first.level,
      statement: first.statement,
      operation: first.operation,
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

/** Whether shards of one run are given, which are merged, and not runs to be compared. */
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

/** Whether every run that judged it saw it pass; what no check can prove is left aside. */
export function isProved({ cells }: RequirementRow): boolean {
  return cells.every((cell) => !cell || cell.verdict === 'passed' || cell.notTestable !== undefined);
}

/** Characters of a name: it stands in every cell, and a run that somebody else made may bring megabytes. */
const longestName = 80;

/** `2 · acme staging`: the name of a run as it is shown, unique also where names of targets are not. */
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

/** What could not run, or broke, says nothing about the target. */
function isJudged({ verdict }: RunRequirement): boolean {
  return verdict !== 'could-not-run' && verdict !== 'error';
}

/** Whether there are two different ones among those that are there. */
function manyOf(values: readonly (string | null)[]): boolean {
  return new Set(values.filter((value) => value !== null)).size > 1;
}

/** How many differences are printed. */
const most = 20;

/** One line a run, and one for each requirement that differs; observations are counted. */
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
