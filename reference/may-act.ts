/** Whether a person may act now: by their role, at their turn, and with the code that they are asked for. */
import { event, otpType, path, role } from '../openapi/codes.ts';
import { othersOf } from './letters.ts';
import type { StoredRequest, StoredSignatory } from './model.ts';
import { notify } from './notify.ts';
import { type Proof, proves } from './one-time-codes.ts';
import { conflict, faultsIn, isOn, isType3, Refusal } from './rules.ts';
import type { Service } from './service.ts';
import { isAtTurn } from './turns.ts';

export type Action = 'sign' | 'approve';

/** What a person can do by their role. */
export const actionOf = ({ role: part }: StoredSignatory): Action =>
  part === role.approver ? 'approve' : 'sign';

export const shownIn = ({ otp, otpSms, accessCode }: Proof) => otp ?? otpSms ?? accessCode;

/** Throws where the role, the turn, or the code of a person does not let them act. */
export function judgeAct(
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
export function noteRefused(
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

/** Section "SignatoryType values": a signer signs, an approver approves and cannot sign, a CC cannot act. */
export function judgeRole(service: Service, signatory: StoredSignatory, action: Action): void {
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
        'signing.approver-cannot-sign/signs-in-vain': true,
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
        'signing.approver-approves/plain-refused':
          signatory.otp?.isRequired !== true && signatory.privateMessage === null,
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
    'otp.not-asked/type-2-cannot-sign': signatory.otp?.type === otpType.sms && !signatory.otp.isRequired,
    'otp.not-asked/type-4-cannot-sign':
      signatory.otp?.type === otpType.emailAndSms && !signatory.otp.isRequired,
    'otp.not-asked/type-3-cannot-sign':
      signatory.otp?.type === otpType.accessCode && !signatory.otp.isRequired,
    'signing.signer-signs/one-code-refused': request?.callbackTypes.join() === `${event.signatoryCompleted}`,
    'events.optional/cannot-sign': request?.callbackUrl === null && !stamped,
    'signing.signer-signs/refused': true,
    'signing.signer-signs/after-approver': all.some(
      (each) => each.role === role.approver && each.order < signatory.order,
    ),
    'signing.signer-signs/colored-refused': signatory.color !== null,
    'signing.signer-signs/with-message-refused': signatory.privateMessage !== null,
    'signing.signer-signs/type-3-first-only': stamped && first?.id !== signatory.id,
    'signing.signer-signs/coded-beside-cc-refused':
      !stamped && signatory.otp?.isRequired === true && all.some((each) => each.role === role.cc),
    'signing.signer-signs/type-3-coded-refused': stamped && signatory.otp?.isRequired === true,
    'signing.signer-signs/third-signature-refused':
      all.filter((each) => each.role === role.signer && each.state === 'completed').length === 2,
  });
}

export function judgeTurn(service: Service, request: StoredRequest, signatory: StoredSignatory): void {
  if (request.state !== 'sent')
    throw conflict(service, `The request is ${request.state}${howToSend(service, request)}`);
  if (signatory.state === 'completed' || signatory.state === 'declined')
    throw conflict(service, `The signatory has ${signatory.state} already`);
  if (service.faulty('signing.signer-signs/once') && hasSignedAlike(service, request, signatory))
    throw conflict(service, 'The signatory has signed already');
  const isBefore = ({ position, state }: StoredSignatory) =>
    position < signatory.position && state !== 'completed';
  if (service.faulty('signing.signer-signs/earlier-first') && othersOf(service, signatory).some(isBefore))
    throw conflict(service, 'The signatory has an earlier request to sign');
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
