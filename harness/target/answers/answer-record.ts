/** Records a call with its outcome and reads from it what the checks need: ids, and the token of an upload. */
import { validateResponse } from '../../../openapi/contract.ts';
import { type Exchange, headerOf, is2xx } from '../../../record/exchange.ts';
import { parseJson, parseUntyped } from '../../../record/json.ts';
import type { Profile } from '../../profile/schema.ts';
import { deniesSuccess } from '../../profile/template.ts';
import type { Heard, Recorder } from '../../recording/recorder.ts';
import { limits } from '../../untrusted/limits.ts';
import { leaves } from '../../untrusted/payload/tree.ts';
import { type Place, readText, scopeOf } from '../../untrusted/place.ts';
import { isStray, textOf } from '../../untrusted/text.ts';
import { type Answer, type FoundToken, type Ids, isUnshown } from '../call.ts';
import { findDocumentToken } from './document-token.ts';
import type { IssuedIds } from './issued-ids.ts';
import type { ResultCodes } from './result-codes.ts';

interface AnswerParts extends Omit<Heard, 'violations'> {
  /** Whether the answer, if it is a success, has to keep to the contract. */
  readonly validated: boolean;
  readonly issued: IssuedIds;
  readonly codes: ResultCodes;
  /** The file that an upload carries, in base64. */
  readonly file?: string;
}

/** Adds the exchange to the record and returns the answer as the checks see it. */
export function recordAnswer(
  recorder: Recorder,
  profile: Pick<Profile, 'tolerate' | 'create'>,
  tokenPlace: Place,
  { index, request, outcome, about, validated, issued, codes, file }: AnswerParts,
): Answer {
  const { operation } = about;
  const response = 'response' in outcome ? outcome.response : undefined;
  const { status = 0, reason = '', headers = [] } = response ?? {};
  const text = response ? textOf(headers, response.body) : '';
  const said = { status, reason, headers, text };
  const accepted = response !== undefined && is2xx(response);
  const read = accepted ? readFrom(operation, said, profile, tokenPlace) : nothingRead;
  const denied = accepted && isDenied(operation, said, codes, read.created !== undefined);
  // Only the ids of endpoints 4 and 5 show that something was made.
  if (read.ids.requestId ?? read.ids.signatoryId) codes.learn(said);
  // An answer that may not be the target's own is judged by the check that made the call, which asks again.
  const judged = validated && accepted && operation !== null && !isStray({ text });
  // A doubtful token is judged by the checks of the upload alone.
  const isDoubted = read.documentToken !== undefined && 'doubt' in read.documentToken;
  const { ids, violations } =
    judged && !isDoubted
      ? issued.take({ operation, request, file, text, ids: read.ids, index })
      : { ids: read.ids, violations: [] };
  // Noted before anything else is written about the call, so that the object can be removed whatever breaks then.
  if (accepted && tellsMade(read, denied))
    noteCreated(recorder, index, operation, { requestId: read.created, ...ids });
  const mediaType = headerOf(headers, 'content-type') ?? '';
  const broken = judged ? validateResponse(operation, status, mediaType, text) : [];
  const exchange = recorder.add({ index, request, outcome, about, violations: [...broken, ...violations] });
  const isNamed =
    isUnshown(operation) && profile.create?.requestId !== undefined && read.created !== undefined;
  return {
    exchange,
    url: request.url.href,
    ...said,
    ids,
    documentToken: read.documentToken,
    denied: denied || undefined,
    besideOthers: issued.hasRequests,
    named: isNamed || undefined,
  };
}

type Said = Pick<Answer, 'status' | 'reason' | 'headers' | 'text'>;

/** The values that are read from an accepted answer. */
interface Read {
  readonly documentToken?: FoundToken;
  readonly ids: Ids;
  /** Id of a request that was created. */
  readonly created?: string;
}

const nothingRead: Read = { ids: {} };

/** Whether an accepted call has made something. */
function tellsMade({ documentToken, created }: Read, denied: boolean): boolean {
  if (documentToken !== undefined && 'missing' in documentToken) return false;
  return !denied || created !== undefined;
}

