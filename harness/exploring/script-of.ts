/** Turns a sequence into a flow: its script does each step, and asks the model what to expect of it. */
import { stamp } from '../../generators/bodies/stamping.ts';
import { otpType, role } from '../../openapi/codes.ts';
import {
  isTwice,
  type Refusal,
  refusals,
  roleOf,
  type Sequence,
  type SequencePerson,
  type Step,
} from '../../record/sequence.ts';
import type { FlowDefinition, FlowScript } from '../flows/flow.ts';
import type { FlowPlan, FlowSignatory, RefusedCall } from '../flows/flow-plan.ts';
import { judgeCopy, judgeLetters, letInvite } from '../flows/judge-messages.ts';
import type { Act, EnteredCodes } from '../people/driver.ts';
import {
  after,
  beginning,
  type Expectation,
  expects,
  hasOtherAccessCode,
  isComplete,
  isSurelyAtTurn,
  type State,
} from './model.ts';

/** What happened in a sequence. */
export interface Trace {
  /** Open situations, and whether the target accepted what was tried. */
  readonly learned: { readonly situation: string; readonly taken: boolean }[];
  /** Position of the step in which the first violation was seen; absent if there was none, or only at the end. */
  breaks?: number;
  /** How many steps were played; absent where the request could not be made. */
  played?: number;
}

/** @param reads whether messages are judged, too, after the last step @param acted is called after the last step */
export function flowOf(
  name: string,
  sequence: Sequence,
  { reads, acted }: { readonly reads: boolean; readonly acted: () => void },
) {
  const trace: Trace = { learned: [] };
  const plan = planOf(name, sequence);
  const definition: FlowDefinition = {
    ...plan,
    neighbour: sequence.neighbour ? { ...plan, name: `${name}, the second` } : undefined,
    script: async (flow, neighbour) => {
      const first = new Side(sequence, flow, trace, reads);
      const second = sequence.neighbour ? new Side(sequence, neighbour, trace, reads) : first;
      const failed = () => flow.failed.length + neighbour.failed.length;
      let at = 0;
      try {
        for (const step of sequence.steps) {
          await (step.beside ? second : first).take(step);
          if (failed() > 0) trace.breaks ??= at;
          at += 1;
        }
      } finally {
        if (failed() > 0) trace.breaks ??= at;
        trace.played = at;
        acted();
      }
      for (const side of new Set([first, second])) await side.end();
    },
  };
  return { definition, trace };
}

function planOf(name: string, sequence: Sequence): FlowPlan {
  const { people, documents, subscription, attached, listenerAway, stamped } = sequence;
  const signatories = people.map(signatoryOf);
  return {
    name,
    stamped,
    signatories: stamped ? signatories.map(withStamp) : signatories,
    documents,
    subscription,
    attached,
    away: listenerAway,
    sparing: true,
    proves: [],
  };
}

function signatoryOf(person: SequencePerson, index: number): FlowSignatory {
  const { order, otp, idleOtp, privateMessage, color } = person;
  return {
    role: roleOf(person.role),
    order,
    otp: otp as FlowSignatory['otp'],
    idleOtp: idleOtp as FlowSignatory['idleOtp'],
    otherAccessCode: (otp === otpType.accessCode && hasOtherAccessCode(index)) || undefined,
    privateMessage: privateMessage && words[privateMessage === true ? 'en' : privateMessage](index + 1),
    color: color && `#B5E61${index % 10}`,
  };
}

/** Texts for PrivateMessage, in several languages. */
const words = {
  en: (who: number) => `For number ${who} alone: please mind the last page.`,
  de: (who: number) => `Nur für Nummer ${who}: bitte die letzte Seite prüfen.`,
  el: (who: number) => `Μόνο για τον αριθμό ${who}: δείτε την τελευταία σελίδα.`,
  ja: (who: number) => `${who}番の方だけへ:最後のページをご確認ください。`,
} as const;

/** A person for a request of type 3, in which each signer has a stamp. */
function withStamp(person: FlowSignatory, index: number): FlowSignatory {
  return person.role === role.signer ? { ...person, stamps: [stamp('signature', index)] } : person;
}

