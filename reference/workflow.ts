/** The life of a request: it is sent, its people act one Order after the other, and it is completed or declined. */
import { event, requestType, role } from '../openapi/codes.ts';
import { completeDocuments, prepareCompletion } from './completion.ts';
import { newSecret } from './ids.ts';
import { mailCopies, mailInvitation, othersOf, tellBefore } from './letters.ts';
import { type Action, judgeAct, judgeRole, judgeTurn, noteRefused, shownIn } from './may-act.ts';
import type { StoredRequest, StoredSignatory } from './model.ts';
import { notify } from './notify.ts';
import type { Proof } from './one-time-codes.ts';
import { badRequest, conflict, isOn, isType3, Refusal } from './rules.ts';
import type { Service } from './service.ts';
import { actors, nextGroup } from './turns.ts';

/** Sends a request: from now on its people are asked in turn. Throws when it was sent before, or nobody can act. */
export function sendRequest(service: Service, request: StoredRequest): void {
  if (request.state !== 'draft') throw conflict(service, `The request is ${request.state} already`);
  if (service.combined.timesRefused(request.id, 'addition') > 0)
    throw conflict(service, 'An addition was refused');
  if (service.faulty('signing.title-shown/changed-on-sending'))
    service.store.requests.change(request.id, { title: 'Signature request' });
  const signatories = service.store.signatories(request.id);
  const early = request.type === requestType.skeleton && service.dialect.sending === 'creation';
  if (!early && actors(service, signatories).length === 0)
    throw conflict(service, 'Nobody can sign or approve');
  const silent = request.type === requestType.skeleton && request.callbackUrl === null;
  if (silent && service.faulty('events.optional/demanded')) throw badRequest('CallbackUrl is missing');
  if (silent && service.faulty('events.optional/demanded-409')) throw conflict(service, 'Not now');
  service.store.database.together(() => {
    service.store.requests.change(request.id, { state: 'sent' });
    notifyReceived(service, request, 'sent');
    if (service.dialect.ccToldBefore) tellBefore(service, request, signatories);
    inviteNext(service, request);
    if (actors(service, signatories).length === 1) notifyEarly(service, request);
  });
  prepareCompletion(service);
}

/** For the dialect that requires every Order from 1 on when a caller sends a request. */
export function requireAllOrders(service: Service, { id }: StoredRequest): void {
  if (service.dialect.orders !== 'without-gaps') return;
  const orders = new Set(service.store.signatories(id).map(({ order }) => order));
  if (Math.max(...orders) > orders.size) throw conflict(service, 'An Order is left out');
}

/** Event 1, at the moment that the dialect has for it. */
function notifyReceived(service: Service, request: StoredRequest, moment: 'created' | 'sent'): void {
  if (service.dialect.requestReceivedAt !== moment) return;
  const isLate = isOn(service, {
    'events.request-received-first/late': true,
    'events.received-before-signatures/late': true,
  });
  if (!isLate) notify(service, request, event.requestReceived);
}

/** For a fault that sends event 3 when the last person is asked to act and has not acted yet. */
function notifyEarly(service: Service, request: StoredRequest): void {
  if (!service.faulty('events.process-completed-last/before-last-2')) return;
  notify(service, request, event.processCompleted);
}

function inviteNext(service: Service, request: StoredRequest): void {
  const { store, dialect, running } = service;
  const all = store.signatories(request.id);
  const next = nextGroup(service, all);
  const delayMs = all.some(({ state }) => state === 'completed') ? dialect.invitationDelayMs : 0;
  for (const signatory of next.filter(({ state }) => state === 'waiting')) {
    const link = newSecret();
    store.people.change(signatory.position, { state: 'invited', link });
    if (delayMs === 0) mailInvitation(service, request, signatory, link);
    else running.later(delayMs, () => mailLate(service, request, signatory.id));
    if (service.faulty('events.signatory-completed-after-action/at-once'))
      notify(service, request, event.signatoryCompleted, signatory);
  }
}

/** Sends an invitation that was delayed, unless the person has acted by now. */
function mailLate(service: Service, request: StoredRequest, signatoryId: string): void {
  const asked = ({ id, state }: StoredSignatory) => id === signatoryId && state === 'invited';
  const signatory = service.store.signatories(request.id).find(asked);
  if (signatory?.link) mailInvitation(service, request, signatory, signatory.link);
}

