/** Says a finding in words, for people: nothing reads them back. */
import { headerOf, isPage, tellsMaximum } from './exchange.ts';
import { came, received, type Shown, shortAnswer } from './exchange-text.ts';
import type { AnswerClass, Because, Cause, ExcuseId, Expected, Finding, SharedCall } from './finding.ts';
import { type ExcuseText, flowExcuseTexts, flowText } from './flow-text.ts';

/** What the words are made from besides the finding: the exchanges that it refers to. */
export type Exchanges = (index: number) => Shown | undefined;

const expectedWords: { readonly [Is in Expected['is']]: (of: Extract<Expected, { is: Is }>) => string } = {
  status: ({ status }) => String(status),
  success: () => 'a 2xx status',
  refusal: () => 'a 4xx status',
  rejection: () => 'a rejection',
  'no-token': () => 'a rejection, without a document token',
  message: ({ text }) => `the message "${text}"`,
  json: () => 'JSON',
  text: ({ at }) => `${nameAt(at)}, a string that is not empty`,
  value: ({ at, value }) => `${nameAt(at)} ${JSON.stringify(value)}`,
  'two-values': ({ at }) => `two values of ${nameAt(at)}`,
  token: () => 'a document token',
  'token-text': ({ instead }) => `a string as document token, not a JSON ${instead}`,
};

/** What every compliant service answers: `400`, `a 2xx status`, `the message "…"`. */
export function expectedText(of: Expected): string {
  const tell = expectedWords[of.is] as (of: Expected) => string;
  return tell(of);
}

const nameAt = (pointer: string) => pointer.slice(pointer.lastIndexOf('/') + 1);

/** The finding in a sentence without full stop, as `expected 400 · received 200 {…}`; `undefined` if there is none. */
export const findingText: typeof inWords = (...given) => wording.finding(...given);

/** Makes the sentences. A test puts other sentences here, and so proves that no code reads them. */
export const wording = { finding: inWords };

function inWords(
  finding: Pick<Finding, 'expected' | 'received' | 'flow' | 'cause'>,
  exchanges: Exchanges,
): string | undefined {
  const { cause, flow } = finding;
  const answer = finding.received && exchanges(finding.received.exchange);
  const outcome = flow ? flowText(flow, answer) : outcomeText(finding, exchanges);
  if (!cause) return outcome;
  return causeText(cause, outcome, exchanges);
}

/** `expected 400 · received 200 {…}` */
function outcomeText(
  { expected, received: answer }: Pick<Finding, 'expected' | 'received'>,
  exchanges: Exchanges,
): string | undefined {
  if (!expected || !answer) return undefined;
  const exchange = exchanges(answer.exchange);
  const also = answer.also === undefined ? 'an earlier exchange' : `exchange ${answer.also}`;
  const same = expected.is === 'two-values' ? `; ${also} has the same one` : '';
  return `expected ${expectedText(expected)} · received ${exchange ? received(exchange) : 'no answer'}${same}${lateIn(exchange)}`;
}

/** A hint for a call that was repeated since its ids are new, and was refused to the end. */
const lateIn = (exchange?: Shown) =>
  exchange?.attempts?.at(-1)?.because === 'early' && (exchange.response?.status ?? 0) >= 400
    ? '; it was repeated for a while, since an id in it is new: address.visibleAfterMs gives it more time'
    : '';

function causeText(cause: Cause, outcome: string | undefined, exchanges: Exchanges): string {
  if ('needs' in cause) return cause.needs;
  if ('finding' in cause)
    return `${cause.lacking}: ${outcomeText(cause.finding, exchanges) ?? 'it was not judged'}`;
  if ('answer' in cause) return answerText(cause.answer, exchanges(cause.of), cause.call);
  const exchange = cause.because.exchange === undefined ? undefined : exchanges(cause.because.exchange);
  return excuses[cause.excuse](cause.because, { outcome: outcome ?? 'nothing was judged', exchange });
}

const names: Readonly<Record<SharedCall, string>> = {
  document: 'the upload of a first document',
  docx: 'the upload of a DOCX',
  skeleton: 'a type 0 creation with the required fields',
  signatory: 'adding a signatory to a request',
  stamped: 'an auto stamping creation',
  'stamped-unversioned': 'an auto stamping creation on the unversioned path',
  template: 'a creation of type 1 with the body of the profile',
  fixed: 'a creation of type 2 with the body of the profile',
};

