/** Calls beside the documented ones: other paths, two mistakes at once, creations that can create nothing. */
import { type BoldRow, bold } from '../../generators/bodies/bold.ts';
import { boldRequestRows } from '../../generators/bodies/bold-request.ts';
import { minimalRequest } from '../../generators/bodies/request.ts';
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { stampLabels } from '../../generators/bodies/stamping.ts';
import { labelledPdf } from '../../generators/documents/pdf.ts';
import { alter } from '../../generators/ids.ts';
import type { PersonOf } from '../../generators/people.ts';
import type { Body } from '../../generators/row.ts';
import { path } from '../../openapi/codes.ts';
import { requestSchema } from '../../openapi/contract.ts';
import type { GapId } from '../../openapi/gaps/register.ts';
import { is4xx } from '../../record/exchange.ts';
import { requestIdIn } from '../target/answers/answer-record.ts';
import type { Answer, Call } from '../target/call.ts';
import { personAt, titleAt } from './names.ts';
import { observeAll, type Probe, unlessBlocked } from './observation.ts';
import type { SilentRow } from './operations.ts';
import type { RunFacts, Session } from './session.ts';
import { fileOf, firstDocument } from './shared.ts';

/** Paths of endpoint 5 that the document does not list, each with a signatory who is valid elsewhere. */
export function otherPaths({ personOf }: { readonly personOf: PersonOf }): readonly SilentRow<Body>[] {
  const { signatories } = path;
  const row = (gap: GapId, title: string, differs: Partial<Call>): SilentRow<Body> => ({
    gap,
    title,
    outcome: 'silent',
    input: { json: minimalSignatory({ person: personOf(title) }) },
    differs,
  });
  return [
    row('service.path-case', 'the path of endpoint 5 with Requests in place of requests', {
      path: signatories.replace('/requests/', '/Requests/'),
    }),
    row('versioning.other-versions', 'the path of endpoint 5 with v1', {
      path: signatories.replace('/v2/', '/v1/'),
    }),
    row('errors.content-type-missing', 'a signatory without Content-Type', { contentType: null }),
  ];
}

/** One address twice in a request, one file twice, and a signatory for a request of type 3. */
export async function observePairs(session: Session, facts: RunFacts): Promise<void> {
  const person = personAt(facts, 'observed', 'twice');
  const add = (requestId: string, who: typeof person, row: string) =>
    observed(session, {
      operation: 'addSignatory',
      requestId,
      freshIds: true,
      row,
      body: { json: minimalSignatory({ person: who }) },
    });
  const twice = async () => {
    const requestId = await session.request(2);
    const title = 'one e-mail address twice in a request';
    const first = await add(requestId, person, `${title}, the first`);
    if (first.status >= 300) return [];
    return [{ gap: 'signatory.same-email' as const, title, send: () => add(requestId, person, title) }];
  };
  const toStamped = async () => {
    const requestId = requestIdIn(await session.shared('stamped'));
    const title = 'a signatory for a request of type 3';
    const other = personAt(facts, 'observed', 'type 3');
    return requestId === undefined
      ? []
      : [{ gap: 'signatory.other-types' as const, title, send: () => add(requestId, other, title) }];
  };
  await Promise.all([
    observeAll(session, twice),
    observeAll(session, toStamped),
    observeAll(session, async () => equalFiles(session, facts)),
  ]);
}

async function equalFiles(session: Session, facts: RunFacts): Promise<Probe[]> {
  const file = fileOf(
    await labelledPdf({ run: facts.runId, seed: facts.seed, name: firstDocument }, stampLabels),
  );
  const title = 'one file uploaded twice';
  const upload = () => observed(session, { operation: 'uploadDocument', row: title, body: { file } });
  const token = (await session.shared('document')).ids.documentToken;
  if (token === undefined) return [];
  const tell = ({ ids }: Answer) =>
    ids.documentToken && (ids.documentToken === token ? 'one token' : 'two tokens');
  return [{ gap: 'upload.equal-documents', title, send: upload, tell }];
}

/** Gaps for each of which one probe is enough where nothing may be created. */
const unmade: readonly GapId[] = [
  'skeleton.connections-elements',
  'skeleton.audit-details-subfields',
  'skeleton.author-type-values',
  'skeleton.author-ip-format',
  'skeleton.callback-url-without-types',
  'skeleton.callback-types-empty',
  'skeleton.callback-types-without-url',
  'skeleton.callback-types-unknown',
  'skeleton.callback-url-form',
  'events.all-with-others',
];

/**
 * Creations of type 0 with a document token that was never issued, so that no request is created. If the target
 * checks the body before it looks up the token, its answer shows what it thinks of the body.
 */
export async function observeUnmade(session: Session, facts: RunFacts): Promise<void> {
  await unlessBlocked(async () => {
    const [known = ''] = await session.documents(1);
    const documents = [alter(known, facts.seed)];
    const title = titleAt(facts, 'observed');
    const sound = minimalRequest({ title, documents });
    const send = (row: string, body: Body, differs: Partial<Call> = {}) =>
      observed(session, { operation: 'createSkeletonRequest', row, body, ...differs });
    const control = await send('an unknown document token in a sound body', { json: sound });
    const { Title: _, ...untitled } = sound;
    const both = 'Title is missing, and an unknown document token';
    const broken = await send(both, { json: untitled });
    const precedence = (row: string, answer: () => Promise<Answer>): Probe => ({
      gap: 'errors.precedence',
      title: row,
      send: answer,
      tell: ({ status }) => String(status),
    });
    const unknown = 'an unknown access token, and Title is missing';
    const probes: Probe[] = [
      precedence(both, async () => broken),
      precedence(unknown, () => send(unknown, { json: untitled }, { authorization: 'unknown' })),
    ];
    // The answers say something only if the target checks the body before it looks up the token.
    const tells = control.status !== broken.status && is4xx(control);
    const tell = ({ status }: Answer) =>
      status === control.status ? `taken (${status} for the token alone)` : `refused (${status})`;
    const rows = boldRequestRows(
      { title, documents, callbackUrl: facts.callbackUrl },
      requestSchema('createSkeletonRequest'),
    );
    const bodies = unmade.flatMap((gap) => rows.find((row) => row.gap === gap) ?? []);
    await observeAll(session, async () => [
      ...probes,
      ...(tells ? [...bodies, ...typeRows(sound)] : []).map(({ gap, title, input, differs }: UnmadeRow) => {
        const name = `${title}, with an unknown document token`;
        return { gap, title: name, send: () => send(name, input, differs), tell };
      }),
    ]);
  });
}

type UnmadeRow = BoldRow & { readonly differs?: Partial<Call> };

/** A valid type 0 body with another `type` in the query, or none. */
function typeRows(sound: object): readonly UnmadeRow[] {
  const row = (gap: GapId, title: string, query: string) => ({
    ...bold(gap, title, sound),
    differs: { path: `${path.skeleton}${query}` },
  });
  return [
    row('create.type-missing', 'endpoint 4 without type', ''),
    row('create.type-unknown', 'endpoint 4 with type=9', '?type=9'),
    row('create.type-elsewhere', 'endpoint 4 with type=3', '?type=3'),
  ];
}

/** Sends a call that is only observed. */
function observed(session: Session, call: Omit<Call, 'purpose' | 'deliberate'>): Promise<Answer> {
  return session.call({ ...call, purpose: 'observation', deliberate: true });
}