/** Called when a request was created. Those of types 1 to 3 are complete then, and may be sent with it. */
export function requestCreated(service: Service, requestId: string): void {
  const { store } = service;
  const request = store.request(requestId);
  if (!request) throw new Error(`no request has the id ${requestId}`);
  const isAllSign =
    request.type === requestType.autoStamping &&
    service.faulty('signing.approver-cannot-sign/type-3-everybody-signs');
  for (const { position } of isAllSign ? store.signatories(requestId) : [])
    store.people.change(position, { role: role.signer });
  notifyReceived(service, request, 'created');
  if (isSentAtOnce(request.type, service)) sendRequest(service, request);
}

/** Whether a request is sent when it is created. How requests are sent is not shown for any type. */
function isSentAtOnce(type: number, { dialect }: Service): boolean {
  if (type === requestType.skeleton) return dialect.sending === 'creation';
  return type !== requestType.autoStamping || dialect.stampedSending === 'creation';
}

/** Called when a signatory was added to a type 0 request: the request may be sent now, or the signatory may be next. */
export function signatoryAdded(service: Service, requestId: string, last: boolean): void {
  const { dialect, store } = service;
  const request = store.request(requestId);
  if (request?.state === 'sent') inviteNext(service, request);
  const isLast = last && dialect.sending === 'last-signatory';
  const waits = dialect.sending === 'first-signatory' || dialect.sending === 'delay' || isLast;
  if (request?.state !== 'draft' || !waits) return;
  if (actors(service, store.signatories(requestId)).length === 0) return;
  if (dialect.sending === 'delay') sendLater(service, requestId);
  else sendRequest(service, request);
}

/** Sends a request some time after its last signatory was added, unless another one is added meanwhile. */
function sendLater(service: Service, requestId: string): void {
  const { dialect, store } = service;
  const { length, [length - 1]: last } = store.signatories(requestId);
  const dueAt = (last?.createdAt ?? 0) + dialect.sendDelayMs;
  service.running.later(Math.max(0, dueAt - service.now()), () => {
    const current = store.request(requestId);
    const unchanged = store.signatories(requestId).length === length;
    if (current?.state === 'draft' && !current.deleted && unchanged) sendRequest(service, current);
  });
}

/** A signatory signs or approves. If they were the last, the promise resolves when the request is completed. */
export async function act(
  service: Service,
  request: StoredRequest,
  signatory: StoredSignatory,
  action: Action,
  proof: Proof,
): Promise<void> {
  const shown = shownIn(proof);
  const { combined } = service;
  const isOver = request.state !== 'sent' || signatory.state === 'completed';
  if (isOver || !combined.does('admits', request, { who: signatory, shown })) {
    try {
      judgeAct(service, request, signatory, action, proof);
    } catch (error) {
      noteRefused(service, request, signatory, shown);
      if (service.faulty('events.signatory-completed-after-action/refused-act'))
        notify(service, request, event.signatoryCompleted, signatory);
      throw error;
    }
  }
  if (combined.any && shown !== undefined) combined.noteUsed(request.id, shown);
  await countAsDone(service, request, signatory, action);
}

/** A person signs or approves at their turn and without a code. */
export async function actOnBehalf(
  service: Service,
  request: StoredRequest,
  signatory: StoredSignatory,
  action: Action,
): Promise<void> {
  judgeRole(service, signatory, action);
  judgeTurn(service, request, signatory);
  await countAsDone(service, request, signatory, action);
}

async function countAsDone(
  service: Service,
  request: StoredRequest,
  signatory: StoredSignatory,
  action: Action,
): Promise<void> {
  const { store, running, faulty } = service;
  const alike = faulty('events.signatory-completed-after-action/signs-both')
    ? othersOf(service, signatory)
    : [];
  for (const each of [signatory, ...alike.filter(({ state }) => state === 'invited')]) {
    const theirs = store.request(each.requestId) ?? request;
    const last = store.database.together(() => record(service, theirs, each, action));
    if (last) await running.follow(finish(service, theirs.id));
  }
}

