/** Records a call with its outcome and reads from it what the checks need: ids, and the token of an upload. */
import { validateResponse } from '../../../openapi/contract.ts';
import { type Exchange, headerOf, is2xx } from '../../../record/exchange.ts';
import { parseJson } from '../../../record/json.ts';
import type { Profile } from '../../profile/schema.ts';
import { deniesSuccess } from '../../profile/template.ts';
import type { Heard, Recorder } from '../../recording/recorder.ts';
import { limits } from '../../untrusted/limits.ts';
import { leaves } from '../../untrusted/payload/tree.ts';
import { type Place, readText, scopeOf } from '../../untrusted/place.ts';
import { isStray, textOf } from '../../untrusted/text.ts';
import type { Answer, FoundToken, Ids } from '../call.ts';
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
  const response = 'response' in outcome ? outcome.response : null;
  const { operation } = about;
  const accepted = response !== null && is2xx(response);
  const text = response ? textOf(response.headers, response.body) : '';
  const documentToken =
    accepted && operation === 'uploadDocument'
      ? findDocumentToken(tokenPlace, response.headers, text)
      : undefined;
  // A doubtful token is judged by the checks of the upload alone.
  const isDoubted = documentToken !== undefined && 'doubt' in documentToken;
  const isUnshown = operation === 'createRequest' || operation === 'createStampedRequest';
  const read = accepted ? idsOf(operation, text, documentToken, profile) : {};
  // An answer that may not be the target's own is judged by the check that made the call, which asks again.
  const judged = validated && accepted && operation !== null && !isStray({ text });
  const found =
    response && accepted ? createdId(operation, { text, headers: response.headers }, profile) : {};
  const hasId = found.requestId !== undefined;
  const coded = { status: response?.status ?? 0, text, headers: response?.headers ?? [] };
  const isOther = isUnshown && codes.isOtherOf(operation, coded);
  const isDenied = isUnshown && deniesSuccess(text, hasId ? 'what was made' : 'an act');
  const denied = accepted && (isOther || isDenied);
  // Only the ids of endpoints 4 and 5 show that something was made.
  if (read.requestId ?? read.signatoryId) codes.learn(coded);
  const { ids, violations } =
    judged && !isDoubted
      ? issued.take({ operation, request, file, text, ids: read, index })
      : { ids: read, violations: [] };
  const empty = documentToken !== undefined && 'missing' in documentToken;
  // Noted before anything else is written about the call, so that the object can be removed whatever breaks then.
  if (accepted && !empty && (!denied || hasId)) noteCreated(recorder, index, operation, { ...found, ...ids });
  const exchange = recorder.add({
    index,
    request,
    outcome,
    about,
    violations: [
      ...(judged
        ? validateResponse(operation, response.status, headerOf(response.headers, 'content-type') ?? '', text)
        : []),
      ...violations,
    ],
  });
  return {
    exchange,
    url: request.url.href,
    status: response?.status ?? 0,
    reason: response?.reason ?? '',
    headers: response?.headers ?? [],
    text,
    ids,
    ...(documentToken ? { documentToken } : {}),
    ...(denied ? { denied } : {}),
    ...(isUnshown && profile.create?.requestId && found.requestId ? { named: true } : {}),
  };
}

/** The id of a request of types 1 to 3: from where the profile says that it stands, or else the usual places. */
function createdId(
  operation: Exchange['operation'],
  answer: Pick<Answer, 'text' | 'headers'>,
  { create }: Pick<Profile, 'create'>,
): Pick<Ids, 'requestId'> {
  if (operation === 'uploadDocument' || operation === 'addSignatory') return {};
  const place = operation === 'createSkeletonRequest' ? undefined : create?.requestId;
  const requestId = requestIdIn(answer, place);
  return requestId === undefined ? {} : { requestId };
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
  const body = parseJson(text);
  const read = (name: string): string | undefined => {
    const value = (body as Record<string, unknown> | null | undefined)?.[name];
    if (typeof value === 'string' && value !== '') return isTooLong(value) ? undefined : value;
    return typeof value === 'number' && tolerate?.numericIds ? String(value) : undefined;
  };
  const requestId = read('requestId');
  const signatoryId = read('signatoryId');
  return { ...(requestId ? { requestId } : {}), ...(signatoryId ? { signatoryId } : {}) };
}

function isTooLong(id: string): boolean {
  return id.length > limits.idCharacters.most;
}

/** Names of ids in the documented answers; fields with similar names may stand beside them. */
const documentedName = /\/(requestId|signatoryId)$/;

/** The id at `place`, none for `none`. Without a place: the field with a documented name, or one whose name fits `name`. */
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
