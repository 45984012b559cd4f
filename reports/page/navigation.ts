/** The contents of the page with the failures in each part, and the controls that need a script. */
import { allOf, type Column, column } from '../concluding/outcome.ts';
import type { Run } from '../run/run.ts';
import { html, type Markup } from './markup.ts';
import { partsOf } from './operation.ts';
import { acuteColumns, verdictMark, words } from './verdicts.ts';

/** Filters in the order in which they are offered; those without any requirement are left out. */
export const order: readonly Column[] = [
  'failed',
  'error',
  'could-not-run',
  'deviation',
  'passed',
  'not-applicable',
  'notTestable',
];

export function navigation(
  run: Run,
  sections: readonly { readonly anchor: string; readonly title: string }[],
): Markup {
  return html`<nav aria-label="Contents">
${finder(run)}
<ul class="contents">${partsOf(run).map(
    ({ anchor, title, requirements }) =>
      html`<li><a href="#${anchor}">${title}</a>${tally(requirements.map(column))}</li>`,
  )}${sections.map(({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li>`)}</ul>
</nav>`;
}

/** The number of requirements, and how many of them need attention. */
function tally(columns: readonly Column[]): Markup {
  const acute = acuteColumns.flatMap((each) => {
    const count = columns.filter((one) => one === each).length;
    return count > 0
      ? [html`${verdictMark(each, html`${count}<span class="unseen"> ${words[each]}</span>`)} `]
      : [];
  });
  return html`<span class="tally">${acute}<span class="quiet">${columns.length}<span class="unseen"> requirements</span></span></span>`;
}

/** The filters; hidden until the script makes them work. */
function finder(run: Run): Markup {
  const columns = allOf(run).map(column);
  return html`<form id="finder" role="search" hidden>
<label for="words">Search</label><input id="words" type="search" placeholder="id, words, status …" autocomplete="off">
<fieldset><legend>Show</legend>${order
    .filter((each) => columns.includes(each))
    .map(
      (each) =>
        html`<label class="choice"><input type="checkbox" name="verdict" value="${each}" checked> ${verdictMark(each)} <span class="count quiet">${columns.filter((one) => one === each).length}</span></label>`,
    )}<label class="choice"><input type="checkbox" id="only-musts"> only musts</label></fieldset>
<p class="buttons"><button type="button" id="unfold">Unfold</button> <button type="button" id="fold">Fold</button> <button type="reset">Clear</button></p>
<p id="found" role="status" class="quiet"></p>
</form>`;
}
