/** The fourth and the fifth step: a type 0 request is created, and a signatory is added to it. */
import { camelCased } from '../../generators/bodies/bold.ts';
import { minimalRequest } from '../../generators/bodies/request.ts';
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { alter } from '../../generators/ids.ts';
import { event } from '../../openapi/codes.ts';
import type { Observation } from '../../openapi/observation.ts';
import { is2xx } from '../../record/exchange.ts';
import { parseJson } from '../../record/json.ts';
import { personAt, titleAt } from '../judging/names.ts';
import { hintForShared } from '../judging/unavailable.ts';
import { findDocumentToken, possiblePlaces } from '../target/answers/document-token.ts';
import type { Answer } from '../target/call.ts';
import type { Place } from '../untrusted/place.ts';
import { unreachable } from './address.ts';
import type { FoundUpload } from './find-upload.ts';
import { type Ground, type StepBroken, stepBrokenBy } from './ground.ts';

interface AcceptedCreation {
  readonly requestId: string;
  /** The document token that the creation accepted, and its place in the answer to the upload. */
  readonly token: string;
  readonly place: Place;
  readonly answer: Answer;
}

/** How many places of the token are tried when the likeliest one holds something else. */
const mostPlaces = 3;

/** @throws StepBroken when no request is created, or its answer carries no id */
export async function createSkeleton(ground: Ground, upload: FoundUpload): Promise<AcceptedCreation> {
  let first: Answer | undefined;
  for (const { token, place } of tokensIn(upload.answer)) {
    const title = titleAt(ground.facts, 'skeleton');
    const answer = await upload.client.call({
      operation: 'createSkeletonRequest',
      purpose: 'shared',
      freshIds: true,
      body: { json: minimalRequest({ title, documents: [token] }) },
    });
    const { requestId } = answer.ids;
    if (is2xx(answer) && requestId !== undefined) return { requestId, token, place, answer };
    first ??= answer;
    if (![400, 404, 409, 422].includes(answer.status)) break;
  }
  if (!first) throw new Error('an upload was accepted without a token');
  const { documentToken } = upload.answer;
  const guess =
    documentToken && 'doubt' in documentToken && first.status === 404 ? documentToken.doubt : undefined;
  throw brokenStep('creation', first, guess ?? hintForShared('skeleton', first), ground);
}

/** The likeliest token, and others where its place was guessed. */
function tokensIn({ documentToken, headers, text }: Answer): { token: string; place: Place }[] {
  if (!documentToken || 'missing' in documentToken) return [];
  const token = 'token' in documentToken ? documentToken.token : documentToken.value;
  const likeliest = { token, place: documentToken.place };
  if (documentToken.doubt === undefined) return [likeliest];
  const others = possiblePlaces(headers, text).flatMap((place) => {
    const found = findDocumentToken(place, headers, text);
    return 'token' in found && found.token !== token ? [{ token: found.token, place }] : [];
  });
  return [likeliest, ...others].slice(0, mostPlaces);
}

/** @throws StepBroken when the signatory is refused */
export async function addSignatory(
  ground: Ground,
  { client }: FoundUpload,
  { requestId }: AcceptedCreation,
): Promise<Answer> {
  const answer = await client.call({
    operation: 'addSignatory',
    purpose: 'shared',
    requestId,
    freshIds: true,
    body: { json: minimalSignatory({ person: personAt(ground.facts, 'probe signatory') }) },
  });
  if (!is2xx(answer)) throw brokenStep('signatory', answer, hintForShared('signatory', answer), ground);
  return answer;
}

function brokenStep(
  step: 'creation' | 'signatory',
  answer: Answer,
  hint: string | null,
  { profile }: Ground,
): StepBroken {
  const { exchange } = answer;
  if (exchange.failure) return unreachable(exchange.failure, profile.address.baseUrl);
  const fix =
    hint ??
    (answer.status === 404
      ? 'what was made a moment ago is not found: address.visibleAfterMs of a profile gives it more time'
      : 'the body has every required field and nothing that the interface document does not show: ask the vendor what it lacks');
  return stepBrokenBy(answer, step, '', fix);
}

/** Whether ids in an answer are JSON numbers, where strings are required. */
export function hasNumericId({ text, documentToken }: Answer): boolean {
  if (documentToken) return 'wrongType' in documentToken && documentToken.wrongType === 'number';
  const body = parseJson(text) as Record<string, unknown> | null | undefined;
  return ['requestId', 'signatoryId'].some((name) => typeof body?.[name] === 'number');
}

export interface Unmade {
  /** Whether keys in another case are accepted. */
  readonly observations: readonly Observation[];
  /** The CallbackUrl that was refused, and the status of the refusal. */
  readonly refusedUrl?: { readonly url: string; readonly status: number };
}

/**
 * Observations from creations with an unknown document; none where the target checks that first, or accepts any document.
 * @param token a document token of the target
 */
export async function unmade({ facts }: Ground, { client }: FoundUpload, token: string): Promise<Unmade> {
  const sound = minimalRequest({ title: titleAt(facts, 'casing'), documents: [alter(token, facts.seed)] });
  const send = (json: unknown, deliberate: boolean) =>
    client.call({ operation: 'createSkeletonRequest', purpose: 'observation', deliberate, body: { json } });
  const { Title: _, ...untitled } = sound;
  const control = await send(sound, false);
  const broken = await send(untitled, true);
  if (control.status < 400 || broken.status < 400 || control.status === broken.status)
    return { observations: [] };
  const cased = await send(camelCased(sound), true);
  const taken = { [control.status]: 'taken', [broken.status]: `refused (${cased.status})` }[cased.status];
  const key = 'type 0, all keys begin with a small letter';
  const { index } = cased.exchange;
  const about = { gap: 'errors.key-case', key, stability: 'stable', exchanges: [index] } as const;
  const { callbackUrl: url } = facts;
  const called = await send({ ...sound, CallbackUrl: url, CallbackTypes: [event.processCompleted] }, false);
  return {
    observations: taken === undefined ? [] : [{ ...about, value: taken }],
    refusedUrl: called.status === broken.status ? { url, status: called.status } : undefined,
  };
}
