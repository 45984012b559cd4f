/** The life of a request: it is sent, its people act one Order after the other, and it is completed or declined. */
import { event, path, requestType, role } from '../openapi/codes.ts';
import { completeDocuments, prepareCompletion } from './completion.ts';
import { newSecret } from './ids.ts';
import { mailCopies, mailInvitation, othersOf, tellBefore } from './letters.ts';
import type { StoredRequest, StoredSignatory } from './model.ts';
import { notify } from './notify.ts';
import { type Proof, proves } from './one-time-codes.ts';
import { badRequest, conflict, faultsIn, isOn, isType3, Refusal } from './rules.ts';
import type { Service } from './service.ts';
import { actors, isAtTurn, nextGroup } from './turns.ts';

export type Action = 'sign' | 'approve';

/** Sends a request: from now on its people are asked in turn. Throws when it was sent before, or nobody can act. */
export function sendRequest(service: Service, request: StoredRequest): void {
  if (request.state !== 'draft') throw conflict(service, `The request is ${request.state} already`);
  if (service.combined.timesRefused(request.id, 'addition') > 0)
    throw conflict(service, 'An addition was refused');
  const signatories = service.store.signatories(request.id);
  const early = request.type === requestType.skeleton && service.dialect.sending === 'creation';
  if (!early && actors(service, signatories).length === 0) {
    throw conflict(service, 'Nobody can sign or approve');
  }
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
    if (service.faulty('events.signatory-completed-after-action/at-once')) {
      notify(service, request, event.signatoryCompleted, signatory);
    }
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
      throw error;
    }
  }
  if (combined.any && shown !== undefined) combined.noteUsed(request.id, shown);
  await countAsDone(service, request, signatory);
}

const shownIn = ({ otp, otpSms, accessCode }: Proof) => otp ?? otpSms ?? accessCode;

/** Throws where the role, the turn, or the code of a person does not let them act. */
function judgeAct(
  service: Service,
  request: StoredRequest,
  signatory: StoredSignatory,
  action: Action,
  proof: Proof,
): void {
  const shown = shownIn(proof);
  const { combined, dialect, seen } = service;
  const does = (what: Parameters<typeof combined.does>[0]) =>
    combined.does(what, request, { who: signatory, shown });
  judgeRole(service, signatory, action);
  judgeTurn(service, request, signatory);
  if (dialect.actsOnceSeen && !seen.has(signatory.id))
    throw conflict(service, 'The documents have to be looked at first');
  if (does('refuses')) throw conflict(service, 'Others come first');
  if (!does('locks') && (does('unlocks') || proves(service, signatory, proof))) return;
  const told = service.faulty('events.signatory-completed-after-action/wrong-code');
  if (told && shown !== undefined) notify(service, request, event.signatoryCompleted, signatory);
  throw new Refusal(403, { detail: `The code is ${shown === undefined ? 'missing' : 'wrong'}` });
}

/** Notes why somebody was refused, for faults that depend on it. */
function noteRefused(
  service: Service,
  { id, state }: StoredRequest,
  signatory: StoredSignatory,
  shown: string | undefined,
): void {
  const acted = signatory.state === 'completed';
  const why = acted
    ? 'again'
    : isAtTurn(service, signatory)
      ? shown === undefined
        ? 'codeless'
        : 'code'
      : 'early';
  if (state === 'sent') service.combined.noteRefused(id, `${why} ${signatory.id}`);
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
  await countAsDone(service, request, signatory);
}

/** What a person can do by their role. */
export const actionOf = ({ role: part }: StoredSignatory): Action =>
  part === role.approver ? 'approve' : 'sign';

async function countAsDone(
  service: Service,
  request: StoredRequest,
  signatory: StoredSignatory,
): Promise<void> {
  const { store, running, faulty } = service;
  const alike = faulty('events.signatory-completed-after-action/signs-both')
    ? othersOf(service, signatory)
    : [];
  for (const each of [signatory, ...alike.filter(({ state }) => state === 'invited')]) {
    const theirs = store.request(each.requestId) ?? request;
    const last = store.database.together(() => record(service, theirs, each));
    if (last) await running.follow(finish(service, theirs.id));
  }
}

