/** Endpoint 5: add a signatory to a type 0 request. */
import { setTimeout as wait } from 'node:timers/promises';
import { message, otpType, path, type Role, requestType, role } from '../openapi/codes.ts';
import { authorizeCarrying, leaving, type Reason } from './access.ts';
import { shownId, statedAnswer } from './answer.ts';
import { judgeJsonFirst, readJsonObject } from './body.ts';
import { nearlyRight } from './documents.ts';
import type { FaultId } from './faults.ts';
import { isWellFormed, newId, newNumber } from './ids.ts';
import type { SignatoryFacts, StoredRequest, StoredSignatory } from './model.ts';
import {
  badRequest,
  conflict,
  isOn,
  Refusal,
  refusalBy,
  refuse,
  refuseEach,
  refuseFaultily,
} from './rules.ts';
import type { App, Call, Service } from './service.ts';
import { readSignatory } from './signatory-body.ts';
import { signatoryAdded } from './workflow.ts';

export function mountSignatory(app: App, service: Service): void {
  app.post(path.signatories.replace('{requestId}', ':requestId'), (call) => {
    const serve = () => addSignatory(call, service);
    return leaving(call, service, 'signatory.refused-without-effect', serve, (body, refusal, denied) => {
      const text = (field: string) => new RegExp(`"${field}":"([^"]+)"`).exec(body)?.[1];
      const [email, name = ''] = [text('Email'), text('Name')];
      const part = Number(/"SignatoryType":(\d)/.exec(body)?.[1] ?? role.signer) as Role;
      const requestId = call.req.param('requestId') ?? '';
      const person = { email: email ?? '', name, role: part };
      if (email) takeAllTheSame(service, requestId, additionAfter(refusal, denied), person);
    });
  });
}

async function addSignatory(call: Call, service: Service): Promise<Response> {
  await judgeJsonFirst(call, service);
  const account = await authorizeCarrying(call, service, 'signatory');
  const requestId = call.req.param('requestId') ?? '';
  if (service.dialect.requestIdBeforeBody) findRequest(service, account, requestId);
  const body = await readJsonObject(call, service, 'signatory');
  refuseFaultily(service, 'signatory.added/500', true);
  const beside = service.store.signatories(requestId).length > 0;
  const lenient = beside && service.faulty('signatory.email-required/of-second');
  const read = lenient && body ? { Email: unreadable.email, ...body } : body;
  const facts = read === null ? unreadable : await readSignatory(read, service, beside);
  const request = findRequest(service, account, requestId, facts);
  const { documents = [], completedDocumentsAttached } = request ?? {};
  refuseEach(service, {
    'signatory.added/three-documents-refused': documents.length === 3,
    'signatory.added/attached-refused': completedDocumentsAttached === true,
    'signatory.added/heard-coded-refused': request?.callbackUrl != null && facts.otp?.isRequired === true,
    'signatory.added/docx-refused': documents.some((token) => service.store.document(token)?.kind === 'docx'),
    'signatory.color/second-refused': beside && facts.color !== null,
    'signatory.color/second-500': beside && facts.color !== null,
    'otp.email/second-refused': beside && facts.otp?.isRequired === true && facts.otp.type === otpType.email,
  });
  if (service.faulty('signatory.signatory-id-usable/lost-beside-another'))
    await loseOthers(service, requestId);
  const last = call.req.query('send') === 'true';
  return answerAdded(service, requestId, keepSignatory(service, request, facts, { requestId, last }));
}

/** For a fault: the list of signatories is written as read before, so that people added meanwhile are lost. */
async function loseOthers({ store }: Service, requestId: string): Promise<void> {
  const before = store.signatories(requestId).length;
  await wait(50);
  for (const { position } of store.signatories(requestId).slice(before))
    store.people.put(position, undefined);
}

/** What a refused call does to a request by a fault. */
type Effect = FaultId extends infer Id
  ? Id extends `signatory.refused-without-effect/${infer What}`
    ? What
    : never
  : never;

/** The fault that adds the person although they were refused, by the reason of the refusal. */
function additionAfter({ status, detail = '' }: Refusal, denied: Reason | undefined): Effect | undefined {
  if (denied) return denied === 'missing' ? 'added-without-token' : `added-${denied}-token`;
  if (status === 404) return 'added-to-others';
  if (status !== 400) return undefined;
  if (detail.includes('MobileNumber')) return detail.includes('missing') ? 'added' : 'added-invalid-number';
  if (detail.includes('not JSON')) return 'added-cut-off';
  if (detail.includes('OTP')) return 'added-without-otp-fields';
  if (detail.includes('Order')) return 'added-without-order';
  if (detail.includes('SignatoryType')) return 'added-without-role';
  return detail.includes('Name') ? 'added-without-name' : undefined;
}

