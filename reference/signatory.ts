/** Endpoint 5: add a signatory to a type 0 request. */
import { message, otpType, path, requestType, role } from '../openapi/codes.ts';
import { authorizeCarrying, deniedFor } from './access.ts';
import { shownId, statedAnswer } from './answer.ts';
import { nearlyRight } from './documents.ts';
import { isWellFormed, newId, newNumber } from './ids.ts';
import { judgeJsonFirst, readJsonObject } from './json-body.ts';
import type { SignatoryFacts, StoredRequest } from './model.ts';
import { badRequest, notFound, Refusal, refusalBy, refuse, refuseFaultily } from './rules.ts';
import type { App, Call, Service } from './service.ts';
import { readSignatory } from './signatory-body.ts';
import { signatoryAdded } from './workflow.ts';

export function mountSignatory(app: App, service: Service): void {
  app.post(path.signatories.replace('{requestId}', ':requestId'), async (call) => {
    const isKept =
      service.combined.any || Object.values(takesAllTheSame).some((fault) => service.faulty(fault));
    const copy = isKept ? call.req.raw.clone() : null;
    try {
      return await addSignatory(call, service);
    } catch (error) {
      if (copy && error instanceof Refusal) {
        const body = await copy.text();
        const [email, name = ''] = ['Email', 'Name'].map(
          (each) => new RegExp(`"${each}":"([^"]+)"`).exec(body)?.[1],
        );
        if (email) takeAllTheSame(service, error, call, { email, name });
      }
      throw error;
    }
  });
}

async function addSignatory(call: Call, service: Service): Promise<Response> {
  await judgeJsonFirst(call, service);
  const account = await authorizeCarrying(call, service, 'signatory');
  const requestId = call.req.param('requestId') ?? '';
  if (service.dialect.requestIdBeforeBody) findRequest(service, account, requestId);
  const body = await readJsonObject(call, service, 'signatory');
  refuseFaultily(service, 'signatory.added/500', true);
  const later =
    service.faulty('signatory.email-required/of-second') && service.store.signatories(requestId).length > 0;
  const read = later && body ? { Email: unreadable.email, ...body } : body;
  const facts = read === null ? unreadable : await readSignatory(read, service);
  const request = findRequest(service, account, requestId);
  const last = call.req.query('send') === 'true';
  return answerAdded(service, requestId, keepSignatory(service, request, facts, { requestId, last }));
}

/** Faults that leave the person of a refused call behind, by what its refusal is for. */
const takesAllTheSame = {
  MobileNumber: 'signatory.refused-without-effect/added',
  Order: 'signatory.refused-without-effect/added-without-order',
  SignatoryType: 'signatory.refused-without-effect/added-without-role',
  request: 'signatory.refused-without-effect/added-to-others',
  missing: 'signatory.refused-without-effect/added-without-token',
  invalid: 'signatory.refused-without-effect/added-invalid-token',
  expired: 'signatory.refused-without-effect/added-expired-token',
  any: 'signatory.refused-without-effect/written-to',
} as const;

