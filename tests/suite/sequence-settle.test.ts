/** What all flows together settle, rule by rule: what is excused, by which cause, and what becomes another requirement. */
import { expect, test } from '@playwright/test';
import { alike, onlyTried } from '../../harness/flows/settled-flows.ts';
import type { FlowJudgement } from '../../harness/judging/sequence/judgement.ts';
import { founded, settle, silenceOf } from '../../harness/judging/sequence/settle.ts';
import type { Around } from '../../harness/judging/sequence/together.ts';
import type { Said } from '../../harness/people/driver.ts';
import { otpType } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { FlowExpected } from '../../record/flow-finding.ts';
import { people, type RoleName } from './callbacks-story.ts';

/** What is expected where somebody is to be kept from something, or a callback may be too early; else that something comes. */
const expects: { readonly [Id in RequirementId]?: FlowExpected['is'] } = {
  'signing.signer-signs': 'can',
  'signing.email-used': 'written-to',
  'signing.cc-cannot-act': 'cannot',
  'signing.lower-order-first': 'cannot',
  'otp.gates-signing': 'cannot',
  'otp.access-code-asked': 'cannot',
  'otp.not-asked': 'no-otp',
  'events.optional': 'can',
  'otp.email-and-sms-delivered': 'code',
  'events.process-completed-last': 'after-act',
  'events.received-before-signatures': 'sequence',
  'events.request-received-first': 'sequence',
  'events.signatures-before-completed': 'sequence',
};

interface Flow {
  readonly said: readonly (readonly [RequirementId, FlowJudgement['verdict']])[];
  /** One signer by default. */
  readonly roles?: readonly RoleName[];
  readonly assumes?: RequirementId;
  /** The target may not have understood the call. */
  readonly malformed?: true;
  /** A blank was entered as the code. */
  readonly blank?: true;
  /** A wrong code was entered. */
  readonly wrong?: true;
  /** CallbackTypes. */
  readonly subscription?: readonly number[];
  readonly afterTry?: FlowJudgement['afterTry'];
  /** Somebody could act, perhaps after refused attempts. */
  readonly acted?: true | FlowJudgement['afterTry'];
  /** The exchange of that act; what was said rests on 3 and 5. */
  readonly actedAt?: number;
  /** Exchanges of acts that count as done, and what was answered. */
  readonly answers?: readonly (readonly [exchange: number, said: string, more?: Said])[];
  /** Nobody was called: there was no link. */
  readonly unmade?: true;
  /** How the call that sent it was answered. */
  readonly sentBy?: number;
  /** An addition to it was refused. */
  readonly refused?: true;
  /** What is wrong is that a file has too few pages. */
  readonly short?: true;
  /** They all have an AccessCode, and what was said is about the first. */
  readonly coded?: true;
  /** It is of type 3. */
  readonly stamped?: true;
  /** Orders of its signatories; all 1 by default. */
  readonly orders?: readonly number[];
  /** Its person has another request beside it. */
  readonly oneOfTwo?: true;
}

const passed = (id: RequirementId, more: Partial<Flow> = {}): Flow => ({ said: [[id, 'passed']], ...more });
const failed = (id: RequirementId, more: Partial<Flow> = {}): Flow => ({ said: [[id, 'failed']], ...more });

const codeOf = (requirement: RequirementId) => (requirement === 'events.signatory-completed' ? 2 : 3);