/** The call, its answer, and what is likely to help. */
function answerText(answer: AnswerClass, exchange: Shown | undefined, call?: SharedCall): string {
  if (!exchange) return 'there was no answer';
  const hint = hintFor(answer, exchange, call);
  return `${call ? `${names[call]} ${came(exchange)}` : received(exchange)}${hint ? `; ${hint}` : lateIn(exchange)}`;
}

const fewerDocuments =
  'remove documents of earlier runs there (esign-conformance cleanup RUN does it by calls.invalidateDocument)';

const noMaximum =
  'no maximum is shown: say in the profile how many documents or signatories a request may have (limits.documents, limits.signatories)';

const remedies: Readonly<Partial<Record<SharedCall, string>>> = {
  document: fewerDocuments,
  docx: fewerDocuments,
  signatory: 'say in the profile how many signatories a request may have (limits.signatories)',
};

/** What helps where something is used up, as one sentence without a full stop. */
export function quotaHint(call?: SharedCall, words?: string): string {
  if (tellsMaximum(words)) return noMaximum;
  const remedy =
    (call && remedies[call]) ??
    'remove the requests of earlier runs there (esign-conformance cleanup RUN does it by calls.deleteRequest), or let a run create fewer (limits.requests in the profile, --budget)';
  return `the target says that something is used up: ${remedy}`;
}

const webPage = 'that is a web page, of a gateway or a login perhaps';

/** Codes of failures that come from a wrong address, or from a service that is not running. */
const notReached = /^(E(?!PROTO|RR_)[A-Z_]+|CONNECT_TIMEOUT|DEADLINE|UNFINISHED|NOT_SENT)$/;

/** What is likely to help; `null` where the answer gives no hint. */
export function hintFor(answer: AnswerClass, { response, failure }: Shown, call?: SharedCall): string | null {
  if (response) return hints[answer]?.(response, call) ?? null;
  const isUnreached = call === 'document' && notReached.test(failure?.code ?? '');
  return isUnreached ? 'is the base URL right, and the service up?' : null;
}

type Hint = (response: NonNullable<Shown['response']>, call: SharedCall | undefined) => string | null;

const inTrouble: Hint = () => 'the target is in trouble';

/** If the first call of a run, the upload, is not answered by the service, the base URL may be wrong. */
const ofAddress: Hint = ({ body }, call) =>
  call === 'document' && isPage(body?.text) ? `${webPage}: is the base URL right?` : null;

/** A refusal that speaks of how long a Title may be. */
const ofTitle = /\btitle\b[^{}\n]{0,60}\b(?:length|long|longer|characters|chars)\b/i;

const hints: Readonly<Partial<Record<AnswerClass, Hint>>> = {
  quota: ({ status, body }, call) =>
    status === 413
      ? 'the target says that it is too large: say in the profile how large a document may be (limits.uploadBytes)'
      : quotaHint(call, body?.text),
  access: ({ status, body }, call) => {
    if (status === 403 && isPage(body?.text))
      return `${webPage}: it may shut out for a while who calls too fast (address.perSecond) or is refused too often; else look at the access token and the base URL`;
    // An upload comes before every other call, so a later 403 means that the token itself was accepted.
    return status === 403 && call !== 'document'
      ? 'the access token was taken before and is not for this: look at the rights of the account (auth.scope), and at what its plan allows'
      : 'the access token of the run is not accepted: look at ESIGN_TOKEN or at auth in the profile, which can say how one that has ended is renewed';
  },
  rate: () =>
    'the target limits the rate of calls: say how many it takes (address.perSecond, address.inFlight)',
  early: () =>
    'the target says that something is still at work: give it more time (address.visibleAfterMs), or make fewer calls at a time (address.inFlight, address.perSecond)',
  trouble: inTrouble,
  busy: inTrouble,
  silent: inTrouble,
  redirected: ({ headers }) =>
    `it redirects to ${headerOf(headers, 'location') ?? 'an unknown place'}: is the base URL right? Redirects of such calls are not followed`,
  foreign: (_, call) =>
    call === undefined || call === 'document'
      ? `${webPage}, and not an answer of the service: is the base URL right?`
      : `${webPage}: other calls are answered as by a service, so look whether this one is offered there, and at the rights of the account${ofTypes.test(call) ? '; if it is the answer, create.requestId finds the id in it by a pattern' : ''}`,
  conflict: () =>
    'the target says that it is in conflict with something else: where calls lock a request for a while, make fewer at a time (address.inFlight, address.perSecond); where only so many may be open, calls.deleteRequest and limits.requests keep them few',
  'not-there': ofAddress,
  refused: (response, call) => {
    const text = response.body?.text ?? '';
    if (ofTitle.test(text))
      return 'no length of Title is shown: if the target has a longest one, limits.titleLength in the profile says so';
    return tellsMaximum(text) ? noMaximum : ofAddress(response, call);
  },
  accepted: ({ body }, call) => (call === 'skeleton' ? lacksRequestId(body?.text) : null),
};

