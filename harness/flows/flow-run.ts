/** One flow under way: lets its people act, and judges what the target lets them. */
import { otpType, role } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { monotonicMs } from '../../record/clock.ts';
import type { FlowExpected } from '../../record/flow-finding.ts';
import { personText } from '../../record/flow-text.ts';
import type { Try } from '../judging/sequence/judgement.ts';
import { couldNotRun } from '../judging/unavailable.ts';
import { blank, isOfTesters, knownMessages } from '../people/codes.ts';
import {
  type Act,
  type ActOutcome,
  type Codes,
  type EnteredCodes,
  type PageView,
  type SigningTask,
  unknown,
} from '../people/driver.ts';
import { linkVariables } from '../people/outbox.ts';
import { isNameless, mayBeExchanged, uses, variablesOf, wordsOf } from '../people/template-call.ts';
import { signingDefaults } from '../profile/signing-settings.ts';
import { isSuccess } from '../profile/template.ts';
import { askWhile, pause } from '../target/budgets/pause.ts';
import { FlowCalls } from './flow-calls.ts';
import { noteState } from './track-status.ts';

/** Whether the act was refused, or the code that it needs. */
const isRefused = (outcome: ActOutcome) =>
  outcome.kind === 'refused' || (outcome.kind === 'unknown' && outcome.refused === true);

/** Why a person whose turn has come cannot act. */
export const noCode = 'whose turn has come and who entered no code';

const notEntered: ActOutcome = unknown('these codes cannot be entered', []);

/** An act of somebody whose turn it is that was not done. */
interface FailedAct {
  readonly act: Act;
  readonly outcome: Exclude<ActOutcome, { kind: 'done' }>;
  readonly blame: RequirementId | undefined;
  readonly peers: readonly number[];
  /** Whether the target may have taken an earlier attempt of the person. */
  readonly mayHaveActed: boolean;
}

/** The requirement by which whoever has the role can act so. */
const requirementOf = (act: Act): RequirementId =>
  act === 'approve' ? 'signing.approver-approves' : 'signing.signer-signs';

export class FlowRun extends FlowCalls {
  /** Signatories whom the target knows, as its answers to their calls show. */
  readonly #known = new Set<number>();
  /** People who were sent a code. Before another one is sent, their messages are noted, so that the two can be told apart. */
  readonly #coded = new Set<number>();
  /** People whose refused attempts were repeated, since an id may be unknown at first. */
  readonly #insisted = new Set<number>();
  /** By person who is asked for a code, an attempt of theirs that was refused, in their turn if there is one. */
  readonly #tries = new Map<number, Try>();
  readonly #looked = new Set<number>();
  /** People who tried something that the target may have taken: a later refusal may only mean that they have acted. */
  readonly #mayHaveActed = new Set<number>();
  /** People whose calls the target may not have understood, or whose answers may be misread: who acts again may be refused for having acted. */
  readonly #misread = new Set<number>();

  /**
   * A person does what their role is for, as soon as it is their turn.
   * @param blame the requirement that a refusal violates; without it the one of the role
   * @param peers people of the same Order: where the person can act only after them, `signing.parallel` is violated
   */
  async acts(signatory: number, blame?: RequirementId, peers: readonly number[] = []): Promise<void> {
    const task = this.task(signatory);
    // A person who could do what they must not has acted already.
    if (this.completed.some((one) => one.signatory === signatory)) return;
    const act: Act = task.role === role.approver ? 'approve' : 'sign';
    const person = this.person(signatory);
    const expected = { is: 'can', person, act } as const;
    const noOtp = { is: 'no-otp', person } as const;
    const mayHaveActed = this.#mayHaveActed.has(signatory);
    let outcome = await this.#whenReady(signatory, act);
    const stamped = this.isStamped;
    // The creation may not have sent a request of type 3: the profile's call for type 0 may do it.
    const sentByCall = isRefused(outcome) && stamped && ((await this.callSend())?.done ?? false);
    if (sentByCall) outcome = await this.#whenReady(signatory, act);
    if (outcome.kind === 'done') {
      this.#done(signatory, outcome);
      await noteState(this, this.parts, `after ${personText(person)} completed`);
      if (!task.otp) this.judge('otp.not-asked', 'passed', { flow: { expected: noOtp } }, outcome.exchanges);
      this.judge(requirementOf(act), 'passed', { flow: { expected } }, outcome.exchanges);
      const template = this.parts.profile.calls?.[act];
      if (!stamped && template && uses(template, 'signatoryId')) {
        this.judge('signatory.signatory-id-usable', 'passed', { flow: { expected } }, outcome.exchanges);
      }
      if (stamped) this.observe('stamping.sent', 'sent by', sentByCall ? 'calls.send' : 'its creation');
      return;
    }
    await this.#cannotAct(signatory, { act, outcome, blame, peers, mayHaveActed });
  }

