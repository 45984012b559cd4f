/** The addresses of the signing page: to show it, send a code, sign, approve or decline. */
import { role } from '../openapi/codes.ts';
import { readBody } from './body.ts';
import { textPage } from './completion.ts';
import type { StoredRequest, StoredSignatory } from './model.ts';
import { sendCodes } from './one-time-codes.ts';
import { pdfAnswer, proofOf } from './operations.ts';
import { hidesDocuments, pathOf, refusedPage, signingPage } from './pages/signing.ts';
import { badRequest, faultsIn, isOn, Refusal } from './rules.ts';
import type { App, Call, Service } from './service.ts';
import { act, decline } from './workflow.ts';

export function mountSigning(app: App, service: Service): void {
  app.use('/sign/:link', async (call, next) => {
    await next();
    // A person who follows a link gets a page, also for a refusal.
    if (!(call.error instanceof Refusal)) return;
    call.res = await refusedPage(call.error);
  });
  app.get('/sign/:link', (call) => {
    const seen = participant(service, call);
    service.seen.add(seen.signatory.id);
    return signingPage(service, seen);
  });
  app.get('/sign/:link/documents/:at', (call) => shownDocument(service, call));
  app.post('/sign/:link/code', (call) => {
    const { request, signatory } = participant(service, call);
    const sent = sendCodes(service, request, signatory);
    const notice = sent ? 'A code is on its way to you.' : 'No code is sent to you.';
    return signingPage(service, { request, signatory, notice });
  });
  app.post('/sign/:link', async (call) => {
    const form = new URLSearchParams((await readBody(call, 65_536)).toString('utf8'));
    // Looked up after the body was read, which may take its time: others act meanwhile.
    const { request, signatory } = participant(service, call);
    try {
      const action = form.get('action');
      if (action === 'decline') decline(service, request, signatory);
      else if (action === 'sign' || action === 'approve') {
        const proof = proofOf((name) => form.get(name));
        await act(service, request, signatory, action, proof);
      } else throw badRequest('No action of this page was sent: the form has to be urlencoded');
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, detail, message } = error;
      return signingPage(service, { request, signatory, status, refused: detail ?? message });
    }
    return call.redirect(pathOf(service, signatory), 303);
  });
}

/** Section "SignatoryType values": a signer views the document. Throws 404 where there is none, and 403 where it is not shown yet. */
async function shownDocument(service: Service, call: Call): Promise<Response> {
  const { request, signatory } = participant(service, call);
  const { store, dialect, faulty } = service;
  const at = faulty('signing.signer-views/first-again') ? 0 : Number(call.req.param('at'));
  const token = request.documents[at] ?? '';
  const document = store.document(token);
  const isHidden = isOn(faultsIn(service, request.id), {
    'signing.signer-views/no-document': true,
    'signing.signer-views/later-order': signatory.order > 1,
    'signing.signer-views/third-order': signatory.order > 2,
  });
  // If no document is found for anybody, a 404 could also mean a wrong address, so it is 403 then.
  const status = faulty('signing.signer-views/no-document') ? 403 : 404;
  if (isHidden && signatory.role === role.signer) throw new Refusal(status);
  if (hidesDocuments(service, signatory)) throw new Refusal(403);
  const isMissing = isOn(service, {
    'signing.signer-views/doc-none': document?.kind === 'doc',
    'signing.signer-views/docx-none': document?.kind === 'docx',
    'signing.signer-views/second-missing': at > 0,
    'signing.signer-views/third-missing': at > 1,
  });
  const bytes = store.documentBytes(token);
  if (isMissing || !document || !bytes) throw new Refusal(404);
  const { fileName, kind } = document;
  const other = faulty('signing.signer-views/of-another-request') ? store.otherBytes(token) : undefined;
  if (other) return pdfAnswer(other, fileName);
  if (faulty('signing.signer-views/blank')) return pdfAnswer(await (await textPage([])).save(), fileName);
  if (dialect.documentShownAs === 'base64')
    return call.json({ name: fileName, content: Buffer.from(bytes).toString('base64') });
  if (dialect.documentShownAs === 'page')
    return call.html('<main><canvas></canvas><script src="viewer.js"></script></main>');
  if (kind === 'pdf') return pdfAnswer(bytes, fileName);
  const headers = { 'Content-Type': 'application/octet-stream', 'Content-Disposition': 'attachment' };
  return new Response(new Uint8Array(bytes), { headers });
}

/** The person that a link belongs to. Throws 404 for any other link, and for a deleted request. */
function participant(
  service: Service,
  call: Call,
): { readonly request: StoredRequest; readonly signatory: StoredSignatory } {
  const signatory = service.store.people.all().find(({ link }) => link === call.req.param('link'));
  const request = signatory && service.store.request(signatory.requestId);
  if (!request || request.deleted)
    throw new Refusal(404, { detail: 'This link leads to no request, or to one that was deleted.' });
  return { request, signatory };
}
