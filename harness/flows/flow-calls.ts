/** What a flow under way does to its request: sends it, and makes further calls about it. */
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { requestType } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { monotonicMs } from '../../record/clock.ts';
import { CouldNotRun, callFailed } from '../../record/errors.ts';
import { is2xx, is4xx } from '../../record/exchange.ts';
import type { Interval } from '../../record/facts.ts';
import { classify, explained } from '../judging/classify.ts';
import { personAt, titleAt } from '../judging/names.ts';
import { receivedOf } from '../judging/unavailable.ts';
import { signingDefaults } from '../profile/signing-settings.ts';
import { isSuccess, mayBeLater } from '../profile/template.ts';
import { askWhile, pause } from '../target/budgets/pause.ts';
import { saysItPasses } from '../target/budgets/retry.ts';
import type { Answer } from '../target/call.ts';
import { filledCreation, peopleOf } from '../target/creation-body.ts';
import { FlowNotes } from './flow-notes.ts';
import type { FlowSignatory, RefusedCall } from './flow-plan.ts';
import { makeRefusedCall } from './refused-calls.ts';
import { spanOf } from './resuming/waiting-file.ts';
import { noteState } from './track-status.ts';

/** Words of a conflict that say that the request was sent before. */
const sentAlready = /\b(?:already|bereits)\b|d[ée]j[àa]/i;

export class FlowCalls extends FlowNotes {
  /** Sends the request as the profile says, and notes that. `blame` is the requirement that fails when the target refuses. */
  async send(blame?: RequirementId): Promise<void> {
    if (this.sent) return;
    await noteState(this, this.parts, 'before sending');
    const sent = await this.#sent(blame);
    this.sentByCall = sent;
    this.parts.waiting?.note(this.request.definition.name, { sent: spanOf(sent) });
    await noteState(this, this.parts, 'after sending');
  }

