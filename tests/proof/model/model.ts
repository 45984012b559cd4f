/** A small model of the interface document: what exists, who may do what, and which events follow. */
import { event, role } from '../../../openapi/codes.ts';

/** Who calls. `stranger` has a valid token of another account. */
export type Caller = 'owner' | 'stranger' | 'nobody' | 'expired' | 'invalid';

export interface ModelDocument {
  readonly token: string;
  valid: boolean;
}

/** What a person is asked for before they sign. */
export type Demand = 'nothing' | 'code' | 'access-code';

export interface ModelPerson {
  readonly id: string;
  readonly email: string;
  readonly order: number;
  readonly role: 1 | 2 | 3;
  readonly demand: Demand;
  state: 'waiting' | 'completed' | 'declined';
}

export interface ModelRequest {
  readonly id: string;
  readonly documents: readonly ModelDocument[];
  /** Events that it subscribed to; empty without a CallbackUrl. */
  readonly subscribed: readonly number[];
  readonly people: ModelPerson[];
  readonly events: number[];
  state: 'draft' | 'sent' | 'completed' | 'declined';
  deleted: boolean;
}

export interface Model {
  readonly documents: ModelDocument[];
  readonly requests: ModelRequest[];
}

/**
 * Why a call has to be refused: the stated status, or `refused` where the document does not say which. Where
 * several reasons hold, the document does not say which of them comes first, and the answer to any is right.
 */
export type Reason = number | 'refused';

export function emptyModel(): Model {
  return { documents: [], requests: [] };
}

/** Sections "Authentication" and "Errors": 401 on endpoints 4 and 5; elsewhere the status is not shown. */
export function accessReasons(caller: Caller, stated: boolean): readonly Reason[] {
  if (caller === 'owner' || caller === 'stranger') return [];
  return [stated ? 401 : 'refused'];
}

/** Section "Errors": a token that does not exist, is no longer valid, or that its caller does not have. */
export function documentReasons(documents: readonly ModelDocument[], caller: Caller): readonly Reason[] {
  const usable = caller !== 'stranger' && documents.every(({ valid }) => valid);
  return usable ? [] : [404];
}

/** Section "Errors": a request that does not exist, was deleted, or is another account's. */
export function requestReasons(
  request: ModelRequest | undefined,
  caller: Caller,
  stated: boolean,
): readonly Reason[] {
  const there = request !== undefined && !request.deleted && caller !== 'stranger';
  return there ? [] : [stated ? 404 : 'refused'];
}

/** A request without anybody who can act cannot be sent, and none is sent twice. */
export function sendReasons({ state, people }: ModelRequest): readonly Reason[] {
  return state === 'draft' && acting(people).length > 0 ? [] : ['refused'];
}

export type Action = 'sign' | 'approve' | 'decline';

/** Sections "SignatoryType values" and "Signatory": by role, in turn, once. */
export function actReasons(request: ModelRequest, person: ModelPerson, action: Action): readonly Reason[] {
  const may = { sign: [role.signer], approve: [role.approver], decline: [role.signer, role.approver] }[
    action
  ] as readonly number[];
  const fits = may.includes(person.role) && request.state === 'sent' && atTurn(request).includes(person);
  return fits ? [] : ['refused'];
}

/** Those who have not acted and whose Order is the lowest of all who have not. */
export function atTurn({ people }: ModelRequest): readonly ModelPerson[] {
  const left = acting(people).filter(({ state }) => state === 'waiting');
  const lowest = Math.min(...left.map(({ order }) => order));
  return left.filter(({ order }) => order === lowest);
}

/** Signers and approvers: a CC cannot act. */
function acting(people: readonly ModelPerson[]): readonly ModelPerson[] {
  return people.filter((person) => person.role !== role.cc);
}

/** The request is sent: event 1. */
export function send(request: ModelRequest): void {
  request.state = 'sent';
  tell(request, event.requestReceived);
}

/** Somebody acts: event 2 for a signature, event 3 when it was the last action. */
export function act(request: ModelRequest, person: ModelPerson, action: Action): void {
  if (action === 'decline') {
    person.state = 'declined';
    request.state = 'declined';
    return;
  }
  person.state = 'completed';
  if (person.role === role.signer) tell(request, event.signatoryCompleted);
  if (acting(request.people).some(({ state }) => state === 'waiting')) return;
  request.state = 'completed';
  tell(request, event.processCompleted);
}

function tell({ subscribed, events }: ModelRequest, code: number): void {
  if (subscribed.includes(code)) events.push(code);
}
