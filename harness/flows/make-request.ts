/** Makes the request of a flow: uploads its documents, creates it, adds its people and places their stamps. */
import { minimalRequest } from '../../generators/bodies/request.ts';
import { minimalSignatory, noOtp } from '../../generators/bodies/signatory.ts';
import { stampLabels } from '../../generators/bodies/stamping.ts';
import { doc } from '../../generators/documents/committed.ts';
import type { GeneratedDocument } from '../../generators/documents/document.ts';
import { docx } from '../../generators/documents/docx.ts';
import { labelledPdf, manyPagesPdf, mixedPdf } from '../../generators/documents/pdf.ts';
import type { Person } from '../../generators/people.ts';
import { event, role } from '../../openapi/codes.ts';
import { monotonicMs } from '../../record/clock.ts';
import { CouldNotRun } from '../../record/errors.ts';
import { is2xx, is4xx, isPage, tellsMaximum } from '../../record/exchange.ts';
import { shortAnswer } from '../../record/exchange-text.ts';
import { shownInQuery } from '../callbacks/address.ts';
import { classify } from '../judging/classify.ts';
import { speaksOfUrl } from '../judging/excuses.ts';
import { personAt, titleAt } from '../judging/names.ts';
import { fileOf } from '../judging/shared.ts';
import { endsDocument } from '../judging/shared-documents.ts';
import { unavailable } from '../judging/unavailable.ts';
import { uses } from '../people/template-call.ts';
import { queryProof } from '../profile/callback-settings.ts';
import { canCallBack } from '../profile/needs.ts';
import { pause } from '../target/budgets/pause.ts';
import { type Answer, isAccepted } from '../target/call.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowSignatory, RefusedCall } from './flow-plan.ts';
import { type FlowRequest, pagesOf, type RefusedFor } from './flow-request.ts';
import { makeRefusedCall } from './refused-calls.ts';
import { intervalOf, spanOf, type WaitingFlow } from './resuming/waiting-file.ts';
import { createStamped } from './stamped-request.ts';

/** Makes the request, or takes over what an earlier run left. @throws CouldNotRun when the target does not let it */
export async function makeRequest(request: FlowRequest, parts: FlowParts): Promise<void> {
  const { waiting } = parts;
  const { name } = request.definition;
  const left = waiting?.flow(name);
  if (left) {
    await takeOver(request, parts, left);
    return;
  }
  await make(request, parts);
  if (!request.created) return;
  waiting?.add({
    name,
    forms: parts.client.forms.known,
    requestId: request.requestId,
    signatoryIds: request.tasks.map(({ signatoryId }) => signatoryId ?? null),
    documents: request.documents.length,
    created: spanOf(request.created),
    answers: [],
    seen: [],
  });
}

async function make(request: FlowRequest, parts: FlowParts): Promise<void> {
  const first = await parts.firstUpload();
  if (!isAccepted(first)) throw unavailable('document', first);
  const shared = await uploadAll(request, parts, first);
  if (request.definition.stamped) {
    await createStamped(request, parts);
    return;
  }
  await createSkeleton(request, parts, shared);
  await refuseThose(request, parts, ({ after }) => !after);
  await addAll(request, parts);
  await refuseThose(request, parts, ({ after }) => after === true);
  await placeStamps(request, parts);
}

/** Uploads the documents of the plan. Without any, gives the token of the run's first document. */
async function uploadAll(request: FlowRequest, parts: FlowParts, first: Answer): Promise<string | undefined> {
  const { documents } = request.definition;
  const { documents: most = documents.length, documentUses } = parts.facts.limits;
  const shared = documents.length === 0 && documentUses === undefined ? first.ids.documentToken : null;
  const count = Math.min(Math.max(documents.length, 1), most || 1);
  request.tokens = shared
    ? [shared]
    : await Promise.all(Array.from({ length: count }, (_, index) => upload(request, parts, index)));
  return shared ?? undefined;
}

