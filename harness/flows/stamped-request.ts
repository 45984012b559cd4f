/** Creates a request of type 3 for a flow, and finds the ids in its answer, whose shape is not shown. */
import { type AutoStamp, minimalStamped } from '../../generators/bodies/stamping.ts';
import type { Person } from '../../generators/people.ts';
import type { Profile } from '../profile/schema.ts';
import { idIn, requestIdIn } from '../target/answers/answer-record.ts';
import type { Answer } from '../target/call.ts';
import type { Client } from '../target/client.ts';
import { leaves } from '../untrusted/payload/tree.ts';
import { type Place, scopeOf } from '../untrusted/place.ts';

export interface StampedRequest {
  readonly answer: Answer;
  readonly requestId: string | undefined;
  /** In the order of the people. */
  readonly signatoryIds: readonly (string | undefined)[];
}

const idName = /(signatory|signer|participant|recipient)_?id$/i;

/** Creates the request. Whether people who sign nothing have stamps is not shown: without any first, then with some. */
export async function createStamped(
  client: Client,
  profile: Profile,
  given: {
    title: string;
    row: string;
    documents: readonly string[];
    people: readonly (Person & { fields: object; stamps: readonly AutoStamp[] | undefined })[];
  },
): Promise<StampedRequest> {
  const { people } = given;
  const body = minimalStamped(given);
  const create = (unstamped: 'none' | 'their own') =>
    client.call({
      operation: 'createStampedRequest',
      purpose: 'flow',
      row: given.row,
      freshIds: true,
      body: {
        json: {
          ...body,
          Signatories: body.Signatories.map((each, index) => ({
            ...each,
            AutoStamps: people[index]?.stamps ?? (unstamped === 'none' ? [] : each.AutoStamps),
            ...people[index]?.fields,
          })),
        },
      },
    });
  const without = await create('none');
  // Any other refusal has nothing to do with the stamps.
  const again = [400, 422].includes(without.status) && people.some(({ stamps }) => !stamps);
  const answer = again ? await create('their own') : without;
  const first = people.length === 1 ? idIn(answer, profile.create?.signatoryId, idName) : undefined;
  return {
    answer,
    requestId: requestIdIn(answer, profile.create?.requestId),
    signatoryIds: first === undefined ? idsOf(people, answer, profile.create?.signatoryId) : [first],
  };
}

/**
 * The ids of several people: each beside what tells whose it is, or under it as a key. The order of others is not shown.
 */
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
