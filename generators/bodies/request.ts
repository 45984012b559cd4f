/** Creation bodies of type 0 that every compliant service accepts. */
import { authorType, event } from '../../openapi/codes.ts';
import { acceptedBody, type Body, type Row } from '../row.ts';

/** What a caller gives to a creation body. */
export interface RequestIngredients {
  /** Tagged with the run id by the caller. */
  readonly title: string;
  /** At least one document token. */
  readonly documents: readonly string[];
}

/** Section "AuditDetails". */
export type AuditDetails = {
  readonly AuthorType: number;
  readonly AuthorIPAddress: string;
  readonly Device: string;
};

/** Body of endpoint 4 (section "Signature request"). */
export type SkeletonRequest = {
  readonly Title: string;
  readonly Message: string;
  readonly Documents: readonly string[];
  readonly CallbackUrl?: string;
  readonly CallbackTypes?: readonly number[];
  readonly CompletedDocumentsAttached?: boolean;
  readonly AuditDetails: AuditDetails;
  readonly Connections?: readonly unknown[];
};

/** All three subfields: the document does not say which of them may be left out. */
export const auditDetails: AuditDetails = {
  AuthorType: authorType.adminOrSystem,
  // 203.0.113.0/24 is reserved for documentation (RFC 5737).
  AuthorIPAddress: '203.0.113.10',
  Device: 'Desktop computer, Linux, Chromium 140',
};

/** Short enough for every service. */
export const plainMessage = 'Please read and sign.';

/**
 * What only who keeps texts as they are gives back: accents, other scripts, and what HTML escapes. None of it changes
 * where texts are shown in capital letters.
 */
export const accents = 'Ärger & Łódź Ω 印';

/** The four required fields and nothing else. */
export function minimalRequest({ title, documents }: RequestIngredients): SkeletonRequest {
  return { Title: title, Message: plainMessage, Documents: documents, AuditDetails: auditDetails };
}

/** What a caller gives when callbacks are asked for, too. */
export interface CallbackIngredients extends RequestIngredients {
  /** Nobody has to listen there; `https://callback.example.com/…` reaches nobody (RFC 2606). */
  readonly callbackUrl: string;
}

/** Every field of the table. */
export function maximalRequest(given: CallbackIngredients): SkeletonRequest {
  return {
    ...minimalRequest(given),
    CallbackUrl: given.callbackUrl,
    CallbackTypes: [event.requestReceived, event.signatoryCompleted, event.processCompleted],
    CompletedDocumentsAttached: true,
    Connections: [],
  };
}

const withQuery = (url: string) => `${url}${url.includes('?') ? '&' : '?'}tenant=7`;

/** The subscriptions that are tried: every set of codes, in either order; that to 3 alone stands with CallbackUrl, that to all three with every field. */
const subscriptions: readonly (readonly number[])[] = [
  [event.all],
  [event.requestReceived],
  [event.signatoryCompleted],
  [event.processCompleted, event.requestReceived],
  [event.requestReceived, event.signatoryCompleted],
  [event.signatoryCompleted, event.processCompleted],
];

/** Each optional field of the table, one thing a row. Needs two documents. */
export function requestRows(given: CallbackIngredients): readonly RequestRow[] {
  const minimal = minimalRequest({ ...given, documents: given.documents.slice(0, 1) });
  const subscribed = {
    ...minimal,
    CallbackUrl: given.callbackUrl,
    CallbackTypes: [event.processCompleted],
  };
  return [
    row('required', 'the four required fields', minimal),
    row('Documents', 'several documents', { ...minimal, Documents: given.documents }),
    // Which events come without CallbackTypes is not shown: the two are sent together.
    row('CallbackUrl', 'CallbackUrl with one event', subscribed),
    row('CallbackUrl with a query', 'CallbackUrl with a query', {
      ...subscribed,
      CallbackUrl: withQuery(given.callbackUrl),
    }),
    ...subscriptions.map((codes) =>
      row('CallbackTypes', `CallbackTypes [${codes.join(', ')}]`, { ...subscribed, CallbackTypes: codes }),
    ),
    ...[true, false].map((attached) =>
      row('CompletedDocumentsAttached', `CompletedDocumentsAttached ${attached}`, {
        ...subscribed,
        CompletedDocumentsAttached: attached,
      }),
    ),
    row('AuthorIPAddress', 'AuthorIPAddress, an IPv6 address', {
      ...minimal,
      // 2001:db8::/32 is reserved for documentation (RFC 3849).
      AuditDetails: { ...auditDetails, AuthorIPAddress: '2001:db8::10' },
    }),
    row('Connections', 'Connections, an empty list', { ...minimal, Connections: [] }),
    row('all', 'every field', maximalRequest(given)),
  ];
}

/** A row that names the field on which it turns, so that a check can pick its own. */
export interface RequestRow extends Row<Body> {
  readonly field: keyof SkeletonRequest | 'CallbackUrl with a query' | 'AuthorIPAddress' | 'required' | 'all';
}

function row(field: RequestRow['field'], title: string, json: SkeletonRequest): RequestRow {
  return { field, ...acceptedBody(title, json) };
}
