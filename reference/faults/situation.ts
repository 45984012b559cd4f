/** A request at the moment at which a combined fault is asked for, in the words of their conditions. */
import { type EventCode, requestType, role } from '../../openapi/codes.ts';
import type { StoredDocument, StoredRequest, StoredSignatory } from '../model.ts';

interface Moment {
  readonly request: StoredRequest;
  readonly signatories: readonly StoredSignatory[];
  /** Who acts, is told of, or is written to. */
  readonly who?: StoredSignatory | undefined;
  readonly code?: EventCode;
  /** What was refused before: who tried to act, or what was called. */
  readonly refused: readonly string[];
  /** What is shown: the codes that somebody entered. */
  readonly shown?: string | undefined;
  /** Codes that were used in the request, the latest last. */
  readonly used: readonly string[];
  readonly documents: readonly (StoredDocument | undefined)[];
}

/** Whether somebody is asked for a code. */
export const needsCode = (who: StoredSignatory | undefined) => who?.otp?.isRequired === true;

export function situationOf(moment: Moment) {
  const { request, signatories, who, refused, documents } = moment;
  const having = (part: number) => signatories.filter((each) => each.role === part);
  const acting = signatories.filter((each) => each.role !== role.cc);
  const acted = acting.filter((each) => each.state === 'completed');
  const orders = [...new Set(acting.map(({ order }) => order))].sort((a, b) => a - b);
  const place = orders.indexOf(who?.order ?? 0);
  return {
    ...moment,
    having,
    /** How many. */
    approvers: having(role.approver).length,
    ccs: having(role.cc).length,
    acting,
    acted,
    orders,
    /** From 0: which of the Orders of those who act somebody has. */
    place,
    isLast: orders.length > 1 && place === orders.length - 1,
    isParallel: orders.length === 1 && acting.length > 1,
    /** Somebody acts who is the only one left. */
    isOnlyOneLeft: acted.length === acting.length - 1,
    latest: acted
      .toSorted((one, other) => (one.actedAt ?? 0) - (other.actedAt ?? 0) || one.order - other.order)
      .at(-1),
    hasMessage: who?.privateMessage !== null,
    isRole: (part: number) => who?.role === part,
    rankAmong: (part: number) => having(part).findIndex(({ id }) => id === who?.id),
    isAsked: needsCode(who),
    isAskedFor: (type: number) => needsCode(who) && who?.otp?.type === type,
    hasActedAgain: refused.some((each) => each.startsWith('again ')),
    hasKind: (kind: string) => documents.some((each) => each?.kind === kind),
    isAutoStamping: request.type === requestType.autoStamping,
    subscribesTo: (code: EventCode) => request.callbackTypes.join() === String(code),
  };
}

export type Situation = ReturnType<typeof situationOf>;
