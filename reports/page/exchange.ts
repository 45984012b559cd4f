/** Exchanges on the page: each once, folded, with a stable anchor. */
import type { Exchange } from '../exchange-schema.ts';
import { html, type Markup } from '../markup.ts';
import type { Twin } from '../twin.ts';
import { visible } from '../visible.ts';
import { requestView, responseView } from './message.ts';

export interface ExchangeOptions {
  readonly twin?: Twin | null;
  /** What the check expected of the answer, where it came otherwise. */
  readonly expected?: string | undefined;
  readonly open?: boolean;
}

/** One exchange, request beside response. */
export function exchangeView(each: Exchange, { twin = null, expected, open }: ExchangeOptions = {}): Markup {
  const { request } = each;
  const about = [
    each.operation ?? each.template,
    each.purpose,
    each.startedAt,
    `${Math.round(each.durationMs)} ms`,
  ];
  return html`<details class="exchange" id="exchange-${each.index}"${open ? html` open` : ''}>
<summary><span class="number">${each.index}</span> <code>${request.method} ${visible(pathOf(request.url))}</code> <span class="answered">→ ${statusOf(each)}</span></summary>
<p class="quiet">${about.filter(Boolean).join(' · ')}${twin ? html` · the accepted twin is exchange <a href="#exchange-${twin.exchange.index}">${twin.exchange.index}</a>` : ''}</p>
${each.retries.length > 0 ? html`<p>Repeated: ${visible(each.retries.join('; '))}</p>` : ''}
${each.violations.map((violation) => html`<p class="bad">Breaks <a href="#${violation.requirement}">${violation.requirement}</a>${violation.pointer ? ` at ${visible(violation.pointer)}` : ''}: ${visible(violation.message)}</p>`)}
<div class="pair"><div><p class="label">Request</p>${requestView(each, twin)}</div><div><p class="label">Response</p>${responseView(each, expected)}</div></div>
</details>`;
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
