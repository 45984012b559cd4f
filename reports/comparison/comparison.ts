/** The page that compares runs: requirements and open questions as rows, runs as columns, with a filter for differences. */
import { column } from '../concluding/outcome.ts';
import { standing } from '../concluding/scope.ts';
import { html, type Markup } from '../page/markup.ts';
import { parts } from '../page/operation.ts';
import { pageText } from '../page/shell.ts';
import { choices, verdictMark } from '../page/verdicts.ts';
import { deciding } from '../run/decisive.ts';
import type { RunGap, RunRequirement } from '../run/run.ts';
import { cut, minute } from '../run/words.ts';
import {
  type Comparison,
  type GapRow,
  isProved,
  labelOf,
  type RequirementRow,
  type Runs,
} from './compare-runs.ts';

/**
 * The page as HTML text. It loads nothing from elsewhere, and its filter needs no script.
 * @param pages links from this page to the report of each run; `null` where there is none
 * @param whole with the style sheet in the page instead of a file beside it
 */
export function comparisonPage(
  comparison: Comparison,
  pages: readonly (string | null)[],
  whole = false,
): string {
  const { runs } = comparison;
  return pageText({
    title: `${runs.length} runs compared: ${runs.map(({ target }) => target.name).join(', ')}`,
    whole,
    kind: 'comparison',
    body: html`<a class="skip" href="#main">To the comparison</a>
<header>
<p class="eyebrow">Electronic signature request service · conformance</p>
<h1>${runs.length} runs compared</h1>
${summaryOf(comparison)}
${heads(comparison, pages)}
</header>
${choices('Filter', 'show', shown)}
<main id="main">
${requirementSections(comparison, pages)}
<section class="${comparison.gaps.some(({ differs }) => differs) ? 'differs' : 'same'} proved" aria-labelledby="gaps"><h2 id="gaps">Open questions</h2>
<p>What the interface document leaves open. No answer is wrong; where answers differ, a client has to cope with each.</p>
${gapTable(comparison)}</section>
</main>`,
  });
}

function summaryOf({ requirements, gaps, runs }: Comparison): Markup {
  const [first] = runs;
  const versions = runs.some(
    ({ suite, contract }) =>
      suite.version !== first.suite.version || contract.version !== first.contract.version,
  );
  const differing = requirements.filter(({ differs }) => differs);
  const open = gaps.filter(({ differs }) => differs).length;
  return html`<p><strong>${differing.length}</strong> of ${requirements.length} requirements and <strong>${open}</strong> of ${gaps.length} open questions differ. What could not run or was left out is no difference.</p>
${versions ? html`<p>The runs were made by different versions of the suite or of the contract: some differences may come from the checks and not from the targets.</p>` : ''}`;
}

function heads({ runs }: Comparison, pages: readonly (string | null)[]): Markup {
  const names = ['Verdict', 'Musts passed', 'Failed', 'Could not run', 'Not applicable', 'Started', 'Suite'];
  const rows = runs.map((run) => {
    const { counts, verdict } = run;
    return [
      html`<span class="verdict ${verdict}">${standing(run)}</span>${run.scope === 'partial' ? html` <span class="quiet">a selection</span>` : ''}`,
      `${counts.musts.passed} of ${counts.musts.applicable}${counts.musts.applicable === counts.musts.all ? '' : ` (${counts.musts.all} in all)`}`,
      `${counts.requirements.failed}${counts.requirements.deviation > 0 ? ` and ${counts.requirements.deviation} accepted` : ''}`,
      `${counts.requirements['could-not-run']}`,
      `${counts.requirements['not-applicable']}`,
      html`<time datetime="${run.startedAt}">${minute(run.startedAt)}</time>`,
      run.suite.version,
    ];
  });
  const told = names.map((_, column) => rows.some((cells) => cells[column] !== '0'));
  return html`<div class="scroll" role="region" aria-label="The runs" tabindex="0"><table class="runs">
<thead><tr><th scope="col">Run</th>${names.map((name, column) => told[column] && html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${runs.map((run, at) => {
    const label = labelOf(run, at);
    const page = pages[at];
    return html`<tr><th scope="row">${page ? html`<a href="${page}">${label}</a>` : label}<br><span class="quiet">${run.target.baseUrl}</span></th>${rows[at]?.map((cell, column) => told[column] && html`<td data-name="${names[column]}">${cell}</td>`)}</tr>`;
  })}</tbody></table></div>`;
}

