/** Acts that people of a flow must not be able to do, or that the document leaves open, and whether the target lets them. */
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { FlowExpected } from '../../record/flow-finding.ts';
import type { FlowJudgement } from '../judging/sequence/judgement.ts';
import { blank, isOfTesters } from '../people/codes.ts';
import {
  type Act,
  type ActOutcome,
  type Channel,
  type Codes,
  type EnteredCodes,
  type SigningTask,
  unknown,
} from '../people/driver.ts';
import type { ReadMessage } from '../people/messages/message.ts';
import { goesByLink, mayBeExchanged } from '../people/template-call.ts';
import { Attempts } from './attempts.ts';
import { FlowCalls } from './flow-calls.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowRequest } from './flow-request.ts';

const notEntered: ActOutcome = unknown('these codes cannot be entered', []);

/** Whether the signing page is reached by a link in an e-mail, and none came. */
export async function isUninvited(
  task: SigningTask,
  { driver, outbox, profile }: FlowParts,
): Promise<boolean> {
  const { sign, approve, complete } = profile.calls ?? {};
  const isByLink = driver.shows || goesByLink([sign, approve, complete]);
  if (!isByLink || !outbox.reads('email')) return false;
  return (await outbox.link(task)) === undefined && outbox.problem(task, 'email') === undefined;
}

export class FlowActs extends FlowCalls {
  readonly attempts: Attempts;
  /** Looks at the page of a person, and at so many of the documents. */
  readonly view: Attempts['view'];
  /** Lets the target send the one-time passwords of a person; gives whether there is a way to ask for them. */
  readonly requestOtp: Attempts['requestOtp'];

  constructor(request: FlowRequest, parts: FlowParts) {
    super(request, parts);
    this.attempts = new Attempts(this, parts);
    this.view = this.attempts.view.bind(this.attempts);
    this.requestOtp = this.attempts.requestOtp.bind(this.attempts);
  }

  /**
   * A person tries what they must not be able to do; `requirement` fails if the target lets them. Nothing is tried if
   * the requirement is not applicable, or if no code could be entered although one is needed.
   */
  async mayNot(
    signatory: number,
    act: Act,
    codes: Codes,
    requirement: RequirementId,
    why: string,
  ): Promise<void> {
    const task = this.task(signatory);
    // Somebody who could wrongly act before has acted by now, and what a service answers to them is not shown.
    if (!this.applies(requirement) || this.done.includes(signatory)) return;
    // Without a place for codes, no wrong code can be entered.
    if (task.otp && this.parts.driver.takesCodes?.(task) === false) return;
    if (this.parts.looking.isNeeded) await this.view(signatory);
    if (codes !== 'none') this.attempts.of(signatory).isCoded = true;
    const outcome = await this.attempts.once(signatory, () => this.parts.driver.act(task, act, codes));
    const expected = { is: 'cannot', person: this.person(signatory), act, why } as const;
    if (outcome.kind === 'unknown' && !outcome.mayBeDone && (await isUninvited(task, this.parts))) {
      // Somebody who gets no link cannot act. That is a pass, if others get theirs.
      this.attempted.pop();
      const found = { flow: { expected } };
      this.deferred.push({ requirement, verdict: 'passed', found, exchanges: [], channel: 'email' });
    } else if (outcome.kind === 'unknown') {
      const because = { people: [expected.person], what: outcome.reason };
      const found = { flow: { expected }, cause: { excuse: 'unknown-outcome', because } } as const;
      this.judge(requirement, 'could-not-run', found, outcome.exchanges);
    } else {
      this.#judgeRefusal(outcome, requirement, expected, codes === 'wrong' ? { wrong: true } : {});
    }
  }

  /** As `mayNot`, with exactly these codes. Gives whether anything was tried: not if no codes can be entered there. */
  async mayNotEnter(
    signatory: number,
    codes: EnteredCodes,
    requirement: RequirementId,
    why: string,
  ): Promise<boolean> {
    const { driver, learned } = this.parts;
    if (!driver.enter || !this.applies(requirement)) return false;
    for (const code of Object.values({ ...codes })) if (code !== blank && !isOfTesters(code)) learned(code);
    const enter = driver.enter.bind(driver);
    const outcome = await this.attempts.once(signatory, () => enter(this.task(signatory), 'sign', codes));
    if (outcome.kind === 'unknown') {
      // Nothing was sent where there is no place for the codes.
      if (outcome.exchanges.length === 0) this.attempted.pop();
      return outcome.exchanges.length > 0;
    }
    const expected = { is: 'cannot', person: this.person(signatory), act: 'sign', why } as const;
    const isBlank = Object.values(codes).every((code) => code === blank);
    this.#judgeRefusal(outcome, requirement, expected, isBlank ? { blank: true } : { wrong: true });
    return true;
  }

  #judgeRefusal(
    outcome: Exclude<ActOutcome, { kind: 'unknown' }>,
    requirement: RequirementId,
    expected: FlowExpected,
    more: Pick<FlowJudgement, 'blank' | 'wrong'> = {},
  ): void {
    const verdict = outcome.kind === 'refused' ? 'passed' : 'failed';
    // If approvers can act by this call and signers cannot, it may be the call to approve: the profile may have
    // exchanged the two.
    const isDoubted = requirement === 'signing.approver-cannot-sign' && mayBeExchanged(this.parts.profile);
    const assumed = isDoubted ? 'signing.signer-signs' : undefined;
    this.judge(requirement, verdict, { flow: { expected } }, outcome.exchanges, assumed, more);
  }

  /** A person tries what the document leaves open. Gives whether the target let them; `undefined` if that is not known. */
  async tries(signatory: number, act: Act, codes: Codes | EnteredCodes): Promise<boolean | undefined> {
    const { driver } = this.parts;
    const task = this.task(signatory);
    const attempt =
      typeof codes === 'string' ? () => driver.act(task, act, codes) : () => driver.enter?.(task, act, codes);
    const outcome = await this.attempts.once(signatory, async () => (await attempt()) ?? notEntered);
    return outcome.kind === 'unknown' ? undefined : outcome.kind === 'done';
  }

  /** The newest one-time password of a person. @param seen with `seen`, one found before is given without looking again */
  async code(signatory: number, channel: Channel, seen?: 'seen'): Promise<string | undefined> {
    const { outbox } = this.parts;
    const task = this.task(signatory);
    const older = this.attempts.of(signatory).older?.get(channel);
    return older ? (await outbox.newCode(task, channel, older))?.code : outbox.code(task, channel, [], seen);
  }

  /** The e-mails that had been read before a person acted (none before that): later ones may be about the end. */
  lettersBefore(signatory: number): readonly ReadMessage[] {
    return this.attempts.of(signatory).letters ?? [];
  }
}