const changesOfPeople: readonly (readonly [Effect, Partial<StoredSignatory>])[] = [
  ['names-lost', { name: 'Somebody' }],
  ['private-messages-lost', { privateMessage: null }],
  ['codes-lost', { otp: null }],
  ['orders-reset', { order: 1 }],
];

const changesOfRequest: readonly (readonly [Effect, Partial<StoredRequest>])[] = [
  ['callbacks-lost', { callbackTypes: [] }],
  ['nothing-attached', { completedDocumentsAttached: false }],
  ['message-changed', { message: '' }],
  ['locks', { state: 'declined' }],
  ['deletes', { deleted: true }],
];

/** The faults that add a refused person of this role, whatever the reason. */
const additionsByRole = {
  [role.signer]: undefined,
  [role.approver]: 'added-approver',
  [role.cc]: 'added-cc',
} as const satisfies Record<Role, Effect | undefined>;

type RefusedPerson = Pick<SignatoryFacts, 'email' | 'name' | 'role'>;

const hasEffect = ({ faulty }: Service, effect: Effect | undefined) =>
  effect !== undefined && faulty(`signatory.refused-without-effect/${effect}`);

/** Applies the faults by which a refused call has an effect. */
function takeAllTheSame(
  service: Service,
  requestId: string,
  addition: Effect | undefined,
  person: RefusedPerson,
): void {
  const { store, outbox, combined, dialect, now } = service;
  const add = (id: string, to: string, part: Role) =>
    store.addSignatory(id, to, { ...unreadable, ...person, role: part }, now());
  const newSignatory = () => newId(dialect.idForm, 'sig');
  const isAdded = hasEffect(service, addition);
  // Added as a CC, so that no request waits for them.
  const others = isAdded && addition === 'added-to-others' ? store.requestsIn('draft') : [];
  for (const other of others) add(newSignatory(), other, role.cc);
  const request = store.request(requestId);
  if (!request) return;
  const signatoryId = newSignatory();
  const isKept = combined.does('keeps', request);
  noteAddition(service, request, person);
  changeRequest(service, requestId, person);
  // A person without a role is added as a CC, so that the request does not wait for them.
  if (isAdded || isKept)
    add(signatoryId, requestId, addition === 'added-without-role' ? role.cc : role.signer);
  if (hasEffect(service, additionsByRole[person.role])) add(signatoryId, requestId, person.role);
  if (!hasEffect(service, 'written-to')) return;
  const mail = { kind: 'invitation', subject: request.title, text: request.message } as const;
  outbox.send({ channel: 'email', to: person.email, ...mail, requestId, signatoryId });
}

/** Notes the refused addition for the faults that show only in combinations. */
function noteAddition(service: Service, { id, state }: StoredRequest, { email }: RefusedPerson): void {
  const { combined } = service;
  if (hasEffect(service, 'stops')) combined.noteRefused(id, 'addition');
  combined.noteRefused(id, `person ${email}`);
  if (combined.any && state !== 'draft') combined.noteRefused(id, 'addition when sent');
}

/** Changes what the request and its people had before the refused call. */
function changeRequest(service: Service, requestId: string, { email }: RefusedPerson): void {
  const { people, requests } = service.store;
  const has = (effect: Effect) => hasEffect(service, effect);
  const all = service.store.signatories(requestId);
  const [latest, same] = [all.at(-1), all.find((signatory) => signatory.email === email)];
  if (same && has('becomes-cc')) people.change(same.position, { role: role.cc });
  if (same && has('order-raised')) people.change(same.position, { order: same.order + 3 });
  for (const { position } of has('emails-replaced') ? all : []) people.change(position, { email });
  if (latest && has('takes-back')) people.put(latest.position, undefined);
  for (const { position } of all)
    for (const [effect, change] of changesOfPeople) if (has(effect)) people.change(position, change);
  for (const [effect, change] of changesOfRequest) if (has(effect)) requests.change(requestId, change);
}

/** The facts of a signatory whose malformed body a fault accepted. */
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
 * The type 0 request of an id. Throws 404 "Request ID not found" for one that does not exist, belongs to another
 * account, or was deleted (section "Errors"). `null` when a fault accepts an id that does not exist.
 */
