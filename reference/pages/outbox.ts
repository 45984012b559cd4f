/** The outbox as a page, and as JSON for programs: all e-mails and SMS that the service would have sent. */
import { zipSync } from 'fflate';
import type { MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { onlyByItsAddress } from '../access.ts';
import { loadPdf } from '../completion/load-pdf.ts';
import { showFirstTwice } from '../completion.ts';
import { copyPath } from '../letters.ts';
import { pdfAnswer } from '../operations.ts';
import type { StoredMail } from '../outbox.ts';
import { plainPdf } from '../plain-pdf.ts';
import { Refusal } from '../rules.ts';
import type { App, Call, Service } from '../service.ts';
import { finder, foreignText, type Html, lookOf, newest, page, shownTime } from './layout.ts';

/** No access token is needed, as with other mail catchers: anybody working on this machine may read it. */
export function mountOutbox(app: App, service: Service): void {
  for (const path of ['/_outbox', '/_outbox.json', '/_outbox/*'])
    app.use(path, onlyByItsAddress(service), ofItsOwn);
  app.get('/_outbox', (call) => {
    const look = lookOf(call, 50);
    const all = mailsWanted(call, service);
    const body = newest('Messages', all, look, (mails) => mailTable(mails, service));
    return page(
      'Outbox',
      html`<main><h1>Outbox</h1><p>Newest first. Nothing here has left this machine.</p>${finder(look)}${body}</main>`,
    );
  });
  app.get('/_outbox.json', (call) =>
    call.json({ messages: mailsWanted(call, service).map((mail) => mailAsKept(mail, service)) }),
  );
  app.get('/_outbox/mails/:id', (call) => {
    const [mail] = service.outbox.read({ id: Number(call.req.param('id')) || 0 });
    if (!mail) throw new Refusal(404);
    return call.json({ text: `${mail.subject}\n\n${mail.text}`, files: mail.attachments });
  });
  app.get('/_outbox/clicks/:click', (call) => {
    const to = call.req.query('to') ?? '';
    if (!to.startsWith(`${service.baseUrl()}/sign/`) || !URL.canParse(to)) throw new Refusal(404);
    return call.redirect(new URL(to).href);
  });
  app.delete('/_outbox', (call) => {
    service.outbox.clear();
    return call.body(null, 204);
  });
  app.get('/_outbox/uploads/:requestId/:at', (call) => {
    const { documents = [] } = service.store.request(call.req.param('requestId')) ?? {};
    const bytes = service.store.documentBytes(documents[Number(call.req.param('at'))] ?? '');
    if (!bytes) throw new Refusal(404);
    return pdfAnswer(bytes, 'document.pdf');
  });
  app.get('/_outbox/copies/:requestId/:at', async (call) => {
    const [requestId, at] = [call.req.param('requestId'), Number(call.req.param('at'))];
    const all = service.store.completed(requestId);
    if (call.req.param('at') === 'all.zip' && all.length > 0) {
      const named = all.map(({ fileName, bytes }, index) => [`${index + 1} ${fileName}`, bytes] as const);
      // Stored as they are: the PDFs stand in the archive byte for byte.
      return new Response(zipSync(Object.fromEntries(named), { level: 0 }), {
        headers: { 'Content-Type': 'application/zip' },
      });
    }
    const file = all[at];
    if (!file) throw new Refusal(404);
    const half = service.faulty('signing.cc-receives-copy/cut-off') ? file.bytes.length / 2 : undefined;
    const other = (await otherPages(service, file.bytes)) ?? otherCopy(service, requestId, at);
    return pdfAnswer((other ?? file.bytes).subarray(0, half), file.fileName);
  });
}

/** The final copy with the pages that a fault leaves or repeats. */
async function otherPages({ faulty }: Service, bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const isCut = faulty('signing.cc-receives-copy/first-page');
  if (!isCut && !faulty('signing.cc-receives-copy/page-twice')) return undefined;
  const pdf = await loadPdf(bytes);
  if (!isCut && pdf.getPageCount() > 1) await showFirstTwice(pdf);
  while (isCut && pdf.getPageCount() > 1) pdf.removePage(1);
  return pdf.save();
}

/** The file that a fault gives instead of the final copy. */
function otherCopy({ store, faulty }: Service, requestId: string, at: number): Uint8Array | undefined {
  const token = store.request(requestId)?.documents[at] ?? '';
  if (at > 0 && faulty('signing.cc-receives-copy/trail-for-others')) return plainPdf(['Audit trail']);
  if (faulty('signing.cc-receives-copy/uploaded')) return store.documentBytes(token);
  if (!faulty('signing.cc-receives-copy/of-another-request')) return undefined;
  return store.otherBytes(token);
}

/** Refuses calls that a page of another origin makes with the browser of somebody here. */
const ofItsOwn: MiddlewareHandler = async (call, next) => {
  const sender = call.req.header('Origin');
  if (sender !== undefined && sender !== new URL(call.req.url).origin) throw new Refusal(403);
  await next();
};

function mailsWanted(call: Call, service: Service): readonly StoredMail[] {
  const [to, requestId] = [call.req.query('to'), call.req.query('requestId')];
  return service.outbox.read({ ...(to ? { to } : {}), ...(requestId ? { requestId } : {}) });
}

function mailAsKept(mail: StoredMail, service: Service): Record<string, unknown> {
  const { id, to, subject, text, channel } = mail;
  const kept = channel === 'sms' ? 'in-fields' : service.dialect.mailKept;
  if (kept === 'as-sent') return { id, raw: Buffer.from(sourceOf(mail, service)).toString('base64url') };
  if (kept === 'begun') return { id, to, preview: text.slice(0, 12) };
  if (kept === 'without-files') return { id, to, subject, text };
  return { ...mail, sentAt: new Date(mail.sentAt).toISOString() };
}

/** The source of the whole mail (RFC 5322, RFC 2046). */
function sourceOf({ id, to, subject, text, requestId, attachments }: StoredMail, service: Service): string {
  const base64 = (content: string | Uint8Array) =>
    Buffer.from(content).toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  const part = (fields: readonly string[], content: string | Uint8Array) =>
    [`--part-of-${id}`, ...fields, 'Content-Transfer-Encoding: base64', '', base64(content)].join('\r\n');
  const files = attachments.map(({ name }, at) => {
    const file = `Content-Disposition: attachment; filename*=UTF-8''${encodeURIComponent(name)}`;
    const bytes = service.store.completed(requestId)[at]?.bytes ?? Buffer.alloc(0);
    return part(['Content-Type: application/pdf', file], otherCopy(service, requestId, at) ?? bytes);
  });
  return [
    `To: ${to}`,
    // An encoded word has at most 75 characters and no partial ones (RFC 2047, 2 and 5): eleven characters take at most 44 bytes.
    `Subject: ${(subject.match(/.{1,11}/gsu) ?? []).map((words) => `=?UTF-8?B?${Buffer.from(words).toString('base64')}?=`).join('\r\n ')}`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="part-of-${id}"`,
    '',
    part(['Content-Type: text/plain; charset=utf-8'], text),
    ...files,
    `--part-of-${id}--`,
  ].join('\r\n');
}

/** Links to the completed documents of a request; none before it is completed. */
export function completedLinks({ store, dialect }: Service, requestId: string): Html {
  const files = store.completed(requestId);
  return html`${files.map(({ fileName: name }, at) => html`<p>Completed: <a href="${dialect.basePath}${copyPath(requestId, at)}">${foreignText(name)}</a></p>`)}`;
}

/** E-mails and SMS with their links and files; e-mails are folded where the page has other content. */
export function mailTable(mails: readonly StoredMail[], service: Service, folded = false): Html {
  const text = (mail: StoredMail) => html`<pre class="said" lang="" dir="auto">${mail.text}</pre>`;
  const content = (mail: StoredMail) =>
    folded && mail.channel === 'email'
      ? html`<details><summary>${foreignText(mail.subject)}</summary>${text(mail)}</details>`
      : html`<strong>${foreignText(mail.subject)}</strong>${text(mail)}`;
  const rows = mails.map(
    (
      mail,
    ) => html`<tr><td>${shownTime(mail.sentAt)}<br><span class="quiet">${mail.channel === 'sms' ? 'SMS' : 'E-mail'} to</span> ${mail.to}</td>
<td>${content(mail)}
${mail.link === null ? '' : html`<p><a href="${mail.link}">Open the signing page</a></p>`}
${mail.attachments.length > 0 ? mail.attachments.map(({ name, url }) => html`<p><a href="${url}">${foreignText(name)}</a></p>`) : completedLinks(service, mail.requestId)}</td></tr>`,
  );
  return html`<table><thead><tr><th scope="col">Sent</th><th scope="col">Message</th></tr></thead><tbody>${rows}</tbody></table>`;
}