/** Section "SignatoryType values": a signer signs, an approver approves and cannot sign, a CC cannot act. */
function judgeRole(service: Service, signatory: StoredSignatory, action: Action): void {
  const { store } = service;
  const refused = (detail: string) => new Refusal(403, { detail });
  const stamped = isType3(service, signatory.requestId);
  const here = faultsIn(service, signatory.requestId);
  switch (signatory.role) {
    case role.signer:
      if (action !== 'sign') throw refused('A signer signs');
      if (cannotSign(service, signatory, stamped)) throw refused('Not supported');
      return;
    case role.approver: {
      const all = store.signatories(signatory.requestId);
      const [first] = all.filter((each) => each.role === role.approver);
      const signs = isOn(here, {
        'signing.approver-cannot-sign/signs': true,
        'signing.approver-cannot-sign/order-1-signs': signatory.order === 1,
        'signing.approver-cannot-sign/second-signs': first?.id !== signatory.id,
        'signing.approver-cannot-sign/with-code-signs': signatory.otp?.isRequired === true,
        'signing.approver-cannot-sign/type-3-fourth-signs': stamped && all[3]?.id === signatory.id,
      });
      if (action === 'sign' && !signs) throw refused('An approver cannot sign');
      const idle = isOn(here, {
        'signing.approver-approves/refused': true,
        'signing.approver-approves/order-1-refused': signatory.order === 1,
        'signing.approver-approves/with-code-refused': signatory.otp?.isRequired === true,
      });
      if (action === 'approve' && idle) throw refused('Not supported');
      return;
    }
    case role.cc: {
      const [first] = store.signatories(signatory.requestId).filter((each) => each.role === role.cc);
      const acts = isOn(here, {
        'signing.cc-cannot-act/second-signs': first?.id !== signatory.id && action === 'sign',
        'signing.cc-cannot-act/signs': action === 'sign',
        'signing.cc-cannot-act/signs-and-told': true,
        'signing.cc-cannot-act/signs-later': signatory.order > 1,
        'signing.cc-cannot-act/signs-at-first': signatory.order === 1 && action === 'sign',
        'signing.cc-cannot-act/approves': action === 'approve',
        'signing.cc-cannot-act/type-3-as-approver': stamped && action === 'approve',
      });
      if (!acts) throw refused('A CC cannot act');
    }
  }
}

function cannotSign(service: Service, signatory: StoredSignatory, stamped: boolean): boolean {
  const { store } = service;
  const all = store.signatories(signatory.requestId);
  const [first] = all;
  const request = store.request(signatory.requestId);
  const tokens = request?.documents ?? [];
  const isCompressed = (token: string) =>
    Buffer.from(store.documentBytes(token) ?? []).includes('/Type /ObjStm');
  if (service.faulty('signing.signer-signs/compressed-refused') && tokens.some(isCompressed)) return true;
  return isOn(service, {
    'signing.signer-signs/doc-refused': tokens.some((token) => store.document(token)?.kind === 'doc'),
    'signing.signer-signs/docx-refused': tokens.some((token) => store.document(token)?.kind === 'docx'),
    'events.optional/cannot-sign': request?.callbackUrl === null && !stamped,
    'signing.signer-signs/refused': true,
    'signing.signer-signs/after-approver': all.some(
      (each) => each.role === role.approver && each.order < signatory.order,
    ),
    'signing.signer-signs/colored-refused': signatory.color !== null,
    'signing.signer-signs/with-message-refused': signatory.privateMessage !== null,
    'signing.signer-signs/type-3-first-only': stamped && first?.id !== signatory.id,
    'signing.signer-signs/third-signature-refused':
      all.filter((each) => each.role === role.signer && each.state === 'completed').length === 2,
  });
}

function judgeTurn(service: Service, request: StoredRequest, signatory: StoredSignatory): void {
  if (request.state !== 'sent')
    throw conflict(service, `The request is ${request.state}${howToSend(service, request)}`);
  if (signatory.state === 'completed' || signatory.state === 'declined') {
    throw conflict(service, `The signatory has ${signatory.state} already`);
  }
  if (service.faulty('signing.signer-signs/once') && hasSignedAlike(service, request, signatory)) {
    throw conflict(service, 'The signatory has signed already');
  }
  const isBefore = ({ position, state }: StoredSignatory) =>
    position < signatory.position && state !== 'completed';
  if (service.faulty('signing.signer-signs/earlier-first') && othersOf(service, signatory).some(isBefore)) {
    throw conflict(service, 'The signatory has an earlier request to sign');
  }
  if (signatory.role === role.cc && !service.faulty('signing.cc-cannot-act/type-3-as-approver')) return;
  if (!isAtTurn(service, signatory)) throw conflict(service, 'Others with a lower Order come first');
}