/** Creates the request. If it is refused, leaves out what a target need not accept, one thing after the other. */
async function createSkeleton(
  request: FlowRequest,
  parts: FlowParts,
  shared: string | undefined,
): Promise<void> {
  const { attached } = request.definition;
  const subscription = listen(request, parts);
  const create = (title = request.title, CallbackTypes = subscription) =>
    request.call({
      operation: 'createSkeletonRequest',
      freshIds: true,
      body: {
        json: {
          ...minimalRequest({ title, documents: request.tokens }),
          Message: request.message,
          ...(request.callbackUrl ? { CallbackUrl: request.callbackUrl, CallbackTypes } : {}),
          ...(request.callbackUrl && attached !== undefined ? { CompletedDocumentsAttached: attached } : {}),
        },
      },
    });
  const startMs = monotonicMs();
  let answer = await create();
  const isRefused = () => is4xx(answer);
  // The document that flows share could not be used any more: how often and how long a token can be is not shown.
  if (shared && endsDocument(answer)) {
    request.tokens = [await upload(request, parts, 0)];
    answer = await create();
  }
  // How many documents a request takes is not shown.
  const { tokens, documents } = request;
  while (request.tokens.length > 1 && isRefused()) {
    request.tokens = request.tokens.slice(0, -1);
    answer = await create();
  }
  if (isRefused()) request.tokens = tokens;
  else documents.length = Math.min(documents.length, request.tokens.length);
  // That a Title may occur twice is not shown.
  if (request.beside && isRefused()) {
    request.isTitledAlone = true;
    answer = await create();
  }
  // Whether a CallbackUrl may have a query, and how long it may be, is not shown.
  if (request.address && isRefused()) {
    request.callbackUrl = request.address.urlWith(queryProof(parts.profile.callbacks?.authenticity));
    answer = await create();
  }
  // The target may not accept the CallbackUrl as public: everything else is tested without callbacks.
  if (request.address && isRefused()) {
    // With the same URL and another Title, which may be refused a second time.
    const title = titleAt(parts.facts, `${request.definition.name} ${request.newPlace('every code')}`);
    const isForCodes =
      isRefusal(answer) && isAccepted(await create(title, [event.all])) && isRefusal(await create());
    if (isForCodes) request.unsubscribed = answer.exchange.index;
    request.unnotified = { excuse: 'refused-url', because: { exchange: answer.exchange.index } };
    request.callbackUrl = undefined;
    request.address = undefined;
    answer = await create();
  }
  request.created = answer.at ?? { startMs, endMs: monotonicMs() };
  request.createdAs = answer.forms ?? {};
  request.is(request.needed(answer, answer.ids.requestId, 'requestId'));
}

async function addAll(request: FlowRequest, parts: FlowParts): Promise<void> {
  const { send = 'call' } = parts.profile.signing ?? {};
  const sequence = sequenceOf(request, parts);
  const beside = new Map<number, Answer>();
  if (request.definition.atOnce && send === 'call')
    await Promise.all(
      sequence.map(async (index) => beside.set(index, await addition(request, parts, index))),
    );
  let addedMs: number | undefined;
  // All others one after the other: if Orders are equal, the service may let people act in the sequence of their
  // additions.
  for (const index of sequence) {
    const answer = await answerToAddition(request, parts, index, beside.get(index));
    if (is4xx(answer) && addedMs !== undefined)
      assertNotSent(request, parts, answer, { index, sinceMs: monotonicMs() - addedMs });
    addedMs = monotonicMs();
    const why = send === 'call' && isRefusal(answer) ? await whyRefused(request, parts, index) : undefined;
    if (why) request.unadded = { signatory: index, exchange: answer.exchange.index, why };
    noteAdded(request, answer, index);
  }
}

/** @throws CouldNotRun if a person who was refused came so late that the target may have sent the request by itself */
function assertNotSent(
  request: FlowRequest,
  { profile: { signing } }: FlowParts,
  answer: Answer,
  { index, sinceMs }: { readonly index: number; readonly sinceMs: number },
): void {
  const { send, delayMs = 0 } = signing ?? {};
  // The target's pause before it sends is shorter than `delayMs`, the time that the suite waits for it.
  if (send !== 'delay' || sinceMs <= delayMs / 2) return;
  request.exchanges.push(answer.exchange.index);
  throw new CouldNotRun(
    `signatory ${index + 1} was added ${Math.round(sinceMs)} ms after the one before, and refused (${shortAnswer(answer)}): the target may have sent the request by then; it has to wait longer for the last signatory (signing.send: delay, delayMs: ${delayMs})`,
  );
}

