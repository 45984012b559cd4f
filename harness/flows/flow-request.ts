/** The request of a flow: uploaded, created, with its signatories and stamps. */

import { accents, minimalRequest } from '../../generators/bodies/request.ts';
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { stampLabels } from '../../generators/bodies/stamping.ts';
import { shortened } from '../../generators/bodies/title.ts';
import { doc } from '../../generators/documents/committed.ts';
import type { GeneratedDocument } from '../../generators/documents/document.ts';
import { docx } from '../../generators/documents/docx.ts';
import { labelledPdf, manyPagesPdf, mixedPdf } from '../../generators/documents/pdf.ts';
import { otpType, role } from '../../openapi/codes.ts';
import { monotonicMs } from '../../record/clock.ts';
import { CouldNotRun } from '../../record/errors.ts';
import { is2xx, is4xx, isPage } from '../../record/exchange.ts';
import { shortAnswer } from '../../record/exchange-text.ts';
import type { Interval } from '../../record/facts.ts';
import type { Cause } from '../../record/finding.ts';
import type { Address } from '../callbacks/address.ts';
import { classify } from '../judging/classify.ts';
import { personAt, titleAt } from '../judging/names.ts';
import type { Sent } from '../judging/sequence/odd-answers.ts';
import { endsDocument, fileOf } from '../judging/shared.ts';
import { lacks, unavailable } from '../judging/unavailable.ts';
import { backwards } from '../people/codes.ts';
import type { SigningTask } from '../people/driver.ts';
import { uses } from '../people/template-call.ts';
import { queryProof } from '../profile/callback-settings.ts';
import { canCallBack } from '../profile/needs.ts';
import { isSuccess } from '../profile/template.ts';
import { pause } from '../target/budgets/pause.ts';
import { type Answer, type Call, type Chosen, isAccepted } from '../target/call.ts';
import type { FlowParts } from './flow-parts.ts';
import { type FlowPlan, type FlowSignatory, purposeOf, type RefusedCall } from './flow-plan.ts';
import { makeRefusedCall, Refusals } from './refused-calls.ts';
import { intervalOf, spanOf, type WaitingFlow } from './resuming/waiting-file.ts';
import { createStamped } from './stamped-request.ts';

/** Pages of the uploaded documents; how many a DOCX or DOC has as a PDF is up to the service. */
const pagesOf = { page: 1, pages: 3, mixed: 12, docx: undefined, doc: undefined } as const;

export class FlowRequest {
  readonly definition: FlowPlan;
  /** The request beside which it stands, if any: it shares people, Title, file names and CallbackUrl with that one. */
  readonly beside: FlowRequest | undefined;
  readonly documents: GeneratedDocument[] = [];
  /** By position in the plan; a person who was not added leaves a hole. */
  readonly tasks: SigningTask[] = [];
  readonly exchanges: number[] = [];
  /** Exchanges of the profile's calls that the flow took as done: sending, acts and stamps. */
  readonly wentOnFrom: number[] = [];
  /** The answer to the call that sent it. */
  sentBy: Sent | undefined;
  /** Tokens of its documents. */
  tokens: readonly string[] = [];
  readonly refusals = new Refusals();
  address: Address | undefined;
  callbackUrl: string | undefined;
  /** Why the request has no CallbackUrl although callbacks were wanted. */
  unnotified: Cause | undefined;
  /** Empty until the request is created. */
  requestId = '';
  created: Interval | undefined;
  /** When an earlier run sent it. */
  sent: Interval | undefined;
  readonly #parts: FlowParts;
  #placesBeyond = 0;
  /** When the latest signatory was added. */
  #addedMs = 0;
  #createdAs: Chosen = {};
  readonly #addedAs: Chosen[] = [];

  constructor(definition: FlowPlan, parts: FlowParts, beside?: FlowRequest) {
    this.definition = definition;
    this.beside = beside;
    this.#parts = parts;
  }

  /** A name for people beyond the plan, which no other people of the flow have. */
  newPlace(what: string): string {
    return `${what} ${this.#placesBeyond++}`;
  }

  get title(): string {
    return this.#ofRequest({ Title: this.#titleOf(this.#place) }).Title;
  }

  get message(): string {
    const Message = this.#accented('Message', `Please act: ${this.definition.name}.`);
    const most = this.#parts.facts.limits.messageLength;
    return this.#ofRequest({ Message: shortened(Message, most) }).Message;
  }

