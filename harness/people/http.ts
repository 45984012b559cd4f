/** Signs by calls of the profile, asks for codes, and looks at what a signatory is shown. */

import { isDeepStrictEqual } from 'node:util';
import { otpType, role } from '../../openapi/codes.ts';
import { monotonicMs } from '../../record/clock.ts';
import { headerOf } from '../../record/exchange.ts';
import type { CallTemplate } from '../profile/parts.ts';
import type { Variables } from '../profile/template.ts';
import { askUntil } from '../target/budgets/pause.ts';
import { shownText } from '../untrusted/html.ts';
import { readPdf } from '../untrusted/pdf/completed.ts';
import { pdfsIn } from '../untrusted/pdf/documents-in.ts';
import { type CodesOutcome, channelsOf, codesFor, knownMessages } from './codes.ts';
import type { Act, ActOutcome, Codes, EnteredCodes, PageView, SigningDriver, SigningTask } from './driver.ts';
import { unknown } from './driver.ts';
import { inTurnByNumber } from './in-turn.ts';
import type { Channel, Outbox } from './outbox.ts';
import {
  linkVariables,
  meaningOf,
  meaningOfAct,
  type TemplateAnswer,
  type TemplateCall,
  toldAnswer,
  uses,
  variablesOf,
  withoutEmpty,
} from './template-call.ts';

export interface HttpDriverParts {
  readonly calls: {
    readonly sign?: CallTemplate;
    readonly approve?: CallTemplate;
    readonly requestOtp?: CallTemplate;
    readonly view?: CallTemplate;
    readonly viewDocument?: CallTemplate;
  };
  readonly call: TemplateCall;
  readonly outbox: Outbox;
  /** How long a fresh signatory may be answered with 404. */
  readonly readyMs: number;
}

/** An attempt that ends before its call is made. */
class Ended extends Error {
  readonly outcome: ActOutcome;

  constructor(outcome: ActOutcome) {
    super('the attempt has ended');
    this.outcome = outcome;
  }
}

