/** Signs and approves by calls of the profile, with the codes that it asks for. */
import { isDeepStrictEqual } from 'node:util';
import { otpType, role } from '../../openapi/codes.ts';
import { monotonicMs } from '../../record/clock.ts';
import type { CallTemplate } from '../profile/parts.ts';
import { besidesCodes, type Variables, withoutEmpty } from '../profile/template.ts';
import { askWhile } from '../target/budgets/pause.ts';
import { channelsOf, codesFor, inTurnByNumber, knownMessages } from './codes.ts';
import {
  type Act,
  type ActOutcome,
  type Channel,
  type Codes,
  type EnteredCodes,
  type SigningDriver,
  type SigningTask,
  unknown,
} from './driver.ts';
import { type ActAnswer, outcomeOf } from './http-answer.ts';
import { type PageParts, viewPage } from './http-page.ts';
import { linkVariables, type OutboxReader } from './outbox.ts';
import { isNameless, meaningOf, nameless, uses, variablesOf } from './template-call.ts';

export interface HttpDriverParts extends PageParts {
  /** How long a fresh signatory may be answered with 404. */
  readonly readyMs: number;
}

export function createHttpDriver(parts: HttpDriverParts): SigningDriver {
  const { calls, outbox } = parts;
  const made = new ProfileCalls(parts);
  const alone = inTurnByNumber();
  return {
    shows: calls.view !== undefined,
    alone,

    takesCodes(task) {
      const template = task.role === role.approver ? calls.approve : calls.sign;
      const asked = task.otp?.type === otpType.accessCode;
      if (!template || asked) return template !== undefined && uses(template, 'accessCode');
      return channelsIn(template, task, outbox).length > 0;
    },

    act(task, act, codes) {
      const template = calls[act];
      if (!template) return Promise.resolve(unknown(`the profile has no calls.${act}`));
      return alone(task, () => made.act(template, task, act, codes));
    },

    enter(task, act, codes) {
      const template = calls[act];
      // Where two codes share one place, either of them may be enough, so nothing is tried.
      const apart = template && channelsIn(template, task, outbox).length === channelsOf(task).length;
      if (apart && carries(template, codes)) return made.act(template, task, act, codes);
      return Promise.resolve(unknown(`${keyOf(calls, act)} has no place for these codes`));
    },

    view: async (task, documents) => {
      const seen = await viewPage(parts, task, documents);
      const isTheirs = seen.kind === 'seen' && seen.text.includes(task.name);
      if (calls.view && calls.view.method !== 'GET' && !isTheirs) made.touched.add(task.requestId);
      return seen;
    },

    close: () => Promise.resolve(),
  };
}

/** The calls of a profile by which people act and get codes. */
class ProfileCalls {
  readonly #parts: HttpDriverParts;
  /** The calls that sign and approve are one: with {act} in it, one template makes two different calls. */
  readonly #isSameCall: boolean;
  /** Requests whose people were shown nothing by a call that may do more than read: it may have acted for them. */
  readonly touched = new Set<string>();
  /** Somebody could ask for a code by this call, so its path is right. */
  #isPathKnown = false;

  constructor(parts: HttpDriverParts) {
    const { approve, sign } = parts.calls;
    this.#parts = parts;
    this.#isSameCall = isSame(approve, sign) && !(approve && uses(approve, 'act'));
  }

