/** The page that compares runs: requirements and open questions by rows, runs by columns, differences to be filtered. */
import { operations } from '../../openapi/contract.ts';
import { visible } from '../../record/visible.ts';
import { html, type Markup } from '../markup.ts';
import { standing } from '../scope.ts';
import { pageText } from '../shell.ts';
import { type Comparison, isProved, labelOf, type RequirementRow } from './compare-runs.ts';
import { gapTable, requirementTable } from './rows.ts';

/**
 * The page as HTML text. Nothing of it is loaded from elsewhere, and its filter needs no script.
 * @param pages the report of each run, as a link from this page; `null` where there is none
 * @param whole with the style sheet in the page, which otherwise lies beside it
 */
export function comparisonPage(
  comparison: Comparison,
  pages: readonly (string | null)[],
  whole = false,
): string {
  const { runs } = comparison;
  return pageText({
    title: `${runs.length} runs compared: ${runs.map(({ target }) => visible(target.name)).join(', ')}`,
    whole,
    kind: 'comparison',
    body: html`<a class="skip" href="#main">To the comparison</a>
<header>
<p class="eyebrow">Electronic signature request service · conformance</p>
<h1>${runs.length} runs compared</h1>
${summaryOf(comparison)}
${heads(comparison, pages)}
</header>
${filter()}
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
  return html`<p class="difference"><strong>${differing.length}</strong> of ${requirements.length} requirements and <strong>${open}</strong> of ${gaps.length} open questions differ. What could not run or was left out is no difference.</p>
${versions ? html`<p>The runs were made by different versions of the suite or of the contract: some differences may come from the checks and not from the targets.</p>` : ''}`;
}

function heads({ runs }: Comparison, pages: readonly (string | null)[]): Markup {
  const names = ['Verdict', 'Musts passed', 'Failed', 'Could not run', 'Not applicable', 'Started', 'Suite'];
  return html`<div class="scroll" role="region" aria-label="The runs" tabindex="0"><table class="runs">
<thead><tr><th scope="col">Run</th>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${runs.map((run, at) => {
    const { counts, verdict } = run;
    const label = visible(labelOf(run, at));
    const cells = [
      html`<strong class="outcome-word ${verdict}">${standing(run)}</strong>${run.scope === 'partial' ? html` <span class="quiet">a selection</span>` : ''}`,
      `${counts.musts.passed} of ${counts.musts.applicable} (${counts.musts.all} in all)`,
      `${counts.requirements.failed}${counts.requirements.deviation > 0 ? ` and ${counts.requirements.deviation} accepted` : ''}`,
      counts.requirements['could-not-run'],
      counts.requirements['not-applicable'],
      html`<time datetime="${run.startedAt}">${run.startedAt.slice(0, 16).replace('T', ' ')} UTC</time>`,
      run.suite.version,
    ];
    const page = pages[at];
    return html`<tr><th scope="row">${page ? html`<a href="${page}">${label}</a>` : label}<br><span class="quiet">${visible(run.target.baseUrl)}</span></th>${cells.map((cell, position) => html`<td data-name="${names[position]}">${cell}</td>`)}</tr>`;
  })}</tbody></table></div>`;
}

/** Radio buttons that the style sheet reads: they work without a script, by keyboard, and before printing. */
function filter(): Markup {
  const choices = [
    ['different', 'only what differs'],
    ['unproved', 'only what has not passed everywhere'],
    ['all', 'everything'],
  ] as const;
  return html`<form class="show" aria-label="Filter"><fieldset><legend>Show</legend>${choices.map(
    ([id, words], position) =>
      html`<label><input type="radio" name="show" id="show-${id}"${position === 0 ? html` checked` : ''}> ${words}</label> `,
  )}</fieldset></form>`;
}

function requirementSections(comparison: Comparison, pages: readonly (string | null)[]): Markup[] {
  const titles = [
    ...operations.map(({ id, object }) => ({ id, title: object.summary ?? id })),
    { id: null, title: 'The service as a whole' },
  ];
  return titles.map(({ id, title }) => {
    const rows = comparison.requirements.filter(({ operation }) => operation === id);
    const anchor = id === null ? 'whole-service' : `operation-${id}`;
    return html`<section class="${classesOf(rows)}" aria-labelledby="${anchor}"><h2 id="${anchor}">${title}</h2>
${rows.length > 0 ? requirementTable(rows, comparison.runs, pages, title) : html`<p class="quiet">No requirement of these runs.</p>`}</section>`;
  });
}

/** A section is hidden where the filter hides all of its rows. */
function classesOf(rows: readonly RequirementRow[]): string {
  return [
    rows.some(({ differs }) => differs) ? 'differs' : 'same',
    rows.every(isProved) ? 'proved' : 'unproved',
  ].join(' ');
}