export function createHttpDriver({ calls, call, outbox, readyMs }: HttpDriverParts): SigningDriver {
  const { sign, approve } = calls;
  // By {act} one template makes two calls.
  const signsToo = isDeepStrictEqual(approve, sign) && !(approve && uses(approve, 'act'));

  async function attempt(
    template: CallTemplate,
    task: SigningTask,
    act: Act,
    codes: Codes | EnteredCodes,
  ): Promise<ActOutcome> {
    const exchanges: number[] = [];
    const make: Make = async (name, each, variables) => {
      const answer = await ask(each, variables, `calls.${name}`);
      exchanges.push(...answer.indexes);
      return answer;
    };
    try {
      // Where the target gave no id, the call would lead somewhere else, and its refusal would say nothing.
      if (task.signatoryId === undefined && uses(template, 'signatoryId')) {
        throw ended(`calls.${act} names the signatory, for whom the target gave no id`);
      }
      const found = await obtain(template, task, codes, make);
      const variables = { ...withCodes(task, found.entered), ...(await linkFor(template, task)), act };
      const answer = await make(act, template, variables);
      const lacking =
        found.lacking ?? (act === 'approve' && signsToo ? 'calls.sign is the same call' : undefined);
      return { ...outcomeOf(answer, template, `calls.${act}`, lacking), exchanges };
    } catch (error) {
      if (error instanceof Ended) return { ...error.outcome, exchanges };
      throw error;
    }
  }

  /** Makes a call, again while a fresh id may not be visible yet. */
  async function ask(template: CallTemplate, variables: Variables, name: string): Promise<Asked> {
    const indexes: number[] = [];
    let last: Asked | undefined;
    await askUntil(readyMs, async () => {
      const startMs = monotonicMs();
      const answer = await call(withoutEmpty(template, variables), variables, name);
      indexes.push(answer.index);
      last = { answer, indexes, at: answer.at ?? { startMs, endMs: monotonicMs() } };
      const invisible = answer.status === 404 && meaningOf(answer, template) === 'unclear';
      return invisible ? undefined : answer;
    });
    if (!last) throw new Error('a call was to be made at least once');
    return last;
  }

  async function obtain(template: CallTemplate, task: SigningTask, codes: Codes | EnteredCodes, make: Make) {
    const { requestOtp } = calls;
    const asks = codes === 'right' || codes === 'wrong';
    const sends = requestOtp !== undefined && asks && channelsOf(task).length > 0;
    const known = sends && codes === 'right' ? await knownMessages(task, outbox) : undefined;
    if (sends) {
      const answer = await make('requestOtp', requestOtp, {
        ...withCodes(task, {}),
        ...(await linkFor(requestOtp, task)),
      });
      const meaning = meaningOf(answer.answer, requestOtp);
      if (meaning !== 'accepted') {
        throw new Ended(outcomeOf(answer, requestOtp, 'calls.requestOtp'));
      }
    }
    const places = channelsIn(template, task, outbox);
    const found: CodesOutcome = await codesFor(task, codes, outbox, known, places);
    if (found.kind === 'none') throw ended(found.reason);
    const homeless = codes === 'right' ? channelsOf(task).filter((each) => !places.includes(each)) : [];
    if (homeless.length === 0) return found;
    const why = `the call has no place for the code that came by ${homeless.join(' and ')}`;
    return { ...found, lacking: found.lacking === undefined ? why : `${found.lacking}; ${why}` };
  }

  async function linkFor(template: CallTemplate, task: SigningTask): Promise<Variables> {
    const found = await linkVariables(template, task, outbox);
    if (typeof found === 'string') throw ended(found);
    return found;
  }

  /** The page or its data, and the document. */
  async function view(task: SigningTask, documents = 1): Promise<PageView> {
    const { view: page, viewDocument } = calls;
    if (!page) return unknown('the profile signs by calls, which show no page');
    const exchanges: number[] = [];
    const link = await linkVariables([page, viewDocument], task, outbox, 'seen');
    if (typeof link === 'string') return unknown(link);
    const get = async (template: CallTemplate, name: string, index = 0): Promise<TemplateAnswer> => {
      const place = { documentIndex: String(index), documentNumber: String(index + 1) };
      const answer = await call(template, { ...variablesOf(task), ...link, ...place }, name);
      exchanges.push(answer.index);
      return answer;
    };
    // A call that names the signatory cannot be made where the target gave no id for one.
    const isNameless = (template: CallTemplate) =>
      task.signatoryId === undefined && uses(template, 'signatoryId');
    if (isNameless(page)) return unknown('calls.view names the signatory, for whom the target gave no id');
    const shown = await get(page, 'calls.view');
    if (meaningOf(shown, page) !== 'accepted') {
      return unknown(toldAnswer('calls.view', shown), exchanges);
    }
    const text = shownText(shown.text);
    // That somebody else is shown the document is not stated.
    const isShown = task.role === role.signer && viewDocument && !isNameless(viewDocument);
    if (!isShown) return { kind: 'seen', text, exchanges };
    const apart = ['documentIndex', 'documentNumber'].some((place) => uses(viewDocument, place));
    const texts: string[] = [];
    for (let index = 0; index < (apart ? documents : 1); index++) {
      const file = await get(viewDocument, 'calls.viewDocument', index);
      const found = await documentIn(file, viewDocument);
      if (found === 'none') return { kind: 'seen', text, exchanges, document: false };
      if (found === 'unclear') {
        const told = toldAnswer('calls.viewDocument', { ...file, text: '' });
        const documentUnread = `${told}, and nothing tells whether it shows the document`;
        return { kind: 'seen', text, exchanges, documentUnread };
      }
      if (found.text !== undefined) texts.push(found.text);
    }
    const all = apart && texts.length === documents;
    return { kind: 'seen', text, exchanges, document: true, documentText: texts.join('\n'), all };
  }

  const alone = inTurnByNumber();

  return {
    shows: calls.view !== undefined,
    alone,

    takesCodes(task) {
      const asked = task.otp?.type === otpType.accessCode;
      if (!calls.sign || asked) return calls.sign !== undefined && uses(calls.sign, 'accessCode');
      return channelsIn(calls.sign, task, outbox).length > 0;
    },

    act(task, act, codes) {
      const template = calls[act];
      if (!template) return Promise.resolve(unknown(`the profile has no calls.${act}`));
      return alone(task, () => attempt(template, task, act, codes));
    },

    enter(task, act, codes) {
      const template = calls[act];
      // Of two codes that share one place either may be enough.
      const apart = template && channelsIn(template, task, outbox).length === channelsOf(task).length;
      if (apart && carries(template, codes)) return attempt(template, task, act, codes);
      return Promise.resolve(unknown(`calls.${act} has no place for these codes`));
    },

    view,

    close: () => Promise.resolve(),
  };
}