  /** Sends the request as the profile says, and gives the time. @throws CouldNotRun when it could not be sent */
  async #sent(blame: RequirementId | undefined): Promise<Interval> {
    const { profile, waiting } = this.parts;
    const startMs = monotonicMs();
    const sinceCreated = () => ({ startMs: this.request.created?.startMs ?? startMs, endMs: monotonicMs() });
    const { send: how = 'call', delayMs = 0, readyMs } = { ...signingDefaults, ...profile.signing };
    if (how === 'delay') await pause(delayMs);
    if (how !== 'call') return sinceCreated();
    const answers: Answer[] = [];
    const call = async () => {
      const called = await this.callSend();
      if (called) answers.push(called.answer);
      return called;
    };
    const isConflict = (of: Answer) => classify(of) === 'conflict';
    const isAtWork = (of: Answer) => isConflict(of) || classify(of) === 'early';
    // Trouble may be over in a moment, and so may other work on the request.
    const mayPass = (called: Awaited<ReturnType<typeof call>>) =>
      called !== undefined && !called.done && (called.answer.status >= 500 || isAtWork(called.answer));
    const sent = await askWhile(readyMs, mayPass, call);
    if (!sent) throw new CouldNotRun('the profile has no calls.send');
    const { answer, done } = sent;
    if (done) return answer.at ?? { startMs, endMs: monotonicMs() };
    // A run that was killed while it sent the request could not note that it had.
    if (waiting?.resumed && is4xx(answer)) return sinceCreated();
    // After trouble it may have been sent already, or the service may have sent it by itself.
    const isRefused = answers.every(
      (each) => isConflict(each) && !saysItPasses(each.headers, each.text) && !sentAlready.test(each.text),
    );
    // A request that is not sent may end after a while, or make room for others: then nobody can be added to it either.
    const isGone = async () => answer.status === 404 && (await this.request.isUnknown());
    const isJudged = answer.status >= 400 && (isRefused || !explained.includes(classify(answer)));
    if (blame && isJudged && !(await isGone())) {
      const found = { flow: { expected: { is: 'sent' } }, received: receivedOf(answer) } as const;
      // The failure counts only where some other request could be sent and signed.
      this.judge(blame, 'failed', found, [answer.exchange.index], 'signing.signer-signs');
    }
    throw callFailed('the request could not be sent', answer, 'calls.send');
  }

  /** Sends the request by the profile's call; undefined if it has none. */
  protected async callSend(): Promise<{ answer: Answer; done: boolean } | undefined> {
    const { client, profile } = this.parts;
    const { requestId, exchanges, wentOnFrom } = this.request;
    const template = profile.calls?.send;
    if (!template) return undefined;
    const answer = await client.template('send', template, { requestId }, { freshIds: true });
    exchanges.push(answer.exchange.index);
    const done = isSuccess(template, answer);
    if (done) {
      wentOnFrom.push(answer.exchange.index);
      this.request.sentBy = { exchange: answer.exchange.index, status: answer.status };
    }
    return { answer, done };
  }

  /** Lets a moment pass in which nobody acts, so that an event that is sent before its act arrives before it, too. */
  async lull(): Promise<void> {
    await this.request.address?.lull(this.parts.settings);
  }

  async refuse(call: RefusedCall): Promise<void> {
    const { requirement, what } = call;
    if (requirement && !this.applies(requirement)) return;
    await makeRefusedCall(this.request, call, this.parts, (answer) => {
      const found = { flow: { expected: { is: 'refused', call: what } } } as const;
      if (requirement) this.judge(requirement, 'failed', found, [answer.exchange.index]);
    });
  }

  /** Creates another request of type 1 or 2 with the same documents, as the profile says. Its events are not looked at. */
  async creates(type: 1 | 2): Promise<void> {
    const { facts } = this.parts;
    const { definition, exchanges, tokens: documents, message } = this.request;
    const name = type === requestType.template ? 'template' : 'fixed';
    const requirement: RequirementId = `create.${name}-200`;
    const settings = facts.creations[name];
    if (!settings || !this.applies(requirement)) return;
    const place = this.request.newPlace(`type ${type} beside`);
    const people = Array.from({ length: peopleOf(settings) }, (_, index) =>
      personAt(facts, 'flow', definition.name, place, String(index)),
    );
    const title = titleAt(facts, `${definition.name} ${place}`);
    const json = filledCreation(settings, { title, message, documents, people });
    const answer = await this.request.call({
      operation: 'createRequest',
      type,
      freshIds: true,
      body: { json },
    });
    exchanges.push(answer.exchange.index);
    const { status } = answer;
    const found = { flow: { expected: { is: 'initiated', type } }, received: receivedOf(answer) } as const;
    // No answer, trouble, or a document that cannot be used any more, since how often and how long it can is not
    // shown.
    if (status === 0 || status === 404 || status >= 500 || explained.includes(classify(answer))) return;
    // A refusal is judged by the check, whatever its status.
    if (answer.denied) return;
    // The failure counts only where another creation was answered with 200: the check fails where none is.
    const verdict = status === 200 ? 'passed' : 'failed';
    this.judge(requirement, verdict, found, [answer.exchange.index], requirement);
  }

  /** Adds somebody who is not in the plan, and gives whether the target accepted them. From then on no event is judged. */
  async adds(planned: FlowSignatory): Promise<boolean> {
    const { client, facts } = this.parts;
    const { definition, requestId, exchanges } = this.request;
    const person = personAt(facts, 'flow', definition.name, this.request.newPlace('beyond'));
    const answer = await client.call({
      operation: 'addSignatory',
      purpose: 'observation',
      row: definition.name,
      requestId,
      body: { json: minimalSignatory({ person, order: planned.order, role: planned.role }) },
    });
    exchanges.push(answer.exchange.index);
    const { status } = answer;
    // Without an answer nobody knows whether the person was added.
    if (!is4xx({ status })) this.open = true;
    return is2xx({ status });
  }

  /** Deletes the request by the call of the profile; gives whether that succeeded. From then on no event is judged. */
  async deletes(): Promise<boolean> {
    const { client, profile, called } = this.parts;
    const template = profile.calls?.deleteRequest;
    if (!template) return false;
    const named = { requestId: this.request.requestId };
    const answer = await client.template('deleteRequest', template, named);
    called('deleteRequest', named, answer);
    this.request.exchanges.push(answer.exchange.index);
    if (!is4xx(answer)) this.open = true;
    return isSuccess(template, answer) && !mayBeLater(template, answer);
  }
}
