/** One flow under way: creates its request, lets its people act, and notes what was done and what it proves. */
import type { GeneratedDocument } from '../../generators/documents/document.ts';
import { otpType, role } from '../../openapi/codes.ts';
import type { GapId } from '../../openapi/gaps/register.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { monotonicMs } from '../../record/clock.ts';
import type { Interval } from '../../record/facts.ts';
import { lull } from '../callbacks/watch.ts';
import type { SequenceObservation } from '../judging/sequence/judgement.ts';
import type {
  Act,
  ActOutcome,
  Codes,
  EnteredCodes,
  OutboxMessage,
  PageView,
  SigningTask,
} from '../people/driver.ts';
import { isSuccess } from '../profile/template.ts';
import { askUntil } from '../target/budgets/pause.ts';
import {
  type Addressee,
  type CompletedJudge,
  type Deferred,
  FlowBlocked,
  type FlowJudgement,
  type FlowScript,
} from './flow.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowRequest } from './flow-request.ts';
import { isUninvited } from './messages-to-people.ts';
import { spanOf } from './resuming/times.ts';
import { sendRequest } from './send-request.ts';
import { noteState, type SeenState } from './track-status.ts';
import { unsignedAmong } from './unsigned.ts';

const defaultReadyMs = 2_000;

export class FlowRun implements FlowScript {
  readonly request: FlowRequest;
  readonly judgements: FlowJudgement[] = [];
  readonly deferred: Deferred[] = [];
  readonly completed: { signatory: number; at: Interval }[] = [];
  readonly attempted: { signatory: number; at: Interval }[] = [];
  readonly completedJudges: CompletedJudge[] = [];
  readonly observations: SequenceObservation[] = [];
  /** What the target called the state of the request, and when. */
  readonly states: SeenState[] = [];
  sent: Interval | undefined;
  readonly #parts: FlowParts;

  constructor(request: FlowRequest, parts: FlowParts) {
    this.request = request;
    this.#parts = parts;
    // A request of type 3 has all its people: it counts as sent until somebody cannot act.
    this.sent = request.definition.stamps ? request.created : request.sent;
  }

  get title(): string {
    return this.request.title;
  }

  get message(): string {
    return this.request.message;
  }

  get people(): readonly number[] {
    return [...this.request.definition.signatories.keys()];
  }

  privateMessageOf = (signatory: number): string =>
    this.request.definition.signatories[signatory]?.privateMessage ?? '';

  get documents(): readonly GeneratedDocument[] {
    return this.request.documents;
  }

