/** Endpoint 5: add a signatory to a type 0 request. */
import { message, otpType, path, requestType, role } from '../openapi/codes.ts';
import { authorize } from './access.ts';
import { jsonAnswer } from './answer.ts';
import { isWellFormed, newId, newNumber } from './ids.ts';
import { judgeJsonFirst, readJsonObject } from './json-body.ts';
import type { SignatoryFacts, StoredRequest } from './model.ts';
import { badRequest, Refusal } from './refusal.ts';
import { refuseFaultily } from './rules.ts';
import type { App, Service } from './service.ts';
import { readSignatory } from './signatory-body.ts';
import { signatoryAdded } from './workflow.ts';

export function mountSignatory(app: App, service: Service): void {
  app.post(path.signatories.replace('{requestId}', ':requestId'), async (call) => {
    await judgeJsonFirst(call, service);
    const account = authorize(call, service, 'signatory');
    const requestId = call.req.param('requestId') ?? '';
    if (service.dialect.requestIdBeforeBody) findRequest(service, account, requestId);
    const body = await readJsonObject(call, service, 'signatory');
    if (service.faulty('signatory.added/500')) throw new Refusal(500);
    const facts = body === null ? unreadable : await readSignatory(body, service);
    const request = findRequest(service, account, requestId);
    const last = call.req.query('send') === 'true';
    return answerAdded(service, requestId, keepSignatory(service, request, facts, { requestId, last }));
  });
}

/** What a signatory holds whose malformed body a fault let pass. */
const unreadable: SignatoryFacts = {
  email: 'unreadable@example.com',
  name: '',
  order: 1,
  role: role.signer,
  privateMessage: null,
  color: null,
  otp: { isRequired: false, type: otpType.email, accessCode: null, mobileNumber: null },
  stamps: [],
};

/**
 * The type 0 request of an id. Throws 404 "Request ID not found" for one that does not exist, is another
 * account's, or was deleted (section "Errors"). `null` when a fault takes an id that does not exist.
 */
function findRequest(service: Service, account: string, requestId: string): StoredRequest | null {
  const { faulty, dialect } = service;
  const request = visibleRequest(service, account, nearId(service, requestId));
  if (!request) {
    const status = isWellFormed(dialect.idForm, 'req', requestId) ? 404 : dialect.malformedIdStatus;
    if (status !== 404) throw new Refusal(status, { detail: 'requestId does not look like one' });
    const owner = service.store.request(requestId)?.account ?? account;
    if (owner !== account && dialect.foreignStatus !== 404) {
      throw new Refusal(dialect.foreignStatus);
    }
    if (faulty('signatory.unknown-request/accepted')) return null;
    throw unknownRequest(service);
  }
  if (request.deleted && !faulty('signatory.deleted-request/accepted')) {
    const status = faulty('signatory.deleted-request/410') ? 410 : 404;
    throw new Refusal(status, { message: message.requestNotFound });
  }
  if (request.type !== requestType.skeleton) throw unknownRequest(service);
  if (!isOpen(service, request)) {
    throw new Refusal(service.dialect.conflictStatus, { detail: `The request is ${request.state}` });
  }
  return request;
}

/** Whether signatories may still be added. Where no call sends a request, they are added to one that was sent. */
function isOpen({ dialect }: Service, { state }: StoredRequest): boolean {
  const early = dialect.sending === 'creation' || dialect.sending === 'first-signatory';
  return state === 'draft' || (state === 'sent' && (early || dialect.addAfterSend === 'accepted'));
}

/** A request as its account sees it, deleted ones included; a fresh id may stay invisible for a while. */
export function visibleRequest(
  service: Service,
  account: string,
  requestId: string,
): StoredRequest | undefined {
  const request = service.store.request(requestId);
  const visible = request && service.now() - request.createdAt >= service.dialect.visibleAfterMs;
  return visible && request.account === account ? request : undefined;
}

/** The id that a fault takes a nearly right one for. */
function nearId({ store, faulty }: Service, id: string): string {
  const near = (where: string) => {
    return String(store.database.get(`SELECT id FROM request WHERE ${where}`, id)?.id ?? id);
  };
  if (faulty('signatory.unknown-request/longer-accepted')) return near("? LIKE id || '%'");
  return faulty('signatory.unknown-request/shorter-accepted') ? near("id LIKE ? || '_'") : id;
}