/** Records the act and its event, and invites the next; returns whether it was the last act. */
function record(
  service: Service,
  request: StoredRequest,
  signatory: StoredSignatory,
  action: Action,
): boolean {
  const { store, faulty, dialect } = service;
  const isSigner = signatory.role === role.signer;
  const isFurther = store.signatories(request.id).some(({ state }) => state === 'completed');
  const isForgotten = isOn(service, {
    'signing.signer-signs/not-kept': isSigner,
    'signing.signer-signs/second-not-kept': isSigner && isFurther,
    'signing.signer-signs/coded-not-kept': isSigner && signatory.otp?.isRequired === true,
    'signing.signer-signs/later-order-not-kept': isSigner && signatory.order > 1,
    'signing.approver-approves/not-kept': signatory.role === role.approver,
    'signing.approver-approves/first-order-not-kept':
      signatory.role === role.approver && signatory.order === 1,
    'signing.approver-cannot-sign/signs-in-vain': signatory.role === role.approver && action === 'sign',
  });
  if (isForgotten) return false;
  const forAll = faulty('events.process-completed-last/for-all-of-order');
  const alike = forAll ? actors(service, store.signatories(request.id)) : [];
  for (const { position } of [signatory, ...alike.filter(({ order }) => order === signatory.order)])
    store.people.change(position, { state: 'completed', actedAt: service.now() });
  const { left, first, last } = standingAfter(service, request, signatory);
  const counts = {
    [role.signer]: true,
    [role.approver]: dialect.approverCompletes === 'event' || faulty('events.only-subscribed/2-of-approver'),
    [role.cc]: faulty('signing.cc-cannot-act/signs-and-told'),
  }[signatory.role];
  const isLastSigner = signatory.role === role.signer && left.every(({ role: part }) => part !== role.signer);
  const late = isLastSigner && faulty('events.signatures-before-completed/late');
  if (counts && !late) notifyCompleted(service, request, signatory, first, last);
  if (first && faulty('events.received-before-signatures/late'))
    notify(service, request, event.requestReceived);
  if (first && !last && faulty('events.process-completed-last/first-signature'))
    notify(service, request, event.processCompleted);
  if (left.length === 1) notifyEarly(service, request);
  if (last) store.requests.change(request.id, { state: 'completing' });
  else inviteNext(service, request);
  return last;
}

/** Who is left once somebody has acted, and whether that was the first act, and the last one. */
function standingAfter(service: Service, request: StoredRequest, signatory: StoredSignatory) {
  const acting = actors(service, service.store.signatories(request.id));
  const approves = ({ role: part }: StoredSignatory) => part === role.approver;
  const approved = acting.filter((each) => approves(each) && each.state === 'completed');
  const spares = (each: StoredSignatory) =>
    isOn(service, {
      'signing.approver-approves/not-awaited': approves(each),
      'signing.approver-approves/one-enough':
        approves(each) && approved.some(({ order }) => order === each.order),
    });
  const left = acting.filter((each) => each.state !== 'completed' && !spares(each));
  const stuck = isOn(service, {
    'events.optional/never-completes': request.callbackUrl === null && request.type === requestType.skeleton,
    'events.process-completed/never-with-code': acting.some(({ otp }) => otp?.isRequired === true),
  });
  const isOver = isOn(service, {
    'events.process-completed-last/after-first-order':
      left.every(({ order }) => order > signatory.order) && !isType3(service, request.id),
    'events.process-completed-last/two-enough': acting.length - left.length === 2,
  });
  const last = (left.length === 0 || isOver) && !stuck;
  return { left, first: acting.length - left.length === 1, last };
}