function readFrom(
  operation: Exchange['operation'],
  said: Said,
  profile: Pick<Profile, 'tolerate' | 'create'>,
  tokenPlace: Place,
): Read {
  const documentToken =
    operation === 'uploadDocument' ? findDocumentToken(tokenPlace, said.headers, said.text) : undefined;
  return {
    documentToken,
    ids: idsOf(operation, said.text, documentToken, profile),
    created: createdId(operation, said, profile),
  };
}

/** Whether an answer with a 2xx says that nothing was made. Only operations whose answers are not shown may answer so. */
function isDenied(
  operation: Exchange['operation'],
  said: Said,
  codes: ResultCodes,
  isNamed: boolean,
): boolean {
  if (!isUnshown(operation)) return false;
  return codes.isOtherOf(operation, said) || deniesSuccess(said.text, isNamed ? 'what was made' : 'an act');
}

/** The id of a request of types 1 to 3: from where the profile says that it stands, or else the usual places. */
function createdId(
  operation: Exchange['operation'],
  answer: Pick<Answer, 'text' | 'headers'>,
  { create }: Pick<Profile, 'create'>,
): string | undefined {
  if (operation === 'uploadDocument' || operation === 'addSignatory') return undefined;
  return requestIdIn(answer, operation === 'createSkeletonRequest' ? undefined : create?.requestId);
}

function noteCreated(
  recorder: Recorder,
  exchange: number,
  operation: Exchange['operation'],
  { documentToken, requestId, signatoryId }: Ids,
): void {
  if (operation === 'uploadDocument') {
    recorder.note({ kind: 'document', id: documentToken ?? '', exchange });
  } else if (operation === 'addSignatory') {
    recorder.note({ kind: 'signatory', id: signatoryId ?? '', exchange });
  } else if (operation) recorder.note({ kind: 'request', id: requestId ?? '', exchange });
}

/** @param found what stands in the place of the token in the answer to an upload */
export function idsOf(
  operation: Exchange['operation'],
  text: string,
  found: FoundToken | undefined,
  { tolerate }: Pick<Profile, 'tolerate'>,
): Ids {
  if (found && 'token' in found) return { documentToken: found.token };
  if (found && 'wrongType' in found && tolerate?.numericIds) return { documentToken: found.value };
  if (operation !== 'createSkeletonRequest' && operation !== 'addSignatory') return {};
  const body = (tolerate?.numericIds ? parseUntyped : parseJson)(text);
  const read = (name: string): string | undefined => {
    const value = (body as Record<string, unknown> | null | undefined)?.[name];
    if (typeof value === 'string' && value !== '') return isTooLong(value) ? undefined : value;
    return typeof value === 'number' && tolerate?.numericIds ? String(value) : undefined;
  };
  const requestId = read('requestId');
  const signatoryId = read('signatoryId');
  return { ...(requestId ? { requestId } : {}), ...(signatoryId ? { signatoryId } : {}) };
}

const isTooLong = (id: string): boolean => id.length > limits.idCharacters.most;

/** Names of ids in the documented answers; fields with similar names may stand beside them. */
const documentedName = /\/(requestId|signatoryId)$/;

/** The id at `place`; no id for `none`. Without a place: the field with a documented name, or one whose name fits `name`. */
export function idIn(
  answer: Pick<Answer, 'text' | 'headers'>,
  place: Place | undefined,
  name: RegExp,
): string | undefined {
  if (place === 'none') return undefined;
  const scope = scopeOf(answer);
  const alike = leaves(scope.root).filter(({ pointer }) => name.test(pointer));
  const found = place ?? (alike.find(({ pointer }) => documentedName.test(pointer)) ?? alike[0])?.pointer;
  const id = found === undefined ? undefined : readText(found, scope);
  return id === undefined || isTooLong(id) ? undefined : id;
}

/** The id of the request in an answer to a creation of type 1, 2 or 3. */
export function requestIdIn(answer: Pick<Answer, 'text' | 'headers'>, place?: Place): string | undefined {
  return idIn(answer, place, /request_?id$/i);
}