function unknownRequest({ faulty }: Service): Refusal {
  if (faulty('signatory.unknown-request/500')) return new Refusal(500);
  if (faulty('signatory.unknown-request/400')) return new Refusal(400, { message: message.requestNotFound });
  if (faulty('signatory.unknown-request-message/other')) return new Refusal(404);
  if (faulty('signatory.unknown-request-message/of-document')) {
    return new Refusal(404, { message: message.documentNotFound });
  }
  return new Refusal(404, { message: message.requestNotFound });
}

/** Stores the signatory and returns its id. */
function keepSignatory(
  service: Service,
  request: StoredRequest | null,
  facts: SignatoryFacts,
  { requestId, last }: { readonly requestId: string; readonly last: boolean },
): string {
  const { dialect, store, faulty } = service;
  const others = request === null ? [] : store.signatories(request.id);
  judgeOthers(service, others, facts);
  const first = others[0];
  const same = first && faulty('signatory.signatory-id-unique/same');
  const fresh = faulty('signatory.signatory-id/number') ? newNumber() : newId(dialect.idForm, 'sig');
  const id = same ? first.id : fresh;
  if (request !== null) {
    store.addSignatory(id, requestId, facts, service.now());
    signatoryAdded(service, requestId, last);
  }
  return id;
}

function judgeOthers(service: Service, others: readonly SignatoryFacts[], facts: SignatoryFacts): void {
  const { dialect } = service;
  if (dialect.maxSignatories > 0 && others.length >= dialect.maxSignatories) {
    throw badRequest(`A request has at most ${dialect.maxSignatories} signatories`);
  }
  const same = others.some((other) => other.email.toLowerCase() === facts.email.toLowerCase());
  if (same && dialect.sameEmail === 'refused') {
    throw new Refusal(dialect.conflictStatus, { detail: 'Email takes part already' });
  }
  refuseFaultily(service, 'signatory.many/second-refused', others.length >= 1);
  refuseFaultily(service, 'signatory.many/fourth-refused', others.length >= 3);
  const parallel = others.some((other) => other.order === facts.order);
  refuseFaultily(service, 'signatory.parallel-orders/refused', parallel);
}

/** Section "Added signatory": JSON with requestId, equal to the one in the path, and signatoryId, a string. */
function answerAdded(service: Service, requestId: string, id: string): Response {
  const { dialect, faulty } = service;
  const status = dialect.signatoryStatus;
  const text = (body: string, type: string) =>
    new Response(body, { status, headers: { 'Content-Type': type } });
  if (faulty('signatory.response-json/text')) return text(`signatoryId=${id}`, 'text/plain');
  if (faulty('signatory.response-json/html')) return text(`<!doctype html><p>${id}</p>`, 'text/html');
  const extra = dialect.extraFields ? { status: 'added', createdAt: new Date(service.now()) } : {};
  const requestPart = faulty('signatory.request-id-echoed/missing')
    ? {}
    : { requestId: echoedId(service, requestId, id) };
  const signatoryPart = faulty('signatory.signatory-id/missing') ? {} : { signatoryId: shownId(service, id) };
  return jsonAnswer(service, status, { ...requestPart, ...signatoryPart, ...extra });
}

function echoedId({ dialect, store, faulty }: Service, requestId: string, signatoryId: string): string {
  const later = store.signatories(requestId).length > 1;
  if (later && faulty('signatory.request-id-echoed/second-other')) return newId(dialect.idForm, 'req');
  if (faulty('signatory.request-id-echoed/other')) return newId(dialect.idForm, 'req');
  return faulty('signatory.request-id-echoed/signatory-id') ? signatoryId : requestId;
}

function shownId({ faulty }: Service, id: string): string | number | null {
  if (faulty('signatory.signatory-id/null')) return null;
  if (faulty('signatory.signatory-id/number')) return Number(id);
  return faulty('signatory.signatory-id/empty') ? '' : id;
}