  async act(
    template: CallTemplate,
    task: SigningTask,
    act: Act,
    codes: Codes | EnteredCodes,
  ): Promise<ActOutcome> {
    const { calls, outbox } = this.#parts;
    const key = keyOf(calls, act);
    // Without an id the call would go to another URL, and its refusal would say nothing.
    const unclear = isNameless(template, task) ? nameless(key) : this.#whyUnclear(template, key);
    if (unclear !== undefined) return unknown(unclear);
    const attempt: Attempt = { task, act, exchanges: [] };
    const isWithCode = (codes === 'right' || codes === 'wrong') && channelsOf(task).length > 0;
    const requestOtp = isWithCode ? calls.requestOtp : undefined;
    const known = requestOtp && codes === 'right' ? await knownMessages(task, outbox) : undefined;
    const failure = requestOtp && (await this.#requestCode(requestOtp, attempt));
    if (failure) return failure;
    const places = channelsIn(template, task, outbox);
    const found = await codesFor(task, codes, outbox, known, places);
    if (found.kind === 'none') return unknown(found.reason, attempt.exchanges);
    const doubts = this.#doubtsOf(template, attempt, codes, places, found.lacking);
    const made = await this.#make(template, act, attempt, found.entered);
    if (typeof made === 'string') return unknown(made, attempt.exchanges);
    const outcome = outcomeOf(made, template, key, attempt.exchanges, doubts, codes);
    if (outcome.kind === 'done' && known?.get('email')?.size === 0) return { ...outcome, unwritten: true };
    if (outcome.kind === 'refused' && this.#isAlone(template, act, withCodes(task, found.entered)))
      return { ...outcome, malformed: true };
    return made.insisted ? { ...outcome, insisted: true } : outcome;
  }

  /** Why nobody can tell what the call does: the profile names it for another purpose as well, and no result of it. */
  #whyUnclear(template: CallTemplate, key: string): string | undefined {
    const others = Object.entries(this.#parts.calls).filter(([name]) => !acts.has(name));
    const [twin] = others.find(([, each]) => isSame(each, template)) ?? [];
    if (twin === undefined || template.result !== undefined) return undefined;
    return `${key} is the same call as calls.${twin}: which of the two is meant?`;
  }

  /** If the calls by which signers and approvers act are not alike, one may be another call, or have codes in other places. */
  #isAlone(template: CallTemplate, act: Act, variables: Variables): boolean {
    const other = this.#parts.calls[act === 'sign' ? 'approve' : 'sign'];
    return !(other && areAlike(template, other, variables));
  }

  /**
   * Why a refusal of the call may say nothing of the person.
   * @param places channels for whose codes the call has a place
   * @param lacking what keeps the codes from being the right ones
   */
  #doubtsOf(
    template: CallTemplate,
    { task, act }: Attempt,
    codes: Codes | EnteredCodes,
    places: readonly Channel[],
    lacking: string | undefined,
  ): readonly string[] {
    const { view } = this.#parts.calls;
    const channels = channelsOf(task);
    const unplaced = codes === 'right' ? channels.filter((each) => !places.includes(each)) : [];
    const ofCodes = [
      lacking,
      unplaced.length > 0
        ? `the call has no place for the code that came by ${unplaced.join(' and ')}`
        : undefined,
    ];
    const isUndoubted = ofCodes.every((each) => each === undefined);
    return [
      ...ofCodes,
      isUndoubted && act === 'approve' && this.#isSameCall ? 'calls.sign is the same call' : undefined,
      this.touched.has(task.requestId)
        ? `calls.view is a ${view?.method} and shows nothing of a person: it may act for them`
        : undefined,
      channels.length > 1 && isJoined(template)
        ? 'both codes stand in one text: the target may want them in two, or one of them'
        : undefined,
    ].filter((each) => each !== undefined);
  }