/** Verdicts and excuses of all flows after settling. */
function settled(flows: readonly Flow[], around: Partial<Around> = {}): readonly string[] {
  const results = flows.map(({ said, coded, short, afterTry, unmade, ...told }) => ({
    judgements: said.map(
      ([requirement, verdict]): FlowJudgement => ({
        requirement,
        verdict,
        found: {
          flow: {
            expected: {
              is: expects[requirement] ?? 'events',
              codes: expects[requirement] === 'sequence' ? [2, 3] : [codeOf(requirement)],
              people: [{}],
              act: 'sign',
              ...(coded ? { person: { signatory: 0 } } : {}),
            } as never,
            ...(short ? { seen: { short: { marker: 'ESC-1', pages: 3, most: 1 } } } : {}),
          },
        },
        exchanges: unmade ? [] : [3, 5],
        ...told,
        afterTry,
      }),
    ),
  }));
  const ended = flows.map(
    ({ roles = ['signer'], orders = [], coded, refused, oneOfTwo, subscription, ...flow }) => {
      const { stamped, acted, actedAt, answers, sentBy } = flow;
      const signatories = people(...roles).map((each, index) => ({ ...each, order: orders[index] ?? 1 }));
      const otp = coded ? { otp: otpType.accessCode } : {};
      const definition = {
        name: '',
        signatories: roles.map(() => otp),
        ...(stamped ? { stamped } : {}),
      } as never;
      return {
        plan: { signatories, documents: [], subscription },
        run: {
          request: {
            refusals: { hasAddition: refused === true },
            definition,
            beside: oneOfTwo,
            wentOnFrom: [7],
            sentBy: sentBy === undefined ? undefined : { exchange: 7, status: sentBy },
          },
          completed: acted
            ? [{ signatory: 0, exchange: actedAt, afterTry: acted === true ? undefined : acted }]
            : [],
          answers: (answers ?? []).map(([exchange, said, more]) => ({
            signatory: 0,
            exchange,
            said: { call: 'calls.sign', '/result': said, ...more },
          })),
        },
      };
    },
  );
  return settle(results, ended, { resumed: false, ...around }).flatMap(({ judgements }) =>
    judgements.map(({ requirement, verdict, found: { cause } }) => {
      const why = cause ? ` ${'excuse' in cause ? cause.excuse : 'answer' in cause && cause.answer}` : '';
      return `${requirement} ${verdict}${why}`;
    }),
  );
}

/** What was said, what the last of it comes to (a verdict, an excuse, or another requirement that fails), and what is around. */
type Row = readonly [
  title: string,
  flows: readonly Flow[],
  last: string,
  around?: Partial<Around> & { /** Nothing shows that any request of type 0 was sent. */ unsent?: true },
];

const sent = passed('signing.email-used');
const completes = passed('events.process-completed');
const incomplete = failed('events.process-completed');
const unwanted = failed('events.only-subscribed');
const ofThree = (flow: Flow): Flow => ({ ...flow, subscription: [3] });
const ungated = failed('otp.gates-signing');
/** Acts that were done, as an event shows, and one that was to be refused. */
const answered = (exchange: number, said = 'done', last = said): Flow => ({
  ...completes,
  answers: [
    [exchange, said],
    [exchange + 10, last],
  ],
});
const ofPage: Pick<Flow, 'answers'> = { answers: [[7, 'sure?', { page: 'a page' }]] };
const byPage: Flow = { ...incomplete, ...ofPage };
const taken = (exchange: number, said = 'done', more?: Said): Flow => ({
  ...ungated,
  answers: [[exchange, said, more]],
});
const isDone: Said = { later: 'done by then, says the profile' };
const tooEarly = taken(5, 'ok', isDone);
const shownLater: Flow = { ...tooEarly, said: [...completes.said, ...ungated.said] };
const byLater: Flow = { ...incomplete, answers: [[7, 'taken', { later: 'perhaps' }]] };
const outOfTurn = failed('signing.lower-order-first', { acted: true });
const anyTime = [outOfTurn, ungated];
const lowerLater: Flow = { ...outOfTurn, roles: ['signer', 'signer'], orders: [2, 1] };
const cannotSign = failed('signing.signer-signs');
const ofAnother = { stamped: true } as const;
const signedStamped = passed('signing.signer-signs', ofAnother);
const cannotStamped: Flow = { ...cannotSign, ...ofAnother };
const sentActs: Flow = { ...sent, acted: true };
const inSequence = passed('events.signatures-before-completed');
const swapped = failed('events.signatures-before-completed');
const six = Array.from({ length: 6 }, () => swapped);
const oneAfterTheOther = failed('signing.parallel');
const nameless = 'signatory.signatory-id-usable';
const attached = 'events.documents-attached';
const firstEvent = 'events.request-received';
const firstOfAll = 'events.request-received-first';
const effectOf = 'signatory.refused-without-effect';
const inTurn = passed('signing.lower-order-first');
const ofNoLink: Flow = { ...inTurn, unmade: true };
const noCopy = failed('signing.cc-receives-copy');
const lacksPages = failed('events.documents-attached', { short: true });
const two = { roles: ['signer', 'signer'] } as const;
const withCc = { roles: ['signer', 'cc'] } as const;
const silence = {
  silence: { excuse: 'nothing-arrived', because: { urls: ['https://listener.example/'] } },
} as const;
const resumed = { resumed: true };
const unsent = { unsent: true } as const;
const sendsEarly = { sendsEarly: true };
const exchanged = { mayBeExchanged: true };
const unasked = { mayNotAsk: true };
const pages = (...foreign: number[]) => ({ foreignPages: new Set(foreign) });
/** An act that was refused, and a call that was refused for its token. */
const denied = (of: number) => ({ denied: new Map([[of, 8]]) });
const ownTimes = { lateMs: new Map([[3, [5, 90, 310, 640, 800]]]) };
const sameTimes = {
  lateMs: new Map([
    [2, [5, 90, 310, 640, 800]],
    [3, [805, 810, 820, 850, 900]],
  ]),
};

