/** What the service keeps: documents, requests and signatories (section "Resources and their fields"). */
import type { EventCode, OtpType, RequestType, Role } from '../openapi/codes.ts';
import type { Message, RequestState, SignatoryState } from './double-types.ts';

export type FileKind = 'pdf' | 'doc' | 'docx';

export interface StoredDocument {
  readonly token: string;
  readonly account: string;
  readonly kind: FileKind;
  readonly fileName: string;
  readonly createdAt: number;
  readonly invalidated: boolean;
  /** How many requests refer to it. */
  readonly uses: number;
}

export interface RequestFacts {
  readonly type: RequestType;
  readonly title: string;
  readonly message: string;
  /** Document tokens. */
  readonly documents: readonly string[];
  readonly callbackUrl: string | null;
  /** Codes to be notified of, with the shorthand 0 already spelled out. */
  readonly callbackTypes: readonly EventCode[];
  readonly completedDocumentsAttached: boolean;
}

export interface StoredRequest extends RequestFacts {
  readonly id: string;
  readonly account: string;
  readonly createdAt: number;
  readonly deleted: boolean;
  readonly state: RequestState;
}

export interface Otp {
  readonly isRequired: boolean;
  readonly type: OtpType;
  readonly accessCode: string | null;
  readonly mobileNumber: string | null;
}

/** A stamp with its place; `completion/marks.ts` says how offset and size are measured. */
export interface Stamp {
  readonly identifier: string;
  readonly type: string;
  readonly color: string | null;
  readonly order: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Index of the document in the request, from 0; `null`: each of them. */
  readonly document: number | null;
  /** Index of the page, from 0; `null`: the last one. */
  readonly page: number | null;
}

export interface SignatoryFacts {
  readonly email: string;
  readonly name: string;
  readonly order: number;
  readonly role: Role;
  readonly privateMessage: string | null;
  readonly color: string | null;
  readonly otp: Otp | null;
  readonly stamps: readonly Stamp[];
}

export interface StoredSignatory extends SignatoryFacts {
  /** Rank among all signatories of the service, by the time of their addition. */
  readonly position: number;
  readonly id: string;
  readonly requestId: string;
  readonly createdAt: number;
  readonly state: SignatoryState;
  /** Secret part of the address of the signing page; `null` before the invitation. */
  readonly link: string | null;
  readonly actedAt: number | null;
}

export interface StoredCode {
  readonly signatory: number;
  readonly channel: Message['channel'];
  readonly code: string;
  readonly expiresAt: number;
  readonly tries: number;
}

export interface CompletedFile {
  readonly fileName: string;
  readonly bytes: Buffer;
}
