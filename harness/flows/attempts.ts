/** What the people of a flow attempt, and what that shows about each of them. */
import { otpType, role } from '../../openapi/codes.ts';
import { monotonicMs } from '../../record/clock.ts';
import type { Try } from '../judging/sequence/judgement.ts';
import { channelsOf, type KnownMessages, knownMessages } from '../people/codes.ts';
import { type Act, type ActOutcome, type PageView, unknown } from '../people/driver.ts';
import type { ReadMessage } from '../people/messages/message.ts';
import { linkVariables } from '../people/outbox.ts';
import { goesByLink, isNameless, variablesOf } from '../people/template-call.ts';
import { signingDefaults } from '../profile/signing-settings.ts';
import { askWhile, pause } from '../target/budgets/pause.ts';
import type { FlowCalls } from './flow-calls.ts';
import type { FlowParts } from './flow-parts.ts';

/** What the attempts of a person have shown. */
export interface Attempted {
  /** The target knows the signatory, as its answers to their calls show. */
  isKnown?: true;
  /** They were sent a code: before the next one, their messages are noted, so that the two can be told apart. */
  isCoded?: true;
  /** The messages that had come before a code was sent again. */
  older?: KnownMessages;
  /** They looked at their page. */
  hasLooked?: true;
  /** A refused attempt was repeated, since an id may be unknown at first. The target may have counted each repetition. */
  hasInsisted?: true;
  /** The target may have accepted an attempt: a later refusal may only mean that they have acted. */
  mayHaveActed?: true;
  /** Their call, or its answer, may be misunderstood: a later refusal may only mean that they have acted. */
  isMisread?: true;
  /** Refused attempts, if they are asked for a code: those in their turn, if there are any. */
  refused?: Try;
  /** They had not looked at their page when that attempt was refused. */
  isTriedUnseen?: boolean;
  /** They acted with a code by e-mail, but had got no e-mail before they asked for the code. */
  isUnwritten?: true;
  /** The e-mails that had been read before they acted. */
  letters?: readonly ReadMessage[];
}

/** Whether the act was refused, or the code that it needs. */
export const isRefused = (outcome: ActOutcome) =>
  outcome.kind === 'refused' || (outcome.kind === 'unknown' && outcome.refused === true);

export class Attempts {
  readonly #flow: FlowCalls;
  readonly #parts: FlowParts;
  readonly #people: Attempted[];

  constructor(flow: FlowCalls, parts: FlowParts) {
    this.#flow = flow;
    this.#parts = parts;
    this.#people = flow.people.map(() => ({}));
  }

  of(signatory: number): Attempted {
    const known = this.#people[signatory];
    if (!known) throw new Error(`the flow has no signatory ${signatory}`);
    return known;
  }

  /**
   * Makes one attempt and notes it. If its outcome is unknown, the target may have accepted it.
   * @param isDue whether the person is allowed to act: others may be refused later although the target accepted the
   *   attempt
   */
  async once(signatory: number, attempt: () => Promise<ActOutcome>, isDue = false): Promise<ActOutcome> {
    const { request, attempted } = this.#flow;
    const person = this.of(signatory);
    const startMs = monotonicMs();
    const made = await attempt();
    const outcome: ActOutcome =
      made.kind === 'done' && made.later !== undefined && !isDue
        ? { ...unknown(made.later, made.exchanges), at: made.at, mayBeDone: true }
        : made;
    request.exchanges.push(...outcome.exchanges);
    if (outcome.kind === 'done') this.#done(signatory, outcome);
    if (outcome.kind === 'unknown') {
      attempted.push({ signatory, at: outcome.at ?? { startMs, endMs: monotonicMs() } });
      if (outcome.mayBeDone) person.mayHaveActed = true;
    } else person.isKnown = true;
    if (outcome.insisted && !isDue) person.hasInsisted = true;
    if (outcome.kind === 'refused') {
      if (!isDue) this.#noteRefused(signatory);
      else if (outcome.malformed) person.isMisread = true;
      // The calls before the last one asked for a code. After a successful act this need not be noted, since a code
      // came.
      request.wentOnFrom.push(...outcome.exchanges.slice(0, -1));
    }
    return outcome;
  }

