/** Signs by calls of the profile, asks for codes, and looks at what a signatory is shown. */

import { isDeepStrictEqual } from 'node:util';
import { otpType, role } from '../../openapi/codes.ts';
import { monotonicMs } from '../../record/clock.ts';
import { headerOf, isPage } from '../../record/exchange.ts';
import type { Interval } from '../../record/facts.ts';
import type { CallTemplate } from '../profile/parts.ts';
import type { Profile } from '../profile/schema.ts';
import { besidesCodes, fill, mayBeLater, type Variables, withoutEmpty } from '../profile/template.ts';
import { askWhile } from '../target/budgets/pause.ts';
import { shownText } from '../untrusted/html.ts';
import { leavesOf, pointerOf } from '../untrusted/payload/tree.ts';
import { readPdf } from '../untrusted/pdf/completed.ts';
import { isPdf, pdfsIn } from '../untrusted/pdf/documents-in.ts';
import { readText, scopeOf, treeOf } from '../untrusted/place.ts';
import { channelsOf, codesFor, inTurnByNumber, type Known, knownMessages } from './codes.ts';
import {
  type Act,
  type ActOutcome,
  type Channel,
  type Codes,
  type EnteredCodes,
  type PageView,
  type Said,
  type SigningDriver,
  type SigningTask,
  unknown,
} from './driver.ts';
import type { Outbox } from './outbox.ts';
import { linkVariables } from './outbox.ts';
import {
  isNameless,
  meaningOf,
  meaningOfAct,
  type TemplateAnswer,
  type TemplateCall,
  toldAnswer,
  uses,
  variablesOf,
  wordsOf,
} from './template-call.ts';

export interface HttpDriverParts {
  readonly calls: NonNullable<Profile['calls']>;
  readonly call: TemplateCall;
  readonly outbox: Outbox;
  /** How long a fresh signatory may be answered with 404. */
  readonly readyMs: number;
}

/** Redirects that are followed to a page at most. */
const mostHops = 5;

export function createHttpDriver(parts: HttpDriverParts): SigningDriver {
  const { calls, outbox } = parts;
  const made = new ProfileCalls(parts);
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
      return alone(task, () => made.act(template, task, act, codes));
    },

    enter(task, act, codes) {
      const template = calls[act];
      // Where two codes share one place, either of them may be enough, so nothing is tried.
      const apart = template && channelsIn(template, task, outbox).length === channelsOf(task).length;
      if (apart && carries(template, codes)) return made.act(template, task, act, codes);
      return Promise.resolve(unknown(`calls.${act} has no place for these codes`));
    },

    view: (task, documents) => made.view(task, documents),

    close: () => Promise.resolve(),
  };
}

/** The calls of a profile by which people act, get codes and look at something. */
class ProfileCalls {
  readonly #parts: HttpDriverParts;
  /** The calls that sign and approve are one: with {act} in it, one template makes two different calls. */
  readonly #isSameCall: boolean;
  /** Somebody could ask for a code by this call: then its path is known. */
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
    // Without an id the call would go to another URL, and its refusal would say nothing.
    if (isNameless(template, task)) return unknown(nameless(`calls.${act}`));
    const { calls, outbox } = this.#parts;
    const [twin] =
      Object.entries(calls).find(([name, each]) => !acts.has(name) && isSame(each, template)) ?? [];
    if (twin !== undefined && template.result === undefined)
      return unknown(`calls.${act} is the same call as calls.${twin}: which of the two is meant?`);
    const attempt: Attempt = { task, act, exchanges: [] };
    const isWithCode = (codes === 'right' || codes === 'wrong') && channelsOf(task).length > 0;
    let known: Known | undefined;
    if (calls.requestOtp && isWithCode) {
      if (codes === 'right') known = await knownMessages(task, outbox);
      const failure = await this.#requestCode(calls.requestOtp, attempt);
      if (failure) return failure;
    }
    const places = channelsIn(template, task, outbox);
    const found = await codesFor(task, codes, outbox, known, places);
    if (found.kind === 'none') return unknown(found.reason, attempt.exchanges);
    const doubts = found.lacking === undefined ? [] : [found.lacking];
    const unplaced = channelsOf(task).filter((each) => !places.includes(each));
    if (codes === 'right' && unplaced.length > 0)
      doubts.push(`the call has no place for the code that came by ${unplaced.join(' and ')}`);
    if (doubts.length === 0 && act === 'approve' && this.#isSameCall)
      doubts.push('calls.sign is the same call');
    if (channelsOf(task).length > 1 && isJoined(template))
      doubts.push('both codes stand in one text: the target may want them in two, or one of them');
    const made = await this.#make(template, act, attempt, found.entered);
    if (typeof made === 'string') return unknown(made, attempt.exchanges);
    const outcome = outcomeOf(made, template, `calls.${act}`, attempt.exchanges, doubts, codes);
    // Where no approver acts by a call that is made alike, the one that signs may be another one, or put codes elsewhere.
    const variables = withCodes(task, found.entered);
    const isAlone = act === 'sign' && !(calls.approve && areAlike(template, calls.approve, variables));
    if (outcome.kind === 'refused' && isAlone) return { ...outcome, malformed: true };
    return made.insisted ? { ...outcome, insisted: true } : outcome;
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
    return outcome.kind === 'unknown' && !this.#isPathKnown ? { ...outcome, idUnknown: undefined } : outcome;
  }