const early = failed('events.process-completed-last');
const actsEarly: Flow = { ...early, acted: true };
/** Sent by a call that was answered with an error which the profile takes for success. */
const lateSent: Flow = { ...incomplete, sentBy: 409 };
const outOfTurnInOrder: Flow = {
  ...outOfTurn,
  said: [...passed('events.signatory-completed-after-action').said, ...outOfTurn.said],
};
const signsItself: Flow = { said: [...cannotSign.said, ...early.said] };
const ofTwo: Flow = { ...signsItself, oneOfTwo: true };
const earlyHere: Flow = { said: [...early.said, [attached, 'failed']] };
const inWordsOnly: Flow = { ...two, said: [[nameless, 'failed'], ...early.said] };
const ccActs = failed('signing.cc-cannot-act');
const ccActsLater: Flow = {
  ...taken(5, 'later'),
  roles: ['cc', 'signer'],
  said: [...completes.said, ...ccActs.said],
};
const inWords = [answered(1), answered(2)];
const inTwoWords = [answered(1, 'sent', 'completed'), answered(2, 'sent', 'completed')];
const oneAct = (exchange: number): Flow => ({ ...completes, answers: [[exchange, 'done']] });
const once = { code: 'sent', inTurn: true, times: 1 } as const;
const lockedOut = failed('otp.email-delivered', { afterTry: once });
const afterTwo = failed('otp.email-delivered', { afterTry: { ...once, times: 2 } });
const ofChosen = failed('otp.email-delivered', { afterTry: { ...once, code: 'chosen' } });
const afterEarly = passed('signing.signer-signs', { acted: { ...once, inTurn: false } });
const afterTry = passed('signing.signer-signs', { acted: once });
const codedAt = (actedAt: number) => passed('signing.signer-signs', { coded: true, acted: true, actedAt });
const threeWrong = [1, 2, 3].map(() => passed('otp.gates-signing'));
const codedCannot = failed('signing.signer-signs', { coded: true });
const misread: Flow = { ...cannotSign, malformed: true };
const approverActs = passed('signing.approver-approves', { acted: true });
const signerActs = passed('signing.signer-signs', { acted: true });
const assumes = { assumes: 'signing.signer-signs' } as const;
const approverSigns = failed('signing.approver-cannot-sign');
const ofCc: Flow = { ...incomplete, ...withCc };
const lastWithCc = passed('events.process-completed-last', withCc);
const copiedFirst: Flow = { ...ofCc, said: [['signing.cc-receives-copy', 'passed'], ...incomplete.said] };
const missingCode = failed('otp.email-and-sms-delivered');
const shutOut = [missingCode, codedCannot];
const ofNoUse = failed('otp.email-delivered');
const noneTaken: Flow = { ...ofNoUse, malformed: true };
const wrongCode = failed('otp.access-code-asked');
const noneAsked: Flow = { ...wrongCode, malformed: true };
const blankTaken: Flow = { ...ungated, coded: true, blank: true };
const wrongly = (flow: Flow): Flow => ({ ...flow, wrong: true });

