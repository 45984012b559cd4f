/** Operations that the document names without showing them: send, stamps, status, documents, and acting as a person. */
import { html } from 'hono/html';
import { role } from '../openapi/codes.ts';
import { jsonAnswer } from './answer.ts';
import { declaredAsJson, parseJson, readBody } from './body.ts';
import { requestOf } from './control.ts';
import { readFixedStamps } from './create-bodies.ts';
import type { Dialect } from './dialect.ts';
import { states } from './double.ts';
import type { RequestState } from './double-types.ts';
import { Fields, type JsonObject } from './fields.ts';
import { type Action, actionOf } from './may-act.ts';
import type { StoredRequest, StoredSignatory } from './model.ts';
import { type Proof, sendCodes } from './one-time-codes.ts';
import { badRequest, conflict, Refusal } from './rules.ts';
import type { App, Call, Service } from './service.ts';
import { act, decline, requireAllOrders, sendRequest } from './workflow.ts';

const one = '/_apis/sign/api/v2/requests/:requestId';
const person = `${one}/signatories/:signatoryId`;

export function mountOperations(app: App, service: Service): void {
  app.post(`${one}/send`, (call) => {
    const request = requestOf(call, service);
    requireAllOrders(service, request);
    sendRequest(service, request);
    return jsonAnswer(service, 200, { requestId: request.id, status: 'sent' });
  });
  app.get(`${one}/status`, (call) => jsonAnswer(service, 200, statusOf(service, requestOf(call, service))));
  app.delete(one, (call) => {
    service.store.requests.change(requestOf(call, service).id, { deleted: true });
    return call.body(null, 204);
  });
  app.post(`${one}/stamps`, async (call) => {
    const fields = new Fields(await readObject(call, service), service);
    const request = requestOf(call, service);
    const signatory = signatoryOf(service, request, fields.text('signatoryId'));
    const stamps = readFixedStamps(fields, signatory.email, request.documents.length);
    fields.finish();
    if (signatory.role !== role.signer) throw badRequest('Only a signer has stamps');
    service.store.people.change(signatory.position, { stamps });
    return jsonAnswer(service, 200, {
      requestId: request.id,
      signatoryId: signatory.id,
      stamps: stamps.length,
    });
  });
  app.get(`${one}/documents`, (call) => {
    const request = completedOf(call, service);
    const files = service.store.completed(request.id);
    const base = `${service.baseUrl()}${one.replace(':requestId', encodeURIComponent(request.id))}/documents`;
    return jsonAnswer(service, 200, {
      documents: files.map(({ fileName: name }, at) => ({ name, url: `${base}/${at}` })),
    });
  });
  app.get(`${one}/documents/:at`, (call) => {
    const file = service.store.completed(completedOf(call, service).id)[Number(call.req.param('at'))];
    if (!file) throw new Refusal(404);
    return pdfAnswer(file.bytes, file.fileName);
  });
}

/** Calls by which a signatory acts, for use of the service without a browser. */
export function mountActing(app: App, service: Service): void {
  const acting = (path: string, action: (signatory: StoredSignatory) => Action) =>
    app.post(`${person}/${path}`, async (call) => {
      // Read before the request is looked up: the body may take its time, and others act meanwhile.
      const proof = await readProof(call, service);
      const request = requestOf(call, service);
      const signatory = signatoryOf(service, request, call.req.param('signatoryId') ?? '');
      const denied = await refusedInside(service, () =>
        act(service, request, signatory, action(signatory), proof),
      );
      if (service.dialect.actRefusedAs === 'page')
        return call.html(denied ? html`<p>Sorry: ${denied.message}</p>` : '<p>All is done.</p>');
      if (denied) return jsonAnswer(service, 200, denied);
      const told = service.dialect.actRefusedAs === 'own-words' ? { folge: 'VOLLZOGEN' } : {};
      return jsonAnswer(service, 200, { ...statusOf(service, request), ...told });
    });
  acting('sign', () => 'sign');
  acting('approve', () => 'approve');
  acting('complete', actionOf);
  app.post(`${person}/decline`, (call) => {
    const request = requestOf(call, service);
    decline(service, request, signatoryOf(service, request, call.req.param('signatoryId')));
    return jsonAnswer(service, 200, statusOf(service, request));
  });
  app.post(`${person}/otp`, (call) => {
    const request = requestOf(call, service);
    const signatory = signatoryOf(service, request, call.req.param('signatoryId'));
    return jsonAnswer(service, 200, { sent: sendCodes(service, request, signatory) });
  });
}

