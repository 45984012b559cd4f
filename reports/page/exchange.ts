/** Exchanges on the page: each folded, with a stable anchor where it stands first. */
import type { Exchange } from '../../record/exchange.ts';
import type { Finding } from '../../record/finding.ts';
import type { Twin } from '../run/twin.ts';
import { html, type Markup } from './markup.ts';
import { requestView, responseView, twinView } from './message.ts';

interface ExchangeOptions {
  readonly twin?: Twin | null;
  readonly finding?: Finding;
  readonly open?: boolean;
  /** A second view of an exchange that has its anchor elsewhere. */
  readonly copy?: boolean;
  /** Id of the requirement at which it is shown. */
  readonly of?: string;
}

/** One exchange, request beside response; with an accepted twin the two requests and the two answers side by side. */
export function exchangeView(each: Exchange, options: ExchangeOptions = {}): Markup {
  const { twin = null, finding, open, copy, of } = options;
  const about = [
    each.operation ?? each.template,
    // The purpose `judged` is left out: the place of the exchange shows it.
    each.purpose === 'judged' ? '' : each.purpose,
    each.startedAt,
    `${Math.round(each.durationMs)} ms`,
  ];
  const request = requestView(each, twin, finding);
  const response = responseView(each, finding);
  const messages = twin
    ? html`<div><b>This request</b>${request}</div><div><b>The accepted twin, exchange ${twin.exchange.index}</b>${twinView(twin)}</div><div><b>Its answer</b>${response}</div><div><b>The answer to the twin</b>${responseView(twin.exchange)}</div>`
    : html`<div><b>Request</b>${request}</div><div><b>Response</b>${response}</div>`;
  return html`<details class="more exchange"${copy ? '' : html` id="exchange-${each.index}"`}${open ? html` open` : ''}>
<summary>${headline(each)}</summary>
<p class="quiet">${about.filter(Boolean).join(' · ')}</p>${each.retries.length > 0 ? html`<p>Repeated: ${each.retries.join('; ')}</p>` : ''}${each.violations.map((violation) => html`<p class="edge">Breaks ${violation.requirement === of ? violation.requirement : html`<a href="#${violation.requirement}">${violation.requirement}</a>`}${violation.pointer ? ` at ${violation.pointer}` : ''}: ${violation.message}</p>`)}
<div class="pair">${messages}</div>
</details>`;
}

/** Whether there is nothing to unfold: no bodies, and nothing else besides the status. */
export function isPlain({ request, response, retries, violations }: Exchange): boolean {
  if (request.body || !response || response.body) return false;
  return retries.length + violations.length === 0;
}

export function exchangeLine(each: Exchange, { copy }: Pick<ExchangeOptions, 'copy'> = {}): Markup {
  const about = [each.operation ?? each.template, `${Math.round(each.durationMs)} ms`];
  return html`<p class="call"${copy ? '' : html` id="exchange-${each.index}"`}>${headline(each)} ${about.filter(Boolean).join(' · ')}</p>`;
}

function headline(each: Exchange): Markup {
  const { method, url } = each.request;
  return html`${each.index} <code>${method} ${pathOf(url)}</code> <b>→ ${statusOf(each)}</b>`;
}

function statusOf({ response, failure }: Exchange): string {
  if (response) return String(response.status);
  return failure ? `no answer: ${failure.message}` : 'no answer';
}

function pathOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
