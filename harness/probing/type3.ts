/** Finds out how a body of type 3 is encoded, and where the ids stand in its answer. A failure breaks no step. */
import { minimalStamped } from '../../generators/bodies/stamping.ts';
import { message } from '../../openapi/codes.ts';
import { ifCouldNotRun } from '../../record/errors.ts';
import { headerOf, isPage } from '../../record/exchange.ts';
import { received } from '../../record/exchange-text.ts';
import { parseJson } from '../../record/json.ts';
import { isTransient } from '../judging/classify.ts';
import { personAt, titleAt } from '../judging/names.ts';
import { idIn } from '../target/answers/answer-record.ts';
import { isPlainToken, looksLikeToken } from '../target/answers/document-token.ts';
import { type Answer, isAccepted } from '../target/call.ts';
import { leaves } from '../untrusted/payload/tree.ts';
import type { Place } from '../untrusted/place.ts';
import { placesOfText } from '../untrusted/places-of-text.ts';
import type { Ground } from './ground.ts';

export interface Type3 {
  /** The multipart field that carries the JSON; absent: the body is the JSON. */
  readonly field?: string;
  readonly requestId?: Place;
  readonly signatoryId?: Place;
  readonly status: number;
  /** What came, in words. */
  readonly answer: string;
}

/** Fields that are tried when the JSON itself is refused. */
const fields = ['request', 'payload', 'data', 'json', 'body', 'Request', 'model', 'metadata'];

/** Statuses after which another encoding may be accepted. */
const otherEncoding = new Set([400, 406, 415, 422, 500]);

/** The encoding that was found, or in words why none was. */
export async function findType3(
  ground: Ground,
  token: string,
  answers: readonly Answer[],
): Promise<Type3 | string> {
  const { create } = ground.profile;
  const ways = create?.field === undefined ? [undefined, ...fields] : [create.field];
  let first: string | undefined;
  for (const field of ways) {
    const answer = await stamped(ground, token, field);
    if (typeof answer === 'string') return answer;
    if (isAccepted(answer) && !isPage(answer.text)) {
      const ids = idsIn(answer, answers);
      nameCreated(ground, answer, ids.requestId);
      return {
        ...(field === undefined ? {} : { field }),
        ...ids,
        status: answer.status,
        answer: received(answer.exchange),
      };
    }
    first ??= received(answer.exchange) + usedHint(answer);
    if (otherEncoding.has(answer.status)) continue;
    if (isTransient(answer)) return `not found out: ${received(answer.exchange)}; call probe again`;
    break;
  }
  return `refused: ${first}`;
}

/** The token was good for the creation of type 0 before. */
const usedHint = (answer: Answer) =>
  placesOfText(message.documentNotFound, answer).length > 0
    ? '; the document token was used before: say how often one can be used (limits.documentUses)'
    : '';

function stamped(ground: Ground, token: string, field: string | undefined): Promise<Answer | string> {
  const { facts, profile } = ground;
  const json = minimalStamped({
    title: titleAt(facts, 'type 3'),
    documents: [token],
    people: [personAt(facts, 'probe type 3')],
  });
  const create = field === undefined ? profile.create : { ...profile.create, field };
  // The call cannot run where no signature request is left in the budget, or the body names a stranger.
  return ground
    .client(create ? { create } : {}, { encoding: 'raw' })
    .call({ operation: 'createStampedRequest', purpose: 'shared', body: { json } })
    .catch(ifCouldNotRun(({ message }) => message));
}

/** Records the id of the created request, which the record could not find before its place was known; removal needs it. */
function nameCreated({ recorder }: Ground, answer: Answer, place: Place | undefined): void {
  const id = place === undefined ? undefined : idIn(answer, place, /^$/);
  if (id === undefined) return;
  recorder.created = recorder.created.map((each) =>
    each.exchange === answer.exchange.index && each.kind === 'request' ? { ...each, id } : each,
  );
}

/** The places of the ids: in the JSON, in headers that no other answer has, or the whole text. */
function idsIn(answer: Answer, others: readonly Answer[]): Pick<Type3, 'requestId' | 'signatoryId'> {
  const requestId = idPlace(answer, others, [/request_?id$/i, /request\/(\w*id|uuid)$/i, /^(\/data)?\/id$/i]);
  const signatoryId = idPlace(answer, others, [/signatory_?id$/i, /signator(y|ies)(\/\d+)?\/(\w*id|uuid)$/i]);
  const text = requestId ?? wholeText(answer);
  return { ...(text === undefined ? {} : { requestId: text }), ...(signatoryId ? { signatoryId } : {}) };
}

function idPlace(
  { text, headers }: Answer,
  others: readonly Answer[],
  names: readonly RegExp[],
): Place | undefined {
  const all = leaves(parseJson(text)).filter(({ value }) => looksLikeToken(value));
  for (const name of names) {
    const found = all.find(({ pointer }) => name.test(pointer));
    if (found) return found.pointer;
  }
  const [name] = names;
  const header = headers.find(
    ([field, value]) =>
      name?.test(field.replaceAll('-', '')) &&
      looksLikeToken(value) &&
      others.every((other) => headerOf(other.headers, field) === undefined),
  );
  return header && { header: header[0] };
}

function wholeText({ text }: Answer): Place | undefined {
  const document = parseJson(text);
  if (typeof document === 'string') return looksLikeToken(document) ? '' : undefined;
  return isPlainToken(text.trim()) ? 'text' : undefined;
}
