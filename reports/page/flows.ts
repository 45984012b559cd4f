/** Events on the page: each flow as a timeline, and the deliveries that came in. */
import type { RecordedDelivery } from '../../record/delivery.ts';
import { column } from '../concluding/outcome.ts';
import { callsOfFlow } from '../run/decisive.ts';
import type { Run, RunRequirement } from '../run/run.ts';
import { type Flow, type FlowEntry, flowsOf } from '../run/timeline.ts';
import { unattributed } from '../run/words.ts';
import { html, type Markup } from './markup.ts';
import { plainView } from './message.ts';
import { timeline, timelineWords } from './timeline.ts';
import { verdictMark } from './verdicts.ts';

/** The section; nothing for a run without flows and deliveries. */
export function flowSection(run: Run): Markup | null {
  const flows = flowsOf(run);
  const strange = unattributed(run);
  const [lines, anchor] = [linesOf(flows), anchorIn(run)];
  if (flows.length === 0 && run.deliveries.length === 0 && strange.length === 0) return null;
  return html`<section aria-labelledby="events"><h2 id="events">Events and signing</h2>
<p>Each flow is one signature request, from its creation to its completion.</p>
<p class="key quiet"><span><span class="action">●</span> done</span> <span>┆ an event is allowed</span> <span>◆ a callback</span> <span><span class="wrong">✗</span> wrong</span> Bars show pauses shorter than they were.</p>
${strange.map((line) => html`<p>${line}</p>`)}
${flows.map((flow) => flowView(flow, run, anchor))}
${run.deliveries.length > 0 ? html`<h3>Deliveries</h3><p>Every callback that came in, redacted.</p>${run.deliveries.map((each, at) => deliveryView(each, lines, `delivery-${at}`))}` : ''}
</section>`;
}

/** The link to the delivery or call that an entry of a flow is about. */
function anchorIn({ deliveries }: Run): (entry: FlowEntry) => string | null {
  const positions = new Map(deliveries.map(({ id }, at) => [id, at]));
  return ({ delivery, exchange }) => {
    const position = delivery === undefined ? undefined : positions.get(delivery);
    if (position !== undefined) return `delivery-${position}`;
    return exchange === undefined ? null : `exchange-${exchange}`;
  };
}

function flowView(flow: Flow, run: Run, anchor: ReturnType<typeof anchorIn>): Markup {
  const failed = run.requirements.filter((each) => failedIn(each, flow));
  const calls = callsOfFlow(run, flow.name);
  const wrong = flow.entries.filter(({ verdict }) => verdict === 'failed').length;
  const bad = wrong + failed.length > 0;
  // Some failures, such as those in the documents, are not in any line of the timeline.
  const found = wrong > 0 ? `${wrong} wrong` : bad ? `${failed.length} failed` : 'nothing wrong';
  return html`<details class="flow" id="flow-${flow.slug}">
<summary>${verdictMark(bad ? 'failed' : 'passed', found)} <span class="statement">${flow.name}</span></summary>
<div class="unfolded">
${failed.length > 0 ? html`<p class="quiet">Failed here: ${failed.map(({ id }) => html`<a href="#${id}">${id}</a> `)}</p>` : ''}
${timeline(flow, anchor)}
${calls.length > 0 ? html`<p class="quiet">Its calls: ${calls.map(({ index }) => html`<a href="#exchange-${index}">${index}</a> `)}</p>` : ''}
</div></details>`;
}

/** Whether a requirement failed in this flow: rows about a flow have its name. */
function failedIn(requirement: RunRequirement, { name, requirements }: Flow): boolean {
  if (column(requirement) !== 'failed' || !requirements.includes(requirement.id)) return false;
  const rows = requirement.checks.flatMap((check) => check.rows);
  return rows.some(({ title, verdict }) => verdict === 'failed' && title === name);
}

export type Lines = ReadonlyMap<string | undefined, string>;

/** Made once for a page, since there may be thousands of deliveries. */
export function linesOf(flows: readonly Flow[]): Lines {
  return new Map(flows.flatMap(timelineWords).map(({ bar, when }) => [bar.entry.delivery, when]));
}

/** A delivery, folded: `Callback 0: event 1, 12 ms after “request sent”`. @param anchor absent if it is shown twice */
export function deliveryView(each: RecordedDelivery, lines: Lines, anchor?: string): Markup {
  const { id, check, event, receivedAt, method, url, headers, body, answered } = each;
  const when = lines.get(id);
  const about = [
    check,
    `${receivedAt.start} to ${receivedAt.end.slice(11)}`,
    answered === null ? 'reset' : `answered ${answered}`,
  ];
  const what = event === undefined ? 'no event that could be read' : `event ${event}`;
  return html`<details class="more exchange"${anchor ? html` id="${anchor}"` : ''}><summary>Callback ${id}: <b>${what}</b>${when ? `, ${when}` : ''} ${check === undefined ? '' : html`in the flow “${check}”`}</summary>
<p class="quiet">${about.filter(Boolean).join(' · ')}</p>${plainView(`${method} ${url}`, headers, body)}</details>`;
}
