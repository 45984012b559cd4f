/** Creates a request of type 3 for a flow, and finds the ids in its answer, whose shape is not shown. */
import { type AutoStamp, minimalStamped } from '../../generators/bodies/stamping.ts';
import type { Person } from '../../generators/people.ts';
import type { Profile } from '../profile/schema.ts';
import { idIn, requestIdIn } from '../target/answers/answer-ids.ts';
import type { Answer } from '../target/call.ts';
import type { Client } from '../target/client.ts';

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
  return {
    answer,
    requestId: requestIdIn(answer, profile.create?.requestId),
    signatoryId: idIn(answer, profile.create?.signatoryId, /(signatory|signer|participant|recipient)_?id$/i),
  };
}
