/** What came before the run and what became of it: accepted deviations, drift since the baseline, a recheck. */
import { deviationLine, entriesToChange, entriesToLookAt } from '../deviations-text.ts';
import { driftLines, driftSummary } from '../drift-text.ts';
import { html, type Markup } from '../markup.ts';
import { recheckLines } from '../recheck.ts';
import type { Run } from '../run.ts';
import { visible } from '../visible.ts';

/** The sections that the run has something for. */
export function changes(run: Run): Markup {
  return html`${deviations(run)}${drift(run)}${run.recheck ? notes('Recheck', recheckLines(run.recheck)) : ''}${notes('To change in the deviations file', entriesToChange(run))}`;
}

/** A list under a heading; nothing for an empty one. */
export function notes(title: string, list: readonly string[]): Markup | null {
  if (list.length === 0) return null;
  return html`<section class="notes"><h2>${title}</h2><ul>${list.map((each) => html`<li>${visible(each)}</li>`)}</ul></section>`;
}

/** Warnings, with those about the deviations file among them. */
export function warnings(run: Run): Markup | null {
  return notes('Warnings', [...entriesToLookAt(run), ...run.warnings]);
}

function deviations(run: Run): Markup | null {
  const listed = run.requirements.filter(({ deviation }) => deviation !== undefined);
  if (listed.length === 0) return null;
  return html`<section class="notes"><h2>Deviations</h2><div class="scroll"><table>
<thead><tr><th scope="col">Requirement</th><th scope="col">Status</th><th scope="col">Until</th><th scope="col">What is accepted</th></tr></thead>
<tbody>${listed.map(
    (each) =>
      html`<tr><th scope="row"><a href="#${each.id}">${each.id}</a></th><td data-name="Status">${each.deviation?.status}</td><td data-name="Until">${each.deviation?.until}</td><td>${visible(deviationLine(each))}</td></tr>`,
  )}</tbody></table></div></section>`;
}

function drift({ drift: differences, baseline }: Run): Markup | null {
  if (!differences) return null;
  const since = baseline
    ? html` since the accepted run of <time datetime="${baseline.startedAt}">${baseline.startedAt}</time>`
    : '';
  return html`<section class="notes"><h2>Drift</h2><p>${driftSummary(differences)}${since}.</p>${
    differences.length > 0
      ? html`<ul>${driftLines(differences).map((each) => html`<li>${each}</li>`)}</ul>`
      : ''
  }</section>`;
}
