/** What all flows together settle, rule by rule: what is excused, by which cause, and what becomes another requirement. */
import { expect, test } from '@playwright/test';
import type { FlowJudgement } from '../../harness/judging/sequence/judgement.ts';
import { settle, silenceOf } from '../../harness/judging/sequence/settle.ts';
import type { Around } from '../../harness/judging/sequence/together.ts';
import { otpType } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { Cause } from '../../record/finding.ts';
import type { FlowExpected } from '../../record/flow-finding.ts';
import { people, type RoleName } from './callbacks-story.ts';

/** What is expected where somebody is to be kept from something, or a callback may be too early; else that something comes. */
const expects: { readonly [Id in RequirementId]?: FlowExpected['is'] } = {
  'signing.cc-cannot-act': 'cannot',
  'otp.gates-signing': 'cannot',
  'otp.access-code-asked': 'cannot',
  'events.process-completed-last': 'after-act',
};

type Said = readonly [RequirementId, FlowJudgement['verdict'], assumes?: RequirementId];

interface Flow {
  readonly roles: readonly RoleName[];
  readonly said: readonly Said[];
  /** The target may not have understood the call. */
  readonly malformed?: true;
  /** Somebody could act. */
  readonly acted?: true;
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
  /** The position of somebody who was not added before the request came to its end. */
  readonly absent?: number;
}

/** Of one signer. */
const said = (...judgement: Said): Flow => ({ roles: ['signer'], said: [judgement] });

const completes = said('events.process-completed', 'passed');
const incomplete = said('events.process-completed', 'failed');
const outOfTurn = said('signing.lower-order-first', 'failed');
const lowerLater = { roles: ['signer', 'signer'], orders: [2, 1] } as const;
const cannotSign = said('signing.signer-signs', 'failed');
const swapped = said('events.signatures-before-completed', 'failed');
const sent = said('signing.email-used', 'passed');
const nothing: Cause = { excuse: 'nothing-arrived', because: { urls: ['https://listener.example/'] } };

/** Verdicts and excuses of all flows after settling. */
function settled(flows: readonly Flow[], around: Partial<Around> = {}): readonly string[] {
  const results = flows.map(({ said: told, coded, short, malformed }) => ({
    judgements: told.map(
      ([requirement, verdict, assumes]): FlowJudgement => ({
        requirement,
        verdict,
        found: {
          flow: {
            expected: {
              is: expects[requirement] ?? 'events',
              codes: [3],
              people: [{}],
              ...(coded ? { person: { signatory: 0 } } : {}),
            } as never,
            ...(short ? { seen: { short: { marker: 'ESC-1', pages: 3, most: 1 } } } : {}),
          },
        },
        exchanges: [3, 5],
        ...(assumes ? { assumes } : {}),
        ...(malformed ? { malformed } : {}),
      }),
    ),
  }));
  const ended = flows.map(({ roles, orders = [], absent, coded, refused, stamped, acted }) => {
    const task = { requestId: '', email: '', name: '', mobileNumber: '', role: 1, order: 1 } as const;
    const calls = refused ? [{ operation: 'addSignatory', what: 'an addition', task } as const] : [];
    const signatories = people(...roles).map((each, index) => ({ ...each, order: orders[index] ?? 1 }));
    if (absent !== undefined) delete (signatories as unknown[])[absent];
    const otp = coded ? { otp: otpType.accessCode } : {};
    const definition = {
      name: '',
      signatories: roles.map(() => otp),
      ...(stamped ? { stamped } : {}),
    } as never;
    return {
      plan: { signatories, documents: [] },
      run: {
        request: { refusals: { refused: calls }, definition, wentOnFrom: [7] },
        completed: acted ? [{}] : [],
      },
    };
  });
  return settle(results, ended, { resumed: false, ...around }).flatMap(({ judgements }) =>
    judgements.map(({ requirement, verdict, found: { cause } }) => {
      const why = cause ? ` ${'excuse' in cause ? cause.excuse : 'answer' in cause && cause.answer}` : '';
      return `${requirement} ${verdict}${why}`;
    }),
  );
}

