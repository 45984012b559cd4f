/** What the callbacks of a request are judged by: what was planned, what was done, and what was delivered. */
import type { EventCode, Role } from '../openapi/codes.ts';
import type { CallbackEvent, SentCode } from './event.ts';
import type { Loss } from './flow-finding.ts';

/** A span of the monotonic clock that all processes of a machine share. */
export interface Interval {
  readonly startMs: number;
  readonly endMs: number;
}

export interface PlannedSignatory {
  readonly id?: string;
  readonly email: string;
  readonly name?: string;
  readonly role: Role;
  readonly order: number;
}

export interface Plan {
  readonly requestId?: string;
  /** Ids of other requests of the run: events that name one of them do not belong to this plan. */
  readonly otherRequestIds?: readonly string[];
  /** Whether callbacks name requests by these ids, as others of the run showed: another id is about something else. */
  readonly namesRequests?: boolean;
  readonly signatories: readonly PlannedSignatory[];
  /** The people of other requests of the run. */
  readonly strangers?: readonly PlannedSignatory[];
  /** As sent; absent when the request was created without. */
  readonly callbackUrl?: string;
  /** CallbackTypes as sent. What an absent or empty list means is not shown. */
  readonly subscription?: readonly (EventCode | number)[];
  /** CompletedDocumentsAttached as sent. */
  readonly attachments?: boolean;
  /** The markers of the uploaded PDFs. */
  readonly documents: readonly string[];
  /** How many documents the request has, those of other formats included. */
  readonly uploads?: number;
  /** How many pages each of the uploaded PDFs has, where that is known. */
  readonly pages?: readonly number[];
  /** The moment by which event 1 has to be sent; `completion` by default. */
  readonly requestReceived?: 'creation' | 'sending' | 'completion';
  /** Roles for whom event 2 is sent; when absent, an approver may or may not be among them. */
  readonly signatoryCompletedRoles?: readonly ('signer' | 'approver')[];
  /** How often each callback of this target comes when all are answered with 2xx; 1 when absent. */
  readonly copies?: number;
  /** Codes that arrived for requests with explicit codes: a request with code 0 has to get these as well. */
  readonly explicitCodes?: readonly SentCode[];
}

/** What was done with the request. The spans begin before the first byte of a call, or when a page is opened. */
export interface Actions {
  readonly sent?: Interval;
  /** `signatory` is a position in the plan. Whoever is not here has not completed. */
  readonly completed: readonly { readonly signatory: number; readonly at: Interval }[];
  /**
   * Attempts that the target may or may not have accepted: a call without an answer, a person who did not say. No
   * callback is due because of them, and whatever they may explain is no violation.
   */
  readonly attempted?: readonly { readonly signatory: number; readonly at: Interval }[];
}

export interface SeenAttachment {
  readonly name?: string;
  /** `unreadable`: it may be what was asked for, but cannot be read, as an encrypted PDF or an archive. */
  readonly state: 'whole' | 'truncated' | 'unreadable' | 'no-pdf' | 'link';
  readonly why?: string;
  /** Whether no page is a picture, which hides the marker. */
  readonly hasText: boolean;
  readonly markers: readonly string[];
  /** The attachment shows a document of the run that is not of this request. */
  readonly foreign?: true;
  /** Of a PDF without markers, which may be the audit trail: whether it shows the Name of each signatory. */
  readonly namesAll?: boolean;
  readonly size?: number;
  readonly pages?: number;
  /** For each marker, how many pages show it or have no text to look in; all other pages belong to something else. */
  readonly shown?: readonly number[];
  /** For each marker, the number that each page of the PDF shows as its own in that document. */
  readonly numbers?: readonly (readonly (number | undefined)[])[];
}

export interface SeenEvent extends Omit<CallbackEvent, 'attachments'> {
  readonly attachments: readonly SeenAttachment[];
}

export interface SeenDelivery {
  /** Negative for a delivery that an earlier run took in, when this run continues that one. */
  readonly index: number;
  /** From its first byte to the end of the answer. */
  readonly at: Interval;
  /** When its last byte was there. */
  readonly arrivedMs: number;
  /** Whether it was answered with 2xx. */
  readonly accepted: boolean;
  /** Path and query as received. */
  readonly target: string;
  /** Absent for one that an earlier run took in. */
  readonly method?: string;
  /** SHA-256 of its body; absent for one that an earlier run took in. */
  readonly sha256?: string;
  readonly events: readonly SeenEvent[];
  readonly problems: readonly string[];
  /** Why the delivery is not believed to come from the target. */
  readonly forged?: string;
}

/**
 * The deliveries at a wrong address that are no copies of one at the right address. Anybody who reads a callback can
 * send it again, to any address. A target sends a delivery again itself if it was not answered with 2xx.
 */
export function notCopied(
  astray: readonly SeenDelivery[],
  rightly: readonly SeenDelivery[],
): readonly SeenDelivery[] {
  const taken = new Set(rightly.filter(({ accepted }) => accepted).map(({ sha256 }) => sha256));
  return astray.filter(({ sha256 }) => sha256 === undefined || !taken.has(sha256));
}