function notifyCompleted(
  service: Service,
  request: StoredRequest,
  signatory: StoredSignatory,
  first: boolean,
  last: boolean,
): void {
  const isLost = isOn(service, {
    'events.signatory-completed-after-action/at-once': true,
    'events.signatory-completed/first-only': !first,
    'events.signatory-completed/last-lost': last,
    'events.all/first-only': !first && request.callbackTypes.includes(event.all),
    'events.signatory-completed/otp-lost': signatory.otp?.isRequired === true,
  });
  if (isLost) return;
  const all = service.store.signatories(request.id);
  const next = all.find((each) => each.role === role.signer && each.state !== 'completed');
  const cc = all.find((each) => each.role === role.cc);
  const isUnderWay = (id: string) => id !== request.id && service.store.request(id)?.state === 'sent';
  const stranger = service.store.people.all().find(({ requestId }) => isUnderWay(requestId));
  const named =
    (service.faulty('events.signatory-completed-after-action/names-stranger') && stranger) ||
    (service.faulty('events.none-for-cc/named-for-others') && cc) ||
    (service.faulty('events.signatory-completed-after-action/names-next') && next) ||
    (service.faulty('events.signatory-completed-after-action/names-first') && all[0]) ||
    signatory;
  notify(service, request, event.signatoryCompleted, named);
  if (!service.faulty('events.signatory-completed-after-action/same-person')) return;
  for (const other of othersOf(service, signatory)) {
    const theirs = service.store.request(other.requestId);
    if (theirs) notify(service, theirs, event.signatoryCompleted, other);
  }
}

/** Completes a request after the last act: its documents, the final event and the copies. */
async function finish(service: Service, requestId: string): Promise<void> {
  const { store, faulty } = service;
  const request = store.request(requestId);
  if (!request) throw new Error(`no request has the id ${requestId}`);
  const signatories = store.signatories(requestId);
  const files = await completeDocuments(service, request, signatories);
  // The request no longer exists, for instance after a reset, so nobody is notified.
  if (!store.request(requestId)) return;
  store.database.together(() => {
    store.addCompleted(requestId, files);
    store.requests.change(requestId, { state: 'completed' });
    if (faulty('events.none-for-cc/sent')) {
      for (const cc of signatories.filter((each) => each.role === role.cc))
        notify(service, request, event.signatoryCompleted, cc);
    }
    // With only one signer, the first signature is also the last one.
    const several = actors(service, signatories).length > 1;
    const acted = signatories.toSorted((one, other) => (one.actedAt ?? 0) - (other.actedAt ?? 0));
    const isLost = isOn(service, {
      'events.process-completed-last/before-last-2': true,
      'events.process-completed-last/first-signature': several,
      'events.process-completed/approver-last': acted.at(-1)?.role === role.approver,
      'events.process-completed/beside-cc': signatories.some((each) => each.role === role.cc),
    });
    if (!isLost) notify(service, request, event.processCompleted);
    const signer = acted.findLast((each) => each.role === role.signer);
    if (signer && faulty('events.signatures-before-completed/late'))
      notify(service, request, event.signatoryCompleted, signer);
    if (faulty('events.request-received-first/late')) notify(service, request, event.requestReceived);
    mailCopies(service, request, signatories);
  });
}

/** A signatory declines: the request ends. */
export function decline(service: Service, request: StoredRequest, signatory: StoredSignatory): void {
  if (signatory.role === role.cc) throw new Refusal(403, { detail: 'A CC cannot act' });
  judgeTurn(service, request, signatory);
  service.store.database.together(() => {
    service.store.people.change(signatory.position, { state: 'declined', actedAt: service.now() });
    service.store.requests.change(request.id, { state: 'declined' });
  });
}

/** Finishes work that an earlier process left unfinished. */
export async function resume(service: Service): Promise<void> {
  const { dialect, store, outbox } = service;
  const late = dialect.invitationDelayMs > 0 ? store.requestsIn('sent') : [];
  for (const request of late.flatMap((id) => store.request(id) ?? [])) {
    const isTold = ({ id, email: to }: StoredSignatory) =>
      outbox.read({ to, requestId: request.id }).some(({ signatoryId }) => signatoryId === id);
    for (const each of store.signatories(request.id)) if (!isTold(each)) mailLate(service, request, each.id);
  }
  if (dialect.sending === 'delay') {
    for (const requestId of store.requestsIn('draft')) {
      const isSkeleton = store.request(requestId)?.type === requestType.skeleton;
      if (isSkeleton && actors(service, store.signatories(requestId)).length > 0)
        sendLater(service, requestId);
    }
  }
  for (const requestId of store.requestsIn('completing'))
    await service.running.follow(finish(service, requestId));
}