/** Notes a person and their id. @throws CouldNotRun if they were not added, or have the id of somebody else */
function noteAdded(request: FlowRequest, answer: Answer, index: number): void {
  // A web page does not come from the service, so nobody knows whether the person was added.
  request.needed(answer, is2xx(answer) && !isPage(answer.text) ? 'accepted' : undefined);
  const { signatoryId } = answer.ids;
  const twice = signatoryId && request.tasks.some((each) => each.signatoryId === signatoryId);
  if (twice) throw new CouldNotRun('two signatories of a request have the same signatoryId');
  request.addedAs[index] = answer.forms ?? {};
  request.tasks[index] = request.taskOf(index, signatoryId);
}

async function refuseThose(
  request: FlowRequest,
  parts: FlowParts,
  isNow: (call: RefusedCall) => boolean,
): Promise<void> {
  for (const refused of request.definition.refused?.filter(isNow) ?? [])
    await makeRefusedCall(request, refused, parts);
}

async function upload(request: FlowRequest, parts: FlowParts, index: number): Promise<string> {
  const document = await documentOf(request, parts, index);
  request.documents[index] = document;
  const answer = await request.call({ operation: 'uploadDocument', body: { file: fileOf(document) } });
  const token = request.needed(answer, answer.ids.documentToken, 'a document token');
  if (token !== (await parts.firstUpload()).ids.documentToken) return token;
  throw new CouldNotRun('two uploads of different documents have the same token');
}

/**
 * Positions of people in the order in which they are added. If a request is sent early, the first person is asked
 * before the others are added, and need not wait for them. So whoever acts first is added first. The others are added
 * in reverse, so that the order of adding is not that of acting. A CC never acts.
 */
function sequenceOf(request: FlowRequest, parts: FlowParts): readonly number[] {
  const { signatories } = request.definition;
  const asAdded = [...signatories.keys()];
  const isSentEarly = ['creation', 'first-signatory'].includes(parts.profile.signing?.send ?? '');
  if (!isSentEarly) return asAdded;
  const actsAt = ({ role: part, order }: FlowSignatory) => (part === role.cc ? Number.MAX_VALUE : order);
  const turns = signatories.map(actsAt);
  const [first = 0, ...others] = asAdded.sort((one, other) => (turns[one] ?? 0) - (turns[other] ?? 0));
  return [first, ...others.reverse()];
}

type Bodies = readonly ((as: Person) => object)[];

/**
 * Adds people to another request, until one is not accepted. Gives how many were, and the last answer.
 * @param how with `isPlain`, the request has the run's first document alone, and no CallbackUrl
 */
async function addElsewhere(
  request: FlowRequest,
  parts: FlowParts,
  what: string,
  bodies: Bodies,
  { isPlain = false, beforeLast = () => Promise.resolve() } = {},
): Promise<{ readonly added: number; readonly answer?: Answer }> {
  const { facts } = parts;
  const { name, subscription: CallbackTypes, attached = false } = request.definition;
  const place = request.newPlace(what);
  const notified = { CallbackUrl: facts.callbackUrl, CallbackTypes, CompletedDocumentsAttached: attached };
  const first = isPlain ? (await parts.firstUpload()).ids.documentToken : undefined;
  const documents = first ? [first] : request.tokens;
  const json = {
    ...minimalRequest({ title: titleAt(facts, `${name} ${place}`), documents }),
    ...(request.callbackUrl && !isPlain ? notified : {}),
  };
  const created = await request.call({ operation: 'createSkeletonRequest', freshIds: true, body: { json } });
  const { requestId } = created.ids;
  if (requestId === undefined) return { added: 0 };
  let answer: Answer | undefined;
  for (const [at, body] of bodies.entries()) {
    if (at === bodies.length - 1) await beforeLast();
    const person = personAt(facts, 'flow', name, place, String(at));
    const json = body(person);
    answer = await request.call({ operation: 'addSignatory', requestId, freshIds: true, body: { json } });
    if (!isAccepted(answer)) return { added: at, answer };
  }
  return { added: bodies.length };
}

const addedIn = ({ tasks }: FlowRequest) => [...tasks.keys()].filter((each) => tasks[each]);

/**
 * Whether the person is refused in another request as well: one in which nobody was refused, with the same people,
 * and once it is as old as this one. If so, the reason may be that requests close after a while.
 */