/** Shared calls of types 1 to 3, whose answers are not shown. */
const ofTypes = /^(?:stamped|template|fixed)/;

function lacksRequestId(text = ''): string {
  const tolerate = /"requestId"\s*:\s*\d/.test(text)
    ? ' (with tolerate.numericIds in the profile the other checks can go on)'
    : '';
  return `it carries no requestId that is a string${tolerate}`;
}

const excuses: Readonly<Record<ExcuseId, ExcuseText>> = {
  ...flowExcuseTexts,
  'two-minds': (_, { outcome, exchange }) =>
    `the target answered the same call in two ways: ${outcome} at first, ${exchange ? received(exchange) : 'nothing'} when asked again`,
  alone: (_, { outcome, exchange }) =>
    `${outcome} beside other people in a request, ${exchange ? received(exchange) : 'nothing'} alone in one: who is there besides may be the reason, or how many (limits.signatories)`,
  'closed-early': (_, { outcome, exchange }) =>
    `${outcome}, but ${exchange ? received(exchange) : 'nothing'} when the same people were added to a request at the same time: requests may be sent or closed after a while`,
  'other-requirement': ({ bodies = [] }, { outcome }) =>
    `${outcome}, but accepted with ${bodies.join(' or ')}`,
  'not-accepted-either': ({ bodies = [] }, { outcome }) =>
    bodies.length > 0 ? `${outcome}, and not accepted with ${bodies.join(' or ')} either` : outcome,
  guess: (because, { exchange }) => `${called(because, exchange)}; ${because.what}`,
  'invented-number': (_, { outcome }) =>
    `${outcome}; the number is invented, or one of people.mobileNumbers: name numbers there that the target takes, written as it wants them`,
  'unreachable-url': ({ urls = [] }, { outcome }) =>
    `${outcome}; nothing shows that the target can reach ${urls.join(' or ')}, so it may refuse that: name a URL that it takes (callbacks.publicUrl or callbacks.placeholderUrl)`,
  'other-path': (because, { exchange }) =>
    `${called(because, exchange)}; auto stamping (type 3) is offered on the other of its two paths: if this one is not offered, say so under notApplicable in the profile`,
  'tokens-unknown': (because, { exchange }) =>
    `${called(because, exchange)}; document tokens that uploads gave are not known there`,
  'token-used-up': (because, { exchange }) =>
    `${called(because, exchange)}; accepted with a token that had not been used before: say how often one can be used (limits.documentUses)`,
  'hidden-token': ({ what }, { exchange }) => `${what}: ${exchange ? received(exchange) : 'no answer'}`,
  lacks: ({ what, call }, { exchange }) => {
    const about = exchange
      ? call
        ? `${names[call]} ${came(exchange)}`
        : shortAnswer({ exchange })
      : 'there is no answer';
    const key = exchange?.template?.replace(/^(?!calls\.)/, 'calls.');
    const { status = 0 } = exchange?.response ?? {};
    const hint = status >= 300 && status < 400 ? `; where that means success, ${key}.accept says so` : '';
    if (what === undefined) return key ? `${key}: ${about}${hint}` : about;
    return call ? `${about}; ${what}` : `needs ${what}, but ${about}${lateIn(exchange)}`;
  },
};

function called({ call }: Because, exchange: Shown | undefined): string {
  if (!exchange) return 'there was no answer';
  return call ? `${names[call]} ${came(exchange)}` : shortAnswer({ exchange });
}
