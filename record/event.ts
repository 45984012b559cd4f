/** The shape of a callback after reading: its events, and the parts of them that could not be read. */
import type { EventCode } from '../openapi/codes.ts';

/** Codes that are sent; 0 only stands in CallbackTypes. */
export type SentCode = Exclude<EventCode, 0>;

export type SignatoryKey = 'id' | 'email' | 'name';

export interface Attachment {
  readonly name?: string;
  /** As declared; says nothing about the content. */
  readonly mediaType?: string;
  /** Where in the payload it stands, as a JSON Pointer. */
  readonly at: string;
  readonly content:
    | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
    | { readonly kind: 'link'; readonly url: string }
    | { readonly kind: 'unreadable'; readonly message: string };
}

/** A field that could not be read, in an event that could be read otherwise. */
export interface Unread {
  readonly field: 'requestId' | 'signatory' | 'time' | 'deliveryId' | 'attachments';
  /** A sentence: what is there instead, and which setting would help. */
  readonly message: string;
  /** The event names several signatories, so it may be about more than one of them. */
  readonly several?: boolean;
}

export interface CallbackEvent {
  /** `other`: an event that the interface document does not know, as the profile says. */
  readonly code: SentCode | 'other';
  /** What the target calls it, if the profile gives codes to names. */
  readonly name?: string;
  readonly requestId?: string;
  /** Who completed: which key of the payload names them (`by`), and its value. */
  readonly signatory?: { readonly by: SignatoryKey; readonly value: string };
  /** The event's own time. Two times compare only if they are at the same place of their payloads. */
  readonly time?: { readonly ms: number; readonly at: string };
  /** The id that a repeated delivery shares with the first one. */
  readonly deliveryId?: string;
  readonly attachments: readonly Attachment[];
  readonly unread: readonly Unread[];
}

/** `problems` of a readable delivery tell which of its events could not be read. */
export type Decoded =
  | {
      readonly readable: true;
      readonly events: readonly CallbackEvent[];
      readonly problems: readonly string[];
    }
  | { readonly readable: false; readonly problems: readonly string[] };

/** What the run knows about the request, to find it again in an unknown payload. */
export interface KnownRequests {
  readonly requestIds: readonly string[];
  readonly signatories: readonly KnownPerson[];
  /** The people of other requests. */
  readonly strangers?: readonly KnownPerson[];
  /** The URL that was called, as the run gave it. */
  readonly callbackUrl?: string;
}

interface KnownPerson {
  readonly id?: string;
  readonly email: string;
  readonly name?: string;
}