  /** Asks for a code; gives what came of it only where it failed. */
  async #requestCode(template: CallTemplate, attempt: Attempt): Promise<ActOutcome | undefined> {
    const { exchanges } = attempt;
    const asked = await this.#make(template, 'requestOtp', attempt);
    if (typeof asked === 'string') return unknown(asked, exchanges);
    if (meaningOf(asked.answer, template) === 'accepted') {
      this.#isPathKnown = true;
      return undefined;
    }
    const outcome = outcomeOf(asked, template, 'calls.requestOtp', exchanges);
    // It may be another call, unless somebody acts by a code that it brings.
    if (outcome.kind === 'refused') return { ...outcome, malformed: true };
    return outcome.kind === 'unknown' && !this.#isPathKnown ? { ...outcome, idUnknown: undefined } : outcome;
  }

  /** Makes a call, again while a fresh id may be unknown. @returns a text that says why the call cannot be made */
  async #make(
    template: CallTemplate,
    name: string,
    { task, act, exchanges }: Attempt,
    entered: EnteredCodes = {},
  ): Promise<ActAnswer | string> {
    const { call, outbox, readyMs } = this.#parts;
    const link = await linkVariables(template, task, outbox);
    if (typeof link === 'string') return link;
    const variables = { ...withCodes(task, entered), ...link, act };
    const isInvisible = ({ answer }: ActAnswer) =>
      answer.status === 404 && meaningOf(answer, template) === 'unclear';
    let times = 0;
    return askWhile(readyMs, isInvisible, async () => {
      const startMs = monotonicMs();
      const answer = await call(withoutEmpty(template, variables), variables, `calls.${name}`);
      exchanges.push(answer.index);
      times += 1;
      return {
        answer,
        at: answer.at ?? { startMs, endMs: monotonicMs() },
        insisted: times > 1 || undefined,
        guessed: (uses(template, 'token') && !outbox.linkPattern) || undefined,
      };
    });
  }
}

interface Attempt {
  readonly task: SigningTask;
  readonly act: Act;
  readonly exchanges: number[];
}

/** The key by which the profile names a call; `complete` may stand for both. */
const keyOf = (calls: HttpDriverParts['calls'], act: Act): string =>
  isDeepStrictEqual(calls[act], calls.complete) ? 'calls.complete' : `calls.${act}`;

const acts: ReadonlySet<string> = new Set(['sign', 'approve', 'complete', 'decline']);

const isSame = (one: CallTemplate | undefined, other: CallTemplate | undefined) =>
  one !== undefined && other !== undefined && isDeepStrictEqual(besidesCodes(one), besidesCodes(other));

/** Whether the code of an e-mail and that of an SMS stand side by side in one value of a call. */
const isJoined = ({ url, headers, body }: CallTemplate) =>
  /\{otp(?:Email|Sms)\}[^&={}"<>/]{0,4}\{otp(?:Email|Sms)\}/.test(JSON.stringify([url, headers, body]));

/** Whether a call that signs and one that approves differ in these words alone, in what is sent with these variables. */
function areAlike(its: CallTemplate, others: CallTemplate, variables: Variables): boolean {
  const [one, other] = [its, others].map((each) => {
    const { method, url, headers, body = {}, authorize } = withoutEmpty(each, variables);
    return JSON.stringify([method, url, headers, body, authorize]).replaceAll(
      /sign(?!ator)\w*|approv\w*/gi,
      'act',
    );
  });
  return one === other && (uses(its, 'act') || !isDeepStrictEqual(its, others));
}

function carries(template: CallTemplate, { email, sms, accessCode }: EnteredCodes): boolean {
  const has = (...variables: readonly string[]) => variables.some((each) => uses(template, each));
  return (
    (email === undefined || has('otp', 'otpEmail')) &&
    (sms === undefined || has(...(email === undefined ? ['otp'] : []), 'otpSms')) &&
    (accessCode === undefined || has('accessCode'))
  );
}

function channelsIn(
  template: CallTemplate,
  task: Pick<SigningTask, 'otp'>,
  outbox: OutboxReader,
): readonly Channel[] {
  const channels = channelsOf(task);
  const [any, email, sms] = ['otp', 'otpEmail', 'otpSms'].map((variable) => uses(template, variable));
  if (channels.length < 2) return channels.filter((channel) => any || (channel === 'email' ? email : sms));
  const byMail = any && outbox.reads('email');
  return channels.filter((channel) => (channel === 'email' ? email || byMail : sms || (any && !byMail)));
}

/** `otp` is the code of the only channel, or of the e-mail where there are two. */
function withCodes(task: SigningTask, { email, sms, accessCode }: EnteredCodes): Variables {
  return {
    ...variablesOf(task),
    signatoryId: task.signatoryId ?? '',
    otp: email ?? sms ?? '',
    otpEmail: email ?? '',
    otpSms: sms ?? '',
    accessCode: accessCode ?? '',
  };
}