function findRequest(
  service: Service,
  account: string,
  requestId: string,
  person?: SignatoryFacts,
): StoredRequest | null {
  const { dialect } = service;
  const request = visibleRequest(service, account, nearId(service, requestId));
  refuseFaultily(service, 'signatory.unknown-request/or-deleted-refused', !request || request.deleted);
  if (!request) {
    const status = isWellFormed(dialect.idForm, 'req', requestId) ? 404 : dialect.malformedIdStatus;
    if (status !== 404) throw new Refusal(status, { detail: 'requestId does not look like one' });
    const owner = service.store.request(requestId)?.account ?? account;
    if (owner !== account && dialect.foreignStatus !== 404) throw new Refusal(dialect.foreignStatus);
    const isTaken = isOn(service, {
      'signatory.unknown-request/of-a-cc-accepted': person?.role === role.cc,
      'signatory.unknown-request/with-otp-accepted': person?.otp?.isRequired === true,
    });
    refuseFaultily(service, 'signatory.unknown-request/of-a-cc-400', person?.role === role.cc);
    const refused = notFound(service, person?.role);
    if (!isTaken) refuse(service, refused, 'signatory.unknown-request/accepted');
    return null;
  }
  const isTaken = isOn(service, {
    'signatory.deleted-request/sent': request.state === 'sent',
    'signatory.deleted-request/with-people': service.store.signatories(request.id).length > 0,
    'signatory.deleted-request/empty':
      service.combined.timesRefused(request.id, 'deletion without people') > 0,
    'signatory.deleted-request/of-an-approver-accepted': person?.role === role.approver,
  });
  if (request.deleted && !isTaken) {
    refuseFaultily(service, 'signatory.deleted-request/of-an-approver-400', person?.role === role.approver);
    const silent = isOn(service, {
      'signatory.unknown-request-message/of-deleted': true,
      'signatory.unknown-request-message/of-deleted-cc': person?.role === role.cc,
    });
    const refused = new Refusal(404, silent ? {} : { message: message.requestNotFound });
    refuse(service, refused, 'signatory.deleted-request/accepted');
  }
  if (request.type !== requestType.skeleton)
    throw refusalBy(service, 'signatory.unknown-request', notFound(service));
  if (!isOpen(service, request)) throw conflict(service, `The request is ${request.state}`);
  return request;
}

/** Section "Errors": 404 "Request ID not found". */
function notFound(service: Service, of?: Role): Refusal {
  const silent = isOn(service, {
    'signatory.unknown-request-message/other': true,
    'signatory.unknown-request-message/of-approver': of === role.approver,
  });
  return new Refusal(404, silent ? {} : { message: message.requestNotFound });
}

/** Whether signatories may still be added. In dialects where no call sends a request, they are added to a sent one. */
function isOpen({ dialect, faulty }: Service, { state, deleted }: StoredRequest): boolean {
  const isTaken = faulty('signatory.deleted-request/sent') || faulty('signatory.deleted-request/with-people');
  if (deleted && state === 'sent' && isTaken) return true;
  const early = dialect.sending === 'creation' || dialect.sending === 'first-signatory';
  return state === 'draft' || (state === 'sent' && (early || dialect.addAfterSend === 'accepted'));
}

/** A request as its account sees it, deleted ones included; a new id may stay invisible for a while. */
export function visibleRequest(
  service: Service,
  account: string,
  requestId: string,
): StoredRequest | undefined {
  const request = service.store.request(requestId);
  const visible = request && service.now() - request.createdAt >= service.dialect.visibleAfterMs;
  return visible && request.account === account ? request : undefined;
}

