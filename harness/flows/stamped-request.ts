/** Creates a request of type 3 for a flow, and finds the ids in its answer, whose shape is not shown. */
import { type AutoStamp, minimalStamped } from '../../generators/bodies/stamping.ts';
import type { Person } from '../../generators/people.ts';
import type { Answer } from '../call.ts';
import type { Client } from '../client.ts';
import { leaves, parseJson, valueAt } from '../pointer.ts';
import type { Profile } from '../profile/schema.ts';

export interface StampedRequest {
  readonly answer: Answer;
  readonly requestId: string | undefined;
  readonly signatoryId: string | undefined;
}

/** One signer with the given stamps. */
export async function createStamped(
  client: Client,
  profile: Profile,
  given: {
    title: string;
    row: string;
    documents: readonly string[];
    person: Person;
    stamps: readonly AutoStamp[];
  },
): Promise<StampedRequest> {
  const { title, documents, person, stamps } = given;
  const body = minimalStamped({ title, documents, people: [person] });
  const json = { ...body, Signatories: body.Signatories.map((each) => ({ ...each, AutoStamps: stamps })) };
  const answer = await client.call({
    operation: 'createStampedRequest',
    purpose: 'flow',
    row: given.row,
    freshIds: true,
    body: { json },
  });
  const document = parseJson(answer.text);
  return {
    answer,
    requestId: idOf(document, profile.create?.requestId, /request_?id$/i),
    signatoryId: idOf(
      document,
      profile.create?.signatoryId,
      /(signatory|signer|participant|recipient)_?id$/i,
    ),
  };
}

function idOf(document: unknown, pointer: string | undefined, name: RegExp): string | undefined {
  const value =
    pointer === undefined
      ? leaves(document).find(({ pointer: place }) => name.test(place))?.value
      : valueAt(document, pointer);
  return value === undefined || value === null || value === '' ? undefined : String(value);
}
