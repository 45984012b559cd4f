/** One flow under way. Its people act as soon as it is their turn, and whether they can is judged. */
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { monotonicMs } from '../../record/clock.ts';
import type { FlowExpected } from '../../record/flow-finding.ts';
import { personText } from '../../record/flow-text.ts';
import { uses, wordsOf } from '../people/template-call.ts';
import { isRefused } from './attempts.ts';
import { actOf, requirementOf, whyCannotAct } from './cannot-act.ts';
import { FlowActs } from './flow-acts.ts';
import { noteState } from './track-status.ts';

/** Every code is valid for longer than this, since nobody could read and enter it in less. */
const codeLivesMs = 5_000;

export class FlowRun extends FlowActs {
  /**
   * A person acts according to their role, as soon as it is their turn.
   * @param blame the requirement that a refusal violates; that of the role by default
   * @param peers people of the same Order: if the person can act only after them, `signing.parallel` is violated
   */
  async acts(signatory: number, blame?: RequirementId, peers: readonly number[] = []): Promise<void> {
    // Somebody who could wrongly act before has acted already.
    if (this.done.includes(signatory)) return;
    const task = this.task(signatory);
    const act = actOf(task);
    const person = this.person(signatory);
    const earlier = { ...this.attempts.of(signatory) };
    let outcome = await this.attempts.whenReady(signatory, act);
    // A creation of type 3 may not send the request. Then the profile's call that sends requests of type 0 may.
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
   * A signer enters a code that came by e-mail, after others were sent theirs. If it is refused and a newer one is
   * not, the first code was useless.
   * @param sinceMs when the first of these codes was asked for
   */
  async actsByEmail(signatory: number, code: string, sinceMs: number): Promise<void> {
    const { looking } = this.parts;
    // If people may have to look before they act, a refusal may only be about that.
    if (!this.driverEnters || (this.driverShows && looking.isNeeded !== false)) return;
    const requirement = 'otp.email-delivered';
    const isTaken = await this.tries(signatory, 'sign', { email: code });
    // The clock decides about the blame alone: a replay, which may be slower, has to make the same calls.
    const mayHaveEnded = monotonicMs() - sinceMs > codeLivesMs;
    const last = this.request.exchanges.slice(-1);
    const person = this.person(signatory);
    const flow = { expected: { is: 'can', person, act: 'sign' } } as const;
    if (isTaken) this.judge(requirement, 'passed', { flow }, last);
    if (isTaken !== false || !(await this.requestOtp(signatory))) return;
    const newer = await this.code(signatory, 'email');
    if (newer === undefined || newer === code) return;
    if (!(await this.tries(signatory, 'sign', { email: newer }))) return;
    // The number that was entered may have been no code, or an old one, unless the e-mail before the newest one has
    // it in the same words.
    const mails = await this.messages(signatory, 'email');
    const at = mails.findIndex(({ text }) => text.includes(newer));
    const [found = '', known = ''] = mails.slice(at, at + 2).map(({ text }) => text);
    const isAlike = wordsOf(known.replaceAll(code, '')) === wordsOf(found.replaceAll(newer, ''));
    if (!known.includes(code) || !isAlike || mayHaveEnded) return;
    const how = 'their code was refused once others had been sent theirs, and a newer one was not';
    this.judge(requirement, 'failed', { flow: { ...flow, seen: { how } } }, last);
  }
}
