/** Calls outside the documented interface that bring a request, a document or a token into a given state. */
import { message, role } from '../openapi/codes.ts';
import { authorizeControl } from './access.ts';
import { parseJson, readBody } from './body.ts';
import { actionOf } from './may-act.ts';
import type { StoredRequest } from './model.ts';
import { Refusal } from './rules.ts';
import type { App, Call, Service } from './service.ts';
import { visibleRequest } from './signatory.ts';
import { actOnBehalf } from './workflow.ts';

export function mountControl(app: App, service: Service): void {
  // A CallbackUrl for requests whose callbacks nobody waits for.
  app.all('/_control/callbacks', (call) => call.body(null, 204));
  app.get('/_control/requests/:requestId', (call) => {
    const { id, title, message: text, type } = requestOf(call, service);
    const signatories = service.store.signatories(id);
    const shown = signatories.map(({ id: signatoryId, email, name, order, role: part }) => {
      return { signatoryId, email, name, order, role: part };
    });
    return call.json({ requestId: id, type, title, message: text, signatories: shown });
  });
  // One call by which any person acts, as simulators of services have one.
  app.post('/_control/requests/:requestId/signatories/:signatoryId/complete', async (call) => {
    const request = requestOf(call, service);
    const wanted = call.req.param('signatoryId');
    const signatory = service.store.signatories(request.id).find(({ id }) => id === wanted);
    if (!signatory) throw new Refusal(404, { message: 'Signatory ID not found' });
    // A CC does nothing.
    if (signatory.role !== role.cc) await actOnBehalf(service, request, signatory, actionOf(signatory));
    return call.body(null, 204);
  });
  app.delete('/_control/requests/:requestId', (call) => {
    const { id } = requestOf(call, service);
    if (service.store.signatories(id).length === 0)
      service.combined.noteRefused(id, 'deletion without people');
    service.store.requests.change(id, { deleted: true });
    return call.body(null, 204);
  });
  app.post('/_control/documents/:token/invalidate', (call) => {
    const account = authorizeControl(call, service);
    const { documents } = service.store;
    const token = call.req.param('token');
    const isTheirs = documents.get(token)?.account === account;
    if (!isTheirs || !documents.change(token, { invalidated: true }))
      throw new Refusal(404, { message: message.documentNotFound });
    return call.body(null, 204);
  });
  app.post('/_control/tokens/expired', (call) => {
    return call.json({ access_token: service.tokens.issue(authorizeControl(call, service), -1) });
  });
  app.post('/_control/tokens/expire', async (call) => {
    const account = authorizeControl(call, service);
    const body = parseJson(await readBody(call, 65_536), service);
    const token = body.kind === 'object' ? body.value.token : undefined;
    if (typeof token !== 'string') throw new Refusal(400, { detail: 'token is not a string' });
    if (!service.tokens.expire(account, token)) throw new Refusal(404, { detail: 'token is not known' });
    return call.body(null, 204);
  });
}

/** The request that a call names. Throws 404 unless it belongs to the account and is not deleted. */
export function requestOf(call: Call, service: Service): StoredRequest {
  const account = authorizeControl(call, service);
  const request = visibleRequest(service, account, call.req.param('requestId') ?? '');
  if (!request || request.deleted) throw new Refusal(404, { message: message.requestNotFound });
  return request;
}