/** The choices of rows, by the names that the style sheet uses. */
const shown = {
  different: 'only what differs',
  unproved: 'only what has not passed everywhere',
  all: 'everything',
};

function requirementSections(comparison: Comparison, pages: readonly (string | null)[]): Markup[] {
  return parts.map(({ anchor, title, operation }) => {
    const rows = comparison.requirements.filter((each) => each.operation === (operation?.id ?? null));
    return html`<section class="${classesOf(rows)}" aria-labelledby="${anchor}"><h2 id="${anchor}">${title}</h2>
${rows.length > 0 ? requirementTable(rows, comparison.runs, pages, title) : html`<p class="quiet">No requirement of these runs.</p>`}</section>`;
  });
}

/** Classes of a section, by which it is hidden where the filter hides all of its rows. */
function classesOf(rows: readonly RequirementRow[]): string {
  return [
    rows.some(({ differs }) => differs) ? 'differs' : 'same',
    rows.every(isProved) ? 'proved' : 'unproved',
  ].join(' ');
}

/** The verdicts of some requirements; where one did not pass, with its message. */
function requirementTable(
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
      return html`<tr id="${id}" class="${differs ? 'differs' : 'same'} ${isProved(row) ? 'proved' : 'unproved'}"><th scope="row">${statement} <span class="quiet"><code>${id}</code> ${level}${differs ? html` · <strong>differs</strong>` : ''}</span></th>${runs.map((run, at) => verdictCell(cells[at] ?? null, labelOf(run, at), pages[at] ?? null))}</tr>`;
    }),
  );
}

function verdictCell(cell: RunRequirement | null, label: string, page: string | null): Markup {
  if (!cell) return html`<td data-name="${label}"><span class="quiet">left out</span></td>`;
  const says = saysOf(cell);
  return html`<td data-name="${label}">${page && cell.verdict !== 'passed' ? html`<a href="${page}#${cell.id}">${verdictMark(column(cell))}</a>` : verdictMark(column(cell))}${says ? html`<span class="message">${says}</span>` : ''}</td>`;
}

/** Longest message in a cell, in characters; the report of the run has the whole. */
const longest = 160;

function saysOf(cell: RunRequirement): string {
  if (cell.verdict === 'passed' || cell.notTestable !== undefined) return '';
  return cut(deciding(cell).says.replaceAll('\n', ' '), longest);
}

const words: Record<RunGap['status'], string> = {
  observed: 'nothing seen of this',
  'answered-by-profile': 'answered by the profile',
  unobserved: 'not observed',
};

/** The observations about each gap; a gap without any has a row that says so. */
function gapTable({ gaps, runs }: Comparison): Markup {
  return table(
    'Question',
    'Observations',
    runs,
    gaps.map((gap) => {
      const rows = gap.observations.map(
        ({ key, cells, differs }) =>
          html`<tr class="${differs ? 'differs' : 'same'} proved"><th scope="row"><code>${key}</code>${differs ? html` <span class="quiet"><strong>differs</strong></span>` : ''}</th>${valueCells(cells, gap, runs)}</tr>`,
      );
      return html`<tr id="gap-${gap.id}" class="question ${gap.differs ? 'differs' : 'same'} proved"><th scope="${rows.length > 0 ? 'rowgroup' : 'row'}"${rows.length > 0 ? html` colspan="${runs.length + 1}"` : ''}>${gap.question} <span class="quiet"><code>${gap.id}</code></span></th>${rows.length > 0 ? '' : valueCells([], gap, runs)}</tr>${rows}`;
    }),
  );
}

function valueCells(values: readonly (string | null)[], { statuses }: GapRow, runs: Runs): Markup[] {
  return runs.map((run, at) => {
    const none = html`<span class="quiet">${words[statuses[at] ?? 'unobserved']}</span>`;
    return html`<td data-name="${labelOf(run, at)}">${values[at] ?? none}</td>`;
  });
}

function table(what: string, label: string, runs: Runs, rows: readonly Markup[]): Markup {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="compared">
<thead><tr><th scope="col">${what}</th>${runs.map((run, at) => html`<th scope="col">${labelOf(run, at)}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}