/** The id that a fault takes for a nearly equal one. */
function nearId(service: Service, id: string): string {
  const { store, faulty } = service;
  const document = faulty('signatory.unknown-request/of-a-document-accepted') && store.document(id);
  if (document) return store.requests.all()[0]?.id ?? id;
  if (faulty('signatory.unknown-request/of-a-signatory-accepted')) {
    const person = store.people.all().find((each) => each.id === id);
    if (person) return person.requestId;
  }
  return nearlyRight(service, 'signatory.unknown-request', 'requests', id);
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
  if (others.length > 0 && faulty('signatory.many/forgotten')) throw notFound(service);
  judgeOthers(service, others, facts, requestId);
  refuseFaultily(
    service,
    'signatory.many/notified-third-refused',
    request?.callbackUrl != null && facts.order > 2,
  );
  const first = others[0];
  const same = first && faulty('signatory.signatory-id-unique/same');
  const fresh = faulty('signatory.signatory-id/number') ? newNumber() : newId(dialect.idForm, 'sig');
  const id = same ? first.id : fresh;
  const lost = isOn(service, {
    // Not for a CC, whose loss would show only in their copy.
    'signatory.signatory-id-usable/fifth-not-stored': others.length >= 4 && facts.role !== role.cc,
    'signatory.signatory-id-usable/third-not-stored': others.length === 2,
    'signatory.signatory-id-usable/second-not-stored': others.length === 1,
    'signatory.signatory-id-usable/with-message-not-stored': facts.privateMessage !== null,
  });
  if (request !== null && !lost) {
    store.addSignatory(id, requestId, facts, service.now());
    if (faulty('signing.signer-signs/moved')) {
      for (const { position, email, requestId: of } of store.people.all())
        if (email === facts.email && of !== requestId) store.people.put(position, undefined);
    }
    signatoryAdded(service, requestId, last);
  }
  return id;
}

function judgeOthers(
  service: Service,
  others: readonly SignatoryFacts[],
  facts: SignatoryFacts,
  requestId: string,
): void {
  const { dialect, combined } = service;
  if (dialect.maxSignatories > 0 && others.length >= dialect.maxSignatories)
    throw badRequest(`A request has at most ${dialect.maxSignatories} signatories`);
  const same = others.some((other) => other.email.toLowerCase() === facts.email.toLowerCase());
  if (same && dialect.sameEmail === 'refused') throw conflict(service, 'Email takes part already');
  const { role: part, order } = facts;
  const isCoded = facts.otp?.isRequired === true;
  const has = (wanted: number) => others.some((each) => each.role === wanted);
  const equal = others.filter((other) => other.order === order);
  refuseEach(service, {
    'signatory.refused-without-effect/never-again':
      combined.timesRefused(requestId, `person ${facts.email}`) > 0,
    'signatory.many/second-refused': others.length >= 1,
    'signatory.many/fourth-refused': others.length >= 3,
    'signatory.many/coded-beside-others-refused': isCoded && others.length > 0,
    'signatory.many/third-500': others.length === 2,
    'signatory.many/second-code-refused': isCoded && others.some(({ otp }) => otp?.isRequired),
    'signatory.many/second-approver-refused': part === role.approver && has(part),
    'signatory.sequential-orders/second-signer-refused': part === role.signer && has(part),
    'signatory.many/second-cc-refused': part === role.cc && has(part),
    'signatory.many/cc-beside-others-refused': part === role.cc && others.length > 0,
    'signatory.many/signer-beside-cc-refused': part === role.signer && has(role.cc),
    'signatory.sequential-orders/lower-later-refused': others.some((other) => other.order > order),
    'signatory.sequential-orders/lower-later-409': others.some((other) => other.order > order),
    'signatory.parallel-orders/roles-refused': equal.some((other) => other.role !== part),
    'signatory.parallel-orders/refused': equal.length > 0,
    'signatory.parallel-orders/409': equal.length > 0,
    'signatory.parallel-orders/500': equal.length > 0,
    'signatory.parallel-orders/second-approver-refused':
      part === role.approver && equal.some((other) => other.role === part) && has(role.signer),
    'signatory.parallel-orders/cc-first-refused': part === role.cc && others.length === 0,
    'signatory.many/later-approver-refused': part === role.approver && order > 1,
  });
}

/** Section "Added signatory": JSON with requestId, equal to the one in the path, and signatoryId, a string. */
function answerAdded(service: Service, requestId: string, id: string): Response {
  const { dialect } = service;
  const extra = dialect.extraFields ? { status: 'added', createdAt: new Date(service.now()) } : {};
  const ids = {
    requestId: echoedId(service, requestId),
    signatoryId: shownId(service, 'signatory.signatory-id', id),
  };
  return statedAnswer(service, 'signatory', dialect.signatoryStatus, {
    ...ids,
    ...(service.faulty('signatory.request-id-echoed/exchanged')
      ? { requestId: ids.signatoryId, signatoryId: ids.requestId }
      : {}),
    ...extra,
  });
}

function echoedId(service: Service, requestId: string): string | undefined {
  const { dialect, store, faulty } = service;
  if (faulty('signatory.request-id-echoed/missing')) return undefined;
  const other = isOn(service, {
    'signatory.request-id-echoed/other': true,
    'signatory.request-id-echoed/second-other': store.signatories(requestId).length > 1,
  });
  return other ? newId(dialect.idForm, 'req') : requestId;
}
