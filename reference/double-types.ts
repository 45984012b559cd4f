/** Types of the reference service for tests of a client, as programs see them. Imports no other file. */

/** The documented endpoints. */
export type Operation = 'upload' | 'create' | 'autoStamping' | 'skeleton' | 'signatories';
export type RequestState = 'draft' | 'sent' | 'completing' | 'completed' | 'declined';
export type SignatoryState = 'waiting' | 'invited' | 'completed' | 'declined';

/** A failure for the next calls of an operation; one call when `times` is left out. */
export interface Failure {
  readonly operation: Operation;
  /** `cut` ends the connection without an answer. Left out beside `delayMs`: the call is served, but answered late. */
  readonly status?: number | 'cut';
  readonly headers?: Readonly<Record<string, string>>;
  /** A text as it is, anything else as JSON. */
  readonly body?: unknown;
  /** How long the answer is held back: at most 60 s. */
  readonly delayMs?: number;
  readonly times?: number;
}

export interface Waiting {
  readonly requestId?: string;
  /** At most 60 s; 10 s when it is left out. */
  readonly timeoutMs?: number;
}

export interface Message {
  readonly channel: 'email' | 'sms';
  readonly to: string;
  readonly kind: 'invitation' | 'code' | 'copy';
  readonly requestId: string;
  readonly signatoryId: string;
  readonly subject: string;
  readonly text: string;
  /** Address of the signing page, in an invitation. */
  readonly link: string | null;
  readonly code: string | null;
  /** The completed PDFs of a copy. */
  readonly attachments: readonly { readonly name: string; readonly url: string }[];
}

export interface Delivery {
  readonly id: number;
  readonly requestId: string;
  /** Code of the event. */
  readonly event: number;
  readonly url: string;
  readonly state: 'pending' | 'delivered' | 'given-up' | 'refused';
  readonly attempts: number;
  /** The last answer of the receiver: a status, or why there was none; `null` before the first, and after a restart. */
  readonly answer: number | string | null;
}

export interface Call {
  /** ISO 8601. */
  readonly at: string;
  readonly operation: Operation;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** JSON as a value, other text as it is; absent for files and beyond 64 KiB. */
  readonly body?: unknown;
  /** 0 where the connection was cut. */
  readonly status: number;
  /** The body of the answer, likewise. */
  readonly answer?: unknown;
}

export interface SignatureRequest {
  readonly requestId: string;
  readonly state: RequestState;
  readonly title: string;
  readonly signatories: readonly {
    readonly signatoryId: string;
    readonly email: string;
    readonly name: string;
    readonly state: SignatoryState;
  }[];
}