  privateMessageOf(signatory: number): string {
    const PrivateMessage = this.definition.signatories[signatory]?.privateMessage ?? '';
    return this.#ofSignatory(signatory, { PrivateMessage }).PrivateMessage;
  }

  #titleOf(place: string): string {
    return titleAt(this.#parts.facts, this.#accented('Title', place));
  }

  #accented(text: NonNullable<FlowPlan['accented']>, words: string): string {
    return this.definition.accented === text ? `${accents} ${words}` : words;
  }

  /** Title and Message in the form in which the target took them; before that, in the one in which they are sent. */
  #ofRequest<Part>(part: Part): Part {
    return this.#parts.client.forms.written('createSkeletonRequest', part, this.#createdAs);
  }

  /** The same for what belongs to a person. Others may be taken in another form meanwhile. */
  #ofSignatory<Part>(index: number, part: Part): Part {
    const { forms } = this.#parts.client;
    return this.definition.stamped
      ? forms.written('createStampedRequest', part, this.#createdAs)
      : forms.written('addSignatory', part, this.#addedAs[index]);
  }

  /** The name that the people, the Title and the files of the request are derived from. */
  get #place(): string {
    return (this.beside ?? this).definition.name;
  }

  /** Markers and pages of the uploaded PDFs; DOCX and DOC are left out, since conversion may lose their marker. */
  get pdfs(): readonly { readonly marker: string; readonly pages: number }[] {
    return this.documents.flatMap(({ marker }, index) => {
      const pages = pagesOf[this.definition.documents[index] ?? 'docx'];
      return pages === undefined ? [] : [{ marker, pages }];
    });
  }

  /** Uploads, creates, adds everybody. Throws CouldNotRun when the target does not let it. */
  async prepare(): Promise<void> {
    const { waiting } = this.#parts;
    const { name } = this.definition;
    const left = waiting?.flow(name);
    if (left) {
      await this.#restore(left);
      return;
    }
    await this.#make();
    if (!this.created) return;
    waiting?.add({
      name,
      forms: this.#parts.client.forms.known,
      requestId: this.requestId,
      signatoryIds: this.tasks.map(({ signatoryId }) => signatoryId ?? null),
      documents: this.documents.length,
      created: spanOf(this.created),
      answers: [],
      seen: [],
    });
  }

  async #make(): Promise<void> {
    const { facts } = this.#parts;
    const { name, documents, attached, stamped } = this.definition;
    const first = await this.#parts.firstUpload();
    if (!isAccepted(first)) throw unavailable('document', first);
    const { documents: most = documents.length, documentUses } = facts.limits;
    const shared = documents.length === 0 && documentUses === undefined && first.ids.documentToken;
    const count = Math.min(Math.max(documents.length, 1), most || 1);
    this.tokens = shared
      ? [shared]
      : await Promise.all(Array.from({ length: count }, (_, index) => this.#upload(index)));
    if (stamped) {
      await this.#createStamped(this.tokens);
      return;
    }
    const subscription = this.#listen();
    const plain = () => ({
      ...minimalRequest({ title: this.title, documents: this.tokens }),
      Message: this.message,
    });
    const json = () => ({
      ...plain(),
      ...(subscription ? { CallbackUrl: this.callbackUrl, CallbackTypes: subscription } : {}),
      ...(subscription && attached !== undefined ? { CompletedDocumentsAttached: attached } : {}),
    });
    const startMs = monotonicMs();
    const create = (body: unknown) =>
      this.call({ operation: 'createSkeletonRequest', freshIds: true, body: { json: body } });
    let answer = await create(json());
    // The document that flows share had ended: how often and how long a token can be used is not shown.
    if (shared && endsDocument(answer)) {
      this.tokens = [await this.#upload(0)];
      answer = await create(json());
    }
    const isRefused = () => is4xx(answer);
    // How many documents a request takes is not shown.
    if (this.tokens.length > 2 && isRefused()) {
      this.tokens = this.tokens.slice(0, 2);
      this.documents.length = 2;
      answer = await create(json());
    }
    // That a Title may occur twice is not shown.
    if (this.beside && isRefused()) answer = await create({ ...json(), Title: this.#titleOf(name) });
    if (this.address && isRefused()) {
      // The target may not count the CallbackUrl as public: the rest is checked without callbacks.
      this.unnotified = { excuse: 'refused-url', because: { exchange: answer.exchange.index } };
      this.callbackUrl = undefined;
      this.address = undefined;
      answer = await create(plain());
    }
    this.created = answer.at ?? { startMs, endMs: monotonicMs() };
    this.#createdAs = answer.forms ?? {};
    this.#is(this.needed(answer, answer.ids.requestId, 'requestId'));
    await this.#refuseThose(({ after }) => !after);
    const sequence = this.#sequence();
    const { send = 'call' } = this.#parts.profile.signing ?? {};
    const isAtOnce = this.definition.atOnce && send === 'call';
    const beside = new Map<number, Answer>();
    if (isAtOnce) {
      await Promise.all(sequence.map(async (index) => beside.set(index, await this.#addition(index))));
    }
    // Else one after the other: where Orders are equal, the service may have people act in the order of their additions.
    for (const index of sequence) await this.#add(index, beside.get(index));
    await this.#refuseThose(({ after }) => after === true);
    await this.#placeStamps();
  }

  async #refuseThose(isNow: (call: RefusedCall) => boolean): Promise<void> {
    for (const refused of this.definition.refused?.filter(isNow) ?? [])
      await makeRefusedCall(this, refused, this.#parts);
  }

  /** Makes a call of the contract that belongs to the flow. */
  call(call: Omit<Call, 'purpose' | 'row'>): Promise<Answer> {
    const { name } = this.definition;
    return this.#parts.client.call({ ...call, purpose: purposeOf(this.definition), row: name });
  }

  /** Whether the target answers an addition to the request as one to a request that it does not know. */
  async isUnknown(): Promise<boolean> {
    const person = personAt(this.#parts.facts, 'flow', this.#place, this.newPlace('asked'));
    const body = { json: minimalSignatory({ person }) };
    const { requestId } = this;
    const answer = await this.call({ operation: 'addSignatory', requestId, deliberate: true, body });
    return answer.status === 404 && !isPage(answer.text);
  }

  async #upload(index: number): Promise<string> {
    const document = await this.#document(index);
    this.documents[index] = document;
    const answer = await this.call({ operation: 'uploadDocument', body: { file: fileOf(document) } });
    const token = this.needed(answer, answer.ids.documentToken, 'a document token');
    if (token !== (await this.#parts.firstUpload()).ids.documentToken) return token;
    throw new CouldNotRun('two uploads of different documents have the same token');
  }

  /**
   * Positions of people in the order in which they are added. Where a request is sent early, a person is asked before later
   * ones are there, and need not wait for them: there whoever acts first comes first. Of the others whoever acts last comes
   * first, so that the two sequences differ. A CC never acts.
   */
  #sequence(): readonly number[] {
    const { signatories } = this.definition;
    const asAdded = [...signatories.keys()];
    const isSentEarly = ['creation', 'first-signatory'].includes(this.#parts.profile.signing?.send ?? '');
    if (!isSentEarly) return asAdded;
    const actsAt = ({ role: part, order }: FlowSignatory) => (part === role.cc ? Number.MAX_VALUE : order);
    const turns = signatories.map(actsAt);
    const [first = 0, ...others] = asAdded.sort((one, other) => (turns[one] ?? 0) - (turns[other] ?? 0));
    return [first, ...others.reverse()];
  }

  /** Whether another request, in which nobody was refused, takes nobody either once it is as old: requests may close after a while. */
  async #closesByAge(): Promise<boolean> {
    const { facts } = this.#parts;
    const ageMs = monotonicMs() - (this.created?.startMs ?? 0);
    const { name } = this.definition;
    const place = this.newPlace('as old');
    const json = minimalRequest({ title: titleAt(facts, `${name} ${place}`), documents: this.tokens });
    const { ids } = await this.call({ operation: 'createSkeletonRequest', freshIds: true, body: { json } });
    if (ids.requestId === undefined) return true;
    await pause(Math.min(ageMs, oldestMs));
    const added = await this.call({
      operation: 'addSignatory',
      requestId: ids.requestId,
      body: { json: minimalSignatory({ person: personAt(facts, 'flow', name, place) }) },
    });
    return !isAccepted(added);
  }

  #addition(index: number): Promise<Answer> {
    const { planned, person, fields } = this.#person(index);
    const json = { ...minimalSignatory({ person, order: planned.order, role: planned.role }), ...fields };
    return this.call({
      operation: 'addSignatory',
      requestId: this.requestId,
      last:
        this.#parts.profile.signing?.send === 'last-signatory' &&
        index === this.definition.signatories.length - 1,
      freshIds: true,
      body: { json },
    });
  }

  /** @param beside the answer to the addition beside others; who was refused there is added alone */
  async #add(index: number, beside?: Answer): Promise<void> {
    const { profile } = this.#parts;
    const add = () => this.#addition(index);
    let answer = beside && !isRefusal(beside) ? beside : await add();
    const isAfterRefusals = this.refusals.refused.some(({ operation }) => operation === 'addSignatory');
    if (isAfterRefusals && isRefusal(answer)) {
      answer = await add();
      if (isRefusal(answer) && !(await this.#closesByAge())) this.refusals.locked = answer.exchange.index;
    }
    const sinceMs = monotonicMs() - this.#addedMs;
    if (this.#mayBeSent(index, answer, sinceMs)) {
      this.exchanges.push(answer.exchange.index);
      throw new CouldNotRun(
        `signatory ${index + 1} was added ${Math.round(sinceMs)} ms after the one before, and refused (${shortAnswer(answer)}): the target may have sent the request by then; it has to wait longer for the last signatory (signing.send: delay, delayMs: ${profile.signing?.delayMs ?? 0})`,
      );
    }
    this.#addedMs = monotonicMs();
    // A web page is no answer of the service: nobody knows whether the person was added.
    this.needed(answer, is2xx(answer) && !isPage(answer.text) ? 'accepted' : undefined);
    const { signatoryId } = answer.ids;
    const twice = signatoryId && this.tasks.some((each) => each.signatoryId === signatoryId);
    if (twice) throw new CouldNotRun('two signatories of a request have the same signatoryId');
    this.#addedAs[index] = answer.forms ?? {};
    this.tasks[index] = this.#taskOf(index, signatoryId);
  }

  /** Whether a target that sends requests after a pause may have sent this one before its last signatory was added. */
  #mayBeSent(index: number, { status }: Answer, sinceMs: number): boolean {
    const { send, delayMs = 0 } = this.#parts.profile.signing ?? {};
    // The target's pause is shorter than `delayMs`, the time that the suite waits for it.
    return send === 'delay' && index > 0 && is4xx({ status }) && sinceMs > delayMs / 2;
  }

  /** A person of the plan: who they are, and the optional fields that they are added with. */
  #person(index: number) {
    const { facts } = this.#parts;
    const planned: FlowSignatory = this.definition.signatories[index] ?? { role: role.signer, order: 1 };
    const person = personAt(facts, 'flow', this.#place, String(index));
    const accessCode = planned.otherAccessCode ? backwards(facts.accessCode) : facts.accessCode;
    const { privateMessage, color } = planned;
    const otp = otpOf(planned, person.mobileNumber, accessCode);
    const fields = {
      ...(privateMessage ? { PrivateMessage: privateMessage } : {}),
      ...(color ? { Color: color } : {}),
      ...(otp ? { OTP: otp } : {}),
    };
    return { planned, person, accessCode, fields };
  }

  #taskOf(index: number, signatoryId: string | null | undefined): SigningTask {
    const { planned, person, accessCode: code } = this.#person(index);
    const { otp: type } = planned;
    const given = { MobileNumber: person.mobileNumber, AccessCode: code };
    const { MobileNumber, AccessCode } = this.#ofSignatory(index, given);
    const accessCode = type === otpType.accessCode ? AccessCode : undefined;
    return {
      requestId: this.requestId,
      ...person,
      mobileNumber: MobileNumber,
      role: planned.role,
      order: planned.order,
      signatoryId: signatoryId || undefined,
      otp: type && { type, accessCode },
    };
  }

  /** Opens the callback address of the request; gives the codes to subscribe to, or nothing where the target cannot call back. */
  #listen(): readonly number[] | undefined {
    const { facts, listener, profile } = this.#parts;
    const { name, away, subscription, stamped } = this.definition;
    // Such a target is asked for no callbacks: the rest is checked without them.
    if (!subscription || stamped || !canCallBack(profile) || listener.deaf !== undefined) return undefined;
    if (this.beside) {
      this.address = this.beside.address;
      this.callbackUrl = this.beside.callbackUrl;
      return this.address && subscription;
    }
    this.address = listener.open(name);
    if (away !== undefined) this.address.away(away);
    // Where callbacks are not signed, only the query can carry a secret: the target has to keep it.
    const proof = queryProof(profile.callbacks?.authenticity);
    const query = { flow: `${name} & more`, note: ['', 'twice'], secret: facts.accessCode, ...proof };
    this.callbackUrl = this.address.urlWith(query);
    return subscription;
  }

  #is(requestId: string): void {
    this.requestId = requestId;
    this.#parts.requestIds.add(requestId);
    this.#parts.flows.set(requestId, this);
    this.address?.claim(requestId);
  }

  /** Takes over the request that an earlier run created and left with people. */
  async #restore(left: WaitingFlow): Promise<void> {
    this.#listen();
    this.#parts.client.forms.remember(left.forms ?? {});
    for (let index = 0; index < left.documents; index++) this.documents[index] = await this.#document(index);
    this.created = intervalOf(left.created);
    if (left.sent) this.sent = intervalOf(left.sent);
    this.#is(left.requestId);
    for (const index of this.definition.signatories.keys()) {
      this.tasks[index] = this.#taskOf(index, left.signatoryIds[index]);
    }
  }

  async #document(index: number): Promise<GeneratedDocument> {
    const { runId: run, seed } = this.#parts.facts;
    const { name, documents } = this.definition;
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
    const fileName = this.beside?.documents[index]?.fileName;
    return { ...(await pdf), ...(fileName ? { fileName } : {}) };
  }

  async #placeStamps(): Promise<void> {
    const { client, profile } = this.#parts;
    const template = profile.calls?.stamps;
    if (!template) return;
    let placed = 0;
    for (const task of this.tasks.filter((each) => each.role === role.signer)) {
      const { requestId, signatoryId, email } = task;
      const answer = await client.template('stamps', template, { requestId, signatoryId, email });
      // A person whom the target does not know although it knows others shows when they are to act.
      if (answer.status === 404 && placed > 0 && uses(template, 'signatoryId')) continue;
      placed += 1;
      this.needed(answer, isSuccess(template, answer) ? 'accepted' : undefined);
      this.wentOnFrom.push(answer.exchange.index);
    }
  }

  async #createStamped(documents: readonly string[]): Promise<void> {
    const { client, profile } = this.#parts;
    const { name, signatories } = this.definition;
    const people = signatories.map(({ role: signatoryType, order: Order, stamps }, index) => {
      const { person, fields } = this.#person(index);
      // Endpoint 3 has Type as a string.
      const inSample = fields.OTP && { OTP: { ...fields.OTP, Type: String(fields.OTP.Type) } };
      return { ...person, stamps, fields: { ...fields, Order, signatoryType, ...inSample } };
    });
    const startMs = monotonicMs();
    const given = { title: this.title, row: name, documents, people };
    const { answer, requestId, signatoryIds } = await createStamped(client, profile, given);
    this.created = answer.at ?? { startMs, endMs: monotonicMs() };
    this.#createdAs = answer.forms ?? {};
    this.#is(this.needed(answer, requestId, 'requestId (create.requestId says where it stands)'));
    for (const [index, id] of signatoryIds.entries()) this.tasks[index] = this.#taskOf(index, id);
  }

  /**
   * A value of an answer without which the flow cannot go on.
   * @param what the value in words; without it, that the call succeeds is all that is needed
   */
  needed<T>(answer: Answer, value: T | undefined, what?: string): T {
    this.exchanges.push(answer.exchange.index);
    if (value === undefined) throw lacks(what, answer);
    return value;
  }
}

/** How long another request is let grow old at most. */
const oldestMs = 30_000;

/** Whether a call was refused, and neither for a limit nor for a moment. */
const isRefusal = (answer: Answer) => ['refused', 'conflict'].includes(classify(answer));

/** The OTP object, with what its type needs and nothing else unless the plan says so; nobody needs one that is not required. */
function otpOf({ otp, idleOtp, numbered }: FlowSignatory, mobileNumber: string, accessCode: string) {
  const type = otp ?? idleOtp;
  if (type === undefined) return undefined;
  const hasNumber = numbered || type === otpType.sms || type === otpType.emailAndSms;
  return {
    IsRequired: otp !== undefined,
    Type: type,
    ...(hasNumber ? { MobileNumber: mobileNumber } : {}),
    ...(type === otpType.accessCode ? { AccessCode: accessCode } : {}),
  };
}