async function isRefusedElsewhere(request: FlowRequest, parts: FlowParts, index: number): Promise<boolean> {
  const ageMs = monotonicMs() - (request.created?.startMs ?? 0);
  const people = [...addedIn(request), index];
  const bodies = people.map((each) => (as: Person) => bodyOf(request, each, as));
  const beforeLast = () => pause(Math.min(ageMs, oldestMs));
  return (await addElsewhere(request, parts, 'as old', bodies, { beforeLast })).added < people.length;
}

/**
 * Whether the person is refused only for who was added before: alone or beside a plain signer they are accepted, and so are
 * plain signers with the Orders of all, but in another request the same people are accepted up to this one again. That
 * somebody shares a Color, a number or a code with others may be a reason, so it is none of these.
 */
async function isRefusedBesideOthers(
  request: FlowRequest,
  parts: FlowParts,
  index: number,
): Promise<boolean> {
  const before = addedIn(request);
  const [first] = before;
  const otpOfOne = (each: number) => request.person(each).fields.OTP;
  const isShared = ({ MobileNumber, AccessCode }: Partial<NonNullable<ReturnType<typeof otpOfOne>>> = {}) =>
    before.some((each) => {
      const other = otpOfOne(each);
      const has = (one: unknown, same: unknown) => one !== undefined && one === same;
      return has(MobileNumber, other?.MobileNumber) || has(AccessCode, other?.AccessCode);
    });
  if (first === undefined || isShared(otpOfOne(index))) return false;
  const people = [...before, index];
  const own = (each: number) => (as: Person) => ({ ...bodyOf(request, each, as), Color: undefined });
  const plain = (each: number) => (person: Person) =>
    minimalSignatory({ person, order: request.person(each).planned.order });
  const elsewhere = (what: string, bodies: Bodies) => addElsewhere(request, parts, what, bodies);
  const { added: besideOne } = await elsewhere('beside one', [plain(first), own(index)]);
  // Refused beside anybody, and accepted alone.
  if (besideOne === 1 && (await elsewhere('alone', [own(index)])).added === 0) return false;
  if (besideOne === 0 || (await elsewhere('plain people', people.map(plain))).added < people.length)
    return false;
  if (besideOne === 1) return true;
  const { added, answer } = await elsewhere('the same people', people.map(own));
  return added === before.length && answer !== undefined && isRefusal(answer);
}

/** How long documents may take to be prepared before somebody is added; those of a word processor have to be converted. */
const preparedMs = { pdf: 3_000, word: 15_000 };

/**
 * What a person of the plan is refused for: those who were added before; their Order; the request, where they or a plain signer
 * are refused in others like it, and accepted in one with another document and without CallbackUrl; or the OTP of an approver.
 */
async function whyRefused(
  request: FlowRequest,
  parts: FlowParts,
  index: number,
): Promise<RefusedFor | undefined> {
  if (await isRefusedBesideOthers(request, parts, index)) return 'company';
  const { planned } = request.person(index);
  const own =
    (change: object = {}) =>
    (as: Person) => ({ ...bodyOf(request, index, as), Color: undefined, ...change });
  const adds = (body: Bodies[number], how = {}) => addElsewhere(request, parts, 'alone', [body], how);
  const takes = async (body: Bodies[number], how = {}) => (await adds(body, how)).added > 0;
  const isWord = request.definition.documents.some((each) => each === 'docx' || each === 'doc');
  const beforeLast = () => pause(preparedMs[isWord ? 'word' : 'pdf']);
  for (const body of [(person: Person) => minimalSignatory({ person }), own()]) {
    if (!(await takes(body, { isPlain: true }))) continue;
    const { answer } = await adds(body, { beforeLast });
    if (!answer || !isRefusal(answer)) continue;
    if (tellsMaximum(answer.text) || speaksOfUrl(answer)) return undefined;
    return planned.order > 1 && (await takes(own({ Order: 1 }))) ? 'order' : 'request';
  }
  const isOfOtp = planned.role === role.approver && planned.otp && !(await takes(own()));
  return isOfOtp && (await takes(own({ OTP: noOtp }))) && (await takes(own({ SignatoryType: role.signer })))
    ? 'otp'
    : undefined;
}

/** The body that adds a person of the plan, or somebody else in their place. */
function bodyOf(request: FlowRequest, index: number, as?: Person) {
  const { planned, person, fields } = request.person(index);
  const { order, role: part } = planned;
  return { ...minimalSignatory({ person: as ?? person, order, role: part }), ...fields };
}

