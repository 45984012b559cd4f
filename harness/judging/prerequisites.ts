/** Objects that a check makes for itself: a document whose token is used, or made invalid, and a request that is deleted. */
import { maximalRequest, minimalRequest } from '../../generators/bodies/request.ts';
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { minimalStamped } from '../../generators/bodies/stamping.ts';
import { docx } from '../../generators/documents/docx.ts';
import { plainPdf } from '../../generators/documents/pdf.ts';
import type { MakeDocument } from '../../generators/documents/rows.ts';
import type { Person } from '../../generators/people.ts';
import { CouldNotRun, ifCouldNotRun } from '../../record/errors.ts';
import { is2xx, type Purpose } from '../../record/exchange.ts';
import { shortAnswer } from '../../record/exchange-text.ts';
import type { Answer } from '../target/call.ts';
import { decide } from './ask.ts';
import type { Judged } from './case.ts';
import { NotApplicable, type RowContext } from './check.ts';
import type { CheckRun } from './kinds.ts';
import { personAt, titleAt } from './names.ts';
import { onceIn, type RunFacts, type Session } from './session.ts';
import { fileOf } from './shared.ts';
import { lacks } from './unavailable.ts';

const creating = (json: object) =>
  ({ operation: 'createSkeletonRequest', freshIds: true, body: { json } }) as const;

const adding = (requestId: string, person: Person) =>
  ({
    operation: 'addSignatory',
    requestId,
    freshIds: true,
    body: { json: minimalSignatory({ person }) },
  }) as const;

/** An object that was ended stays ended, so it is made once for all checks of a round. */
const shared =
  <Made>(make: (run: CheckRun) => Promise<Made>) =>
  (run: CheckRun) =>
    onceIn(run.session, `${make.name} ${run.check.round}`, () => make(run));

/** Uploads a document of its own. */
export async function upload(run: CheckRun, what: string, make: MakeDocument): Promise<Answer> {
  const { runId, seed } = run.facts;
  const file = fileOf(await make({ run: runId, seed, name: `${run.check.origin} ${what}` }));
  return run.session.call({ operation: 'uploadDocument', body: { file }, purpose: 'shared' });
}

const ownDocument = async (run: CheckRun, what: string) =>
  idOf(run, 'document', await upload(run, what, plainPdf));

/** A request without people, and the token of its only document. The caller may end either of them. */
const endableRequest = shared(async function endable(run: CheckRun) {
  const documentToken = await ownDocument(run, 'used');
  const json = minimalRequest({ title: titleAt(run.facts, run.check.origin), documents: [documentToken] });
  return { documentToken, requestId: await ownRequest(run, json) };
});

/** A token that the profile's `invalidateDocument` made invalid; a request was created with it before, if possible. */
export const invalidatedDocument = shared(async function invalidated(run: CheckRun): Promise<string> {
  const { session } = run;
  const end = async (documentToken: string) => {
    await session.template('invalidateDocument', { documentToken });
    return documentToken;
  };
  const unused = async () => end(await ownDocument(run, 'unused'));
  if (await session.tokensEnd()) return unused();
  const { documentToken } = await endableRequest(run);
  // A service may refuse to end a document while its request exists: then one without a request is tried.
  return end(documentToken).catch(ifCouldNotRun(unused));
});

/** The upload of a DOCX after that which all checks share. */
export const secondDocx = shared(async function second(run: CheckRun): Promise<Answer> {
  await run.session.shared('docx');
  return upload(run, 'DOCX', docx);
});

/** The token of a DOCX with which no request was created before it was made invalid. */
export const invalidatedDocx = shared(async function invalidatedUnused(run: CheckRun): Promise<string> {
  const documentToken = await idOf(run, 'document', await secondDocx(run));
  await run.session.template('invalidateDocument', { documentToken });
  return documentToken;
});

/** The first creation with this document alone; checks share it. */
const createdAlone = (session: Session, documentToken: string, create: () => Promise<Answer>) =>
  onceIn(session, `alone with ${documentToken}`, create);

/**
 * The token of a DOCX that was accepted alone, so that it can also stand beside others; undefined if it was not
 * accepted, or if a token can be used only so often.
 */
export async function acceptedDocx({ session, facts, check }: CheckRun): Promise<string | undefined> {
  if (await session.tokensEnd()) return undefined;
  const { documentToken } = (await session.shared('docx')).ids;
  if (documentToken === undefined) return undefined;
  const title = titleAt(facts, `${check.origin} alone`);
  const create = creating(minimalRequest({ title, documents: [documentToken] }));
  const answer = await createdAlone(session, documentToken, () =>
    session.call({ ...create, purpose: 'shared', check: check.place }),
  );
  return is2xx(answer) ? documentToken : undefined;
}

