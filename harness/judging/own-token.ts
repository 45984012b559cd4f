/** Judges that the token of a document of any accepted format is known where a request is created. */
import { minimalRequest } from '../../generators/bodies/request.ts';
import type { MakeDocument } from '../../generators/documents/rows.ts';
import type { Purpose } from '../../record/exchange.ts';
import { shortAnswer } from '../../record/exchange-text.ts';
import { type Answer, is2xx } from '../target/call.ts';
import type { RunFacts } from '../target/run-facts.ts';
import { NotApplicable, type RowContext } from './check.ts';
import type { Session } from './session.ts';
import { fileOf, titleAt } from './shared.ts';
import { refersTo, twoMinds, unavailable, unmet } from './unavailable.ts';

export interface OwnToken {
  readonly session: Session;
  readonly facts: RunFacts;
  readonly context: RowContext;
  /** Of the row. */
  readonly title: string;
}

/**
 * Uploads the document and creates a request with its token, twice when the token is not found. Any other refusal
 * may mean that the document is still being converted.
 * @throws Violation, or CouldNotRun where that the token is known cannot be told
 */
export async function judgeOwnTokenTaken(own: OwnToken, make: MakeDocument): Promise<void> {
  const { session } = own;
  const twin = await session.shared('skeleton');
  if (!is2xx(twin)) throw unavailable('skeleton', twin);
  const first = await created(own, make, 'judged');
  if (is2xx(first)) return;
  if (first.status !== 404) throw refersTo(first);
  const again = await created(own, make, 'confirmation');
  if (again.status !== 404) throw twoMinds({ is: 'success' }, first, again);
  throw unmet({ is: 'success' }, first);
}

async function created(own: OwnToken, make: MakeDocument, purpose: Purpose): Promise<Answer> {
  const { session, facts, context, title } = own;
  const name = `${title}${purpose === 'judged' ? '' : ' again'}`;
  const document = await make({ run: facts.runId, seed: facts.seed, name });
  const uploaded = await session.call({
    operation: 'uploadDocument',
    purpose,
    row: title,
    body: { file: fileOf(document) },
  });
  context.exchanges.push(uploaded.exchange.index);
  const { documentToken } = uploaded.ids;
  if (!documentToken)
    throw new NotApplicable(`the document itself was not accepted: ${shortAnswer(uploaded)}`);
  const answer = await session.call({
    operation: 'createSkeletonRequest',
    purpose,
    row: title,
    freshIds: true,
    body: { json: minimalRequest({ title: titleAt(facts, name), documents: [documentToken] }) },
  });
  context.exchanges.push(answer.exchange.index);
  return answer;
}