  async send(blame?: RequirementId): Promise<void> {
    if (this.sent) return;
    await noteState(this, this.#parts, 'before sending');
    this.sent = await sendRequest(this, this.#parts, blame);
    this.#parts.waiting?.note(this.request.definition.name, { sent: spanOf(this.sent) });
    await noteState(this, this.#parts, 'after sending');
  }

  async lull(): Promise<void> {
    const { address } = this.request;
    if (address) await lull(address, this.#parts.settings);
  }

  /**
   * A person does what their role is for, as soon as it is their turn.
   * @param blame the requirement that a refusal violates; without it the one of the role
   */
  async acts(signatory: number, blame?: RequirementId): Promise<void> {
    const task = this.task(signatory);
    // Somebody who could do what they may not has acted already.
    if (this.completed.some((one) => one.signatory === signatory)) return;
    const approves = task.role === role.approver;
    const ofRole: RequirementId = approves ? 'signing.approver-approves' : 'signing.signer-signs';
    const act: Act = approves ? 'approve' : 'sign';
    const codes = task.otp ? 'right' : 'none';
    let outcome = await this.#whenReady(signatory, act, codes);
    const stamped = this.request.definition.stamps !== undefined;
    const sentByCall = outcome.kind === 'refused' && stamped && (await this.#sendsStamped());
    if (sentByCall) outcome = await this.#whenReady(signatory, act, codes);
    if (outcome.kind === 'done') {
      this.#done(signatory, outcome.at);
      await noteState(this, this.#parts, `after ${this.nameOf(signatory)} completed`);
      if (!task.otp) this.judge('otp.not-asked', 'passed', 'nobody was asked for an OTP', outcome.exchanges);
      this.judge(ofRole, 'passed', `${this.nameOf(signatory)} could ${act}`, outcome.exchanges);
      if (stamped) this.observe('stamping.sent', 'sent by', sentByCall ? 'calls.send' : 'its creation');
      return;
    }
    if (outcome.kind === 'refused' && !task.otp && (await this.#actsWithCode(signatory, task, act, outcome)))
      return;
    // Where others sign, beside whose IsRequired false stands Type 1, it is for the Type of this one.
    const { idleOtp } = this.request.definition.signatories[signatory] ?? {};
    const unasked = idleOtp && this.applies('otp.not-asked') ? 'otp.not-asked' : undefined;
    const blamed = blame ?? unasked ?? ofRole;
    // What sends a request of type 3 is not shown: who cannot act there may not have been asked yet.
    if (outcome.kind === 'refused' && !stamped && (blame || !task.otp)) {
      const message = `${this.nameOf(signatory)} could not ${act}: ${outcome.reason}`;
      this.judge(blamed, 'failed', message, outcome.exchanges, blamed === ofRole ? undefined : ofRole);
    }
    throw new FlowBlocked(`${this.nameOf(signatory)} could not ${act}: ${outcome.reason}`);
  }

  /** Sends a request of type 3 by the call for those of type 0, where its creation may not have done so. */
  async #sendsStamped(): Promise<boolean> {
    const { client, profile } = this.#parts;
    const template = profile.calls?.send;
    if (!template) return false;
    const { requestId } = this.request;
    const answer = await client.template('send', template, { requestId });
    this.request.exchanges.push(answer.exchange.index);
    return isSuccess(template, answer.status);
  }

  /** Refused without a code, accepted with one: then an OTP was demanded that nobody asked for. */
  async #actsWithCode(signatory: number, task: SigningTask, act: Act, before: ActOutcome): Promise<boolean> {
    // Without a place for a code the second attempt would be the first one again.
    if (!this.#parts.outbox.reads('email') || !this.applies('otp.not-asked')) return false;
    const outcome = await this.#try(signatory, () =>
      this.#parts.driver.act({ ...task, otp: { type: otpType.email } }, act, 'right'),
    );
    if (outcome.kind !== 'done') return false;
    this.#done(signatory, outcome.at);
    this.judge('otp.not-asked', 'failed', `${this.nameOf(signatory)} had to enter an OTP`, before.exchanges);
    return true;
  }

  /** A person tries what they may not do; `requirement` is failed when the target lets them. */
  async mayNot(
    signatory: number,
    act: Act,
    codes: Codes,
    requirement: RequirementId,
    why: string,
  ): Promise<void> {
    const task = this.task(signatory);
    if (!this.applies(requirement)) return;
    // Who had nowhere to enter a code did not enter a wrong one.
    if (task.otp && this.#parts.driver.takesCodes?.(task) === false) return;
    const outcome = await this.#try(signatory, () => this.#parts.driver.act(task, act, codes));
    const who = `${this.nameOf(signatory)}, ${why},`;
    if (outcome.kind === 'unknown' && (await isUninvited(this.#parts, task))) {
      // Who gets no link cannot act, as long as others get theirs.
      this.attempted.pop();
      const message = `${who} was not given a link to the signing page`;
      this.deferred.push({ requirement, verdict: 'passed', message, exchanges: [], channel: 'email' });
    } else if (outcome.kind === 'unknown') {
      this.judge(requirement, 'could-not-run', `${who}: ${outcome.reason}`, outcome.exchanges);
    } else {
      this.#judgeRefusal(signatory, outcome, act, requirement, who);
    }
  }

  async mayNotEnter(
    signatory: number,
    codes: EnteredCodes,
    requirement: RequirementId,
    why: string,
  ): Promise<void> {
    const { driver, learned } = this.#parts;
    if (!driver.enter || !this.applies(requirement)) return;
    for (const code of Object.values({ ...codes })) learned(code);
    const enter = driver.enter.bind(driver);
    const outcome = await this.#try(signatory, () => enter(this.task(signatory), 'sign', codes));
    if (outcome.kind === 'unknown') {
      // Nothing was sent where there is no place for the codes.
      if (outcome.exchanges.length === 0) this.attempted.pop();
      return;
    }
    this.#judgeRefusal(signatory, outcome, 'sign', requirement, `${this.nameOf(signatory)}, ${why},`);
  }

  #judgeRefusal(
    signatory: number,
    outcome: Exclude<ActOutcome, { kind: 'unknown' }>,
    act: Act,
    requirement: RequirementId,
    who: string,
  ): void {
    if (outcome.kind === 'refused') {
      this.judge(requirement, 'passed', `${who} was refused: ${outcome.reason}`, outcome.exchanges);
      return;
    }
    this.#done(signatory, outcome.at);
    this.judge(requirement, 'failed', `${who} could ${act}`, outcome.exchanges);
  }

  async view(signatory: number): Promise<PageView> {
    const view = await this.#parts.driver.view(this.task(signatory));
    this.request.exchanges.push(...view.exchanges);
    return view;
  }

  unsigned(files: Parameters<typeof unsignedAmong>[0]): Promise<string | undefined> {
    return unsignedAmong(files, this, this.#parts);
  }

  follow(link: string): Promise<Uint8Array | null> {
    return this.#parts.fetchLink(link, 'link in a message');
  }

  /** Messages to a person; a channel counts as readable once one message was read. */
  async messages(
    signatory: number,
    channel: 'email' | 'sms',
    until: (message: OutboxMessage) => boolean = () => true,
  ): Promise<readonly OutboxMessage[]> {
    const found = await this.#parts.outbox.messages(this.task(signatory), channel, until);
    if (found.length > 0) this.#parts.channelsRead.add(channel);
    return found;
  }

  /** Notes what is to be judged of the completed documents once they are there. */
  judgeCompleted(
    requirement: RequirementId,
    judge: CompletedJudge['judge'],
    need?: CompletedJudge['need'],
  ): void {
    this.completedJudges.push({ requirement, judge, need });
  }

  /** Lets the target send the one-time passwords of a person; whether anybody could ask for them. */
  async requestOtp(signatory: number): Promise<boolean> {
    const { client, profile, driver } = this.#parts;
    const task = this.task(signatory);
    const template = profile.calls?.requestOtp;
    const ask = async () => {
      if (!template) return (await driver.requestOtp?.(task)) ?? false;
      const { requestId, signatoryId, email } = task;
      const answer = await client.template('requestOtp', template, { requestId, signatoryId, email });
      this.request.needed(answer, isSuccess(template, answer.status) ? 'accepted' : undefined);
      return true;
    };
    return driver.alone ? driver.alone(task, ask) : ask();
  }

  /** The newest one-time password that came to a person. */
  async code(signatory: number, channel: 'email' | 'sms'): Promise<string | undefined> {
    const code = await this.#parts.outbox.code(this.task(signatory), channel);
    if (code !== undefined) this.#parts.channelsRead.add(channel);
    return code;
  }

  applies(requirement: RequirementId): boolean {
    return this.#parts.facts.notApplicable[requirement] === undefined;
  }

  get driverShows(): boolean {
    return this.#parts.driver.shows;
  }

  reads(channel: 'email' | 'sms'): boolean {
    return this.#parts.outbox.reads(channel);
  }

  judge(
    requirement: RequirementId,
    verdict: FlowJudgement['verdict'],
    message: string,
    exchanges: readonly number[] = [],
    assumes?: RequirementId,
  ): void {
    this.judgements.push({ requirement, verdict, message, exchanges, ...(assumes ? { assumes } : {}) });
  }

  /** Notes what was seen about a gap. */
  observe(gap: GapId, key: string, value: string | number): void {
    this.observations.push({ gap, key, value, stability: 'stable', deliveries: [] });
  }

  /** Passed, or failed where the messages to the person could be read, and some of the channel at all. */
  judgeMessage(
    requirement: RequirementId,
    { signatory, channel }: Addressee,
    holds: boolean,
    message: string,
  ): void {
    const problem = this.#parts.outbox.problem(this.task(signatory), channel);
    if (holds) this.judge(requirement, 'passed', message);
    else this.deferred.push({ requirement, verdict: 'failed', message, exchanges: [], channel, problem });
  }

  /** Whether the flow has spoken against a requirement. */
  hasFailed(requirement: RequirementId): boolean {
    return this.judgements.some((each) => each.requirement === requirement && each.verdict === 'failed');
  }

  task(signatory: number): SigningTask {
    const task = this.request.tasks[signatory];
    if (!task) throw new Error(`the flow "${this.request.definition.name}" has no signatory ${signatory}`);
    return task;
  }

  nameOf(signatory: number): string {
    const names = { [role.signer]: 'signer', [role.approver]: 'approver', [role.cc]: 'CC' };
    const { role: its, order } = this.task(signatory);
    return `signatory ${signatory + 1} (${names[its]}, order ${order})`;
  }

  /** A turn may take a moment to come: a refusal is final only after that. */
  async #whenReady(signatory: number, act: Act, codes: Codes): Promise<ActOutcome> {
    const task = this.task(signatory);
    let last: ActOutcome = { kind: 'unknown', reason: 'nothing was tried', exchanges: [] };
    await askUntil(this.#parts.profile.signing?.readyMs ?? defaultReadyMs, async () => {
      last = await this.#try(signatory, () => this.#parts.driver.act(task, act, codes));
      return last.kind === 'refused' ? undefined : last;
    });
    return last;
  }

  /** One attempt. Where nobody knows what came of it, the target may have taken it all the same. */
  async #try(signatory: number, attempt: () => Promise<ActOutcome>): Promise<ActOutcome> {
    const startMs = monotonicMs();
    const outcome = await attempt();
    this.request.exchanges.push(...outcome.exchanges);
    if (outcome.kind === 'unknown') this.attempted.push({ signatory, at: { startMs, endMs: monotonicMs() } });
    return outcome;
  }

  #done(signatory: number, at: Interval): void {
    if (this.#parts.driver.shows) this.#parts.channelsRead.add('email');
    if (!this.completed.some((one) => one.signatory === signatory)) this.completed.push({ signatory, at });
  }
}
