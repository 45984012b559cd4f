/** Traceability on the page: each requirement with its check and verdict, or with the reason why it has none. */

import { visible } from '../../record/visible.ts';
import { html, type Markup } from '../markup.ts';
import { column } from '../outcome.ts';
import type { Run, RunRequirement } from '../run.ts';
import { words } from './verdicts.ts';

/** One row for every requirement of the run. */
export function matrix(run: Run): Markup {
  return html`<section aria-labelledby="traceability"><h2 id="traceability">Traceability</h2>
<p>Every statement of the interface document, the check that proves it, and what came of it.</p>
<details class="more read"><summary>${run.requirements.length} requirements</summary><div class="scroll"><table>
<thead><tr><th scope="col">Requirement</th><th scope="col">Section</th><th scope="col">Check</th><th scope="col">Verdict</th></tr></thead>
<tbody>${run.requirements.map(row)}</tbody></table></div></details></section>`;
}

function row(each: RunRequirement): Markup {
  return html`<tr><th scope="row"><a href="#${each.id}">${each.id}</a></th><td data-name="Section">${each.section}</td><td data-name="Check">${evidence(each)}</td><td class="verdict ${column(each)}">${words[column(each)]}</td></tr>`;
}

function evidence({ notTestable, checks }: RunRequirement): string {
  if (notTestable !== undefined) return `none: ${notTestable}`;
  return visible(checks.map(({ title }) => title).join('; '));
}
