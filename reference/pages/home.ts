/** The page at the address of the service: its account, first steps, and a live list of what happens. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html } from 'hono/html';
import { onlyByItsAddress } from '../access.ts';
import type { Double } from '../double.ts';
import type { Call as DoubleCall } from '../double-types.ts';
import { firstSteps } from '../first-steps.ts';
import { plainPdf } from '../plain-pdf.ts';
import type { App, Call, Service } from '../service.ts';
import { finder, foreignText, type Html, type Look, lookOf, newest, page, shownTime } from './layout.ts';
import { completedLinks, mailTable } from './outbox.ts';
import { pathOf } from './signing.ts';

/** Reloads the content of the page now and then, unless somebody is reading or copying there. */
const script = `setInterval(async () => {
  if (document.hidden || !getSelection().isCollapsed) return;
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('live');
  const live = document.getElementById('live');
  if (next.innerHTML !== live.innerHTML && !live.contains(document.activeElement)) live.replaceWith(next);
}, 2000);`;
const scriptHash = createHash('sha256').update(script).digest('base64');

/** Facts about the service on the page that are not stored. */
interface Shown {
  readonly baseUrl: string;
  readonly credentials: Readonly<Record<'clientId' | 'clientSecret' | 'tokenEndpoint', string>>;
  readonly tokens: Readonly<Record<'valid' | 'expired', string>>;
  readonly template: { readonly id: string };
  readonly double: Double;
}

/** How many of each kind are shown at first, the newest. */
const most = 10;

export function mountHome(app: App, service: Service, reference: () => Shown): void {
  for (const path of ['/', '/_contract.yaml', '/_contract.pdf']) app.use(path, onlyByItsAddress(service));
  app.get('/', (call) => {
    const here = isHere(call, service.baseUrl());
    const body = home(service, reference(), lookOf(call, most), here);
    return page('Reference service', body, { own: { script, scriptHash } });
  });
  app.get('/_contract.yaml', (call) => {
    const text = readFileSync(new URL('../../openapi/esign.openapi.yaml', import.meta.url), 'utf8');
    return call.body(text, 200, { 'Content-Type': 'application/yaml; charset=utf-8' });
  });
  app.get('/_contract.pdf', (call) => {
    const bytes = new Uint8Array(plainPdf(['Contract', '', 'The parties agree to try this service.']));
    return call.body(bytes, 200, { 'Content-Type': 'application/pdf' });
  });
}

/**
 * Whether the call comes from this machine and for itself: only then are tokens shown. Where the service has a public
 * address, it is never assumed: a tunnel may bring calls of others here without saying so.
 */
function isHere(call: Call, baseUrl: string): boolean {
  if (!/^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(baseUrl).hostname)) return false;
  const from = call.env?.incoming?.socket?.remoteAddress ?? '';
  const relayed = call.req.header('Forwarded') ?? call.req.header('X-Forwarded-For');
  return relayed === undefined && /^(::ffff:)?127\.|^::1$/.test(from);
}

function home(service: Service, reference: Shown, look: Look, here: boolean): Html {
  const { baseUrl, credentials, tokens, double, template } = reference;
  const { basePath } = service.dialect;
  const secrets = [
    ['Client secret', credentials.clientSecret],
    ['Access token', tokens.valid],
    ['Expired token', tokens.expired],
  ];
  const account = [
    ['Base URL', baseUrl],
    ['Token endpoint', credentials.tokenEndpoint],
    ['Client id', credentials.clientId],
    ['Template id', template.id],
    ...(here ? secrets : []),
  ];
  return html`<header><p class="eyebrow">For local use; nothing leaves this machine but callbacks</p><h1>Reference service</h1>
<nav aria-label="Pages"><a href="${basePath}/_outbox">Outbox</a> <a href="${basePath}/_contract.yaml">Contract (OpenAPI)</a> <a href="#account">Account</a>${here ? html` <a href="#first-steps">First steps</a>` : ''}</nav></header>
<main>${finder(look)}<div id="live">
${newest('Requests', double.requests(), look, (some) => requests(service, some))}
${newest('Outbox', service.outbox.read(), look, (some) => mailTable(some, service, true))}
${newest('Callbacks', double.deliveries().toReversed(), look, deliveries)}
${newest('Calls', double.calls().toReversed(), look, calls)}
</div>
<section id="account"><h2>Account</h2><dl>${account.map(([name, value]) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`)}</dl>${here ? '' : html`<p class="quiet">The secret and the tokens stand where the service was started.</p>`}</section>
${here ? html`<section id="first-steps"><h2>First steps</h2><p>To paste into a terminal, in this order.</p><pre tabindex="0">${firstSteps(reference)}</pre></section>` : ''}
</main>`;
}

function requests(service: Service, all: ReturnType<Double['requests']>): Html {
  const rows = all.map(({ requestId, title, state, signatories }) => {
    const stored = service.store.signatories(requestId);
    const people = signatories.map(({ name, email, state: theirs }, at) => {
      const signatory = stored[at];
      const link = signatory?.link
        ? html` <a href="${pathOf(service, signatory)}">page of ${foreignText(name)}</a>`
        : '';
      return html`<li>${foreignText(name)} <span class="quiet">${email}</span> ${mark(theirs)}${link}</li>`;
    });
    return html`<tr><th scope="row">${foreignText(title)}<br><code class="quiet">${requestId}</code></th><td>${mark(state)}${completedLinks(service, requestId)}</td><td>${people.length > 0 ? html`<ul>${people}</ul>` : 'nobody yet'}</td></tr>`;
  });
  return html`<table><thead><tr><th scope="col">Request</th><th scope="col">State</th><th scope="col">People</th></tr></thead><tbody>${rows}</tbody></table>`;
}

const looks: Readonly<Record<string, string>> = {
  completed: 'passed',
  delivered: 'passed',
  declined: 'failed',
  'given-up': 'failed',
  refused: 'failed',
  invited: 'could-not-run',
};

const mark = (state: string): Html => html`<span class="verdict ${looks[state] ?? ''}">${state}</span>`;

function deliveries(all: ReturnType<Double['deliveries']>): Html {
  const rows = all.map(
    ({ requestId, event, url, state, attempts, answer }) =>
      html`<tr><th scope="row">Event ${event}<br><code class="quiet">${requestId}</code></th><td>${url}</td><td>${mark(state)} <span class="quiet">after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}</span></td><td data-name="Answer">${answer ?? 'none yet'}</td></tr>`,
  );
  return html`<table><thead><tr><th scope="col">Callback</th><th scope="col">To</th><th scope="col">State</th><th scope="col">Answer of the receiver</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** Longest body that is shown, in characters. */
const longest = 400;

function calls(all: readonly DoubleCall[]): Html {
  const rows = all.map(
    (call) =>
      html`<tr><td>${shownTime(Date.parse(call.at))}</td><th scope="row"><code>${call.method} ${call.path}</code><br>${htmlOfBody(call.body)}</th><td><strong>${call.status}</strong> ${htmlOfBody(call.answer)}</td></tr>`,
  );
  return html`<table><thead><tr><th scope="col">When</th><th scope="col">Call</th><th scope="col">Answer</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function htmlOfBody(body: unknown): Html {
  if (body === undefined) return html``;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return html`<code lang="" dir="auto">${text.length > longest ? `${text.slice(0, longest)} …` : text}</code>`;
}