const refusedCalls: Readonly<Record<Refusal, Omit<RefusedCall, 'what' | 'operation'>>> = {
  'no Title': { change: { Title: undefined }, requirement: 'skeleton.title-required' },
  'no AuditDetails': { change: { AuditDetails: undefined }, requirement: 'skeleton.audit-details-required' },
  'an unknown document token': {
    change: { Documents: ['5f1c7a0e-8d42-4b6a-9c53-2e7d90b1a46f'] },
    requirement: 'skeleton.unknown-document',
  },
  'no Name': { change: { Name: undefined }, requirement: 'signatory.name-required' },
  'no Order': { change: { Order: undefined }, requirement: 'signatory.order-required' },
  'no MobileNumber': {
    change: { OTP: { IsRequired: true, Type: otpType.sms } },
    requirement: 'otp.mobile-required',
  },
  'no access token': { authorization: 'absent', requirement: 'signatory.token-missing' },
  'an unknown access token': { authorization: 'unknown', requirement: 'signatory.token-invalid' },
  'an expired access token': { authorization: 'expired', requirement: 'signatory.token-expired' },
};

type ActStep = Extract<Step, { do: 'act' }>;

/** One request of a sequence under way. */
class Side {
  readonly #sequence: Sequence;
  readonly #flow: FlowScript;
  readonly #trace: Trace;
  /** Whether messages to people are judged. */
  readonly #reads: boolean;
  #state: State = beginning;
  /** People whose act was refused although it may be their turn: a service may take equal Orders one by one. */
  readonly #waiting = new Set<number>();
  /** People who acted before it was sure that they were asked: they may get their e-mail later, or none. */
  readonly #early = new Set<number>();
  /** People who were sent a code. */
  readonly #coded = new Set<number>();

  constructor(sequence: Sequence, flow: FlowScript, trace: Trace, reads: boolean) {
    // Messages to the same people about two requests cannot be told apart.
    this.#reads = reads && !sequence.neighbour && flow.reads('email');
    this.#sequence = sequence;
    this.#flow = flow;
    this.#trace = trace;
  }