/** The id of a request that the profile's call `deleteRequest` deleted before it had people; a flow deletes one with people. */
export const deletedRequest = shared(async function deleted(run: CheckRun): Promise<string> {
  const { requestId } = await endableRequest(run);
  await run.session.template('deleteRequest', { requestId });
  return requestId;
});

/**
 * Adds somebody to a request with every field, and to another one when it is not found.
 * @param full the answer to its creation, which is judged elsewhere
 */
export function judgeFullRequestFound(
  { session, facts, check }: CheckRun,
  full: Answer,
  context: RowContext,
): Promise<Judged> {
  const of = { judged: 'own', expected: { is: 'success' }, vouching: 'signatory', convicts: [404] } as const;
  const call = async (purpose: Purpose) => {
    const place = `${check.origin} every field${purpose === 'judged' ? '' : ' again'}`;
    const row = context.title;
    const create = async () => {
      const documents = await session.documents(Math.min(2, facts.limits.documents ?? 2));
      const given = { title: titleAt(facts, place), documents, callbackUrl: facts.callbackUrl };
      return session.call({ ...creating(maximalRequest(given)), purpose, row });
    };
    const created = purpose === 'judged' ? full : await create();
    context.exchanges.push(created.exchange.index);
    const { requestId } = created.ids;
    if (!is2xx(created) || requestId === undefined) throw new NotApplicable(shortAnswer(created));
    return session.call({ ...adding(requestId, personAt(facts, place)), purpose, row });
  };
  return decide(session, of, { call }, context);
}

/** For each id, what is wrong if it equals that of the shared call: other checks use that object, so it must not be ended. */
const same = {
  document: ['documentToken', 'two uploads of different documents have the same token'],
  skeleton: ['requestId', 'two requests have the same requestId'],
} as const;

/** The id that an answer brings, which no other object has. */
async function idOf({ session }: CheckRun, like: keyof typeof same, answer: Answer): Promise<string> {
  const [id, words] = same[like];
  const found = answer.ids[id];
  if (found === undefined) throw lacks(id, answer);
  if (found === (await session.shared(like)).ids[id]) throw new CouldNotRun(words);
  return found;
}

const ownRequest = async (run: CheckRun, json: object) =>
  idOf(run, 'skeleton', await run.session.call({ ...creating(json), purpose: 'shared' }));

interface OwnToken {
  readonly session: Session;
  readonly facts: RunFacts;
  readonly context: RowContext;
  readonly title: string;
  /** A shared upload of such a document: its token is tried first. */
  readonly shared: () => Promise<Answer>;
  /** Auto stamping with this document, and with another one after it where there is one. */
  readonly stamped?: { readonly other: string | undefined };
}

/**
 * Uploads the document and creates a request with its token, a second time if the token is not found. Any other
 * refusal may mean that the document is still being converted.
 */
export function judgeOwnTokenTaken(own: OwnToken, make: MakeDocument): Promise<Judged> {
  const of = {
    judged: 'own',
    expected: { is: 'success' },
    vouching: own.stamped ? 'stamped' : 'skeleton',
    convicts: [404],
  } as const;
  return decide(own.session, of, { call: (purpose) => created(own, make, purpose) }, own.context);
}

async function created(own: OwnToken, make: MakeDocument, purpose: Purpose): Promise<Answer> {
  const { session, facts, context, title, shared, stamped } = own;
  const name = `${title}${purpose === 'judged' ? '' : ' again'}`;
  const upload = async () => {
    const document = await make({ run: facts.runId, seed: facts.seed, name });
    const body = { file: fileOf(document) };
    return session.call({ operation: 'uploadDocument', purpose, row: title, body });
  };
  const create = async (uploaded: Answer) => {
    context.exchanges.push(uploaded.exchange.index);
    const { documentToken } = uploaded.ids;
    if (!documentToken) throw new NotApplicable(`no document token was given: ${shortAnswer(uploaded)}`);
    const documents = [documentToken, ...(stamped?.other ? [stamped.other] : [])];
    const given = { title: titleAt(facts, name), documents };
    const body = { json: minimalStamped({ ...given, people: [personAt(facts, name)] }) };
    const call = stamped
      ? ({ operation: 'createStampedRequest', freshIds: true, body } as const)
      : creating(minimalRequest(given));
    const make = () => session.call({ ...call, purpose, row: title });
    return stamped || purpose !== 'judged' ? make() : createdAlone(session, documentToken, make);
  };
  if (purpose !== 'judged') return create(await upload());
  const answer = await create(await shared());
  // The token of the shared document may have ended since.
  return answer.status === 404 ? create(await upload()) : answer;
}
