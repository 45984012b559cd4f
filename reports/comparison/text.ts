/** A comparison in a few lines for the terminal: the runs, and what differs between them. */

import { visible } from '../../record/visible.ts';
import { column } from '../outcome.ts';
import { standingInNumbers } from '../scope.ts';
import { type Comparison, labelOf } from './compare-runs.ts';

/** How many differences are printed. */
const most = 20;

/** One line a run, and one for each requirement that differs; observations are counted. */
export function comparisonText({ runs, requirements, gaps }: Comparison): string {
  const differing = requirements.filter(({ differs }) => differs);
  const open = gaps.filter(({ differs }) => differs).length;
  return [
    ...runs.map((run, at) => visible(`${labelOf(run, at)}  ${standingInNumbers(run)}  ${run.startedAt}`)),
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