/** Codes 1 to 3, of which events 2 and 3 were lost, or came. */
const ofSeveral = (two: FlowJudgement['verdict'], three: FlowJudgement['verdict'], first = 1): Flow => ({
  said: [
    ['events.signatory-completed', two],
    ['events.process-completed', three],
  ],
  subscription: [first, 2, 3],
});

const signs = 'signing.signer-signs';
/** Somebody could sign, and event 2 or 3 did not come for it. */
const nothingKept: Flow = { acted: true, said: [[signs, 'passed'], ...ofSeveral('failed', 'failed').said] };
const effect: Flow = failed(effectOf, { assumes: signs });
const spoilt: Flow = { ...incomplete, refused: true };
const lostThere = failed(firstEvent, { refused: true });
const noSign = failed('events.optional');

const rows: readonly Row[] = [
  ['no callback arrives at all', [incomplete], 'nothing-arrived', silence],
  ['none arrives, and events.optional is refused', [failed('events.optional')], 'failed', silence],
  ['nobody listened between two runs', [incomplete], 'unattended', resumed],
  ['each takes its time, a third is in sequence', [inSequence, swapped, swapped], 'overtaken', ownTimes],
  ['each takes its time, one of seven is in sequence', [inSequence, ...six], 'failed', ownTimes],
  ['all events 3 take the same time, half are in sequence', [inSequence, swapped], 'failed', sameTimes],
  ['somebody could act in a request that nobody had sent', [lowerLater], 'sent-early', sendsEarly],
  ['nobody can try any more whether it is sent late', [lowerLater], 'unproved', { sendsEarly: 'unknown' }],
  ['nor sent, and the lower Order came first', [{ ...lowerLater, orders: [1, 2] }], 'failed', sendsEarly],
  ['nobody had to send it, as it is of type 3', [{ ...lowerLater, ...ofAnother }], 'failed', sendsEarly],
  ['what goes wrong after refused calls is right elsewhere', [signerActs, effect], 'failed'],
  ['what goes wrong after refused calls does so elsewhere', [signerActs, cannotSign, effect], 'follows'],
  ['of two sent, one was answered with an error', [{ ...sent, sentBy: 204 }, lateSent], 'unproved'],
  ['each was answered with that error', [{ ...sent, sentBy: 409 }, lateSent], 'failed'],
  ['after a page of somebody else an event does not come', [incomplete], 'foreign', pages(7)],
  ['while the token is refused a signer cannot sign', [cannotSign], 'access', denied(5)],
  ['while the token is refused a CC cannot act', [passed('signing.cc-cannot-act')], 'access', denied(5)],
  ['after a page of somebody else event 3 is too early', [early], 'failed', pages(5, 7)],
  [
    'a first code is taken in other words than those of requests',
    [...inTwoWords, taken(5, 'later')],
    'failed',
  ],
  ['so where people act alone', [oneAct(1), oneAct(2), taken(5, 'later')], 'failed'],
  ['so beside one request', [answered(1), taken(5, 'later')], 'failed'],
  ['after a page no event ever comes', [byPage], 'unknown-outcome'],
  ['after a page an event comes elsewhere', [{ ...answered(1), ...ofPage }, byPage], 'failed'],
  ['after what was taken for later no event ever comes', [byLater], 'unknown-outcome'],
  ['after what is done with 202 none comes', [{ ...byLater, answers: [[7, 'ok', isDone]] }], 'failed'],
  ['a first code was taken for later, and no event shows it', [answered(1), tooEarly], 'unknown-outcome'],
  ['a first code was taken so, and the request completes', [answered(1), shownLater], 'failed'],
  ['a CC could act in other words', [...inWords, ccActsLater], 'unknown-outcome'],
  ['nobody could act by a call that may be misread, and event 3 is too early', [misread, early], 'misread'],
  ['nobody could act, nothing was mailed and no event came', [cannotSign], 'unsent', unsent],
  ['nobody could act, by calls that may be others', [cannotSign], 'misread'],
  ['signers cannot act, and approvers can by that call', [approverActs, approverSigns, cannotSign], 'failed'],
  ['so by calls whose names do not tell', [approverActs, approverSigns, cannotSign], 'misread', exchanged],
  ['somebody acts out of turn, as the target does', [signsItself, outOfTurn], 'unproved'],
  ['so in one of two requests of a person alone', [signerActs, ofTwo], 'failed'],
  ['so, and an event came too early elsewhere', [signerActs, actsEarly, ofTwo], 'unproved'],
  ['so where each event comes after an act', [signsItself, outOfTurnInOrder], 'failed'],
  [
    'everybody may act at any time, and event 3 does not come',
    [signerActs, ...anyTime, incomplete],
    'unproved',
  ],
  ['so where others got no link', [ofNoLink, signerActs, ...anyTime], 'unproved'],
  ['so beside one who was refused', [inTurn, signerActs, ...anyTime], 'failed'],
  ['so, and nobody later is written to', [...anyTime, failed('signing.email-used')], 'unproved'],
  ['so, and events come', [completes, ...anyTime], 'failed'],
  ['others could act than those by whom a page is not understood', [approverActs, misread], 'misread'],
  ['a chosen code is refused after an attempt, and a sent one is not', [afterTry, ofChosen], 'unproved'],
  ['a code is refused so, and another is not after an early one', [afterEarly, lockedOut], 'unproved'],
  ['a code is refused after a refused attempt, and another is not', [afterTry, lockedOut], 'failed'],
  ['a code is refused after two refused attempts, another not after one', [afterTry, afterTwo], 'unproved'],
  ['no code is taken any more after three wrong ones', [codedAt(4), ...threeWrong, ...shutOut], 'unproved'],
  ['codes of one kind alone are missed after them', [codedAt(4), ...threeWrong, missingCode], 'failed'],
  ['others act with codes after three wrong ones', [codedAt(6), ...threeWrong, ...shutOut], 'failed'],
  ['two wrong codes are no reason', [codedAt(4), ...threeWrong.slice(1), ...shutOut], 'failed'],
  ['no code was taken by a call that may be misread', [signerActs, noneTaken], 'misread'],
  ['a wrong code is refused by such a call', [noneAsked, passed('otp.access-code-asked')], 'misread'],
  ['another code was taken by it', [passed('otp.sms-delivered'), noneTaken], 'failed'],
  ['a code came to somebody else', [passed('otp.email-and-sms-delivered'), missingCode], 'failed', unasked],
  ['a code came in another way', [passed('otp.email-delivered'), missingCode], 'unproved', unasked],
  ['somebody could sign, and others are not understood', [signerActs, misread], 'failed'],
  ['nothing but type 3 was sent: refusals', [signedStamped, passed('otp.gates-signing')], 'unsent', unsent],
  ['who was sent a code cannot act, nor could anybody in type 3', [sentActs, cannotStamped], 'unsent'],
  ['so, and somebody could in type 3', [{ ...signedStamped, acted: true }, cannotStamped], 'failed'],
  ['nor can it be sent', [signedStamped, failed('events.optional', assumes)], 'unsent', unsent],
  ['what a failure assumes is proved nowhere', [{ ...oneAfterTheOther, ...assumes }], 'unproved'],
  ['people do not act in their order', [outOfTurn, { ...cannotSign, ...two, orders: [1, 2] }], 'follows'],
  ['event 3 comes before somebody acts who was added in words only', [inWordsOnly], 'follows'],
  ['who has no code is asked after others', [oneAfterTheOther, failed('otp.sms-delivered', two)], 'follows'],
  ['the same of who signs beside a CC', [oneAfterTheOther, failed('signing.email-used', withCc)], 'failed'],
  ['the copy lacks pages as the attached one does', [lacksPages, { ...noCopy, short: true }], 'follows'],
  ['a CC has no copy, where the attached one lacks pages', [lacksPages, noCopy], 'failed'],
  ['a CC has no copy, where somebody was added in words only', [failed(nameless), noCopy], 'follows'],
  ['event 3 comes too early elsewhere', [early, failed(attached)], 'follows'],
  ['event 3 comes too early here, between two runs', [earlyHere], 'follows', resumed],
  ['so after refused additions', [passed(attached), early, { ...effect, assumes: attached }], 'follows'],
  ['event 1 comes last', [failed(firstOfAll), failed('events.received-before-signatures')], 'follows'],
  ['event 2 is lost by 0 too', [failed('events.signatory-completed'), failed('events.all')], 'follows'],
  ['a request waits for its CC, who has no copy then', [completes, ofCc, noCopy], 'follows'],
  ['a CC has no final copy of a request that completes', [completes, noCopy], 'failed'],
  ['a wrong AccessCode is taken where none is', [{ ...ungated, coded: true }, wrongCode], 'follows'],
  ['a blank is taken where any AccessCode is', [wrongCode, blankTaken], 'follows'],
  ['a wrong AccessCode is taken, and a blank', [blankTaken, wrongCode], 'failed'],
  ['a wrong AccessCode is taken, and no other code has to be there', [ungated, wrongCode], 'failed'],
  ['wrong codes are taken, and wrong AccessCodes', [wrongly(ungated), wrongly(wrongCode)], 'follows'],
  ['who is next in a request that is over has no mail', [actsEarly, failed('signing.email-used')], 'follows'],
  ['an OTP that is not required keeps somebody from signing', [failed('otp.not-asked'), noSign], 'follows'],
  ['only the first of the codes counts', [ofSeveral('failed', 'failed')], 'skeleton.callback-types failed'],
  ['so, and one of them alone is lost too', [ofSeveral('failed', 'failed'), ofThree(incomplete)], 'failed'],
  ['event 3 comes nowhere, and one that is too many', [ofThree(incomplete), ofThree(unwanted)], 'follows'],
  ['event 3 came elsewhere', [completes, ofThree(incomplete), ofThree(unwanted)], 'failed'],
  ['event 3 alone is lost of several', [ofSeveral('passed', 'failed')], 'failed'],
  ['an act is accepted, and nothing follows', [nothingKept], 'signing.signer-signs failed'],
  ['who comes next cannot act', [nothingKept, cannotSign], 'follows'],
  ['event 2 came elsewhere', [nothingKept, passed('events.signatory-completed'), cannotSign], 'failed'],
  ['a request with a CC alone does not complete', [completes, ofCc], 'signing.cc-cannot-act failed'],
  [
    'so, and another request with a CC completes',
    [completes, lastWithCc, { ...ofCc, roles: ['approver', 'cc'] }],
    'failed',
  ],
  ['so, and the CC got the final copy', [completes, copiedFirst], 'failed'],
  ['no request completes, with a CC or without', [ofCc], 'failed'],
  ['a request with a CC does not complete, nor does one without', [completes, incomplete, ofCc], 'failed'],
  [
    'after refused additions a request does not complete, nor does one with a CC',
    [completes, ofCc, spoilt],
    'failed',
  ],
  ['a request of code 0 does not complete, and has no copy', [failed('events.all'), noCopy], 'follows'],
  [
    'an event is lost after refused additions, and came to others',
    [passed(firstEvent), lostThere],
    `${effectOf} failed`,
  ],
  ['so, and nobody else was to get it', [lostThere], 'failed'],
  ['a request completes after refused additions', [{ ...completes, refused: true }], `${effectOf} passed`],
];