  /**
   * Makes a call, again while a fresh id may not be visible yet.
   * @returns a text that says why the call cannot be made
   */
  async #make(
    template: CallTemplate,
    name: string,
    { task, act, exchanges }: Attempt,
    entered: EnteredCodes = {},
  ): Promise<Asked | string> {
    const { call, outbox, readyMs } = this.#parts;
    const link = await linkVariables(template, task, outbox);
    if (typeof link === 'string') return link;
    const variables = { ...withCodes(task, entered), ...link, act };
    const isInvisible = ({ answer }: Asked) =>
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
        ...(times > 1 ? { insisted: true } : {}),
        ...(uses(template, 'token') && !outbox.linkPattern ? { guessed: true } : {}),
      };
    });
  }

  /** Gets the page, or its data, and the document. Where the page is nobody's own, the person has looked, and nothing is known of it. */
  async view(task: SigningTask, documents?: number): Promise<PageView> {
    const seen = await this.#view(task, documents);
    const { view: page } = this.#parts.calls;
    const isOwn = !page || personal.some((variable) => uses(page, variable));
    return isOwn || seen.kind !== 'seen' ? seen : unknown(impersonal, seen.exchanges);
  }

  async #view(task: SigningTask, documents = 1): Promise<PageView> {
    const { view: page, viewDocument } = this.#parts.calls;
    if (!page) return unknown('the profile signs by calls, which show no page');
    const link = await linkVariables([page, viewDocument], task, this.#parts.outbox, 'seen');
    if (typeof link === 'string') return unknown(link);
    if (isNameless(page, task)) return unknown(nameless('calls.view'));
    const exchanges: number[] = [];
    const visit: Visit = { exchanges, cookies: new Map() };
    const get = (template: CallTemplate, name: string, index = 0) => {
      const place = { documentIndex: String(index), documentNumber: String(index + 1) };
      return this.#get(template, { ...variablesOf(task), ...link, ...place }, name, visit);
    };
    const shown = await get(page, 'calls.view');
    if (meaningOf(shown, page) !== 'accepted') return unknown(toldAnswer('calls.view', shown), exchanges);
    const seen = { kind: 'seen', text: shownText(shown.text), source: shown.text, exchanges } as const;
    // That others than signers are shown the document is not stated.
    const isShown =
      documents > 0 && task.role === role.signer && viewDocument && !isNameless(viewDocument, task);
    if (!isShown) return seen;
    const apart = ['documentIndex', 'documentNumber'].some((place) => uses(viewDocument, place));
    const texts: string[] = [];
    for (let index = 0; index < (apart ? documents : 1); index++) {
      const file = await get(viewDocument, 'calls.viewDocument', index);
      // Where a document stands outside of the count, the profile counts from another number than the target.
      const outside = uses(viewDocument, 'documentIndex') ? documents : -1;
      const isCountedOtherwise = async () =>
        apart && file.status === 404 && isPdf((await get(viewDocument, 'calls.viewDocument', outside)).bytes);
      const isCounted = await isCountedOtherwise();
      const found = isCounted ? 'unclear' : await documentIn(file, viewDocument);
      // Where the first document is found, the profile names the right address.
      if (found === 'none') return { ...seen, document: false, notFound: file.status === 404 && index === 0 };
      if (found === 'unclear') {
        const told = toldAnswer('calls.viewDocument', { ...file, text: '' });
        const hint = isCounted ? ': {documentIndex} counts from 0, {documentNumber} from 1' : '';
        const documentUnread = `${told}, and nothing tells whether it shows the document${hint}`;
        return { ...seen, documentUnread };
      }
      if (found.text !== undefined) texts.push(found.text);
    }
    const all = apart && texts.length === documents;
    return { ...seen, document: true, documentText: texts.join('\n'), all };
  }

  /** Makes a call that shows something; redirects are followed and cookies kept, as by a browser. */
  async #get(
    template: CallTemplate,
    variables: Variables,
    name: string,
    { exchanges, cookies }: Visit,
  ): Promise<TemplateAnswer> {
    const get = async (from: CallTemplate, given: Variables) => {
      const url = fill(from.url, given);
      const kept = cookies.get(originOf(url));
      const headers = kept ? { ...from.headers, Cookie: '{cookies}' } : from.headers;
      const all = { ...given, cookies: [...(kept ?? [])].map((each) => each.join('=')).join('; ') };
      const answer = await this.#parts.call({ ...from, ...(headers ? { headers } : {}) }, all, name);
      exchanges.push(answer.index);
      for (const [, value] of answer.headers.filter(([field]) => /^set-cookie$/i.test(field))) {
        const [cookie = '', content = ''] = /^([^=;]+)=([^;]*)/.exec(value)?.slice(1) ?? [];
        const origin = originOf(answer.url ?? url);
        if (cookie) cookies.set(origin, (cookies.get(origin) ?? new Map()).set(cookie, content));
      }
      return answer;
    };
    let answer = await get(template, variables);
    for (let hop = 0; hop < mostHops && template.method === 'GET'; hop++) {
      const moved = meaningOf(answer, template) === 'unclear' && /^30[12378]$/.test(String(answer.status));
      const next = moved ? headerOf(answer.headers, 'location') : undefined;
      if (next === undefined || !URL.canParse(next, answer.url)) break;
      answer = await get({ ...template, url: '{link}' }, { link: new URL(next, answer.url).href });
    }
    return answer;
  }
}

