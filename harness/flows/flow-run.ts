/** One flow under way: its people act as soon as it is their turn, and it is judged whether they can. */
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { FlowExpected } from '../../record/flow-finding.ts';
import { personText } from '../../record/flow-text.ts';
import { uses, wordsOf } from '../people/template-call.ts';
import { isRefused } from './attempts.ts';
import { actOf, requirementOf, whyCannotAct } from './cannot-act.ts';
import { FlowActs } from './flow-acts.ts';
import { noteState } from './track-status.ts';

export class FlowRun extends FlowActs {
  /**
   * A person does what their role is for, as soon as it is their turn.
   * @param blame the requirement that a refusal violates; without it the one of the role
   * @param peers people of the same Order: where the person can act only after them, `signing.parallel` is violated
   */
  async acts(signatory: number, blame?: RequirementId, peers: readonly number[] = []): Promise<void> {
    // A person who could do what they must not has acted already.
    if (this.done.includes(signatory)) return;
    const task = this.task(signatory);
    const act = actOf(task);
    const person = this.person(signatory);
    const earlier = { ...this.attempts.of(signatory) };
    let outcome = await this.attempts.whenReady(signatory, act);
    // The creation may not have sent a request of type 3: the profile's call for type 0 may do it.
    const sentByCall = isRefused(outcome) && this.isStamped && ((await this.callSend())?.done ?? false);
    if (sentByCall) {
      // People who tried before were not asked to act yet: these attempts say nothing about later ones in their turn.
      this.attempts.forgetRefused();
      outcome = await this.attempts.whenReady(signatory, act);
    }
    if (outcome.kind !== 'done') {
      await whyCannotAct(this, this.parts, { signatory, act, outcome, blame, peers, earlier });
      return;
    }
    await noteState(this, this.parts, `after ${personText(person)} completed`);
    const passes = (requirement: RequirementId, expected: FlowExpected = { is: 'can', person, act }) =>
      this.judge(requirement, 'passed', { flow: { expected } }, outcome.exchanges);
    if (!task.otp) passes('otp.not-asked', { is: 'no-otp', person });
    passes(requirementOf(act));
    const template = this.parts.profile.calls?.[act];
    if (this.isStamped) this.observe('stamping.sent', 'sent by', sentByCall ? 'calls.send' : 'its creation');
    else if (template && uses(template, 'signatoryId')) passes('signatory.signatory-id-usable');
  }

  /**
   * A signer enters the code that an e-mail brought a moment ago, and others were sent theirs since. Where it is refused and
   * a newer one is not, the code of the e-mail was of no use.
   */
  async actsByEmail(signatory: number, code: string): Promise<void> {
    const { looking } = this.parts;
    // Where people may have to look before they act, a refusal may be about that.
    if (!this.driverEnters || (this.driverShows && looking.isNeeded !== false)) return;
    const requirement = 'otp.email-delivered';
    const isTaken = await this.tries(signatory, 'sign', { email: code });
    const last = this.request.exchanges.slice(-1);
    const person = this.person(signatory);
    const flow = { expected: { is: 'can', person, act: 'sign' } } as const;
    if (isTaken) this.judge(requirement, 'passed', { flow }, last);
    if (isTaken !== false || !(await this.requestOtp(signatory))) return;
    const newer = await this.code(signatory, 'email');
    if (newer === undefined || newer === code) return;
    if (!(await this.tries(signatory, 'sign', { email: newer }))) return;
    // The number that was entered may have been no code, or an older one, unless the e-mail before the newest one has it in the same words.
    const mails = await this.messages(signatory, 'email');
    const at = mails.findIndex(({ text }) => text.includes(newer));
    const [found = '', known = ''] = mails.slice(at, at + 2).map(({ text }) => text);
    const isAlike = wordsOf(known.replaceAll(code, '')) === wordsOf(found.replaceAll(newer, ''));
    if (!known.includes(code) || !isAlike) return;
    const how = 'their code was refused once others had been sent theirs, and a newer one was not';
    this.judge(requirement, 'failed', { flow: { ...flow, seen: { how } } }, last);
  }
}
