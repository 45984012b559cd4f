/** Events on the page: each flow as a drawing and as a table, and the deliveries that came in. */

import type { RecordedDelivery } from '../../record/delivery.ts';
import { visible } from '../../record/visible.ts';
import { callsOfFlow } from '../decisive.ts';
import { html, type Markup } from '../markup.ts';
import { column } from '../outcome.ts';
import type { Run, RunCheck, RunRequirement } from '../run.ts';
import { type Flow, type FlowEntry, flowsOf, flowsOfCheck } from '../timeline.ts';
import { barsOf } from '../timeline-layout.ts';
import { unattributed } from '../unattributed.ts';
import { plainView } from './message.ts';
import { drawing, timeOf, titleOf } from './timeline.ts';
import { signs, words } from './verdicts.ts';

type Attached = NonNullable<FlowEntry['attached']>[number];

/** The section; nothing for a run without flows and deliveries. */
export function flowSection(run: Run): Markup | null {
  const flows = flowsOf(run);
  const strange = unattributed(run);
  if (flows.length === 0 && run.deliveries.length === 0 && strange.length === 0) return null;
  return html`<section aria-labelledby="events"><h2 id="events">Events and signing</h2>
<p>Each flow is one signature request, from its creation to its completion. <span class="key"><span class="action">●</span> what was done</span> <span class="key"><span>┆</span> from when on an event is allowed</span> <span class="key"><span>◆</span> a callback, from its first byte to the end of the answer</span> <span class="key"><span class="failed">✗</span> one that is wrong</span> Pauses are drawn shorter than they were.</p>
${strange.map((line) => html`<p>${visible(line)}</p>`)}
${flows.map((flow) => flowView(flow, run))}
${run.deliveries.length > 0 ? html`<h3>Deliveries</h3><p>Every callback that came in, redacted.</p>${run.deliveries.map((each, at) => delivery(each, at))}` : ''}
</section>`;
}

/** Links from a check to the flows that it judges. */
export function flowLinks(check: RunCheck, run: Run): Markup | null {
  const flows = flowsOfCheck(check);
  if (flows.length === 0) return null;
  const count = run.deliveries.length === 0 ? '' : ' and callbacks';
  return html`<p class="quiet">Actions${count}: ${flows.map(({ slug, name }, at) => html`${at > 0 ? ', ' : ''}<a href="#flow-${slug}">${visible(name)}</a>`)}</p>`;
}

function flowView(flow: Flow, run: Run): Markup {
  const failed = run.requirements.filter((each) => failedIn(each, flow));
  const calls = callsOfFlow(run, flow.name);
  const wrong = flow.entries.filter(({ verdict }) => verdict === 'failed').length;
  const bad = wrong + failed.length > 0;
  // What is wrong with the documents, say, shows in no line of the timeline.
  const found = wrong > 0 ? `${wrong} wrong` : bad ? `${failed.length} failed` : 'nothing wrong';
  return html`<details class="flow" id="flow-${flow.slug}"${bad ? html` open` : ''}>
<summary><span class="verdict ${bad ? 'failed' : 'passed'}"><span aria-hidden="true">${bad ? signs.failed : signs.passed}</span> ${found}</span> <span class="statement">${visible(flow.name)}</span> <span class="id">${flow.entries.length} lines</span></summary>
<div class="unfolded">
${failed.length > 0 ? html`<p class="quiet">Failed here: ${failed.map(({ id }) => html`<a href="#${id}">${id}</a> `)}</p>` : ''}
${calls.length > 0 ? html`<p class="quiet">Its calls: ${calls.map(({ index }) => html`<a href="#exchange-${index}">${index}</a> `)}</p>` : ''}
${drawing(flow)}
${notable(flow)}
${table(flow, run)}
</div></details>`;
}

/** Rows about a flow have its name. */
function failedIn(requirement: RunRequirement, { name, requirements }: Flow): boolean {
  if (column(requirement) !== 'failed' || !requirements.includes(requirement.id)) return false;
  const rows = requirement.checks.flatMap((check) => check.rows);
  return rows.some(({ title, verdict }) => verdict === 'failed' && title === name);
}

/** What is wrong and what was attached, in words. */
function notable({ entries }: Flow): Markup | null {
  const told = barsOf(entries).filter(
    ({ entry }) => entry.verdict === 'failed' || entry.attached !== undefined,
  );
  if (told.length === 0) return null;
  return html`<ul>${told.map((bar) => html`<li>${titleOf(bar)}: ${remarks(bar.entry)}</li>`)}</ul>`;
}

function table({ name, entries }: Flow, run: Run): Markup {
  return html`<details class="fields"><summary>As a table</summary><div class="scroll"><table>
<caption class="unseen">Timeline of ${visible(name)}</caption>
<thead><tr><th scope="col">Time (UTC)</th><th scope="col">Since the first</th><th scope="col">What</th><th scope="col">Remarks</th></tr></thead>
<tbody>${barsOf(entries).map((bar) => {
    const { entry } = bar;
    const position = run.deliveries.findIndex(({ id }) => id === entry.delivery);
    const anchor =
      position >= 0
        ? `delivery-${position}`
        : entry.exchange === undefined
          ? null
          : `exchange-${entry.exchange}`;
    const what = anchor ? html`<a href="#${anchor}">${titleOf(bar)}</a>` : titleOf(bar);
    return html`<tr><td data-name="Time">${entry.at.slice(11, 23)}</td><td data-name="Since the first">${timeOf(bar)}</td><th scope="row">${what}</th><td>${remarks(entry)}</td></tr>`;
  })}</tbody></table></div></details>`;
}

/** What a call fetched has no name of its own. */
function remarks({ verdict, message, exchange, attached = [] }: FlowEntry): Markup {
  const unnamed = exchange === undefined ? 'without a name' : 'PDF';
  return html`${verdict === 'failed' ? html`<span class="verdict failed"><span aria-hidden="true">${signs.failed}</span> ${words.failed}</span> ` : ''}${message ? visible(message) : ''}${
    attached.length > 0
      ? html`<ul>${attached.map((file) => html`<li>${attachment({ name: unnamed, ...file })}</li>`)}</ul>`
      : ''
  }`;
}

/** `contract.pdf, 34 kB, 2 pages`, and what is wrong with it. */
function attachment({ name, size, pages, state }: Attached & { readonly name: string }): string {
  const states = {
    whole: '',
    truncated: 'not whole',
    unreadable: 'cannot be read',
    'no-pdf': 'no PDF',
    link: 'a link',
  };
  return [
    visible(name),
    size === undefined ? '' : `${(size / 1000).toFixed(1)} kB`,
    pages === undefined ? '' : `${pages} ${pages === 1 ? 'page' : 'pages'}`,
    states[state],
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function delivery(each: RecordedDelivery, at: number): Markup {
  const { id, check, event, receivedAt, method, url, headers, body, answered } = each;
  const about = [
    check,
    `${receivedAt.start} to ${receivedAt.end.slice(11)}`,
    answered === null ? 'reset' : `answered ${answered}`,
  ];
  return html`<details class="exchange" id="delivery-${at}"><summary><span class="number">${visible(id)}</span> ${event === undefined ? 'no event that could be read' : `event ${event}`} <span class="quiet">${visible(check ?? '')}</span></summary>
<p class="quiet">${visible(about.filter(Boolean).join(' · '))}</p>${plainView(`${method} ${url}`, headers, body)}</details>`;
}