  /**
   * Judges why somebody whose turn it is cannot act; returns where they could with a code, or after others.
   * @throws CouldNotRun otherwise: the flow cannot go on
   */
  async #cannotAct(signatory: number, failed: FailedAct): Promise<void> {
    const { act, outcome, peers } = failed;
    const { exchanges } = outcome;
    const afterTry = this.#tries.get(signatory);
    const task = this.task(signatory);
    const person = this.person(signatory);
    const flow = { expected: { is: 'can', person, act }, seen: { how: outcome.reason } } as const;
    if (outcome.kind === 'refused' && !task.otp && (await this.#actsWithCode(signatory, act))) {
      this.judge('otp.not-asked', 'failed', { flow: { expected: { is: 'no-otp', person } } }, exchanges);
      return;
    }
    const isSentCode = task.otp !== undefined && task.otp.type !== otpType.accessCode;
    const isUndone = outcome.kind === 'refused' || !outcome.mayBeDone;
    if (isUndone && isSentCode && !this.request.definition.sparing) {
      // Who is asked for no code is sent none.
      await this.mayNot(signatory, act, 'none', 'otp.gates-signing', noCode);
      if (this.done.includes(signatory)) return;
    }
    const isBesideOthers = peers.length > 0 || failed.blame === 'signing.parallel';
    const others = outcome.kind === 'refused' ? this.#othersOf(signatory, failed.blame, peers) : [];
    const acted = await this.#actInstead(others, isBesideOthers);
    if (acted > 0 && isBesideOthers && (await this.#actsNow(signatory, act))) {
      this.judge('signing.parallel', 'failed', { flow }, exchanges);
      return;
    }
    // Where none of the same Order could act, the turn may be that of a later one.
    const later = acted === 0 && peers.length > 0 ? this.#othersOf(signatory, failed.blame, []) : [];
    const isPassedOver = (await this.#actInstead(later, false)) > 0 || (acted > 0 && !isBesideOthers);
    const blame = isPassedOver ? 'signing.lower-order-first' : failed.blame;
    const ofRole = requirementOf(act);
    // The failure counts only where others could act by the same call. How answers of type 3 give the ids is not shown.
    const idUnknown = outcome.kind === 'unknown' && outcome.idUnknown === true;
    if (idUnknown && !this.isStamped && !this.#known.has(signatory)) {
      // When an id is known at the latest is not shown: it is asked for three times as long.
      if ((await this.#actsNow(signatory, act)) || (await this.#actsNow(signatory, act))) return;
      this.judge('signatory.signatory-id-usable', 'failed', { flow }, exchanges, ofRole);
    }
    if (await this.#actsExchanged(signatory, failed)) return;
    const unread = await this.#isCodeUnread(signatory, { ...failed, blame });
    const malformed = outcome.kind === 'refused' && (unread || this.#misread.has(signatory));
    if (this.#isRefusalJudged(signatory, { ...failed, blame })) {
      // Where others of type 0 with IsRequired false and Type 1 can sign, the Type of this person is the reason.
      const { idleOtp } = this.request.definition.signatories[signatory] ?? {};
      const isOfOtp = idleOtp && !this.isStamped && this.applies('otp.not-asked');
      const ofOtp = isOfOtp ? 'otp.not-asked' : undefined;
      const isOfOrder =
        blame === 'signing.parallel' || (blame === 'signing.lower-order-first' && !isPassedOver);
      const blamed = (isOfOrder && others.length > 0 ? undefined : blame) ?? ofOtp ?? ofRole;
      const byRole = task.otp?.type === otpType.accessCode ? 'otp.access-code-asked' : undefined;
      const assumed = blamed === ofRole ? byRole : ofRole;
      const doubt = { ...(malformed ? { malformed } : {}), afterTry };
      this.judge(blamed, 'failed', { flow }, exchanges, assumed, doubt);
    }
    // A signer who is passed over shows by an early event 3, another requirement. An approver who is passed over may get no e-mail.
    const mayBePassedOver =
      act === 'approve' && outcome.kind === 'unknown' && !outcome.mayBeDone && !idUnknown;
    if (mayBePassedOver && (await this.#isUninvited(task))) {
      const seen = { how: 'event 3 arrived, and no letter with a link had come' };
      const rest = { exchanges: [], channel: 'email', unlessOpen: true } as const;
      const found = { flow: { ...flow, seen } };
      this.deferred.push({ requirement: ofRole, verdict: 'failed', found, ...rest });
    }
    const exchange = exchanges.at(-1);
    const because = { people: [person], ...(exchange === undefined ? {} : { exchange }) };
    throw couldNotRun({ flow, cause: { excuse: malformed ? 'misread' : 'stuck', because } });
  }

  /** Whether a refusal can only be due to the target. */
  #isRefusalJudged(signatory: number, { outcome, blame, mayHaveActed }: FailedAct): boolean {
    if (outcome.kind !== 'refused' || mayHaveActed) return false;
    // What sends a request of type 3 is not shown: a person who cannot act may not have been asked yet, unless others have acted.
    if (this.isStamped && this.done.length === 0) return false;
    // How many attempts a person has is not shown, and a target may have counted each repetition.
    return !this.task(signatory).otp || (blame !== undefined && !this.#insisted.has(signatory));
  }

  /** Whether the right AccessCode is refused in the words for none at all: the call may have it where the target does not look. */
  async #isCodeUnread(signatory: number, { act, outcome, blame }: FailedAct): Promise<boolean> {
    if (outcome.kind !== 'refused' || blame !== 'otp.access-code-asked') return false;
    const task = this.task(signatory);
    const without = await this.#try(signatory, () => this.parts.driver.act(task, act, 'none'));
    return without.kind === 'refused' && wordsOf(without.reason) === wordsOf(outcome.reason);
  }

  /** Whether two codes that were refused are taken each in the place of the other: the call of the profile exchanges them. */
  async #actsExchanged(signatory: number, { act, outcome }: FailedAct): Promise<boolean> {
    const { otp } = this.task(signatory);
    if (outcome.kind !== 'refused' || otp?.type !== otpType.emailAndSms || !this.driverEnters) return false;
    const [email, sms] = [await this.code(signatory, 'sms'), await this.code(signatory, 'email')];
    if (email === undefined || sms === undefined || email === sms) return false;
    return (await this.tries(signatory, act, { email, sms })) === true;
  }

  async #actsNow(signatory: number, act: Act): Promise<boolean> {
    const outcome = await this.#whenReady(signatory, act);
    if (outcome.kind === 'done') this.#done(signatory, outcome);
    return outcome.kind === 'done';
  }

  /**
   * Whose acts tell whether somebody was refused for the Order: people of the same one where it is about acting in parallel,
   * of all others where it is about the sequence, and of higher ones where the reason may be a code.
   */
  #othersOf(
    signatory: number,
    blame: RequirementId | undefined,
    peers: readonly number[],
  ): readonly number[] {
    if (peers.length > 0) return this.applies('signing.parallel') ? peers : [];
    const { order } = this.task(signatory);
    const isOther = (of: number) => {
      if (blame === 'signing.parallel') return of === order;
      return blame === 'signing.lower-order-first' ? of !== order : of > order;
    };
    const ofOrder = blame === 'signing.parallel' || this.applies('signing.lower-order-first');
    // Drawn sequences stay as they are, and nobody is asked to act by hand without having been told before.
    if (!ofOrder || this.request.definition.sparing || this.parts.driver.announce) return [];
    const left = this.people.filter((other) => other !== signatory && !this.done.includes(other));
    return left.filter((other) => this.task(other).role !== role.cc && isOther(this.task(other).order));
  }

  /** All of them act who can, or, where it is about the sequence, the first one; how many could. */
  async #actInstead(others: readonly number[], isBesideOthers: boolean): Promise<number> {
    let acted = 0;
    for (const other of others.filter((each) => !this.done.includes(each))) {
      const act = this.task(other).role === role.approver ? 'approve' : 'sign';
      const outcome = await this.#whenReady(other, act);
      if (outcome.kind !== 'done') continue;
      this.#done(other, outcome);
      acted += 1;
      if (!isBesideOthers) break;
    }
    return acted;
  }

  /** Refused without a code, accepted with one: then an OTP was demanded that nobody asked for. */
  async #actsWithCode(signatory: number, act: Act): Promise<boolean> {
    if (this.request.definition.sparing || !this.applies('otp.not-asked')) return false;
    const { driver, outbox } = this.parts;
    // Without a way to get a code, or to enter one, another attempt would be the same as the first. A code that was sent shows
    // that one is wanted; an AccessCode would not: the call may have a field for it that has to be there.
    const codes = [
      ...(outbox.reads('email') ? [{ type: otpType.email }] : []),
      ...(driver.enter && outbox.reads('sms') ? [{ type: otpType.sms }] : []),
    ];
    for (const otp of codes) {
      const task = { ...this.task(signatory), otp };
      if (driver.takesCodes?.(task) === false) continue;
      const outcome = await this.#try(signatory, () => driver.act(task, act, 'right'));
      if (outcome.kind !== 'done') continue;
      this.#done(signatory, outcome);
      return true;
    }
    return false;
  }

  /**
   * A person tries what they must not be able to do; `requirement` fails when the target lets them. Nothing is tried where
   * it is not applicable, or where the person's code could not be entered.
   */
  async mayNot(
    signatory: number,
    act: Act,
    codes: Codes,
    requirement: RequirementId,
    why: string,
  ): Promise<void> {
    const task = this.task(signatory);
    // Who could do before what they must not has acted: what a service answers to them now is not shown.
    if (!this.applies(requirement) || this.completed.some((one) => one.signatory === signatory)) return;
    // Without a place for codes, no wrong code can be entered.
    if (task.otp && this.parts.driver.takesCodes?.(task) === false) return;
    if (this.parts.looking.isNeeded) await this.view(signatory);
    if (codes !== 'none') this.#coded.add(signatory);
    const outcome = await this.#try(signatory, () => this.parts.driver.act(task, act, codes));
    const expected = { is: 'cannot', person: this.person(signatory), act, why } as const;
    if (outcome.kind === 'unknown' && !outcome.mayBeDone && (await this.#isUninvited(task))) {
      // A person who gets no link cannot act: that is a pass as long as others get theirs.
      this.attempted.pop();
      const found = { flow: { expected } };
      this.deferred.push({ requirement, verdict: 'passed', found, exchanges: [], channel: 'email' });
    } else if (outcome.kind === 'unknown') {
      const because = { people: [expected.person], what: outcome.reason };
      const found = { flow: { expected }, cause: { excuse: 'unknown-outcome', because } } as const;
      this.judge(requirement, 'could-not-run', found, outcome.exchanges);
    } else {
      this.#judgeRefusal(signatory, outcome, requirement, expected);
    }
  }

  /** Whether the signing page is reached by a link in an e-mail, and none came. */
  async #isUninvited(task: SigningTask): Promise<boolean> {
    const { driver, outbox, profile } = this.parts;
    const { sign, approve, complete } = profile.calls ?? {};
    const acts = [sign, approve, complete];
    const isByLink = driver.shows || uses(acts, 'link') || uses(acts, 'token');
    if (!isByLink || !outbox.reads('email')) return false;
    return (await outbox.link(task)) === undefined && outbox.problem(task, 'email') === undefined;
  }

  /**
   * As `mayNot`, with exactly these codes. Nothing happens unless the driver can enter given codes and the target asks for
   * codes there; gives whether something did.
   */
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
    const outcome = await this.#try(signatory, () => enter(this.task(signatory), 'sign', codes));
    if (outcome.kind === 'unknown') {
      // Nothing was sent where there is no place for the codes.
      if (outcome.exchanges.length === 0) this.attempted.pop();
      return outcome.exchanges.length > 0;
    }
    const expected = { is: 'cannot', person: this.person(signatory), act: 'sign', why } as const;
    this.#judgeRefusal(signatory, outcome, requirement, expected);
    return true;
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
    // What was taken for the code may have been another number, unless both stand in the same words.
    const mails = await this.messages(signatory, 'email');
    const [known, found] = [code, newer].map((each) =>
      mails.filter(({ text }) => text.includes(each)).map(({ text }) => wordsOf(text.replaceAll(each, ''))),
    );
    if (!known?.some((words) => found?.includes(words))) return;
    const how = 'their code was refused once others had been sent theirs, and a newer one was not';
    this.judge(requirement, 'failed', { flow: { ...flow, seen: { how } } }, last);
  }

