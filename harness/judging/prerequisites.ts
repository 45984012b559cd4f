/** Objects that a check spoils, and so cannot share: a document that is invalidated, a request that is deleted. */
import { minimalRequest } from '../../generators/bodies/request.ts';
import { plainPdf } from '../../generators/documents/pdf.ts';
import { CouldNotRun } from '../../record/errors.ts';
import { shortAnswer } from '../../record/exchange-text.ts';
import { type Answer, is2xx } from '../target/call.ts';
import type { RunFacts } from '../target/run-facts.ts';
import type { Check } from './check.ts';
import { titleAt } from './names.ts';
import type { Session } from './session.ts';
import { fileOf } from './shared.ts';
import { lacks } from './unavailable.ts';

type Given = { readonly session: Session; readonly facts: RunFacts; readonly check: Check };

/** A document token that the call `invalidateDocument` of the profile made invalid. */
export async function invalidatedDocument({ session, facts, check }: Given): Promise<string> {
  const document = await plainPdf({ run: facts.runId, seed: facts.seed, name: check.origin });
  const answer = await session.call({
    operation: 'uploadDocument',
    purpose: 'shared',
    check: check.place,
    body: { file: fileOf(document) },
  });
  const documentToken = needed(answer, 'documentToken');
  const first = (await session.shared('document')).ids.documentToken;
  if (documentToken === first)
    throw new CouldNotRun('two uploads of different documents have the same token');
  succeeded(await session.template('invalidateDocument', { documentToken }));
  return documentToken;
}

/** The id of a request that the call `deleteRequest` of the profile deleted. */
export async function deletedRequest({ session, facts, check }: Given): Promise<string> {
  const json = minimalRequest({ title: titleAt(facts, check.origin), documents: await session.documents(1) });
  const answer = await session.call({
    operation: 'createSkeletonRequest',
    purpose: 'shared',
    check: check.place,
    freshIds: true,
    body: { json },
  });
  const requestId = needed(answer, 'requestId');
  const first = (await session.shared('skeleton')).ids.requestId;
  if (requestId === first) throw new CouldNotRun('two requests have the same requestId');
  succeeded(await session.template('deleteRequest', { requestId }));
  return requestId;
}

function needed(answer: Answer, id: 'documentToken' | 'requestId'): string {
  const found = answer.ids[id];
  if (found === undefined) throw lacks(id, answer);
  return found;
}

function succeeded(answer: Answer): void {
  if (!is2xx(answer)) throw new CouldNotRun(`a call of the profile did not succeed: ${shortAnswer(answer)}`);
}
