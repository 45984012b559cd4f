/** Creation bodies of type 0 that every compliant service accepts. */
import { authorType, event } from '../../openapi/codes.ts';
import { acceptedBody, type Body, type Row } from '../row.ts';

interface RequestIngredients {
  /** The title; the caller puts the run id into it. */
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

/** AuditDetails with all three subfields, since the document does not say which of them may be left out. */
export const auditDetails: AuditDetails = {
  AuthorType: authorType.adminOrSystem,
  // 203.0.113.0/24 is reserved for documentation (RFC 5737).
  AuthorIPAddress: '203.0.113.10',
  Device: 'Desktop computer, Linux, Chromium 140',
};

/** A message that is short enough for every service. */
export const plainMessage = 'Please read and sign.';

/**
 * A text that shows whether a service keeps texts unchanged: it has accents, other scripts, a character
 * beyond the 65,536 of UCS-2, and characters that HTML, SQL, an address or a replacement in a template escapes. It stays the same where texts are shown in capital letters.
 */
export const accents = "Ärger $& d'Łódź +5% Ω 印𠮷";

export function minimalRequest({ title, documents }: RequestIngredients): SkeletonRequest {
  return { Title: title, Message: plainMessage, Documents: documents, AuditDetails: auditDetails };
}

export interface CallbackIngredients extends RequestIngredients {
  /** An address for callbacks, where nobody has to listen; `https://callback.example.com/…` reaches nobody (RFC 2606). */
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

/** Each pair of codes, and 0. Single codes and all three are in other rows, and flows subscribe to them. */
const subscriptions: readonly (readonly number[])[] = [
  [event.all],
  [event.processCompleted, event.requestReceived],
  [event.requestReceived, event.signatoryCompleted],
  [event.signatoryCompleted, event.processCompleted],
];

/** A row for each optional field of the table. Needs two documents. */
export function requestRows(given: CallbackIngredients): readonly RequestRow[] {
  const minimal = minimalRequest({ ...given, documents: given.documents.slice(0, 1) });
  const subscribed = { ...minimal, CallbackUrl: given.callbackUrl, CallbackTypes: [event.processCompleted] };
  return [
    row('required', 'the four required fields', minimal),
    row('Documents', 'several documents', { ...minimal, Documents: given.documents }),
    // CallbackTypes is sent with CallbackUrl, since it is not shown which events come without it.
    row('CallbackUrl', 'CallbackUrl with one event', subscribed),
    row('CallbackUrl with a query', 'CallbackUrl with a query', {
      ...subscribed,
      CallbackUrl: withQuery(given.callbackUrl),
    }),
    ...subscriptions.map((codes) =>
      row('CallbackTypes', `CallbackTypes [${codes.join(', ')}]`, { ...subscribed, CallbackTypes: codes }),
    ),
    // Signed PDFs are attached where code 3 is named, and where it is meant by 0.
    row('CompletedDocumentsAttached', 'CompletedDocumentsAttached true', {
      ...subscribed,
      CallbackTypes: [event.all],
      CompletedDocumentsAttached: true,
    }),
    row('CompletedDocumentsAttached', 'CompletedDocumentsAttached false', {
      ...subscribed,
      CompletedDocumentsAttached: false,
    }),
    row('AuthorIPAddress', 'AuthorIPAddress, an IPv6 address', {
      ...minimal,
      // 2001:db8::/32 is reserved for documentation (RFC 3849).
      AuditDetails: { ...auditDetails, AuthorIPAddress: '2001:db8::10' },
    }),
    row('Connections', 'Connections, an empty list', { ...minimal, Connections: [] }),
    row('all', 'every field', maximalRequest(given)),
  ];
}

/** A row with the field that it is about, so that a check can pick rows. */
export interface RequestRow extends Row<Body> {
  readonly field: keyof SkeletonRequest | 'CallbackUrl with a query' | 'AuthorIPAddress' | 'required' | 'all';
}

function row(field: RequestRow['field'], title: string, json: SkeletonRequest): RequestRow {
  return { field, ...acceptedBody(title, json) };
}