/** What a look at a page leaves: the exchanges, and the cookies by origin, on which pages behind a redirect may rest. */
interface Visit {
  readonly exchanges: number[];
  readonly cookies: Map<string, Map<string, string>>;
}

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : '');

interface Attempt {
  readonly task: SigningTask;
  readonly act: Act;
  readonly exchanges: number[];
}

interface Asked {
  readonly answer: TemplateAnswer;
  readonly at: Interval;
  /** The call has a `{token}`, and the profile has no pattern that tells which part of the link it is. */
  readonly guessed?: true;
  /** The call was made several times, since an id may be unknown at first. */
  readonly insisted?: true;
}

/** Only what types 1 to 3 answer is not shown: there the id of each has to stand beside what tells whose it is. */
const nameless = (call: string) =>
  `${call} names the signatory, whose id was not found: of several people it is looked for beside or below their e-mail address, where create.signatoryId leads to the first one`;

/** What tells the people of a request apart in a call. */
const personal = ['signatoryId', 'email', 'name', 'mobileNumber', 'link', 'token'];
const impersonal =
  'calls.view names no person, by {link}, {token}, {signatoryId}, {email} or the like: it gives the same for everybody';

const acts: ReadonlySet<string> = new Set(['sign', 'approve', 'complete', 'decline']);

const isSame = (one: CallTemplate | undefined, other: CallTemplate | undefined) =>
  one !== undefined && other !== undefined && isDeepStrictEqual(besidesCodes(one), besidesCodes(other));

