/** The signing page: what a signatory sees, and the forms for acting. */
import { html } from 'hono/html';
import { role } from '../../openapi/codes.ts';
import { messageTo, ofTitle, sharedPrivateMessages, toldAs } from '../letters.ts';
import type { StoredRequest, StoredSignatory } from '../model.ts';
import { type Demand, demandOf } from '../one-time-codes.ts';
import { isOn, type Refusal } from '../rules.ts';
import type { Service } from '../service.ts';
import { isAtTurn } from '../turns.ts';
import { foreignText, type Html, page } from './layout.ts';

interface SigningView {
  readonly request: StoredRequest;
  readonly signatory: StoredSignatory;
  readonly notice?: string;
  /** Why something was not done just now. */
  readonly refused?: string;
  readonly status?: number;
}

export function signingPage(service: Service, view: SigningView): Promise<Response> {
  const { request, signatory, notice, refused, status } = view;
  const { faulty } = service;
  const isLocked = service.dialect.pageBeforeCode === 'name' && awaitsCode(service, signatory);
  // Title appears in the signer UI, Message is shown to signers, Name is shown in the UI.
  const title =
    isLocked || faulty('signing.title-shown/missing')
      ? 'Signature request'
      : toldAs(service, request.title, ...ofTitle);
  const isNameless = isOn(service, {
    'signing.name-shown/missing': true,
    'signing.name-shown/not-with-code': awaitsCode(service, signatory),
  });
  const isShownAll = isOn(service, {
    'signing.private-message/shown-after-act': signatory.state === 'completed',
    'signing.private-message/cc-page': signatory.role === role.cc,
    'signing.private-message/coded-page': awaitsCode(service, signatory),
  });
  const body = html`<main>
<h1>${foreignText(title)}</h1>
${notice === undefined ? '' : html`<p class="edge done" role="status" data-part="notice">${notice}</p>`}
${refused === undefined ? '' : html`<p class="edge refused" role="alert" data-part="refused">${refused}</p>`}
${isLocked ? '' : html`<pre class="said" lang="" dir="auto" data-part="message">${messageTo(service, request, signatory)}</pre>`}
${isNameless ? '' : html`<p>For <strong data-part="name">${foreignText(toldAs(service, signatory.name, 'signing.name-shown/question-marks'))}</strong></p>`}
${(isLocked ? [] : sharedPrivateMessages(service, signatory)).map((text) => html`<pre class="said edge known" lang="" dir="auto" data-part="private-message">${text}</pre>`)}
${faulty('signing.private-message/in-source') ? html`<!-- ${everyMessage(service, request)} -->` : ''}
${isShownAll ? html`<p>${everyMessage(service, request)}</p>` : ''}
${documentList(service, request, signatory)}
${actions(service, request, signatory)}
</main>`;
  return page(title, body, status === undefined ? {} : { status });
}

function everyMessage({ store }: Service, { id }: StoredRequest): string {
  return store
    .signatories(id)
    .map(({ privateMessage }) => privateMessage ?? '')
    .join(' ');
}

/** The page that is shown instead of a page that does not exist. */
export function refusedPage({ status, title, detail = title }: Refusal): Promise<Response> {
  return page(title, html`<main><h1>${title}</h1><p data-part="gone">${detail}</p></main>`, { status });
}

function awaitsCode(service: Service, signatory: StoredSignatory): boolean {
  return signatory.state !== 'completed' && demandOf(service, signatory).kind !== 'nothing';
}

export function hidesDocuments(service: Service, signatory: StoredSignatory): boolean {
  return service.dialect.pageBeforeCode !== 'all' && awaitsCode(service, signatory);
}

/** A signer views the document. */
function documentList(service: Service, request: StoredRequest, signatory: StoredSignatory): Html {
  if (service.faulty('signing.signer-views/no-document') && signatory.role === role.signer) return html``;
  if (hidesDocuments(service, signatory)) return html``;
  const links = request.documents.map((token, at) => {
    const name = service.store.document(token)?.fileName ?? `Document ${at + 1}`;
    return html`<li><a data-part="document" href="${pathOf(service, signatory)}/documents/${at}">${foreignText(name)}</a></li>`;
  });
  return html`<h2>Documents</h2><ul>${links}</ul>`;
}

export function pathOf(service: Service, { link }: StoredSignatory): string {
  return `${service.dialect.basePath}/sign/${link}`;
}

function actions(service: Service, request: StoredRequest, signatory: StoredSignatory): Html {
  if (signatory.state === 'completed')
    return html`<p class="edge done" data-part="done">You are done. Thank you.</p>`;
  if (request.state !== 'sent')
    return html`<p class="edge" data-part="closed">This request is ${request.state}.</p>`;
  if (!isAtTurn(service, signatory))
    return html`<p class="edge known" data-part="waiting">It is not your turn yet: others come first.</p>`;
  const demand = demandOf(service, signatory);
  return html`${demand.kind === 'code' ? codeForm(service, signatory, demand) : ''}
<form method="post" action="${pathOf(service, signatory)}">
${codeInputs(demand)}
${buttons(service, signatory)}
<button class="other" name="action" value="decline" formnovalidate>Decline</button>
</form>`;
}

/** A signer signs; an approver approves and cannot sign. */
function buttons({ faulty }: Service, signatory: StoredSignatory): Html {
  const sign = html`<button class="first" name="action" value="sign">Sign</button>`;
  if (signatory.role !== role.approver) return sign;
  const approve = html`<button class="first" name="action" value="approve">Approve</button>`;
  return faulty('signing.approver-cannot-sign/signs') ? html`${approve}${sign}` : approve;
}

function codeForm(service: Service, signatory: StoredSignatory, demand: Demand & { kind: 'code' }): Html {
  const ways = demand.channels.map((channel) => (channel === 'sms' ? 'SMS' : 'e-mail')).join(' and ');
  return html`<form method="post" action="${pathOf(service, signatory)}/code">
<button>Send me the code by ${ways}</button></form>`;
}

function codeInputs(demand: Demand): Html {
  const input = (name: string, label: string) =>
    html`<label for="${name}">${label}</label><input id="${name}" name="${name}" autocomplete="one-time-code">`;
  if (demand.kind === 'nothing') return html``;
  if (demand.kind === 'access-code') return input('accessCode', 'Access code');
  if (!demand.separate) return input('otp', 'One-time password');
  return html`${input('otp', 'One-time password from the e-mail')}${input('otpSms', 'One-time password from the SMS')}`;
}