interface Asked {
  readonly answer: TemplateAnswer;
  /** All exchanges of the call, the retried ones too. */
  readonly indexes: readonly number[];
  /** Span of the last try. */
  readonly at: { readonly startMs: number; readonly endMs: number };
}

type Make = (name: string, template: CallTemplate, variables: Variables) => Promise<Asked>;

const ended = (reason: string) => new Ended(unknown(reason));

/** @param lacking why a code or a call of its own is missing, so that a refusal says nothing */
function outcomeOf(
  { answer, at, indexes: exchanges }: Asked,
  template: CallTemplate,
  name: string,
  lacking?: string,
): ActOutcome {
  const told = toldAnswer(name, answer);
  const meaning = meaningOfAct(answer, template);
  if (meaning === 'accepted') return { kind: 'done', at, exchanges };
  if (meaning === 'unclear') {
    const idUnknown = answer.status === 404 && uses(template, 'signatoryId');
    return { ...unknown(told, exchanges), ...(idUnknown ? { idUnknown } : {}) };
  }
  return lacking === undefined
    ? { kind: 'refused', at, reason: told, exchanges }
    : { ...unknown(`${told}; ${lacking}`, exchanges), refused: true };
}

/** Whether a call has a place for each of the codes. */
function carries(template: CallTemplate, { email, sms, accessCode }: EnteredCodes): boolean {
  const has = (...variables: readonly string[]) => variables.some((each) => uses(template, each));
  return (
    (email === undefined || has('otp', 'otpEmail')) &&
    (sms === undefined || has(...(email === undefined ? ['otp'] : []), 'otpSms')) &&
    (accessCode === undefined || has('accessCode'))
  );
}

/** The channels whose codes the call carries. */
function channelsIn(template: CallTemplate, task: SigningTask, outbox: Outbox): readonly Channel[] {
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

/** A PDF, also one that JSON or a part holds, or a picture of a page; what shows it in another way cannot be told. */
async function documentIn(
  answer: TemplateAnswer,
  template: CallTemplate,
): Promise<{ readonly text: string | undefined } | 'none' | 'unclear'> {
  const meaning = answer.status === 404 ? 'refused' : meaningOf(answer, template);
  if (meaning === 'unclear') return 'unclear';
  const { bytes, headers } = answer;
  if (meaning === 'refused' || bytes.length === 0) return 'none';
  const held = pdfsIn(headers, bytes);
  const read = await Promise.all((held.length > 0 ? held : [bytes]).map((each) => readPdf(each)));
  const texts = read.flatMap((each) => (each.readable ? [each.text] : []));
  if (texts.length > 0) return { text: texts.join('\n') };
  return headerOf(headers, 'content-type')?.startsWith('image/') ? { text: undefined } : 'unclear';
}