const rows: readonly {
  readonly title: string;
  /** Nothing shows that any request of type 0 was sent. */
  readonly unsent?: true;
  readonly flows: readonly Flow[];
  readonly around?: Partial<Around>;
  readonly last: string;
}[] = [
  {
    title: 'no callback arrives at all',
    flows: [incomplete],
    around: { silence: nothing },
    last: 'events.process-completed could-not-run nothing-arrived',
  },
  {
    title: 'no callback arrives, and the request without CallbackUrl is refused',
    flows: [said('events.optional', 'failed')],
    around: { silence: nothing },
    last: 'events.optional failed',
  },
  {
    title: 'nobody listened between two runs',
    flows: [incomplete],
    around: { resumed: true },
    last: 'events.process-completed could-not-run unattended',
  },
  {
    title: 'callbacks that each take their own time came in sequence half as often as not',
    flows: [said('events.signatures-before-completed', 'passed'), swapped, swapped],
    around: { lateMs: [[5, 90, 310, 640, 800]] },
    last: 'events.signatures-before-completed could-not-run overtaken',
  },
  {
    title: 'somebody could act in a request that nobody had sent',
    flows: [{ ...outOfTurn, ...lowerLater }],
    around: { sendsEarly: true },
    last: 'signing.lower-order-first could-not-run sent-early',
  },
  {
    title: 'the same where the lower Order was added first',
    flows: [{ ...outOfTurn, ...lowerLater, orders: [1, 2] }],
    around: { sendsEarly: true },
    last: 'signing.lower-order-first failed',
  },
  {
    title: 'the same, and the first of them was not added',
    flows: [{ ...outOfTurn, ...lowerLater, absent: 0 }],
    around: { sendsEarly: true },
    last: 'signing.lower-order-first failed',
  },
  {
    title: 'the same, and the request is of type 3',
    flows: [{ ...outOfTurn, ...lowerLater, stamped: true }],
    around: { sendsEarly: true },
    last: 'signing.lower-order-first failed',
  },
  {
    title: 'callbacks that each take their own time came in sequence seldom',
    flows: [said('events.signatures-before-completed', 'passed'), swapped, swapped, swapped],
    around: { lateMs: [[5, 90, 310, 640, 800]] },
    last: 'events.signatures-before-completed failed',
  },
  {
    title: 'callbacks that take the same time came in sequence half as often as not',
    flows: [said('events.signatures-before-completed', 'passed'), swapped],
    around: {
      lateMs: [
        [5, 10, 12],
        [805, 810, 820, 850, 900],
      ],
    },
    last: 'events.signatures-before-completed failed',
  },
  {
    title: 'the request went on from a web page of somebody else, and an event does not come',
    flows: [incomplete],
    around: { foreignPages: new Set([7]) },
    last: 'events.process-completed could-not-run foreign',
  },
  {
    title: 'a web page of somebody else answered another call than those that the request went on from',
    flows: [incomplete],
    around: { foreignPages: new Set([3, 6]) },
    last: 'events.process-completed failed',
  },
  {
    title: 'the request went on from a web page of somebody else, and a CC could act all the same',
    flows: [said('signing.cc-cannot-act', 'failed')],
    around: { foreignPages: new Set([3, 7]) },
    last: 'signing.cc-cannot-act failed',
  },
  {
    title: 'that a CC could act is what a web page of somebody else says',
    flows: [said('signing.cc-cannot-act', 'failed')],
    around: { foreignPages: new Set([5]) },
    last: 'signing.cc-cannot-act could-not-run foreign',
  },
  {
    title: 'the request went on from a web page of somebody else, and event 3 comes too early',
    flows: [said('events.process-completed-last', 'failed')],
    around: { foreignPages: new Set([5, 7]) },
    last: 'events.process-completed-last failed',
  },
  {
    title: 'what arrived between two runs is wrong all the same',
    flows: [said('events.only-subscribed', 'failed')],
    around: { resumed: true },
    last: 'events.only-subscribed failed',
  },
  {
    title: 'nobody could act, nothing was mailed and no event came',
    unsent: true,
    flows: [cannotSign],
    last: 'signing.signer-signs could-not-run unsent',
  },
  {
    title: 'nobody could act, and event 1 came, as it may with the creation',
    unsent: true,
    flows: [said('events.request-received', 'passed'), cannotSign],
    last: 'signing.signer-signs could-not-run unsent',
  },
  {
    title: 'nobody could act, and a call that shows the documents first is missing',
    flows: [cannotSign],
    around: { looksAtNothing: true },
    last: 'signing.signer-signs could-not-run stuck',
  },
  {
    title: 'nobody could act, by calls that the target may not understand',
    flows: [{ ...cannotSign, malformed: true }],
    last: 'signing.signer-signs could-not-run misread',
  },
  {
    title: 'somebody could act, and others are answered as if the call were not understood',
    flows: [
      { ...said('otp.not-asked', 'passed'), acted: true },
      { ...cannotSign, malformed: true },
    ],
    last: 'signing.signer-signs failed',
  },
  {
    title: 'a refusal is none of what was wrong, where nothing was sent but a request of type 3',
    unsent: true,
    flows: [
      { ...said('signing.signer-signs', 'passed'), stamped: true },
      said('otp.gates-signing', 'passed'),
    ],
    last: 'otp.gates-signing could-not-run unsent',
  },
  {
    title: 'the call of the profile that sends is refused, where nothing was sent but a request of type 3',
    unsent: true,
    flows: [
      { ...said('signing.signer-signs', 'passed'), stamped: true },
      said('events.optional', 'failed', 'signing.signer-signs'),
    ],
    last: 'events.optional could-not-run unsent',
  },
  {
    title: 'what a failure assumes is proved nowhere',
    flows: [said('signing.parallel', 'failed', 'signing.signer-signs')],
    last: 'signing.parallel could-not-run unproved',
  },
  {
    title: 'what a failure assumes is proved by another flow',
    flows: [
      said('signing.signer-signs', 'passed'),
      said('signing.parallel', 'failed', 'signing.signer-signs'),
    ],
    last: 'signing.parallel failed',
  },
  {
    title: 'people do not act in their order',
    flows: [outOfTurn, { ...cannotSign, roles: ['signer', 'signer'], orders: [1, 2] }],
    last: 'signing.signer-signs could-not-run follows',
  },
  {
    title: 'people do not act in their order, and one alone could not sign',
    flows: [outOfTurn, cannotSign],
    last: 'signing.signer-signs failed',
  },
  {
    title: 'an act in order was refused, as it is wherever it is tried',
    flows: [
      said('signing.lower-order-first', 'failed', 'signing.approver-approves'),
      { ...said('signing.approver-approves', 'failed'), roles: ['signer', 'approver'], orders: [1, 2] },
    ],
    last: 'signing.approver-approves failed',
  },
  {
    title: 'event 3 comes before somebody acts who was added in words only',
    flows: [
      {
        roles: ['signer', 'signer'],
        said: [
          ['signatory.signatory-id-usable', 'failed'],
          ['events.process-completed-last', 'failed'],
        ],
      },
    ],
    last: 'events.process-completed-last could-not-run follows',
  },
  {
    title: 'who has no code is asked only once others of the same Order have acted',
    flows: [
      said('signing.parallel', 'failed'),
      { ...said('otp.sms-delivered', 'failed'), roles: ['signer', 'signer'] },
    ],
    last: 'otp.sms-delivered could-not-run follows',
  },
  {
    title: 'who signs alone is not written to, where people of one Order are asked one after the other',
    flows: [said('signing.parallel', 'failed'), said('signing.email-used', 'failed')],
    last: 'signing.email-used failed',
  },
  {
    title: 'who signs beside a CC is not written to, where people of one Order are asked one after the other',
    flows: [
      said('signing.parallel', 'failed'),
      { ...said('signing.email-used', 'failed'), roles: ['signer', 'cc'] },
    ],
    last: 'signing.email-used failed',
  },
  {
    title: 'the copy of a CC lacks pages, as the attached documents do',
    flows: [
      { ...said('events.documents-attached', 'failed'), short: true },
      { ...said('signing.cc-receives-copy', 'failed'), short: true },
    ],
    last: 'signing.cc-receives-copy could-not-run follows',
  },
  {
    title: 'a CC has no final copy, where attached documents lack pages',
    flows: [
      { ...said('events.documents-attached', 'failed'), short: true },
      said('signing.cc-receives-copy', 'failed'),
    ],
    last: 'signing.cc-receives-copy failed',
  },
  {
    title: 'a CC gets no copy where somebody else was added in words only',
    flows: [said('signatory.signatory-id-usable', 'failed'), said('signing.cc-receives-copy', 'failed')],
    last: 'signing.cc-receives-copy could-not-run follows',
  },
  {
    title: 'event 3 comes too early elsewhere',
    flows: [said('events.process-completed-last', 'failed'), said('events.documents-attached', 'failed')],
    last: 'events.documents-attached could-not-run follows',
  },
  {
    title: 'a request with a CC does not complete, and others do',
    flows: [completes, { ...incomplete, roles: ['signer', 'cc'] }],
    last: 'signing.cc-cannot-act failed',
  },
  {
    title: 'event 2 of somebody is lost under code 0 as under its own',
    flows: [said('events.signatory-completed', 'failed'), said('events.all', 'failed')],
    last: 'events.all could-not-run follows',
  },
  {
    title: 'a request waits for its CC, who has no final copy then',
    flows: [
      completes,
      { ...incomplete, roles: ['signer', 'cc'] },
      said('signing.cc-receives-copy', 'failed'),
    ],
    last: 'signing.cc-receives-copy could-not-run follows',
  },
  {
    title: 'a CC has no final copy of a request that completes',
    flows: [completes, said('signing.cc-receives-copy', 'failed')],
    last: 'signing.cc-receives-copy failed',
  },
  {
    title: 'a wrong AccessCode is taken where none is',
    flows: [{ ...said('otp.gates-signing', 'failed'), coded: true }, said('otp.access-code-asked', 'failed')],
    last: 'otp.access-code-asked could-not-run follows',
  },
  {
    title: 'a wrong AccessCode is taken, and no other code has to be there',
    flows: [said('otp.gates-signing', 'failed'), said('otp.access-code-asked', 'failed')],
    last: 'otp.access-code-asked failed',
  },
  {
    title: 'a request with a CC does not complete, which is subscribed to by code 0, and others do',
    flows: [completes, { ...said('events.all', 'failed'), roles: ['signer', 'cc'] }],
    last: 'signing.cc-cannot-act failed',
  },
  {
    title: 'a request with a CC does not complete, and another one with a CC, by code 0, does',
    flows: [
      completes,
      { ...said('events.process-completed-last', 'passed'), roles: ['signer', 'cc'] },
      { ...incomplete, roles: ['approver', 'cc'] },
    ],
    last: 'events.process-completed failed',
  },
  {
    title: 'no request completes, with a CC or without',
    flows: [{ ...incomplete, roles: ['signer', 'cc'] }],
    last: 'events.process-completed failed',
  },
  {
    title: 'a request with a CC does not complete, nor does one without, although others do',
    flows: [completes, incomplete, { ...incomplete, roles: ['signer', 'cc'] }],
    last: 'events.process-completed failed',
  },
  {
    title: 'a request to which additions were refused does not complete, and others do',
    flows: [completes, { ...incomplete, refused: true }],
    last: 'signatory.refused-without-effect failed',
  },
  {
    title: 'a request to which additions were refused completes',
    flows: [{ ...completes, refused: true }],
    last: 'signatory.refused-without-effect passed',
  },
];

