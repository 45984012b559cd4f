/** The request of a flow: uploaded, created, with its signatories and stamps. */
import { minimalRequest } from '../../generators/bodies/request.ts';
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { type AutoStamp, stampLabels } from '../../generators/bodies/stamping.ts';
import type { GeneratedDocument } from '../../generators/documents/document.ts';
import { labelledPdf } from '../../generators/documents/pdf.ts';
import { type OtpType, otpType, role } from '../../openapi/codes.ts';
import { type Answer, is2xx } from '../call.ts';
import { monotonicMs } from '../callbacks/clock.ts';
import type { Address } from '../callbacks/mailbox.ts';
import type { Interval } from '../callbacks/sequence/facts.ts';
import { fileOf, personAt, shortened, titleAt } from '../shared.ts';
import { shortAnswer } from '../show.ts';
import type { SigningTask } from '../signing/driver.ts';
import { isSuccess } from '../template.ts';
import { canCallBack } from '../unlocks.ts';
import { FlowBlocked, type FlowDefinition } from './flow.ts';
import type { FlowParts } from './flow-parts.ts';
import { createStamped } from './stamped-request.ts';

export class FlowRequest {
  readonly definition: FlowDefinition;
  readonly title: string;
  readonly message: string;
  readonly documents: GeneratedDocument[] = [];
  readonly tasks: SigningTask[] = [];
  readonly exchanges: number[] = [];
  address: Address | undefined;
  callbackUrl: string | undefined;
  /** Empty until the request is created. */
  requestId = '';
  created: Interval | undefined;
  readonly #parts: FlowParts;

  constructor(definition: FlowDefinition, parts: FlowParts) {
    this.definition = definition;
    this.#parts = parts;
    this.title = titleAt(parts.facts, definition.name);
    this.message = shortened(
      `Please read this and act: ${definition.name}.`,
      parts.facts.limits.messageLength,
    );
  }

  /** Uploads, creates, adds everybody. Throws FlowBlocked when the target does not let it. */
  async prepare(): Promise<void> {
    const { client, facts, listener, profile, requestIds } = this.#parts;
    const { name, documents, attached, answers, stamps } = this.definition;
    // A target that cannot call back is asked for nothing of the kind: the rest is checked all the same.
    const subscription = canCallBack(profile) ? this.definition.subscription : undefined;
    await this.#parts.firstUpload();
    const count = Math.min(documents, facts.limits.documents ?? documents);
    const tokens = await Promise.all(Array.from({ length: count }, (_, index) => this.#upload(index)));
    if (stamps) {
      await this.#createStamped(tokens, stamps);
      return;
    }
    if (subscription) {
      this.address = listener.open(name);
      if (answers) this.address.answer(answers);
      // The only place for a secret where callbacks are not signed: it has to survive.
      this.callbackUrl = this.address.urlWith({ flow: name, secret: facts.accessCode });
    }
    const json = {
      ...minimalRequest({ title: this.title, documents: tokens }),
      Message: this.message,
      ...(subscription ? { CallbackUrl: this.callbackUrl, CallbackTypes: subscription } : {}),
      ...(subscription && attached !== undefined ? { CompletedDocumentsAttached: attached } : {}),
    };
    const startMs = monotonicMs();
    const answer = await client.call({
      operation: 'createSkeletonRequest',
      purpose: 'flow',
      row: name,
      freshIds: true,
      body: { json },
    });
    this.created = { startMs, endMs: monotonicMs() };
    this.requestId = this.needed(answer, answer.ids.requestId);
    requestIds.add(this.requestId);
    this.address?.claim(this.requestId);
    // One after the other: where orders are equal the service may take them as they came.
    for (const index of this.definition.signatories.keys()) await this.#add(index);
    await this.#placeStamps();
  }

  async #upload(index: number): Promise<string> {
    const { client, facts } = this.#parts;
    const { name } = this.definition;
    const document = await labelledPdf(
      { run: facts.runId, seed: facts.seed, name: `flow ${name} ${index + 1}` },
      stampLabels,
    );
    this.documents[index] = document;
    const answer = await client.call({
      operation: 'uploadDocument',
      purpose: 'flow',
      row: name,
      body: { file: fileOf(document) },
    });
    return this.needed(answer, answer.ids.documentToken);
  }

  async #add(index: number): Promise<void> {
    const { client, facts, profile } = this.#parts;
    const { name, signatories } = this.definition;
    const planned = signatories[index];
    if (!planned) return;
    const person = personAt(facts, 'flow', name, String(index));
    const otp =
      planned.otp === undefined ? undefined : otpOf(planned.otp, person.mobileNumber, facts.accessCode);
    const json = {
      ...minimalSignatory({ person, order: planned.order, role: planned.role }),
      ...(planned.privateMessage ? { PrivateMessage: planned.privateMessage } : {}),
      ...(planned.color ? { Color: planned.color } : {}),
      ...(otp ? { OTP: otp } : {}),
    };
    const answer = await client.call({
      operation: 'addSignatory',
      purpose: 'flow',
      row: name,
      requestId: this.requestId,
      last: profile.signing?.send === 'last-signatory' && index === signatories.length - 1,
      freshIds: true,
      body: { json },
    });
    this.needed(answer, is2xx(answer) ? 'accepted' : undefined);
    const { signatoryId } = answer.ids;
    this.tasks[index] = {
      requestId: this.requestId,
      ...person,
      role: planned.role,
      order: planned.order,
      ...(signatoryId ? { signatoryId } : {}),
      ...(planned.otp === undefined
        ? {}
        : {
            otp: {
              type: planned.otp,
              ...(planned.otp === otpType.accessCode ? { accessCode: facts.accessCode } : {}),
            },
          }),
    };
  }

  async #placeStamps(): Promise<void> {
    const { client, profile } = this.#parts;
    const template = profile.calls?.stamps;
    if (!template) return;
    for (const task of this.tasks.filter((each) => each.role === role.signer)) {
      const { requestId, signatoryId, email } = task;
      const answer = await client.template('stamps', template, { requestId, signatoryId, email });
      this.needed(answer, isSuccess(template, answer.status) ? 'accepted' : undefined);
    }
  }

  async #createStamped(documents: readonly string[], stamps: readonly AutoStamp[]): Promise<void> {
    const { client, profile, facts, requestIds } = this.#parts;
    const { name } = this.definition;
    const person = personAt(facts, 'flow', name, '0');
    const startMs = monotonicMs();
    const { answer, requestId, signatoryId } = await createStamped(client, profile, {
      title: this.title,
      row: name,
      documents,
      person,
      stamps,
    });
    this.created = { startMs, endMs: monotonicMs() };
    this.requestId = this.needed(answer, requestId);
    requestIds.add(this.requestId);
    this.tasks[0] = {
      requestId: this.requestId,
      ...person,
      role: role.signer,
      order: 1,
      ...(signatoryId ? { signatoryId } : {}),
    };
  }

  /** A value of an answer without which the flow cannot go on. */
  needed<T>(answer: Answer, value: T | undefined): T {
    this.exchanges.push(answer.exchange.index);
    if (value === undefined) throw new FlowBlocked(shortAnswer(answer));
    return value;
  }
}

function otpOf(type: OtpType, mobileNumber: string, accessCode: string) {
  const sms = type === otpType.sms || type === otpType.emailAndSms;
  return {
    IsRequired: true,
    Type: type,
    ...(sms ? { MobileNumber: mobileNumber } : {}),
    ...(type === otpType.accessCode ? { AccessCode: accessCode } : {}),
  };
}
