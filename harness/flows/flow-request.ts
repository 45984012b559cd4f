/** The request of a flow: its texts, people and documents as the target accepted them. */
import { accents } from '../../generators/bodies/request.ts';
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { shortened } from '../../generators/bodies/title.ts';
import type { GeneratedDocument } from '../../generators/documents/document.ts';
import { accentedName } from '../../generators/people.ts';
import { otpType, role } from '../../openapi/codes.ts';
import { isPage } from '../../record/exchange.ts';
import type { Interval } from '../../record/facts.ts';
import type { Cause } from '../../record/finding.ts';
import type { Address } from '../callbacks/address.ts';
import { personAt, titleAt } from '../judging/names.ts';
import type { SendingCall } from '../judging/sequence/odd-answers.ts';
import { lacks } from '../judging/unavailable.ts';
import { backwards } from '../people/codes.ts';
import type { SigningTask } from '../people/driver.ts';
import type { CallTemplate } from '../profile/parts.ts';
import { isSuccess } from '../profile/template.ts';
import type { Answer, Call, Chosen } from '../target/call.ts';
import type { FlowParts } from './flow-parts.ts';
import { type FlowPlan, type FlowSignatory, purposeOf, type RefusedCall } from './flow-plan.ts';

/** Pages of the uploaded documents. How many a DOCX or DOC has as a PDF depends on the service. */
export const pagesOf = { page: 1, pages: 3, mixed: 12, docx: undefined, doc: undefined } as const;

/** A call that was refused, and who is not to be written to for it. */
export interface Refused extends RefusedCall {
  readonly task: SigningTask;
  /** The names of its people, and its Title: an e-mail without any of these may be from anybody. */
  readonly names: readonly string[];
  readonly title: string;
}

/** What became of the calls of a flow that should be refused. */
export class Refusals {
  readonly refused: Refused[] = [];
  address: Address | undefined;
  /** A creation that was accepted, since its document token had not ended yet: nobody knows the id of its request. */
  taken: Answer | undefined;
  /** The exchange of a valid addition that was refused twice, after others were refused. */
  locked: number | undefined;
  /** Addresses of people in calls that were accepted: messages to them may come from those calls. */
  readonly accepted = new Set<string>();
  /** By operation, the answer that it is not offered. */
  readonly notThere = new Map<RefusedCall['operation'], Answer>();

  get hasAddition(): boolean {
    return this.refused.some(({ operation }) => operation === 'addSignatory');
  }
}

/** Why a refused addition violates a requirement, and what shows it. */
export const refusedFor = {
  company: {
    requirement: 'signatory.many',
    how: 'beside those who were added before, and accepted beside others',
  },
  order: {
    requirement: 'signatory.many',
    how: 'in each request like this one, and accepted there with Order 1',
  },
  request: {
    requirement: 'signatory.added',
    how: 'in each request like this one, and accepted in another one',
  },
  otp: {
    requirement: 'signatory.role-approver',
    how: 'and accepted without the OTP, which a signer may have',
  },
} as const;
export type RefusedFor = keyof typeof refusedFor;

export class FlowRequest {
  readonly definition: FlowPlan;
  /** The request of which this one is the neighbour: the two share people, Title, file names and CallbackUrl. */
  readonly beside: FlowRequest | undefined;
  readonly documents: GeneratedDocument[] = [];
  /** By position in the plan; a person who was not added leaves a hole. */
  readonly tasks: SigningTask[] = [];
  readonly exchanges: number[] = [];
  /** Exchanges of the profile's calls that the flow took as done: sending, acts and stamps. */
  readonly wentOnFrom: number[] = [];
  /** The answer to the call that sent it. */
  sentBy: SendingCall | undefined;
  /** Tokens of its documents. */
  tokens: readonly string[] = [];
  readonly refusals = new Refusals();
  /** A person who was refused, the exchange of that, and why it is a violation. */
  unadded: { readonly signatory: number; readonly exchange: number; readonly why: RefusedFor } | undefined;
  /** The exchange of a creation that was refused for its codes. */
  unsubscribed: number | undefined;
  address: Address | undefined;
  callbackUrl: string | undefined;
  /** Why the request has no CallbackUrl although callbacks were wanted. */
  unnotified: Cause | undefined;
  /** Empty until the request is created. */
  requestId = '';
  created: Interval | undefined;
  /** When an earlier run sent it. */
  sent: Interval | undefined;
  /** The forms of values in which the target accepted the request, and each of its people. */
  createdAs: Chosen = {};
  readonly addedAs: Chosen[] = [];
  /** It has a Title of its own, since the target refused the Title of its neighbour a second time. */
  isTitledAlone = false;
  /** Its people have Orders without gaps, since the target refused others. */
  isGapless = false;
  readonly #parts: FlowParts;
  #placesBeyond = 0;

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
    const from = this.isTitledAlone ? this.definition.name : this.place;
    const accented = this.definition.accented === 'Title' ? `${accents} ${from}` : from;
    const Title = titleAt(this.#parts.facts, accented);
    return this.#ofRequest({ Title }).Title;
  }

  get message(): string {
    const { name, accented } = this.definition;
    // No length is shown, and Title has the name, too.
    const Message = accented === 'Message' ? `${accents} ${name}` : `Please act: ${name}.`;
    const most = this.#parts.facts.limits.messageLength;
    return this.#ofRequest({ Message: shortened(Message, most) }).Message;
  }

  privateMessageOf(signatory: number): string {
    const PrivateMessage = this.#privately(this.definition.signatories[signatory]);
    return this.#ofSignatory(signatory, { PrivateMessage }).PrivateMessage;
  }