for (const [title, flows, last, { unsent: nothingSent, ...around } = {}] of rows) {
  test(`${title}: ${last}`, () => {
    const own = flows.at(-1)?.said.at(-1)?.[0];
    const verdict = /failed|passed/.test(last) ? last : `could-not-run ${last}`;
    const all = nothingSent ? flows : [sent, ...flows];
    expect(settled(all, around).at(-1)).toBe(last.includes('.') ? last : `${own} ${verdict}`);
  });
}

test('silence excuses where nobody called, or where nobody knows whose callbacks came', () => {
  const listener = (counts: object, deliveries: readonly { readonly check: string }[] = []) => ({
    url: 'https://listener.example/',
    counts: () => ({ foreign: 0, held: 0, refused: {}, lost: {}, ...counts }) as never,
    deliveries: () => deliveries as never,
  });
  const excuse = (
    given: ReturnType<typeof listener>,
    correlate: 'path' | 'request-id' = 'path',
    isHeard?: boolean,
  ) => {
    const cause = silenceOf(given, { correlate } as never, isHeard);
    return cause && 'excuse' in cause ? [cause.excuse, cause.because.loss?.of] : undefined;
  };
  expect(excuse(listener({}))).toEqual(['nothing-arrived', undefined]);
  expect(excuse(listener({ lost: { 5: 2 } }))).toEqual(['nothing-arrived', 'connections']);
  expect(excuse(listener({ foreign: 1 }), 'request-id')).toEqual(['nameless', undefined]);
  const came = [{ check: 'a flow' }];
  expect(excuse(listener({}, came))).toBeUndefined();
  // Whoever looks for open ports reaches the listener where the target may not, and so does whoever forges a callback.
  expect(excuse(listener({ foreign: 1, refused: { malformed: 1 } }))).toEqual(['nothing-arrived', undefined]);
  expect(excuse(listener({}, came), 'path', false)).toEqual(['nothing-arrived', undefined]);
});

