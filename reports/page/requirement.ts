/** A requirement on the page: its statement and verdict, unfolded its checks, rows and where to look. */
import type { TimelineEntry } from '../exchange-schema.ts';
import { explain } from '../failure.ts';
import { html, type Markup } from '../markup.ts';
import { column } from '../outcome.ts';
import type { Run, RunCheck, RunRequirement } from '../run.ts';
import type { Verdict } from '../verdict.ts';
import { visible } from '../visible.ts';

const signs: Record<Verdict, string> = {
  passed: '✓',
  failed: '✗',
  'could-not-run': '…',
  'not-applicable': '–',
  error: '!',
};

const words: Record<ReturnType<typeof column>, string> = {
  passed: 'passed',
  failed: 'failed',
  'could-not-run': 'could not run',
  'not-applicable': 'not applicable',
  error: 'error',
  deviation: 'accepted deviation',
  notTestable: 'not testable',
  pending: 'pending',
};

/** Those that somebody has to act on are unfolded from the start. */
export function requirement(each: RunRequirement, run: Run): Markup {
  const acute = each.verdict === 'failed' || each.verdict === 'error';
  return html`<details class="requirement ${each.verdict}" id="${each.id}"${acute ? html` open` : ''}>
<summary>${verdictMark(each)} <span class="statement">${each.statement}</span> <span class="quiet"><code>${each.id}</code> ${each.level}</span></summary>
<p class="quiet">Interface document: ${each.section}. <a href="#${each.id}">Link to this requirement</a></p>
${each.reason ? html`<p><strong>Why:</strong> ${visible(each.reason)}</p>` : ''}
${each.notTestable ? html`<p><strong>No check can prove it:</strong> ${each.notTestable}</p>` : ''}
${each.deviation ? html`<p><strong>Deviation, ${each.deviation.status}:</strong> ${each.deviation.reason} (${each.deviation.owner}, until ${each.deviation.until})</p>` : ''}
${acute ? html`<pre class="bad">${visible(explain(each, run).join('\n'))}</pre>` : ''}
${each.checks.map(check)}
</details>`;
}

/** A verdict as sign and word, so that it does not hang on its colour. */
export function verdictMark(each: RunRequirement): Markup {
  return html`<span class="verdict ${column(each)}"><span aria-hidden="true">${signs[each.verdict]}</span> ${words[column(each)]}</span>`;
}

function check({ title, durationMs, rows, timeline = [] }: RunCheck): Markup {
  return html`<section class="check"><h4>${title} <span class="quiet">${Math.round(durationMs)} ms</span></h4>
${rows.length > 0 ? html`<ul>${rows.map(row)}</ul>` : ''}${
  timeline.length > 0
    ? html`<details><summary>What was done and what was delivered</summary><ol>${timeline.map(entry)}</ol></details>`
    : ''
}</section>`;
}

/** One line of a timeline: its time of day in UTC, to the millisecond. */
function entry({ at, kind, title, delivery, verdict, message }: TimelineEntry): Markup {
  const what = kind === 'delivery' ? `delivery ${delivery ?? ''}: ${title}` : title;
  return html`<li><code>${at.slice(11, 23)}</code> ${verdict === 'failed' ? html`<span class="verdict failed"><span aria-hidden="true">${signs.failed}</span> ${words.failed}</span> ` : ''}${visible(what)}${
    message ? html`<br><span class="message">${visible(message)}</span>` : ''
  }</li>`;
}

function row({ title, verdict, message, exchanges }: RunCheck['rows'][number]): Markup {
  return html`<li><span class="verdict ${verdict}"><span aria-hidden="true">${signs[verdict]}</span> ${words[verdict]}</span> ${visible(title)}${
    message ? html`<br><span class="message">${visible(message)}</span>` : ''
  }${exchanges.length > 0 ? html` <span class="quiet">${exchanges.length === 1 ? 'exchange' : 'exchanges'} ${exchanges.map((index) => html`<a href="#exchange-${index}">${index}</a> `)}</span>` : ''}</li>`;
}
