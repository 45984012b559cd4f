/** Creates a request of type 3 for a flow, and finds the ids in its answer, whose shape is not shown. */
import { type AutoStamp, minimalStamped } from '../../generators/bodies/stamping.ts';
import type { Person } from '../../generators/people.ts';
import type { Role } from '../../openapi/codes.ts';
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
    people: readonly (Person & {
      readonly role: Role;
      readonly order: number;
      readonly stamps: readonly AutoStamp[] | undefined;
      readonly privateMessage?: string | undefined;
      readonly color?: string | undefined;
      readonly otp?: object | undefined;
    })[];
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
            Order: people[index]?.order ?? each.Order,
            signatoryType: people[index]?.role ?? each.signatoryType,
            PrivateMessage: people[index]?.privateMessage ?? each.PrivateMessage,
            Color: people[index]?.color ?? each.Color,
            AutoStamps: people[index]?.stamps ?? (unstamped === 'none' ? [] : each.AutoStamps),
            OTP: people[index]?.otp ?? each.OTP,
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
    signatoryIds: people.map(({ email }) => first ?? idBeside(email, answer, profile.create?.signatoryId)),
  };
}

/** The id in the object that names the person, under the name that it has at `place`: the order of several is not shown. */
function idBeside(email: string, answer: Answer, place: Place | 'none' | undefined): string | undefined {
  const pointer = typeof place === 'object' ? place.pointer : place;
  const called = pointer === undefined ? undefined : /\/[^/]+$/.exec(pointer)?.[0];
  const all = leaves(scopeOf(answer).root);
  const parentOf = (pointer: string) => pointer.slice(0, pointer.lastIndexOf('/'));
  const named = all.find(({ value }) => String(value).toLowerCase() === email.toLowerCase());
  const id = all.find(
    ({ pointer }) =>
      named &&
      (called === undefined ? idName.test(pointer) : pointer.endsWith(called)) &&
      parentOf(pointer) === parentOf(named.pointer),
  );
  return id === undefined ? undefined : String(id.value);
}