  async take(step: Step): Promise<void> {
    const expectation = expects(this.#sequence, this.#state, step);
    if (expectation.is === 'nothing') return;
    const taken = await this.#do(step, expectation);
    if (expectation.is === 'open' && taken !== undefined)
      this.#trace.learned.push({ situation: expectation.situation, taken });
    const done = new Set(this.#flow.done);
    const acted = done.size > this.#state.done.size;
    this.#state = after(this.#state, step, expectation, { done, taken: taken ?? false });
    for (const who of acted ? [...this.#waiting] : []) {
      this.#waiting.delete(who);
      await this.take({ do: 'act', who });
    }
  }

  /** Judges the messages to people, once everybody has acted. */
  async end(): Promise<void> {
    if (!this.#reads || this.#state.open || this.#state.deleted) return;
    const { people } = this.#sequence;
    if (!isComplete(this.#sequence, this.#state) || this.#state.done.size === 0) return;
    // Without signers there is no signed copy.
    const isSigned = people.some((person) => person.role === 'signer');
    const copied = people.flatMap((person, index) => (isSigned && person.role === 'cc' ? [index] : []));
    for (const index of copied) await judgeCopy(this.#flow, index);
    const asked = this.#flow.people.filter((who) => !this.#early.has(who));
    await judgeLetters(this.#flow, asked);
  }

  /** Does a step; gives whether the target accepted it, undefined where nobody knows or nothing was tried. */
  async #do(step: Step, expectation: Expectation): Promise<boolean | undefined> {
    const flow = this.#flow;
    switch (step.do) {
      case 'send':
        await flow.send();
        return true;
      case 'act':
        return this.#act(step, expectation);
      case 'together':
        return isTwice(step) ? this.#twice(step.who[0] ?? 0, expectation) : this.#together(step.who);
      case 'code':
        await this.#ask(step.who);
        return true;
      case 'view':
        if (flow.driverShows) await flow.view(step.who);
        return true;
      case 'lull':
        await flow.lull();
        return true;
      case 'refused':
        await flow.refuse({
          ...refusedCalls[step.call],
          operation: refusals[step.call],
          what: `a call with ${step.call}`,
        });
        return true;
      case 'create':
        await flow.creates(step.type as 1 | 2);
        return true;
      case 'add':
        if (expectation.is === 'may-not') {
          const { requirement, why: what } = expectation;
          await flow.refuse({ operation: 'addSignatory', what, requirement, endedIds: true });
          return false;
        }
        return flow.adds({ role: roleOf(step.role), order: step.order });
      case 'delete':
        return flow.deletes();
    }
  }

  async #act(step: ActStep, expectation: Expectation): Promise<boolean | undefined> {
    const { who, code, as } = step;
    const flow = this.#flow;
    const task = flow.task(who);
    const act: Act = as ?? (task.role === role.approver ? 'approve' : 'sign');
    if (expectation.is === 'may-not') return this.#mayNotAct(step, act, expectation);
    await this.#letInvite(who);
    if (expectation.is === 'must') {
      await flow.acts(who, expectation.blame);
      if (task.otp && task.otp.type !== otpType.accessCode) this.#coded.add(who);
      return true;
    }
    const isOver = this.#state.done.has(who);
    const right = task.otp && !isOver ? 'right' : 'none';
    const codes = code === 'old' ? await this.#olderCode(who) : right;
    if (codes === undefined) return undefined;
    const taken = await flow.tries(who, act, codes);
    if (taken === false && code === undefined && !isOver) this.#waiting.add(who);
    if (taken && !isSurelyAtTurn(this.#sequence, this.#state, who)) this.#early.add(who);
    return taken;
  }

  async #mayNotAct(
    { who, code, of }: ActStep,
    act: Act,
    { requirement, why }: Extract<Expectation, { is: 'may-not' }>,
  ): Promise<false> {
    const codes = code === 'other' ? await this.#codesOf(who, of) : undefined;
    if (codes) await this.#flow.mayNotEnter(who, codes, requirement, why);
    const entered = code === 'wrong' ? 'wrong' : 'none';
    if (code !== 'other') await this.#flow.mayNot(who, act, entered, requirement, why);
    return false;
  }

  /** Waits for the e-mail to a person before they act. */
  async #letInvite(who: number): Promise<void> {
    if (this.#reads && isSurelyAtTurn(this.#sequence, this.#state, who)) await letInvite(this.#flow, who);
  }

  /** Several people act at the same time. All acts are awaited, even when one throws. */
  async #together(all: readonly number[]): Promise<true> {
    for (const who of all) await this.#letInvite(who);
    const ends = await Promise.allSettled(all.map((who) => this.#flow.acts(who, 'signing.parallel')));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return true;
  }

  /** A person acts twice at the same time; one of the two acts has to succeed. */
  async #twice(who: number, expectation: Expectation): Promise<true> {
    await this.#letInvite(who);
    const { role: own } = this.#flow.task(who);
    const tries = () => this.#flow.tries(who, own === role.approver ? 'approve' : 'sign', 'right');
    await Promise.all([tries(), tries()]);
    await this.#flow.acts(who, expectation.is === 'must' ? expectation.blame : undefined);
    return true;
  }

  /** Asks for a code to be sent to a person, if that can be asked for. */
  async #ask(who: number): Promise<boolean> {
    const asked = await this.#flow.requestOtp(who);
    if (asked) this.#coded.add(who);
    return asked;
  }

  /** The codes of somebody else, to enter them instead of the person's own; undefined if they cannot be had. */
  async #codesOf(who: number, of: number | undefined): Promise<EnteredCodes | undefined> {
    const flow = this.#flow;
    const own = flow.task(who).otp;
    const other = of === undefined ? undefined : flow.task(of).otp;
    if (!own || !other || of === undefined) return undefined;
    if (own.type === otpType.accessCode) {
      const isOther = other.accessCode !== undefined && other.accessCode !== own.accessCode;
      return isOther ? { accessCode: other.accessCode } : undefined;
    }
    const channel = other.type === otpType.sms ? 'sms' : 'email';
    if (other.type === otpType.accessCode || !flow.reads(channel)) return undefined;
    const surely = (index: number) => isSurelyAtTurn(this.#sequence, this.#state, index);
    if (!this.#coded.has(of) && !(surely(of) && (await this.#ask(of)))) return undefined;
    const code = await flow.code(of, channel);
    // The person is sent a code, too. Then the other person's code is surely wrong, unless both are equal.
    if (code === undefined || !surely(who) || !(await this.#ask(who))) return undefined;
    const ownChannel = own.type === otpType.sms ? 'sms' : 'email';
    if (!flow.reads(ownChannel) || (await flow.code(who, ownChannel)) === code) return undefined;
    return own.type === otpType.emailAndSms ? { email: code, sms: code } : { [ownChannel]: code };
  }

  /** The code that was sent to a person before the newest one. */
  async #olderCode(who: number): Promise<EnteredCodes | undefined> {
    const flow = this.#flow;
    const type = flow.task(who).otp?.type;
    const channel = type === otpType.sms ? 'sms' : type === otpType.email ? 'email' : undefined;
    if (channel === undefined || !flow.reads(channel) || !(await this.#ask(who))) return undefined;
    const older = await flow.code(who, channel);
    if (older === undefined || !(await this.#ask(who))) return undefined;
    const newer = await flow.code(who, channel);
    return newer === older ? undefined : { [channel]: older };
  }
}
