/** Exchanges on the page: each once, folded, with a stable anchor. */
import type { Exchange } from '../../record/exchange.ts';
import type { Finding } from '../../record/finding.ts';
import { visible } from '../../record/visible.ts';
import { html, type Markup } from '../markup.ts';
import type { Twin } from '../twin.ts';
import { requestView, responseView } from './message.ts';

export interface ExchangeOptions {
  readonly twin?: Twin | null;
  /** What was expected of the answer, where it came otherwise. */
  readonly finding?: Finding | undefined;
  readonly open?: boolean;
}

/** One exchange, request beside response. */
export function exchangeView(each: Exchange, { twin = null, finding, open }: ExchangeOptions = {}): Markup {
  const about = [
    each.operation ?? each.template,
    // That it was judged shows in where it stands.
    each.purpose === 'judged' ? '' : each.purpose,
    each.startedAt,
    `${Math.round(each.durationMs)} ms`,
  ];
  return html`<details class="exchange" id="exchange-${each.index}"${open ? html` open` : ''}>
<summary>${headline(each)}</summary>
<p class="quiet">${about.filter(Boolean).join(' · ')}${twin ? html` · the accepted twin is exchange <a href="#exchange-${twin.exchange.index}">${twin.exchange.index}</a>` : ''}</p>${each.retries.length > 0 ? html`<p>Repeated: ${visible(each.retries.join('; '))}</p>` : ''}${each.violations.map((violation) => html`<p class="bad">Breaks <a href="#${violation.requirement}">${violation.requirement}</a>${violation.pointer ? ` at ${visible(violation.pointer)}` : ''}: ${visible(violation.message)}</p>`)}
<div class="pair"><div><b>Request</b>${requestView(each, twin, finding)}</div><div><b>Response</b>${responseView(each, finding)}</div></div>
</details>`;
}

/** Whether there is nothing to unfold: no bodies, and no more to be told than how it was answered. */
export function isPlain({ request, response, retries, violations }: Exchange): boolean {
  if (request.body || !response || response.body) return false;
  return retries.length + violations.length === 0;
}

/** An exchange without bodies, on one line. */
export function exchangeLine(each: Exchange): Markup {
  const about = [each.operation ?? each.template, `${Math.round(each.durationMs)} ms`];
  return html`<p class="call" id="exchange-${each.index}">${headline(each)} <span class="quiet">${about.filter(Boolean).join(' · ')}</span></p>`;
}

function headline(each: Exchange): Markup {
  const { method, url } = each.request;
  return html`${each.index} <code>${method} ${visible(pathOf(url))}</code> <b>→ ${statusOf(each)}</b>`;
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
