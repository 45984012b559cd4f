/** Exchanges on the page: each once, folded, with a stable anchor. */
import type { Exchange } from '../exchange-schema.ts';
import { html, type Markup } from '../markup.ts';
import { visible } from '../visible.ts';
import { bodyText } from './text.ts';

type Message = {
  readonly headers: Exchange['request']['headers'];
  readonly body: Exchange['request']['body'];
};

/** All exchanges of a run. */
export function exchanges(list: readonly Exchange[]): Markup {
  return html`<section aria-labelledby="exchanges">
<h2 id="exchanges">Exchanges</h2>
<p>Every call of the run in its order, redacted. The same stands in <code>run.json</code> and <code>exchanges.har</code>.</p>
${list.map(exchange)}
</section>`;
}

function exchange(each: Exchange): Markup {
  const { request, response } = each;
  return html`<details class="exchange" id="exchange-${each.index}">
<summary><span class="number">${each.index}</span> <code>${request.method} ${visible(pathOf(request.url))}</code> → ${statusOf(each)}${each.row ? html` <span class="quiet">${each.row}</span>` : ''}</summary>
<p class="quiet">${[each.operation ?? each.template, each.purpose, each.startedAt, `${Math.round(each.durationMs)} ms`].filter(Boolean).join(' · ')}</p>
${each.retries.length > 0 ? html`<p>Repeated: ${each.retries.join('; ')}</p>` : ''}
${each.violations.map((violation) => html`<p class="bad">Breaks <a href="#${violation.requirement}">${violation.requirement}</a>${violation.pointer ? ` at ${violation.pointer}` : ''}: ${visible(violation.message)}</p>`)}
<h4>Request</h4>${message(`${request.method} ${request.url}`, request)}
<h4>Response</h4>${response ? message(`${response.status} ${response.reason}`, response) : html`<p>${statusOf(each)}</p>`}
<h4>Reproduce</h4><pre>${visible(each.curl)}</pre>
</details>`;
}

function message(first: string, { headers, body }: Message): Markup {
  const head = [first, ...headers.map(([name, value]) => `${name}: ${value}`)].map(visible).join('\n');
  return html`<pre>${head}${body ? `\n\n${bodyText(body)}` : ''}</pre>`;
}

function statusOf({ response, failure }: Exchange): string {
  if (response) return String(response.status);
  return failure ? `no answer: ${visible(failure.message)}` : 'no answer';
}

function pathOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