/** What a refused call leaves behind where a fault asks for it. */
function takeAllTheSame(
  service: Service,
  { status, detail = '' }: Refusal,
  call: Call,
  person: Pick<SignatoryFacts, 'email' | 'name'>,
): void {
  const { faulty, store, outbox } = service;
  const requestId = call.req.param('requestId') ?? '';
  const denied = deniedFor(call, service);
  const field = (['MobileNumber', 'Order', 'SignatoryType'] as const).find((each) => detail.includes(each));
  const reason = denied ?? (status === 400 ? field : status === 404 ? 'request' : undefined);
  const added = reason !== undefined && faulty(takesAllTheSame[reason]);
  // Who misses a role gets a copy: nobody waits for them.
  const part = reason === 'SignatoryType' ? role.cc : role.signer;
  // As a CC, for whom nobody waits.
  const others = added && reason === 'request' ? store.requestsIn('draft') : [];
  for (const other of others) {
    const id = newId(service.dialect.idForm, 'sig');
    store.addSignatory(id, other, { ...unreadable, ...person, role: role.cc }, service.now());
  }
  const request = store.request(requestId);
  if (!request) return;
  const signatoryId = newId(service.dialect.idForm, 'sig');
  const { combined } = service;
  const kept = combined.does('keeps', request);
  if (combined.any && request.state !== 'draft') combined.noteRefused(requestId, 'addition when sent');
  if (added || kept)
    store.addSignatory(signatoryId, requestId, { ...unreadable, ...person, role: part }, service.now());
  if (!faulty(takesAllTheSame.any)) return;
  const mail = { kind: 'invitation', subject: request.title, text: request.message } as const;
  outbox.send({ channel: 'email', to: person.email, ...mail, requestId, signatoryId });
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
  const { dialect } = service;
  const request = visibleRequest(service, account, nearId(service, requestId));
  if (!request) {
    const status = isWellFormed(dialect.idForm, 'req', requestId) ? 404 : dialect.malformedIdStatus;
    if (status !== 404) throw new Refusal(status, { detail: 'requestId does not look like one' });
    const owner = service.store.request(requestId)?.account ?? account;
    if (owner !== account && dialect.foreignStatus !== 404) {
      throw new Refusal(dialect.foreignStatus);
    }
    refuse(service, notFound(service, 'request'), 'signatory.unknown-request/accepted');
    return null;
  }
  const peopled =
    service.faulty('signatory.deleted-request/with-people') &&
    service.store.signatories(request.id).length > 0;
  if (request.deleted && !peopled) {
    refuse(
      service,
      new Refusal(404, { message: message.requestNotFound }),
      'signatory.deleted-request/accepted',
    );
  }
  if (request.type !== requestType.skeleton) {
    throw refusalBy(service, 'signatory.unknown-request', notFound(service, 'request'));
  }
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

/** The id that a fault takes another one for. */
function nearId(service: Service, id: string): string {
  const { store, faulty } = service;
  const document = faulty('signatory.unknown-request/of-a-document-accepted') && store.document(id);
  // The first of all: which one comes without an order is a matter of chance, and it may be one that is gone.
  const first = 'SELECT id FROM request ORDER BY rowid LIMIT 1';
  if (document) return String(store.database.get(first)?.id ?? id);
  if (faulty('signatory.unknown-request/of-a-signatory-accepted')) {
    const row = store.database.get('SELECT request_id FROM signatory WHERE id = ?', id);
    if (row) return String(row.request_id);
  }
  return nearlyRight(service, 'signatory.unknown-request', 'request', id);
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
  // Of a CC it would show in their copy alone.
  const isFifth = others.length >= 4 && facts.role !== role.cc;
  const lost =
    (isFifth && faulty('signatory.signatory-id-usable/fifth-not-stored')) ||
    (others.length === 2 && faulty('signatory.signatory-id-usable/third-not-stored'));
  if (request !== null && !lost) {
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
  const again = others.some((each) => each.role === facts.role);
  refuseFaultily(service, 'signatory.many/second-approver-refused', again && facts.role === role.approver);
  const beside = (part: number) => others.length > 0 && facts.role === part;
  refuseFaultily(service, 'signatory.many/approver-beside-others-refused', beside(role.approver));
  refuseFaultily(service, 'signatory.many/cc-beside-others-refused', beside(role.cc));
  const copied = others.some((other) => other.role === role.cc);
  const besideCc = copied && facts.role === role.signer;
  refuseFaultily(service, 'signatory.many/signer-beside-cc-refused', besideCc);
  const lower = others.some((other) => other.order > facts.order);
  refuseFaultily(service, 'signatory.sequential-orders/lower-later-refused', lower);
  const equal = others.filter((other) => other.order === facts.order);
  const mixed = equal.some((other) => other.role !== facts.role);
  refuseFaultily(service, 'signatory.parallel-orders/roles-refused', mixed);
  refuseFaultily(service, 'signatory.parallel-orders/refused', equal.length > 0);
}

/** Section "Added signatory": JSON with requestId, equal to the one in the path, and signatoryId, a string. */
function answerAdded(service: Service, requestId: string, id: string): Response {
  const { dialect } = service;
  const extra = dialect.extraFields ? { status: 'added', createdAt: new Date(service.now()) } : {};
  return statedAnswer(service, 'signatory', dialect.signatoryStatus, {
    requestId: echoedId(service, requestId, id),
    signatoryId: shownId(service, 'signatory.signatory-id', id),
    ...extra,
  });
}

function echoedId(
  { dialect, store, faulty }: Service,
  requestId: string,
  signatoryId: string,
): string | undefined {
  if (faulty('signatory.request-id-echoed/missing')) return undefined;
  const later = store.signatories(requestId).length > 1;
  const other =
    faulty('signatory.request-id-echoed/other') ||
    (later && faulty('signatory.request-id-echoed/second-other'));
  if (other) return newId(dialect.idForm, 'req');
  return faulty('signatory.request-id-echoed/signatory-id') ? signatoryId : requestId;
}