for (const { title, unsent, flows, around, last } of rows) {
  test(title, () => {
    expect(settled(unsent ? flows : [sent, ...flows], around).at(-1)).toBe(last);
  });
}

test('silence excuses where nobody called, or where nobody knows whose callbacks came', () => {
  const listener = (counts: object, deliveries: readonly { readonly check: string }[] = []) => ({
    url: 'https://listener.example/',
    counts: () => ({ foreign: 0, held: 0, refused: {}, lost: {}, ...counts }) as never,
    deliveries: () => deliveries as never,
  });
  const excuse = (given: ReturnType<typeof listener>, correlate: 'path' | 'request-id' = 'path') => {
    const cause = silenceOf(given, { correlate } as never);
    return cause && 'excuse' in cause ? [cause.excuse, cause.because.loss?.of] : undefined;
  };
  expect(excuse(listener({}))).toEqual(['nothing-arrived', undefined]);
  expect(excuse(listener({ lost: { 5: 2 } }))).toEqual(['nothing-arrived', 'connections']);
  expect(excuse(listener({ foreign: 1 }), 'request-id')).toEqual(['nameless', undefined]);
  expect(excuse(listener({ foreign: 1 }))).toBeUndefined();
  expect(excuse(listener({}, [{ check: 'a flow' }]))).toBeUndefined();
});
