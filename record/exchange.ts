/** The shape of a recorded exchange: one request and its response, redacted, as run.json carries it. */
import type { OperationId } from '../openapi/requirements/requirement.ts';

/** A header field as it went over the wire: name as spelled, value after redaction. */
export type HeaderField = readonly [name: string, value: string];

/** A PDF of which no more is kept. */
export interface RecordedDocument {
  /** Length in bytes. */
  readonly size: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
  /** Number of pages; `null` when it cannot be opened. */
  readonly pages: number | null;
}

/** A recorded body. Exactly one of `text`, `base64` and `file` is there. */
export interface RecordedBody {
  /** Media type as declared by Content-Type; empty when none was. */
  readonly mediaType: string;
  /** Length in bytes before redaction. */
  readonly size: number;
  /** SHA-256 of the bytes before redaction, hexadecimal. */
  readonly sha256: string;
  /** The body as text, when it is valid UTF-8 and small. */
  readonly text?: string;
  /** The body in base64, when it is small and no text. */
  readonly base64?: string;
  /** Name of the file beside run.json that holds a large body. */
  readonly file?: string;
  /** The PDFs in a body that is not kept because it carries some. */
  readonly documents?: readonly RecordedDocument[];
}

/** Why a call had no complete response. */
export interface TransportFailure {
  /** Machine-readable: `ECONNREFUSED`, `ENOTFOUND`, `ETIMEDOUT`, `DEADLINE`, `TOO_LARGE`, … */
  readonly code: string;
  /** One sentence for people. */
  readonly message: string;
}

/** A place in which an answer of the target breaks the contract, with the requirement marked there. */
export interface ContractViolation {
  readonly requirement: string;
  /** JSON Pointer into the response body; empty for the body as a whole. */
  readonly pointer: string;
  readonly message: string;
}

/** What a call was made for. Only `judged` and `shared` calls are validated against the contract. */
export type Purpose = 'judged' | 'shared' | 'flow' | 'observation' | 'token' | 'template' | 'confirmation';

/** One recorded exchange. Times are ISO 8601 in UTC, durations in milliseconds. */
export interface Exchange {
  /** Position in the run, from 0. */
  readonly index: number;
  readonly operation: OperationId | null;
  /** Name of the call template, for calls outside the contract. */
  readonly template?: string;
  readonly purpose: Purpose;
  /** Id of the requirement whose check made the call; absent for calls of the run itself. */
  readonly check?: string;
  readonly row?: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly HeaderField[];
    readonly body: RecordedBody | null;
  };
  /** `null` when none arrived; `failure` says why. */
  readonly response: {
    readonly status: number;
    readonly reason: string;
    readonly headers: readonly HeaderField[];
    readonly body: RecordedBody | null;
  } | null;
  readonly failure?: TransportFailure;
  readonly startedAt: string;
  readonly durationMs: number;
  /** Attempts that were made before this one and why each was repeated. */
  readonly retries: readonly string[];
  readonly violations: readonly ContractViolation[];
  /** A command line that sends the request again; the token stands as `$TOKEN`. */
  readonly curl: string;
}

/** An object that a call created at the target. */
export interface Created {
  readonly kind: 'document' | 'request' | 'signatory';
  /** Empty when the answer shows none that the suite could read. */
  readonly id: string;
  readonly exchange: number;
  /** Whether it was removed again at the end of the run; absent when nothing was tried. */
  readonly removed?: boolean;
}
