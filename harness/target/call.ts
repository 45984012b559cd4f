/** What a check asks of the session: one call of the contract, and what came of it. */
import type { OperationId } from '../../openapi/requirements/requirement.ts';
import { type Created, type Exchange, type HeaderField, is2xx, type Purpose } from '../../record/exchange.ts';
import type { Interval } from '../../record/facts.ts';
import type { Place } from '../untrusted/place.ts';

/**
 * The Authorization header of a call. Secrets never leave the run host, so a check only names what it wants:
 * - `valid`: the access token of the run
 * - `absent`: no such header; `empty`: an empty one; `scheme-only`: `Bearer` and nothing after it
 * - `other-scheme`: Basic with credentials that nobody has
 * - `unknown`: a well-formed bearer token that the target never issued
 * - `altered`: the valid token with some characters changed
 * - `extended`: the valid token with characters added; `shortened`: the valid token without its last ones
 * - `other-case`: the valid token with the case of its letters swapped; with its first characters changed if it has one case only
 * - `expired`: a token whose lifetime has passed
 * - `lower-case-scheme`: `bearer` before the valid token
 */
export type Authorization =
  | 'valid'
  | 'absent'
  | 'empty'
  | 'scheme-only'
  | 'other-scheme'
  | 'unknown'
  | 'altered'
  | 'extended'
  | 'shortened'
  | 'other-case'
  | 'expired'
  | 'lower-case-scheme';

/** The body of a call. Bytes travel in base64 between a worker and the host. */
type CallBody =
  | { readonly json: unknown }
  | { readonly raw: string }
  | { readonly file: { readonly name: string; readonly mediaType: string; readonly base64: string } };

export interface Call {
  readonly operation: OperationId;
  readonly purpose: Purpose;
  /** The requirement whose check makes the call, and its row. */
  readonly check?: string;
  readonly row?: string;
  /** The `type` of a creation on the unversioned path: 1, 2 or 3. */
  readonly type?: number;
  /** Path and query in place of those of the operation, to see how a target answers there. */
  readonly path?: string;
  /** The request that a signatory is added to. */
  readonly requestId?: string;
  /** The signatory should be refused: it is added to a request of the run that already has one, whatever `requestId` is. */
  readonly beside?: true;
  /** No other signatory follows. Where the last one sends the request, the call says so as the profile describes. */
  readonly last?: boolean;
  readonly authorization?: Authorization;
  /** Content-Type of a JSON or raw body; `application/json` unless said otherwise, `null` sends none. */
  readonly contentType?: string | null;
  readonly body: CallBody;
  /** A creation of type 1, 2 or 3 is sent as JSON alone, even where the profile describes another encoding. */
  readonly plain?: true;
  /** The call breaks the contract on purpose: it is not validated before it is sent. */
  readonly deliberate?: boolean;
  /** The call names an id that was made a moment ago: it is repeated after 404 within the grace of the profile. */
  readonly freshIds?: boolean;
  /** The call names an object that a call of the profile ended a moment ago: it is repeated after a success within the same grace. */
  readonly endedIds?: boolean;
}

/** For each kind of value that may be written in several forms (forms.ts), the index of the chosen form. */
export type Chosen = Readonly<Record<string, number>>;

export interface Answer {
  /** The exchange as it may be shown, redacted; the fields beside it are for judging. */
  readonly exchange: Exchange;
  /** The URL that was called, not redacted. */
  readonly url: string;
  /** 0 when no answer arrived; `exchange.failure` says why. */
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly HeaderField[];
  /** The body as text, not redacted: for judging, never for showing. */
  readonly text: string;
  readonly ids: Ids;
  /** From sending to the end of the answer, by the monotonic clock. */
  readonly at?: Interval;
  /** Of a successful upload: the token, or why there is none. */
  readonly documentToken?: FoundToken;
  /** Of types 1 to 3, whose errors are not shown: a 2xx with a body that says that nothing was created. */
  readonly denied?: true;
  /** Of types 1 to 3, whose answers are not shown: an id of a request stands where the profile says, even in a web page. */
  readonly named?: true;
  /** Of a call of the profile that was answered with 2xx: its body has another code than answers by which something was made. */
  readonly otherCode?: true;
  /** The access token of the run was refused just before this call, and has not been accepted since. */
  readonly doubted?: true;
  /** Exchanges in which the same call was sent in other forms, and refused. */
  readonly tried?: readonly number[];
  readonly forms?: Chosen;
  /** Of a shared call that was accepted only when it was repeated: the refusal before. */
  readonly before?: Answer;
  /** The target had created other requests in this run before it gave this answer. */
  readonly besideOthers?: boolean;
  /** Of a shared call that was refused: which part of it the suite had to guess, so that the target may not be to blame. */
  readonly guess?: string;
}

/** What an answer to an upload holds in the place of the document token. */
export type FoundToken =
  /** `doubt` says why the value may be no token: its place was guessed, and other places would fit as well. */
  | { readonly token: string; readonly place: Place; readonly doubt?: string }
  /** The value in that place is no string: its JSON type, and the value as text. */
  | { readonly wrongType: string; readonly value: string; readonly place: Place; readonly doubt?: string }
  /** `place` is where the token was expected; `hidden`: the answer holds another value that may be it. */
  | { readonly missing: string; readonly place: Place; readonly hidden: boolean };

/** Ids that an answer carries, where the contract or the profile says they stand. */
export interface Ids {
  readonly documentToken?: string;
  readonly requestId?: string;
  readonly signatoryId?: string;
}

/** The requestId in the path of a call that adds a signatory. A redacted URL need not be one any more. */
export const idInPath = (url: string): string => url.split(/[?#]/, 1).join().split('/').at(-2) ?? '';

/**
 * Whether an answer accepts the call: a 2xx status and, of an upload, a value in the place of the token. The status
 * codes of uploads are not shown, so an error may come with 200. Nor are those of types 1 to 3.
 */
export function isAccepted(answer: Answer): boolean {
  return is2xx(answer) && !answer.denied && !(answer.documentToken && 'missing' in answer.documentToken);
}

/** Whether the interface document shows no answer of the operation: it creates a request of type 1, 2 or 3. */
export const isUnshown = (operation: Exchange['operation']) =>
  operation === 'createRequest' || operation === 'createStampedRequest';

export interface Creation {
  readonly kind: Created['kind'];
  /** How the object can be found at the target: the Title of a request, the file name of a document. */
  readonly title: string;
}

export function creationBy({ operation, body, requestId, check, row }: Call): Creation {
  const unnamed = ['without a name', check, row].filter(Boolean).join(' ');
  if (operation === 'addSignatory') return { kind: 'signatory', title: `of request ${requestId}` };
  if ('file' in body) return { kind: 'document', title: body.file.name };
  const { Title } = 'json' in body ? ((body.json ?? {}) as { readonly Title?: unknown }) : {};
  const kind = operation === 'uploadDocument' ? 'document' : 'request';
  return { kind, title: typeof Title === 'string' && Title !== '' ? Title : unnamed };
}

/** Notes each creation before it is sent, so that at least its title is known if the process is killed. */
export interface Journal {
  /** @returns a function to call when it is known what the call has created, or that it created nothing */
  sending(creation: Creation): () => void;
}