function addition(request: FlowRequest, parts: FlowParts, index: number): Promise<Answer> {
  return request.call({
    operation: 'addSignatory',
    requestId: request.requestId,
    last:
      parts.profile.signing?.send === 'last-signatory' && index === request.definition.signatories.length - 1,
    freshIds: true,
    body: { json: bodyOf(request, index) },
  });
}

/** @param beside the answer if the person was added at the same time as others; after a refusal they are added alone */
async function answerToAddition(
  request: FlowRequest,
  parts: FlowParts,
  index: number,
  beside?: Answer,
): Promise<Answer> {
  const answer = beside && !isRefusal(beside) ? beside : await addition(request, parts, index);
  // The request may also be gone.
  const isTurnedAway = (of: Answer) => isRefusal(of) || classify(of) === 'not-there';
  if (!request.refusals.hasAddition || !isTurnedAway(answer)) return answer;
  const again = await addition(request, parts, index);
  if (isTurnedAway(again) && !(await isRefusedElsewhere(request, parts, index)))
    request.refusals.locked = again.exchange.index;
  return again;
}

/** Opens the callback address of the request; gives the codes to subscribe to, or nothing where the target cannot call back. */
function listen(request: FlowRequest, parts: FlowParts): readonly number[] | undefined {
  const { facts, listener, profile } = parts;
  const { name, away, subscription, stamped } = request.definition;
  // Without a way for callbacks, none are asked for, and everything else is tested.
  if (!subscription || stamped || !canCallBack(profile) || listener.deaf !== undefined) return undefined;
  if (request.beside) {
    request.address = request.beside.address;
    request.callbackUrl = request.beside.callbackUrl;
    return request.address && subscription;
  }
  request.address = listener.open(name);
  if (away !== undefined) request.address.away(away);
  // If callbacks are not signed, only the query can carry a secret, which the target has to keep.
  const proof = queryProof(profile.callbacks?.authenticity);
  const query = { ...shownInQuery(name), secret: facts.accessCode, ...proof };
  request.callbackUrl = request.address.urlWith(query);
  return subscription;
}

/** Takes over the request that an earlier run created and left with people. */
async function takeOver(request: FlowRequest, parts: FlowParts, left: WaitingFlow): Promise<void> {
  listen(request, parts);
  parts.client.forms.remember(left.forms ?? {});
  for (let index = 0; index < left.documents; index++)
    request.documents[index] = await documentOf(request, parts, index);
  request.created = intervalOf(left.created);
  if (left.sent) request.sent = intervalOf(left.sent);
  request.is(left.requestId);
  for (const index of request.definition.signatories.keys())
    request.tasks[index] = request.taskOf(index, left.signatoryIds[index]);
}

async function documentOf(request: FlowRequest, parts: FlowParts, index: number): Promise<GeneratedDocument> {
  const { runId: run, seed } = parts.facts;
  const { name, documents } = request.definition;
  const source = { run, seed, name: `flow ${name} ${index + 1}` };
  const kind = documents[index];
  if (kind === 'docx') return docx(source);
  if (kind === 'doc') return doc(source);
  const pdfs = {
    page: () => labelledPdf(source, stampLabels),
    pages: () => manyPagesPdf(source, pagesOf.pages),
    mixed: () => mixedPdf(source, pagesOf.mixed),
  };
  const pdf = pdfs[kind ?? 'page']();
  const fileName = request.beside?.documents[index]?.fileName;
  return { ...(await pdf), ...(fileName ? { fileName } : {}) };
}

async function placeStamps(request: FlowRequest, parts: FlowParts): Promise<void> {
  const { client, profile } = parts;
  const template = profile.calls?.stamps;
  if (!template) return;
  let placed = 0;
  for (const task of request.tasks.filter((each) => each.role === role.signer)) {
    const { requestId, signatoryId, email } = task;
    const answer = await client.template('stamps', template, { requestId, signatoryId, email });
    // If the target knows others by their ids but not this person, that shows when they are to act.
    if (answer.status === 404 && placed > 0 && uses(template, 'signatoryId')) continue;
    placed += 1;
    request.wentOn(template, answer);
  }
}

/** The longest wait for another request to become as old as this one. */
const oldestMs = 30_000;

/** Whether a call was refused, and not for a limit or for a moment only. */
const isRefusal = (answer: Answer) => ['refused', 'conflict'].includes(classify(answer));