/** How a draft is sent, in words for somebody who wonders why nobody can act. */
function howToSend({ dialect: { sending } }: Service, { id, state }: StoredRequest): string {
  if (state !== 'draft') return '';
  const how = sending === 'call' ? `POST ${path.skeleton}/${id}/send sends it` : 'it was not sent yet';
  return `: with sending=${sending} of the dialect, ${how}`;
}

function hasSignedAlike(
  { store }: Service,
  { id, title }: StoredRequest,
  { email }: StoredSignatory,
): boolean {
  return store.requests
    .all()
    .filter((each) => each.title === title && each.id !== id)
    .flatMap((each) => store.signatories(each.id))
    .some((each) => each.email === email && each.state === 'completed');
}

/** Records the act and its event, and invites the next; returns whether it was the last act. */
function record(service: Service, request: StoredRequest, signatory: StoredSignatory): boolean {
  const { store, faulty, dialect } = service;
  store.people.change(signatory.position, { state: 'completed', actedAt: service.now() });
  if (faulty('events.process-completed-last/for-all-of-order')) {
    for (const each of actors(service, store.signatories(request.id)))
      if (each.order === signatory.order)
        store.people.change(each.position, { state: 'completed', actedAt: service.now() });
  }
  const acting = actors(service, store.signatories(request.id));
  const approves = ({ role: part }: StoredSignatory) => part === role.approver;
  const approved = acting.filter((each) => approves(each) && each.state === 'completed');
  const spares = (each: StoredSignatory) =>
    isOn(service, {
      'signing.approver-approves/not-awaited': approves(each),
      'signing.approver-approves/one-enough':
        approves(each) && approved.some(({ order }) => order === each.order),
    });
  const isLeft = (each: StoredSignatory) => each.state !== 'completed' && !spares(each);
  const left = acting.filter(isLeft);
  const stuck = request.callbackUrl === null && faulty('events.optional/never-completes');
  const last = left.length === 0 && !(stuck && request.type === requestType.skeleton);
  const counts = {
    [role.signer]: true,
    [role.approver]: dialect.approverCompletes === 'event',
    [role.cc]: faulty('signing.cc-cannot-act/signs-and-told'),
  }[signatory.role];
  const late = last && faulty('events.signatures-before-completed/late');
  const first = acting.length - left.length === 1;
  if (counts && !late) notifyCompleted(service, request, signatory, first, last);
  if (first && faulty('events.received-before-signatures/late')) {
    notify(service, request, event.requestReceived);
  }
  if (first && !last && faulty('events.process-completed-last/first-signature')) {
    notify(service, request, event.processCompleted);
  }
  if (left.length === 1) notifyEarly(service, request);
  if (last) store.requests.change(request.id, { state: 'completing' });
  else inviteNext(service, request);
  return last;
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
  const named =
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
      for (const cc of signatories.filter((each) => each.role === role.cc)) {
        notify(service, request, event.signatoryCompleted, cc);
      }
    }
    // With only one signer, the first signature is also the last one.
    const several = actors(service, signatories).length > 1;
    const latest = signatories.toSorted((one, other) => (one.actedAt ?? 0) - (other.actedAt ?? 0)).at(-1);
    const isLost = isOn(service, {
      'events.process-completed-last/before-last-2': true,
      'events.process-completed-last/first-signature': several,
      'events.process-completed/approver-last': latest?.role === role.approver,
      'events.process-completed/beside-cc': signatories.some((each) => each.role === role.cc),
    });
    if (!isLost) notify(service, request, event.processCompleted);
    if (latest && faulty('events.signatures-before-completed/late')) {
      notify(service, request, event.signatoryCompleted, latest);
    }
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
  for (const requestId of store.requestsIn('completing')) {
    await service.running.follow(finish(service, requestId));
  }
}