export interface Occurrence {
  readonly event: SeenEvent;
  readonly delivery: SeenDelivery;
  /** Position of its signatory in the plan, where it names one of them. */
  readonly who: number | undefined;
  /** It names a request that the run did not create. The target may use ids of another kind, so it blames nobody. */
  readonly doubtful?: boolean;
}

const namedAmong = ({ signatory }: SeenEvent, people: readonly PlannedSignatory[]): readonly number[] =>
  people.flatMap((person, index) =>
    signatory && person[signatory.by]?.toLowerCase() === signatory.value.toLowerCase() ? [index] : [],
  );

export function signatoryOf(event: SeenEvent, { signatories }: Plan): number | undefined {
  const fitting = namedAmong(event, signatories);
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Whether an event names, not only by a name, somebody who takes part in another request and not in this one. */
export const namesStranger = (event: SeenEvent, { signatories, strangers = [] }: Plan): boolean =>
  event.signatory?.by !== 'name' &&
  namedAmong(event, signatories).length === 0 &&
  namedAmong(event, strangers).length > 0;

export interface Facts {
  readonly plan: Plan;
  readonly actions: Actions;
  /** The deliveries that come from the target. */
  readonly deliveries: readonly SeenDelivery[];
  /** Events of these deliveries that belong to the plan, in the order of arrival. */
  readonly occurrences: readonly Occurrence[];
  /** Why not everything that was delivered could be read; absent when everything could. */
  readonly clouded?: Loss;
  /** Deliveries about this request that went to the CallbackUrl of another one. */
  readonly astray: readonly SeenDelivery[];
  /** Why an event may have been sent although it was not seen. */
  readonly lost?: Loss;
  /** The order of deliveries proves nothing, since one of them was turned away or not answered with 2xx. */
  readonly orderClouded: boolean;
}

/** Deliveries that the listener turned away or lost. */
export interface Losses {
  /** Sent to the address of this request. */
  readonly refused?: number;
  /** Sent to the URL that all requests share, so that nobody knows for which request. */
  readonly shared?: number;
  /** Connections that the listener did not take, or that brought no whole request, while this one was under way. */
  readonly connections?: number;
  /**
   * What ended the flow early, so that callbacks that were due may not have been sent: the target was taken as gone, it lost
   * its memory (in a restart, for instance), or the calls are not those of the recording.
   */
  readonly end?: 'gone' | 'forgotten' | 'unrecorded';
  /** Deliveries that name this request and went to the CallbackUrl of another one. */
  readonly astray?: readonly SeenDelivery[];
}

/** How many events of a flow are judged, since each is compared with all others. Later ones count as unreadable. */
export const flowEventsMost = 1_000;

function withinEvents(deliveries: readonly SeenDelivery[]): readonly SeenDelivery[] {
  let count = 0;
  return deliveries.map((delivery) => {
    count += delivery.events.length;
    if (count <= flowEventsMost) return delivery;
    return { ...delivery, events: [], problems: [`more than ${flowEventsMost} events were told of by then`] };
  });
}

export function factsOf(
  plan: Plan,
  actions: Actions,
  given: readonly SeenDelivery[],
  { refused = 0, shared = 0, connections = 0, end, astray = [] }: Losses,
): Facts {
  const genuine = given.filter(({ forged }) => forged === undefined);
  const deliveries = withinEvents([...genuine].sort((a, b) => a.arrivedMs - b.arrivedMs));
  const isOwn = ({ requestId }: SeenEvent) => requestId !== undefined && requestId === plan.requestId;
  const named = plan.namesRequests || deliveries.some(({ events }) => events.some(isOwn));
  const occurrences = deliveries.flatMap((delivery) =>
    delivery.events.flatMap((event): Occurrence[] => {
      const occurrence = { event, delivery, who: signatoryOf(event, plan) };
      if (event.requestId === undefined || isOwn(event)) return [occurrence];
      const isElsewhere = named || plan.otherRequestIds?.includes(event.requestId);
      return isElsewhere ? [] : [{ ...occurrence, doubtful: true }];
    }),
  );
  const clouded = cloudOf(given, deliveries, refused);
  const counts = [
    { of: 'shared', count: shared },
    { of: 'connections', count: connections },
    { of: 'astray', count: astray.length },
  ] as const;
  const counted = counts.find(({ count }) => count > 0);
  const lost: Loss | undefined = clouded ?? counted ?? (end && { of: end });
  const turnedAway = refused + shared + connections > 0;
  return {
    plan,
    actions,
    deliveries,
    occurrences,
    astray,
    clouded,
    lost,
    orderClouded: turnedAway || deliveries.some(({ accepted }) => !accepted),
  };
}

function cloudOf(
  given: readonly SeenDelivery[],
  genuine: readonly SeenDelivery[],
  refused: number,
): Loss | undefined {
  if (refused > 0) return { of: 'refused', count: refused };
  // One genuine delivery shows that the settings are right: then the others that do not fit come from somebody else.
  if (genuine.length === 0 && given[0]?.forged) return { of: 'forged', what: given[0].forged };
  for (const { index: delivery, problems } of genuine) {
    if (problems[0] !== undefined) return { of: 'unread', delivery, what: problems[0] };
  }
  return undefined;
}