/** Whether the code of an e-mail and that of an SMS stand side by side in one value of a call. */
const isJoined = ({ url, headers, body }: CallTemplate) =>
  /\{otp(?:Email|Sms)\}[^&={}"<>/]{0,4}\{otp(?:Email|Sms)\}/.test(JSON.stringify([url, headers, body]));

/** Whether a call that signs and one that approves differ in these words alone, in what is sent with these variables. */
function areAlike(sign: CallTemplate, approve: CallTemplate, variables: Variables): boolean {
  const [one, other] = [sign, approve].map((each) => {
    const { method, url, headers, body = {}, authorize } = withoutEmpty(each, variables);
    return JSON.stringify([method, url, headers, body, authorize]).replaceAll(
      /sign(?!ator)\w*|approv\w*/gi,
      'act',
    );
  });
  return one === other && (uses(sign, 'act') || !isDeepStrictEqual(sign, approve));
}

/** Words by which a page says that something was not done. */
const denial =
  /\b(?:sorry|error|please wait|your turn|wrong|invalid|incorrect|denied|failed|refused|expired|not (?:allowed|possible|valid|yet|now|correct)|cannot|try again|enter (?:the|your|an?)|falsch|fehler|nicht (?:möglich|erlaubt|gültig))\b/i;

/** @param doubts why a code, or a call for this act alone, is missing: then a refusal says nothing */
function outcomeOf(
  { answer, at, guessed }: Asked,
  template: CallTemplate,
  name: string,
  exchanges: readonly number[],
  doubts: readonly string[] = [],
  codes: Codes | EnteredCodes = 'right',
): ActOutcome {
  const told = toldAnswer(name, answer);
  const meaning = meaningOfAct(answer, template);
  if (meaning === 'accepted') {
    const isMarkup = /^\s*</.test(answer.text) && !template.result && !template.accept;
    const denies = denial.test(shownText(answer.text));
    if (!isMarkup || (codes === 'right' && !denies)) {
      const { status, index } = answer;
      const later =
        status >= 300
          ? `${name} was answered with ${status} (exchange ${index}), which may lead to a refusal; let ${name}.result find in { header: Location } what says that it was done`
          : `${told}: 202 may be taken for later, and refused then; where it means done, ${name}.accept says so`;
      const isOpen = !template.result && (status >= 300 || mayBeLater(template, answer));
      const said = { ...saidBy(name, answer, template), ...(isMarkup ? { page: 'a page' } : {}) };
      return { kind: 'done', at, exchanges, ...(isOpen ? { later } : {}), said };
    }
    const hint = `a page, which may say anything; let ${name}.result find what it says when all is done`;
    return { ...unknown(`${told}: ${hint}`, exchanges), ...(denies ? {} : { mayBeDone: true }) };
  }
  if (meaning === 'unclear') {
    // A page may be the word of a gateway, behind which the service is away.
    const idUnknown = answer.status === 404 && !isPage(answer.text) && uses(template, 'signatoryId');
    const what = guessed
      ? '{token} was guessed: outbox.link finds it in a link by a pattern'
      : `is ${name}.url right? Where 404 means "not allowed", ${name}.refuse says so`;
    const other = `, with another code than where something was made; let ${name}.result find what says that it was done`;
    const hint = answer.otherCode ? other : answer.status === 404 ? `; ${what}` : '';
    const mayBeDone = answer.status === 0 || answer.status >= 500 || answer.otherCode;
    return {
      ...unknown(told + hint, exchanges),
      ...(idUnknown ? { idUnknown } : {}),
      ...(mayBeDone ? { mayBeDone } : {}),
      ...(answer.otherCode ? { refused: true } : {}),
    };
  }
  return doubts.length === 0
    ? {
        kind: 'refused',
        at,
        reason: told,
        exchanges,
        ...(isMalformed(answer, template) ? { malformed: true } : {}),
      }
    : { ...unknown([told, ...doubts].join('; '), exchanges), refused: true };
}

/** What an answer says: in the place of `result`, or anywhere outside of lists, by its fields where it has some, else in its words. */
function saidBy(call: string, answer: TemplateAnswer, { result }: CallTemplate): Said {
  if (result !== undefined) return { call, result: readText(result, scopeOf(answer)) ?? '' };
  const { status, text, headers } = answer;
  const fields = leavesOf(treeOf(text, headers)).filter(({ lists, path }) => lists === 0 && path.length > 0);
  const said = fields.map(({ path, value }) => [pointerOf(path), String(value)]);
  return {
    call,
    status: `${status}`,
    ...(said.length > 0 ? Object.fromEntries(said) : { text: wordsOf(text) }),
  };
}

/** Whether a refusal may be about how the call is made, or where its answer is read, unless the profile says what it means. */
const isMalformed = (answer: TemplateAnswer, template: CallTemplate) =>
  template.refuse === undefined &&
  ([400, 412, 422].includes(answer.status) || meaningOf(answer, template) === 'accepted');

function carries(template: CallTemplate, { email, sms, accessCode }: EnteredCodes): boolean {
  const has = (...variables: readonly string[]) => variables.some((each) => uses(template, each));
  return (
    (email === undefined || has('otp', 'otpEmail')) &&
    (sms === undefined || has(...(email === undefined ? ['otp'] : []), 'otpSms')) &&
    (accessCode === undefined || has('accessCode'))
  );
}

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

/**
 * Finds a PDF, also in JSON or in a part, or a picture of a page; other ways of showing a document are `unclear`. Pages
 * on which nothing stands show none.
 */
async function documentIn(
  answer: TemplateAnswer,
  template: CallTemplate,
): Promise<{ readonly text: string | undefined } | 'none' | 'unclear'> {
  const meaning = answer.status === 404 ? 'refused' : meaningOf(answer, template);
  // A conflict with the state of the request may be about another document, such as the signed one.
  const isConflict = template.refuse === undefined && [409, 423].includes(answer.status);
  if (meaning === 'unclear' || isConflict) return 'unclear';
  const { bytes, headers } = answer;
  if (meaning === 'refused' || bytes.length === 0) return 'none';
  const held = pdfsIn(headers, bytes);
  const read = await Promise.all((held.length > 0 ? held : [bytes]).map((each) => readPdf(each)));
  const texts = read.flatMap((each) => (each.readable ? [each.text] : []));
  if (read.every((each) => each.readable && each.empty)) return 'none';
  if (texts.length > 0) return { text: texts.join('\n') };
  return headerOf(headers, 'content-type')?.startsWith('image/') ? { text: undefined } : 'unclear';
}
