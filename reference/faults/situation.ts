/** The situation of a request at the moment when a combined fault is asked about, with the words for its conditions. */
import { type EventCode, role } from '../../openapi/codes.ts';
import type { StoredDocument, StoredRequest, StoredSignatory } from '../model.ts';

interface Moment {
  readonly request: StoredRequest;
  readonly signatories: readonly StoredSignatory[];
  /** The person who acts, whom an event is about, or who gets a message. */
  readonly who?: StoredSignatory;
  readonly code?: EventCode;
  /** Earlier refusals: ids of people who tried to act, or names of calls. */
  readonly refused: readonly string[];
  /** The codes that the person entered. */
  readonly shown?: string;
  /** Codes that were used in the request, the latest last. */
  readonly used: readonly string[];
  readonly documents: readonly (StoredDocument | undefined)[];
}

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
    approvers: having(role.approver).length,
    ccs: having(role.cc).length,
    acting,
    acted,
    orders,
    /** The index of the person's Order among all Orders of those who act, from 0. */
    place,
    isLast: orders.length > 1 && place === orders.length - 1,
    isParallel: orders.length === 1 && acting.length > 1,
    /** Whether only one person has not acted yet. */
    isOnlyOneLeft: acted.length === acting.length - 1,
    latest: acted
      .toSorted((one, other) => (one.actedAt ?? 0) - (other.actedAt ?? 0) || one.order - other.order)
      .at(-1),
    hasMessage: who?.privateMessage !== null,
    isRole: (part: number) => who?.role === part,
    isAsked: needsCode(who),
    isAskedFor: (type: number) => needsCode(who) && who?.otp?.type === type,
    hasActedAgain: refused.some((each) => each.startsWith('again ')),
    hasKind: (kind: string) => documents.some((each) => each?.kind === kind),
    subscribesTo: (code: EventCode) => request.callbackTypes.join() === String(code),
  };
}

export type Situation = ReturnType<typeof situationOf>;