  #judgeRefusal(
    signatory: number,
    outcome: Exclude<ActOutcome, { kind: 'unknown' }>,
    requirement: RequirementId,
    expected: FlowExpected,
  ): void {
    if (outcome.kind === 'done') this.#done(signatory, outcome);
    const verdict = outcome.kind === 'refused' ? 'passed' : 'failed';
    // What approvers can do, and no signer can, may be to approve: the profile may have exchanged the two calls.
    const isDoubted = requirement === 'signing.approver-cannot-sign' && mayBeExchanged(this.parts.profile);
    const assumed = isDoubted ? 'signing.signer-signs' : undefined;
    this.judge(requirement, verdict, { flow: { expected } }, outcome.exchanges, assumed);
  }

  /** A person tries what the document leaves open; gives whether the target let them, `undefined` where nobody knows. */
  async tries(signatory: number, act: Act, codes: Codes | EnteredCodes): Promise<boolean | undefined> {
    const { driver } = this.parts;
    const task = this.task(signatory);
    const attempt =
      typeof codes === 'string' ? () => driver.act(task, act, codes) : () => driver.enter?.(task, act, codes);
    const outcome = await this.#try(signatory, async () => (await attempt()) ?? notEntered);
    if (outcome.kind === 'done') this.#done(signatory, outcome);
    return outcome.kind === 'unknown' ? undefined : outcome.kind === 'done';
  }

  /** What a person is shown, with so many of the documents. */
  async view(signatory: number, documents = this.request.tokens.length): Promise<PageView> {
    const view = await this.parts.driver.view(this.task(signatory), documents);
    this.request.exchanges.push(...view.exchanges);
    this.#looked.add(signatory);
    return view;
  }

  /** Lets the target send the one-time passwords of a person; gives whether there is a way to ask for them. */
  async requestOtp(signatory: number): Promise<boolean> {
    const { client, profile, driver, outbox } = this.parts;
    const task = this.task(signatory);
    const template = profile.calls?.requestOtp;
    const ask = async () => {
      if (this.#coded.has(signatory)) this.older.set(signatory, await knownMessages(task, outbox));
      this.#coded.add(signatory);
      if (!template) return (await driver.requestOtp?.(task)) ?? false;
      const link = await linkVariables(template, task, outbox);
      if (typeof link === 'string' || isNameless(template, task)) return false;
      const answer = await client.template('requestOtp', template, { ...variablesOf(task), ...link });
      this.request.needed(answer, isSuccess(template, answer) ? 'accepted' : undefined);
      this.request.wentOnFrom.push(answer.exchange.index);
      return true;
    };
    return driver.alone ? driver.alone(task, ask) : ask();
  }

  /** A turn may take a moment to come: a refusal is final only after that. */
  async #whenReady(signatory: number, act: Act): Promise<ActOutcome> {
    const task = this.task(signatory);
    const { looking, profile } = this.parts;
    const { readyMs } = { ...signingDefaults, ...profile.signing };
    let unseen = this.parts.driver.shows;
    let unread: string | undefined;
    const once = () => this.#try(signatory, () => this.parts.driver.act(task, act, 'right'), true);
    const ask = async (): Promise<ActOutcome> => {
      const outcome = await once();
      if (outcome.kind === 'done' && !this.#looked.has(signatory)) looking.isNeeded ??= false;
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
    const { sparing } = this.request.definition;
    let last = sparing ? await ask() : await askWhile(readyMs, isRefused, ask);
    if (sparing && isRefused(last)) {
      await pause(readyMs);
      last = await ask();
    }
    // Where two requests are alike, a link in the mail may lead to the page of the other one: they have looked in vain.
    const isOneOfTwo = (this.request.beside ?? this.request.definition.neighbour) !== undefined;
    if (last.kind !== 'refused' || looking.isNeeded === false) return last;
    if (isOneOfTwo && this.#viewsByLink()) return unknown(last.reason, last.exchanges);
    // A signer may have looked at their document; an approver whose page was called and cannot be read has looked at nothing.
    return act === 'approve' && unread !== undefined
      ? unknown(`${last.reason}; the page could not be looked at before: ${unread}`, last.exchanges)
      : last;
  }

  #viewsByLink(): boolean {
    const { view } = this.parts.profile.calls ?? {};
    return view !== undefined && (uses(view, 'link') || uses(view, 'token'));
  }

  /**
   * Makes one attempt and notes it: where its outcome is unknown, the target may have taken it.
   * @param isDue whether the person can act: others may be refused later, though the target took the attempt
   */
  async #try(signatory: number, attempt: () => Promise<ActOutcome>, isDue = false): Promise<ActOutcome> {
    const startMs = monotonicMs();
    const made = await attempt();
    const outcome: ActOutcome =
      made.kind === 'done' && made.later !== undefined && !isDue
        ? { ...unknown(made.later, made.exchanges), mayBeDone: true }
        : made;
    this.request.exchanges.push(...outcome.exchanges);
    if (outcome.kind === 'unknown') this.attempted.push({ signatory, at: { startMs, endMs: monotonicMs() } });
    else this.#known.add(signatory);
    if (outcome.insisted && !isDue) this.#insisted.add(signatory);
    if (outcome.kind === 'unknown' && outcome.mayBeDone) this.#mayHaveActed.add(signatory);
    if (outcome.kind === 'refused' && !isDue) this.#noteTry(signatory);
    if (outcome.kind === 'refused' && outcome.malformed && isDue) this.#misread.add(signatory);
    // The calls before the last one asked for a code. After a successful act they need no note: a code came.
    if (outcome.kind === 'refused') this.request.wentOnFrom.push(...outcome.exchanges.slice(0, -1));
    return outcome;
  }

  #noteTry(signatory: number): void {
    const { otp, order } = this.task(signatory);
    if (!otp || this.#tries.get(signatory)?.inTurn) return;
    const inTurn = !this.people.some((each) => {
      const other = this.task(each);
      return other.order < order && other.role !== role.cc && !this.done.includes(each);
    });
    this.#tries.set(signatory, { code: otp.type === otpType.accessCode ? 'chosen' : 'sent', inTurn });
  }

  #done(signatory: number, { at, exchanges, said }: Extract<ActOutcome, { kind: 'done' }>): void {
    const [exchange] = exchanges.slice(-1);
    if (exchange !== undefined) this.request.wentOnFrom.push(exchange);
    if (exchange !== undefined && said) this.answers.push({ signatory, exchange, said });
    if (this.completed.some((one) => one.signatory === signatory)) return;
    this.letters.set(signatory, this.lettersSeen(signatory));
    this.completed.push({ signatory, at, afterTry: this.#tries.get(signatory) });
  }
}