/** The answer to a refused act, in the dialect where 200 carries refusals. */
async function refusedInside(
  { dialect }: Service,
  does: () => Promise<unknown>,
): Promise<Record<string, unknown> | undefined> {
  try {
    await does();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal) || dialect.actRefusedAs === 'status') throw error;
    const message = error.detail ?? error.message;
    return {
      graphql: { data: { act: null }, errors: [{ message, path: ['act'] }] },
      'json-rpc': { jsonrpc: '2.0', id: 1, error: { code: -32_000, message } },
      flag: { success: false, message },
      code: { code: 30_012, message: 'noch nicht' },
      page: { message },
      'own-words': { requestId: 'none', folge: 'ZURÜCKGESTELLT' },
    }[dialect.actRefusedAs];
  }
}

function completedOf(call: Call, service: Service): StoredRequest {
  const request = requestOf(call, service);
  if (request.state === 'completed') return request;
  throw conflict(service, `The request is ${request.state}`);
}

/** A signatory of the request; a new id may stay invisible for a while. */
function signatoryOf(service: Service, request: StoredRequest, signatoryId: string): StoredSignatory {
  const all = service.store.signatories(request.id);
  const signatory = all.find(({ id }) => id === signatoryId);
  const third = service.faulty('signatory.signatory-id-usable/third-unknown');
  if (third && all[2]?.id === signatoryId) throw new Refusal(404);
  const visible = signatory && service.now() - signatory.createdAt >= service.dialect.visibleAfterMs;
  if (!visible) throw new Refusal(404, { message: 'Signatory ID not found' });
  return signatory;
}

async function readObject(call: Call, service: Service): Promise<JsonObject> {
  const parsed = parseJson(await readBody(call, service.dialect.maxJsonBytes), service);
  if (parsed.kind === 'object' && declaredAsJson(call, service)) return parsed.value;
  throw badRequest('The body is not a JSON object');
}

/** `otp`, `otpSms` and `accessCode` of an optional JSON body. */
async function readProof(call: Call, service: Service): Promise<Proof> {
  const bytes = await readBody(call, 65_536);
  if (bytes.length === 0) return {};
  const parsed = parseJson(bytes, service);
  if (parsed.kind !== 'object') throw badRequest(parsed.detail);
  const fields = new Fields(parsed.value, service);
  return proofOf((name) => fields.optionalText(name));
}

/** A proof from named values, without the ones that are empty. */
export function proofOf(value: (name: keyof Proof) => string | null): Proof {
  const names = ['otp', 'otpSms', 'accessCode'] as const;
  const textOf = (name: keyof Proof) => value(name) ?? '';
  // Blanks alone are a wrong code, not a missing one.
  const given = names.map((name) => [name, textOf(name).trim() || textOf(name)] as const);
  return Object.fromEntries(given.filter(([, text]) => text !== ''));
}

function shownState(state: RequestState, how: Dialect['stateNames']): string | number {
  return { words: state, capitals: state.toUpperCase(), numbers: states.indexOf(state) }[how];
}

function statusOf(service: Service, { id }: StoredRequest): Record<string, unknown> {
  const signatories = service.store.signatories(id).map(({ id: signatoryId, email, state, order }) => {
    return { signatoryId, email, order, status: state };
  });
  const state = service.store.request(id)?.state;
  return {
    requestId: id,
    status: state && shownState(state, service.dialect.stateNames),
    signatories,
    callbacks: service.callbacks.all(id).map(({ event, state, attempts }) => ({ event, state, attempts })),
  };
}

/** A PDF that a browser shows in its own viewer. */
export function pdfAnswer(bytes: Uint8Array, fileName: string): Response {
  const name = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `inline; filename*=UTF-8''${name}`,
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
