/** Creates a request of type 3 for a flow, and finds the ids in its answer, whose shape is not shown. */
import { minimalStamped } from '../../generators/bodies/stamping.ts';
import type { Person } from '../../generators/people.ts';
import { monotonicMs } from '../../record/clock.ts';
import { idIn, requestIdIn } from '../target/answers/answer-record.ts';
import { type Answer, isAccepted } from '../target/call.ts';
import { leaves } from '../untrusted/payload/tree.ts';
import { type Place, scopeOf } from '../untrusted/place.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowRequest } from './flow-request.ts';

const idName = /(signatory|signer|participant|recipient)_?id$/i;

/**
 * Creates the request: first without stamps of people who sign nothing, then with some, since either may be needed; and so
 * with Orders without gaps.
 */
export async function createStamped(request: FlowRequest, { profile }: FlowParts): Promise<void> {
  const { title, message: Message, tokens: documents, definition } = request;
  const everybody = () => definition.signatories.map((_, index) => request.person(index));
  const persons = everybody().map(({ person }) => person);
  const body = { ...minimalStamped({ title, documents, people: persons }), Message };
  const create = (unstamped: 'none' | 'their own') => {
    const people = everybody();
    const Signatories = body.Signatories.map((each, index) => {
      const { fields, planned } = people[index] ?? {};
      return {
        ...each,
        AutoStamps: planned?.stamps ?? (unstamped === 'none' ? [] : each.AutoStamps),
        ...fields,
        Order: planned?.order,
        signatoryType: planned?.role,
        // Endpoint 3 has Type as a string.
        ...(fields?.OTP ? { OTP: { ...fields.OTP, Type: String(fields.OTP.Type) } } : {}),
      };
    });
    const json = { ...body, Signatories };
    return request.call({ operation: 'createStampedRequest', freshIds: true, body: { json } });
  };
  const startMs = monotonicMs();
  // Any other refusal has nothing to do with the stamps.
  const isRefused = (answer: Answer) => [400, 422].includes(answer.status);
  const isUnstamped = definition.signatories.some(({ stamps }) => !stamps);
  let answer = await create('none');
  if (isUnstamped && isRefused(answer)) answer = await create('their own');
  // Whether Orders may leave numbers out is not shown.
  if (isRefused(answer) && Math.max(...definition.signatories.map(({ order }) => order)) > persons.length) {
    request.isGapless = true;
    answer = await create('none');
    if (isUnstamped && isRefused(answer)) answer = await create('their own');
  }
  request.created = answer.at ?? { startMs, endMs: monotonicMs() };
  request.createdAs = answer.forms ?? {};
  // The plain text of a refusal would be read as an id.
  const [requestId, what] = isAccepted(answer)
    ? [requestIdIn(answer, profile.create?.requestId), 'requestId (create.requestId says where it stands)']
    : [];
  request.is(request.needed(answer, requestId, what));
  const place = profile.create?.signatoryId;
  const only = persons.length === 1 ? idIn(answer, place, idName) : undefined;
  const ids = only === undefined ? idsOf(persons, answer, place) : [only];
  for (const [index, id] of ids.entries()) request.tasks[index] = request.taskOf(index, id);
}

/** Ids of several people, each beside something that tells whose it is, or under it; their order tells nothing. */
function idsOf(
  people: readonly Person[],
  answer: Answer,
  place: Place | 'none' | undefined,
): readonly (string | undefined)[] {
  const pointer = typeof place === 'object' ? place.pointer : place;
  const called = pointer === undefined ? undefined : /\/[^/]+$/.exec(pointer)?.[0];
  const all = leaves(scopeOf(answer).root);
  const isId = (each: string) => (called === undefined ? idName.test(each) : each.endsWith(called));
  return people.map(({ email }) => {
    const isTheirs = (text: unknown) => String(text).toLowerCase() === email.toLowerCase();
    const isKey = (each: string) => isTheirs(lastOf(each));
    const named = all.find(({ value }) => isTheirs(value));
    const beside = named && parentOf(named.pointer);
    const isBelow = (each: string) => isKey(each) || each === beside;
    const id =
      all.find((each) => isId(each.pointer) && isBelow(parentOf(each.pointer))) ??
      all.find((each) => isKey(each.pointer));
    return id && String(id.value);
  });
}

const lastOf = (pointer: string) => pointer.slice(pointer.lastIndexOf('/') + 1);
const parentOf = (pointer: string) => pointer.slice(0, pointer.lastIndexOf('/'));