  /** It has the id of the run, so that nobody can put it into an e-mail who only knows the suite. */
  #privately({ privateMessage = '' }: Partial<FlowSignatory> = {}): string {
    return privateMessage && `${privateMessage} (${this.#parts.facts.runId})`;
  }

  /** Title and Message in the form in which the target accepted them, or will be sent them. */
  #ofRequest<Part>(part: Part): Part {
    const creation = this.definition.stamped ? 'createStampedRequest' : 'createSkeletonRequest';
    return this.#parts.client.forms.written(creation, part, this.createdAs);
  }

  /** As `#ofRequest`, for a value of a person: by then other forms may be used for other people. */
  #ofSignatory<Part>(index: number, part: Part): Part {
    return this.definition.stamped
      ? this.#ofRequest(part)
      : this.#parts.client.forms.written('addSignatory', part, this.addedAs[index]);
  }

  /** The name that the people, the Title and the files of the request are derived from. */
  get place(): string {
    return (this.beside ?? this).definition.name;
  }

  /** Markers and pages of the uploaded PDFs; DOCX and DOC are left out, since conversion may lose their marker. */
  get pdfs(): readonly { readonly marker: string; readonly pages: number }[] {
    return this.documents.flatMap(({ marker }, index) => {
      const pages = pagesOf[this.definition.documents[index] ?? 'docx'];
      return pages === undefined ? [] : [{ marker, pages }];
    });
  }

  /** Notes the id that the target gave the request. */
  is(requestId: string): void {
    this.requestId = requestId;
    this.#parts.requestIds.add(requestId);
    this.#parts.flows.set(requestId, this);
    this.address?.claim(requestId);
  }

  /** Makes a call of the contract that belongs to the flow. */
  call(call: Omit<Call, 'purpose' | 'row'>): Promise<Answer> {
    const { name } = this.definition;
    return this.#parts.client.call({ ...call, purpose: purposeOf(this.definition), row: name });
  }

  /** The answer to the addition of somebody who is not in the plan, which should be refused. */
  asked(more: Pick<Call, 'endedIds'> = {}): Promise<Answer> {
    const person = personAt(this.#parts.facts, 'flow', this.place, this.newPlace('asked'));
    const body = { json: minimalSignatory({ person }) };
    const { requestId } = this;
    return this.call({ operation: 'addSignatory', requestId, deliberate: true, body, ...more });
  }

  /** Whether the target answers an addition as if it did not know the request. */
  async isUnknown(): Promise<boolean> {
    const answer = await this.asked();
    return answer.status === 404 && !isPage(answer.text);
  }

  #planned(index: number): FlowSignatory {
    const { driver, facts } = this.#parts;
    const { signatories } = this.definition;
    const given = signatories[index] ?? { role: role.signer, order: 1 };
    const orders = [...new Set(signatories.map(({ order }) => order))].toSorted((one, other) => one - other);
    const planned = this.isGapless ? { ...given, order: orders.indexOf(given.order) + 1 } : given;
    const { otp: type, ...uncoded } = planned;
    if (planned.role !== role.approver || !type) return planned;
    // It is not shown that a code is demanded before approving, so an approver may have no field for one.
    const isAsked = facts.notApplicable['otp.access-code-asked'] === undefined;
    const takes = driver.takesCodes?.({ role: planned.role, otp: { type, accessCode: undefined } }) ?? true;
    return isAsked && takes ? planned : uncoded;
  }

  /** A person of the plan: who they are, and the optional fields that they are added with. */
  person(index: number) {
    const { facts } = this.#parts;
    const planned = this.#planned(index);
    const invented = personAt(facts, 'flow', this.place, String(index));
    const person = planned.accented ? { ...invented, name: accentedName(invented.name) } : invented;
    const accessCode = planned.otherAccessCode ? backwards(facts.accessCode) : facts.accessCode;
    const { color } = planned;
    const privateMessage = this.#privately(planned);
    const otp = otpOf(planned, person.mobileNumber, accessCode);
    const fields = {
      ...(privateMessage ? { PrivateMessage: privateMessage } : {}),
      ...(color ? { Color: color } : {}),
      ...(otp ? { OTP: otp } : {}),
    };
    return { planned, person, accessCode, fields };
  }

  /** What the person is to do, once the target knows them. */
  taskOf(index: number, signatoryId: string | null | undefined): SigningTask {
    const { planned, person, accessCode: code } = this.person(index);
    const { otp: type } = planned;
    const given = { Name: person.name, MobileNumber: person.mobileNumber, AccessCode: code };
    const { Name, MobileNumber, AccessCode } = this.#ofSignatory(index, given);
    const accessCode = type === otpType.accessCode ? AccessCode : undefined;
    return {
      requestId: this.requestId,
      ...person,
      name: Name,
      mobileNumber: MobileNumber,
      role: planned.role,
      order: planned.order,
      signatoryId: signatoryId || undefined,
      otp: type && { type, accessCode },
    };
  }

  /** A value of an answer that the flow needs. @param what it in words; if absent, the call need only succeed */
  needed<T>(answer: Answer, value: T | undefined, what?: string): T {
    this.exchanges.push(answer.exchange.index);
    if (value === undefined) throw lacks(what, answer);
    return value;
  }

  /** Notes a call of the profile that the flow needs to go on, and throws if it did not succeed. */
  wentOn(template: CallTemplate, answer: Answer): void {
    this.needed(answer, isSuccess(template, answer) ? 'accepted' : undefined);
    this.wentOnFrom.push(answer.exchange.index);
  }
}

/** The OTP object, with only what its Type needs unless the plan says more. One that is not required needs nothing. */
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
