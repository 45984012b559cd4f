/** Judges that the token of a document of any accepted format is known where a request is created. */
import { minimalRequest } from '../../generators/bodies/request.ts';
import type { MakeDocument } from '../../generators/documents/rows.ts';
import type { Purpose } from '../../record/exchange.ts';
import { shortAnswer } from '../../record/exchange-text.ts';
import type { Answer } from '../target/call.ts';
import type { RunFacts } from '../target/run-facts.ts';
import { decide } from './ask.ts';
import type { Judged } from './case.ts';
import { NotApplicable, type RowContext } from './check.ts';
import { titleAt } from './names.ts';
import type { Session } from './session.ts';
import { fileOf } from './shared.ts';

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
 */
export function judgeOwnTokenTaken(own: OwnToken, make: MakeDocument): Promise<Judged> {
  const of = {
    judged: 'own',
    expected: { is: 'success' },
    vouching: 'skeleton',
    convicts: [404],
  } as const;
  return decide(own.session, of, { call: (purpose) => created(own, make, purpose) }, own.context);
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
  return answer;
}