  /** A person acts with the right codes. Their turn may take a moment to come, so a refusal is final only after that. */
  async whenReady(signatory: number, act: Act): Promise<ActOutcome> {
    const task = this.#flow.task(signatory);
    const { looking, profile, driver } = this.#parts;
    const { readyMs } = { ...signingDefaults, ...profile.signing };
    let unseen = driver.shows;
    let unread: string | undefined;
    const once = async () => {
      const outcome = await this.once(signatory, () => driver.act(task, act, 'right'), true);
      return outcome.kind === 'refused' ? ((await this.#exchanged(signatory, act)) ?? outcome) : outcome;
    };
    const ask = async (): Promise<ActOutcome> => {
      const outcome = await once();
      if (outcome.kind === 'done' && !this.of(signatory).hasLooked) looking.isNeeded ??= false;
      if (!isRefused(outcome) || !unseen) return outcome;
      // A service may want people to look at a document before they sign it.
      const page = await this.view(signatory);
      unseen = page.kind !== 'seen';
      unread = page.kind === 'unknown' && page.exchanges.length > 0 ? page.reason : undefined;
      // Even where the page did not come, the act is tried again: the turn may have come during the wait.
      const next = await once();
      if (!unseen && next.kind === 'done') looking.isNeeded = true;
      return next;
    };
    const { sparing, neighbour } = this.#flow.request.definition;
    let last = sparing ? await ask() : await askWhile(readyMs, isRefused, ask);
    if (sparing && isRefused(last)) {
      await pause(readyMs);
      last = await ask();
    }
    if (last.kind !== 'refused' || looking.isNeeded === false) return last;
    // If there are two requests alike, a link in an e-mail may lead to the page of the other one.
    const isOneOfTwo = (this.#flow.request.beside ?? neighbour) !== undefined;
    if (isOneOfTwo && goesByLink([profile.calls?.view])) return unknown(last.reason, last.exchanges);
    // A signer may have looked at their document by other means. An approver whose page could not be read has looked
    // at nothing.
    return act === 'approve' && unread !== undefined
      ? unknown(`${last.reason}; the page could not be looked at before: ${unread}`, last.exchanges)
      : last;
  }

  /**
   * Enters a refused code in the field of the other channel, or two codes the other way round: the profile's call may
   * have them exchanged. Tried right after each refusal, since a target may lock a person after a few wrong codes.
   * @returns the outcome if the target accepts them; otherwise undefined
   */
  async #exchanged(signatory: number, act: Act): Promise<ActOutcome | undefined> {
    const { driver, outbox } = this.#parts;
    const task = this.#flow.task(signatory);
    const { enter } = driver;
    if (!enter) return undefined;
    const channels = channelsOf(task);
    const [first, second = first] = await Promise.all(
      // Nothing is waited for: nobody may have been sent a code before their turn.
      channels.map((channel) => outbox.code(task, channel, [], 'seen alone')),
    );
    if (first === undefined || second === undefined || (channels.length > 1 && first === second)) return;
    const swapped = { email: second, sms: first };
    // A single code may also belong in the field of the AccessCode.
    for (const codes of channels.length > 1 ? [swapped] : [{ ...swapped, accessCode: first }, swapped]) {
      const outcome = await this.once(signatory, () => enter.call(driver, task, act, codes), true);
      if (outcome.kind === 'done') return outcome;
    }
    return undefined;
  }

  /** Looks at the page of a person, and at so many of the documents. */
  async view(signatory: number, documents = this.#flow.request.tokens.length): Promise<PageView> {
    const view = await this.#parts.driver.view(this.#flow.task(signatory), documents);
    this.#flow.request.exchanges.push(...view.exchanges);
    this.of(signatory).hasLooked = true;
    return view;
  }

  /** Lets the target send the one-time passwords of a person; gives whether there is a way to ask for them. */
  async requestOtp(signatory: number): Promise<boolean> {
    const { client, profile, driver, outbox } = this.#parts;
    const { request } = this.#flow;
    const task = this.#flow.task(signatory);
    const person = this.of(signatory);
    const template = profile.calls?.requestOtp;
    const ask = async () => {
      if (person.isCoded) person.older = await knownMessages(task, outbox);
      person.isCoded = true;
      if (!template) return (await driver.requestOtp?.(task)) ?? false;
      const link = await linkVariables(template, task, outbox);
      if (typeof link === 'string' || isNameless(template, task)) return false;
      const answer = await client.template('requestOtp', template, { ...variablesOf(task), ...link });
      request.wentOn(template, answer);
      return true;
    };
    return driver.alone ? driver.alone(task, ask) : ask();
  }

  forgetRefused(): void {
    for (const person of this.#people) person.refused = undefined;
  }

  #noteRefused(signatory: number): void {
    const { people, done } = this.#flow;
    const task = (of: number) => this.#flow.task(of);
    const { otp, order, role: part } = task(signatory);
    const person = this.of(signatory);
    // An approver tries to sign, which is refused for the role, so that no attempt at the code may be counted.
    if (!otp || part === role.approver) return;
    const isBefore = (each: number) =>
      task(each).order < order && task(each).role !== role.cc && !done.includes(each);
    const inTurn = !people.some(isBefore);
    const { refused: earlier = { inTurn, times: 0 } } = person;
    const times = inTurn === earlier.inTurn ? earlier.times + 1 : 1;
    person.refused = { code: otp.type === otpType.accessCode ? 'chosen' : 'sent', inTurn, times };
    if (times === 1) person.isTriedUnseen = !person.hasLooked;
  }

  #done(signatory: number, { at, exchanges, said, unwritten }: Extract<ActOutcome, { kind: 'done' }>): void {
    const { request, answers, completed } = this.#flow;
    const person = this.of(signatory);
    if (unwritten) person.isUnwritten = true;
    const [exchange] = exchanges.slice(-1);
    if (exchange !== undefined) request.wentOnFrom.push(exchange);
    if (exchange !== undefined && said) answers.push({ signatory, exchange, said });
    if (completed.some((one) => one.signatory === signatory)) return;
    person.letters = this.#flow.lettersSeen(signatory);
    // If people have to look before they act, the attempt of somebody who had not looked may have been refused only
    // for that.
    const isOfLook = person.isTriedUnseen && person.hasLooked && this.#parts.looking.isNeeded !== false;
    completed.push({ signatory, at, exchange, afterTry: isOfLook ? undefined : person.refused });
  }
}
