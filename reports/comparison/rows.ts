/** The tables of a comparison: one row for each requirement or observation, one cell for each run. */

import { visible } from '../../record/visible.ts';
import { explain } from '../failure.ts';
import { html, type Markup } from '../markup.ts';
import { column } from '../outcome.ts';
import { verdictMark } from '../page/verdicts.ts';
import type { Run, RunGap, RunRequirement } from '../run.ts';
import {
  type Comparison,
  type GapRow,
  isProved,
  labelOf,
  type RequirementRow,
  type Runs,
} from './compare-runs.ts';

/** The verdicts of some requirements, with what was said where one has not passed. */
export function requirementTable(
  rows: readonly RequirementRow[],
  runs: Runs,
  pages: readonly (string | null)[],
  about: string,
): Markup {
  return table(
    'Requirement',
    `Requirements: ${about}`,
    runs,
    rows.map((row) => {
      const { id, level, statement, cells, differs } = row;
      return html`<tr id="${id}" class="${differs ? 'differs' : 'same'} ${isProved(row) ? 'proved' : 'unproved'}"><th scope="row">${statement} <span class="quiet"><code>${id}</code> ${level}${differs ? html` · <strong>differs</strong>` : ''}</span></th>${runs.map((run, at) => verdictCell(cells[at] ?? null, run, labelOf(run, at), pages[at] ?? null))}</tr>`;
    }),
  );
}

function verdictCell(cell: RunRequirement | null, run: Run, label: string, page: string | null): Markup {
  const name = visible(label);
  if (!cell) return html`<td data-name="${name}"><span class="quiet">left out</span></td>`;
  const says = saysOf(cell, run);
  return html`<td data-name="${name}">${page && cell.verdict !== 'passed' ? html`<a href="${page}#${cell.id}">${verdictMark(column(cell))}</a>` : verdictMark(column(cell))}${says ? html`<span class="message">${says}</span>` : ''}</td>`;
}

/** Longest message in a cell, in characters; the report of the run has the whole. */
const longest = 160;

function saysOf(cell: RunRequirement, run: Run): string {
  if (cell.verdict === 'passed' || cell.notTestable !== undefined) return '';
  const failing = cell.checks
    .flatMap(({ rows }) => rows)
    .find((row) => row.verdict === cell.verdict && row.message);
  const text = visible(failing?.message ?? cell.reason ?? explain(cell, run)[0] ?? '').replaceAll('\n', ' ');
  return text.length > longest ? `${text.slice(0, longest)} …` : text;
}

const words: Record<RunGap['status'], string> = {
  observed: 'nothing seen of this',
  'answered-by-profile': 'answered by the profile',
  unobserved: 'not observed',
};

/** What was observed about each gap; one that no run observed has a row that says so. */
export function gapTable({ gaps, runs }: Comparison): Markup {
  return table(
    'Question',
    'Observations',
    runs,
    gaps.map((gap) => {
      const rows = gap.observations.map(
        ({ key, cells, differs }) =>
          html`<tr class="${differs ? 'differs' : 'same'} proved"><th scope="row"><code>${visible(key)}</code>${differs ? html` <span class="quiet"><strong>differs</strong></span>` : ''}</th>${runs.map((run, at) => valueCell(cells[at] ?? null, gap.statuses[at] ?? null, visible(labelOf(run, at))))}</tr>`,
      );
      return html`<tr id="gap-${gap.id}" class="question ${gap.differs ? 'differs' : 'same'} proved"><th scope="${rows.length > 0 ? 'rowgroup' : 'row'}"${rows.length > 0 ? html` colspan="${runs.length + 1}"` : ''}>${gap.question} <span class="quiet"><code>${gap.id}</code></span></th>${rows.length > 0 ? '' : statusCells(gap, runs)}</tr>${rows}`;
    }),
  );
}

function valueCell(value: string | null, status: RunGap['status'] | null, label: string): Markup {
  if (value !== null) return html`<td data-name="${label}">${visible(value)}</td>`;
  return html`<td data-name="${label}"><span class="quiet">${words[status ?? 'unobserved']}</span></td>`;
}

function statusCells({ statuses }: GapRow, runs: Runs): Markup[] {
  return runs.map((run, at) => valueCell(null, statuses[at] ?? null, visible(labelOf(run, at))));
}

function table(what: string, label: string, runs: Runs, rows: readonly Markup[]): Markup {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="compared">
<thead><tr><th scope="col">${what}</th>${runs.map((run, at) => html`<th scope="col">${visible(labelOf(run, at))}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}
