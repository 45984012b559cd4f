/** index.html: the interface and the proof by one run on one page, with a table of which check proves which statement. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { raw } from 'hono/html';
import { grouped } from '../../record/grouped.ts';
import { allOf, column } from '../concluding/outcome.ts';
import { standing } from '../concluding/scope.ts';
import type { Run, RunRequirement } from '../run/run.ts';
import { otherCalls } from './calls.ts';
import { exploredSection } from './explored.ts';
import { flowSection } from './flows.ts';
import { gapSection } from './gaps.ts';
import { head } from './head.ts';
import { html, type Markup } from './markup.ts';
import { navigation } from './navigation.ts';
import { operationSections } from './operation.ts';
import { groundOf } from './requirement.ts';
import { pageText } from './shell.ts';
import { words } from './verdicts.ts';

interface PageOptions {
  /** Whether the files with reproductions are beside the page; they are by default. */
  readonly scripts?: 'beside' | 'nowhere';
  /** Write the style sheet into the page instead of a file beside it. */
  readonly whole?: boolean;
}

/** The page as HTML text. Nothing else is loaded, and it can be read without its script. */
export function page(run: Run, { scripts = 'beside', whole = false }: PageOptions = {}): string {
  const script = readFileSync(new URL('./behaviour.js', import.meta.url), 'utf8');
  const ground = groundOf(run, scripts);
  const events = flowSection(run);
  const explored = exploredSection(run);
  const sections = [
    ...(events ? [{ anchor: 'events', title: 'Events and signing' }] : []),
    ...(explored ? [{ anchor: 'explored', title: 'Explored sequences' }] : []),
    { anchor: 'gaps', title: 'Open questions' },
    { anchor: 'traceability', title: 'Traceability' },
    { anchor: 'calls', title: 'Other calls' },
  ];
  return pageText({
    title: `${standing(run)}: ${run.target.name}, conformance report`,
    scriptHash: createHash('sha256').update(script).digest('base64'),
    whole,
    body: html`<a class="skip" href="#main">To the requirements</a>
${head(run)}
<div class="columns">
${navigation(run, sections)}
<main id="main" tabindex="-1">
${run.scope === 'partial' ? explored : ''}
${operationSections(ground)}
${events}
${run.scope === 'partial' ? '' : explored}
${gapSection(run)}
${matrix(run)}
${otherCalls(ground)}
</main>
</div>
<script>${raw(script)}</script>`,
  });
}

function matrix(run: Run): Markup {
  return html`<section aria-labelledby="traceability"><h2 id="traceability">Traceability</h2>
<p>Every statement of the interface document${run.own ? ' and of your own' : ''} by its section, the check that proves it, and what came of it.</p>
<details class="more read"><summary>${allOf(run).length} requirements</summary><div class="scroll"><table>
<thead><tr><th scope="col">Requirement</th><th scope="col">Check</th><th scope="col">Verdict</th></tr></thead>
${[...grouped(allOf(run), ({ section }) => section)].map(([section, all]) => html`<tbody><tr><th scope="rowgroup" colspan="3"><strong>${section}</strong></th></tr>${all.map(row)}</tbody>`)}</table></div></details></section>`;
}

function row(each: RunRequirement): Markup {
  return html`<tr><th scope="row"><a href="#${each.id}">${each.id}</a></th><td>${evidence(each)}</td><td class="verdict ${column(each)}">${words[column(each)]}</td></tr>`;
}

function evidence({ notTestable, checks }: RunRequirement): string {
  if (notTestable !== undefined) return `none: ${notTestable}`;
  return checks.map(({ title }) => title).join('; ');
}