test('callbacks that all tell the same prove nothing, where more than one event is told or named', () => {
  const why = (told: readonly (readonly number[])[], codes?: Record<string, 1 | 2 | 3>) => {
    const read = told.map((each) => ({ seen: { events: each.map((code) => ({ code })) as never } }));
    return alike([{ read }], (codes ? { decoding: { codes } } : {}) as never) !== undefined;
  };
  const all = [1, 2, 3];
  expect(why([all, all, [3, 2, 1, 1]])).toBe(true);
  expect(why([all, [1], all])).toBe(false);
  expect(why([all])).toBe(false);
  // One event alone may be all that was subscribed to.
  expect(why([[2], [2]])).toBe(false);
  expect(why([[2], [2]], { 'person.signed': 2 })).toBe(true);
});

test('calls without events prove nothing where the public URL redirects, or where they may want an answer', () => {
  const came = (target: string, codes: readonly number[] = [], method = 'HEAD') => ({
    seen: { target, method, events: codes.map((code) => ({ code })) as never, problems: [] },
  });
  const why = (read: readonly ReturnType<typeof came>[], redirects = false) =>
    onlyTried([{ plan: { callbackUrl: 'https://listener.example/a?flow=1' }, read }], {
      redirects,
    } as never) !== undefined;
  const tried = came('/a?flow=1');
  const asked = came('/a?flow=1&challenge=c7');
  expect(why([tried], true)).toBe(true);
  // A target that only tries the URL, by HEAD for example, owes its callbacks.
  expect(why([tried])).toBe(false);
  expect(why([asked, tried])).toBe(true);
  const blank = came('/a?flow=1', [], 'POST');
  expect(why([blank, tried])).toBe(true);
  expect(why([blank, came('/a?flow=1', [1])])).toBe(false);
  expect(why([asked, came('/a?flow=1', [1])])).toBe(false);
});

test('failures that follow from each other alone count, and those that follow from another one do not', () => {
  const failure = (requirement: RequirementId): FlowJudgement => ({
    requirement,
    verdict: 'failed',
    found: {},
    exchanges: [],
  });
  const following = (requirement: RequirementId, of: RequirementId): FlowJudgement => ({
    ...failure(requirement),
    verdict: 'could-not-run',
    found: { cause: { excuse: 'follows', because: { requirement: of } } },
  });
  const [one, two, three] = ['signing.parallel', 'signing.signer-signs', 'signing.email-used'] as const;
  const results = (...judgements: FlowJudgement[]) => [{ judgements }];
  const given = results(failure(one), failure(two), failure(three));
  const inCircle = [following(one, two), following(two, one), following(three, one)];
  expect(founded(given, results(...inCircle))).toEqual(given);
  for (const told of [failure(three), { ...following(three, one), found: { cause: { excuse: 'unsent' } } }]) {
    const settled = results(following(one, two), following(two, three), told as FlowJudgement);
    expect(founded(given, settled)).toEqual(settled);
  }
});
