/** The judgement of sequences, case by case: what is said, what is left open, what is observed, and every order of a few events beside a model. */
import { expect, test } from '@playwright/test';
import type { Losses, Plan, SeenEvent } from '../../record/facts.ts';
import {
  attachmentOf,
  changed,
  deliveryOf,
  eventOf,
  failures,
  observed,
  permutations,
  planOf,
  type Story,
  said,
  story,
  told,
  withVerdict,
} from './callbacks-story.ts';

const one = planOf(['signer']);
const two = planOf(['signer', 'signer']);
const approved = planOf(['signer', 'approver']);
const copied = planOf(['signer', 'cc']);
const only = (...subscription: readonly number[]) => planOf(['signer'], { subscription });
const bothRoles = planOf(['signer', 'approver'], { signatoryCompletedRoles: ['signer', 'approver'] });
const onCreation = planOf(['signer'], { requestReceived: 'creation', subscription: [1] });
const onSending = planOf(['signer'], { requestReceived: 'sending', subscription: [1] });
const withTwin = (...explicitCodes: NonNullable<Plan['explicitCodes']>) =>
  planOf(['signer'], { subscription: [0], explicitCodes });

const turnedAway = { refused: 1 };
const refused = '1 delivery was refused or broken off';
const unseen = 'could-not-run: event 2 not seen for signatory 1 (signer, order 1)';
const cutOff = { connections: 1 };
const dropped =
  '1 connection to the listener was dropped or broken off meanwhile (callbacks.limits.connections)';

const untold =
  'could-not-run: whether event 2 arrived for signatory 1 (signer, order 1) cannot be told: they name none of the signatories';
const neither = 'could-not-run: nothing arrived, neither with CallbackTypes [0] nor with each code named';
const ccActs = 'could-not-run: a CC could act; that follows from signing.cc-cannot-act, which is violated';
const unnamed =
  'could-not-run: event 2 (delivery 1), event 2 (delivery 2) arrived without saying who completed';

/** What is said about a requirement: nothing where the story does not put it to the test. `2` tells of nobody. Faults show what is plainly wrong. */
type Row = readonly [plan: Plan, words: string, says: string | undefined, losses?: Losses];
const table: Readonly<Record<string, readonly Row[]>> = {
  'request-received': [
    [one, 'sent', undefined],
    [only(0), '+a', undefined],
    [onCreation, '', 'failed: event 1 is subscribed to and did not arrive'],
    [onSending, '', undefined],
    [one, 'sent +a 3 2a', `could-not-run: event 1 not seen, but ${dropped}`, cutOff],
  ],
  'signatory-completed': [
    [one, '', undefined],
    [one, '+a 2a', 'passed', cutOff],
    [one, '+a', `${unseen}, but ${dropped}`, cutOff],
    [one, '+a', `${unseen}, but ${refused}`, turnedAway],
    [two, '+a 2 +b 2', 'passed'],
    [bothRoles, '+a +b 2', untold],
  ],
  'process-completed': [
    [planOf(['cc']), '', undefined],
    [{ ...onCreation, subscription: [3] }, '', undefined],
    [two, '+a 2a', undefined],
    [one, 'sent +a 3 2a', 'passed', cutOff],
  ],
  all: [
    [only(0), '', undefined],
    [only(0), '+a 1 2a 3', 'passed'],
    [only(0), '+a 2a 3', `could-not-run: event 1 not seen, but ${dropped}`, cutOff],
    // What comes with neither is no fault of 0.
    [withTwin(2, 3), '+a 3', 'failed: CallbackTypes is [0], and events 1 and 2 did not arrive'],
    [withTwin(2, 3), '+a 2a 3', 'passed'],
    [{ ...two, subscription: [0], explicitCodes: [1, 3] }, '+a +b 1 2a 3', 'passed'],
    [{ ...two, subscription: [0] }, '+a +b 1 2 2 3', 'passed'],
    [withTwin(), '+a', neither],
  ],
  'only-subscribed': [[only(3), '+a 3', `could-not-run: ${refused}`, turnedAway]],
  'none-for-cc': [
    [one, '+a 2a', undefined],
    [planOf(['signer', 'cc'], { subscription: [3] }), '+a 2b 3', undefined],
    [copied, 'sent', undefined],
    [copied, '+a', 'could-not-run: event 2 did not arrive'],
    [copied, '+b 2b +a 2a', ccActs],
    [copied, '+a 2a', `could-not-run: ${refused}`, turnedAway],
    [copied, '2a', 'passed'],
    [copied, '+a 2', 'passed'],
    [copied, '+a 2a 2a', 'passed'],
    [copied, '+a 2 2', unnamed],
  ],
  'to-callback-url': [
    [planOf(['signer'], { callbackUrl: '/none' }), '+a 2a', undefined],
    [one, '', undefined],
    [one, '+a', 'could-not-run: no callback arrived at all'],
    [one, '+a', `could-not-run: ${refused}`, turnedAway],
  ],
  'signatory-completed-after-action': [
    [only(1, 3), 'sent 1 2a +a 3', undefined],
    [one, 'sent 1', undefined],
    [one, 'sent 1 +a 3', 'could-not-run: event 2 did not arrive'],
    [one, 'sent 1 +a 3', `could-not-run: event 2 not seen, but ${refused}`, turnedAway],
    [one, '+a 2a', `could-not-run: ${refused}`, turnedAway],
    [one, '+a 2a 2a', 'passed'],
    [copied, '2b +a 2a', 'passed'],
    [two, '+a 2 +b 2', 'passed'],
    [two, '+a 2 2 +b', 'could-not-run: event 2 (delivery 2) arrived without saying who completed'],
  ],
  'process-completed-last': [
    [only(1, 2), '3 +a', undefined],
    [two, '+a 2a', undefined],
    [one, '+a 2a', 'could-not-run: event 3 did not arrive'],
    [one, '+a 3', `could-not-run: ${refused}`, turnedAway],
    [two, 'sent 1 +a 2a ?b 3', 'could-not-run: whether signatory 2 (signer, order 1) completed is not known'],
  ],
  'request-received-first': [
    [only(1, 2, 3, 9), '+a 3 1', undefined],
    [only(2, 3), '+a 3 1', undefined],
    [only(1, 2), '+a 3 1', undefined],
    [one, '1', undefined],
    [one, '+a 3', 'could-not-run: event 1 did not arrive'],
    [one, '1 +a 3 1', 'passed'],
  ],
  'signatures-before-completed': [
    [approved, '+a 2a 3 +b 2b', 'passed'],
    [approved, '+b 2b +a 3', undefined],
    // What came more than once is in sequence if one of it is.
    [one, '+a 3 2a 3', 'passed'],
    [one, '+a 2a 3 2a', 'passed'],
    [one, '+a 3 2a 2a', undefined],
    [one, '+a 2 3', 'passed'],
    [one, '+a 2 3 2', undefined],
    [one, '+a 3 2', 'failed: event 2 (delivery 2) came after event 3 (delivery 1)'],
    [one, 'sent +a 3 2a', undefined, cutOff],
    // It may be the approver's, or repeat an earlier one.
    [approved, '+a 3 +b 2', undefined],
    [one, '+a 2a 3 2', undefined],
  ],
};

for (const [about, rows] of Object.entries(table)) {
  test(`what is said about ${about}`, () => {
    for (const [plan, words, says, losses] of rows) {
      const given = story(plan, words);
      // When they arrived counts, and not where they stand in the list.
      for (const deliveries of [given.deliveries, given.deliveries.toReversed()]) {
        const told = said({ ...given, deliveries }, about, losses);
        expect(told, JSON.stringify([words, plan, losses])).toBe(says);
      }
    }
  });
}

/** Which requirements fail; none where what happened may be explained. */
const failing: readonly (readonly [plan: Plan, words: string, failed: readonly string[]])[] = [
  [two, 'sent 1 +a 2a ?b 2b 3', []],
  [two, 'sent 1 +a 2a ?b', []],
  // Before an attempt of which nobody knows what came it explains nothing.
  [two, 'sent 1 +a 2a 2b ?b', ['signatory-completed-after-action']],
  [two, 'sent 1 +a 2a 3 ?b', ['process-completed-last']],
  // Event 2 of an approver is neither demanded nor forbidden, and whether event 3 needs them is not shown.
  [approved, 'sent 1 +a +b 2a 3', []],
  [approved, 'sent 1 +a +b 2a 2b 3', []],
  [approved, 'sent 1 +a 2a 3 +b 2b', []],
];

/** How compliant services send in unusual manners: again, several times, out of turn. */
const manners: readonly (readonly [plan: Plan, words: string])[] = [
  [one, 'sent +a 1 1 2a 2a 3 3 1 1'],
  [copied, 'sent 1 1 +a 2a 3 1'],
];

test('nobody is blamed for events that come several times, or backwards in one delivery', () => {
  for (const [plan, words] of manners) expect(failures(story(plan, words)), words).toEqual([]);
  const { plan, actions } = story(one, 'sent +a');
  const events = ['3', '2a', '1'].map((word) => eventOf(word));
  expect(failures({ plan, actions, deliveries: [deliveryOf(9, '3', [90, 95], { events })] })).toEqual([]);
});

test('what may be explained is no violation', () => {
  for (const [plan, words, failed] of failing) expect(failures(story(plan, words)), words).toEqual(failed);
});

/** The story with its delivery at a place changed. */
function withDelivery(given: Story, at: number, change: Partial<Story['deliveries'][number]>): Story {
  const deliveries = given.deliveries.map((each, index) => (index === at ? { ...each, ...change } : each));
  return { ...given, deliveries };
}

test('what is forged tells nothing, unless all is; what cannot be read may have told what is missing', () => {
  const forged = { forged: 'callbacks.authenticity' };
  expect(said(withDelivery(story(one, '+a 1 3'), 1, forged), 'process-completed')).toBe(
    'failed: event 3 is subscribed to and did not arrive',
  );
  expect(said(withDelivery(story(one, '+a 3'), 0, forged), 'process-completed')).toBe(
    'could-not-run: event 3 not seen, but callbacks.authenticity',
  );
  const unread = withDelivery(story(one, '1 +a'), 0, { problems: ['no JSON'] });
  expect(said(unread, 'process-completed')).toBe(
    'could-not-run: event 3 not seen, but delivery 0 could not be read: no JSON',
  );
  const inOrder = withDelivery(story(one, '1 +a 3'), 0, { problems: ['no JSON'] });
  expect(said(inOrder, 'request-received-first')).toBe(
    'could-not-run: delivery 0 could not be read: no JSON',
  );
});

test('of a sender who tells of events without end the rest is unread, which blames nobody', () => {
  const { plan, actions } = story(one, '+a');
  const events = Array<SeenEvent>(6).fill(eventOf('1'));
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => deliveryOf(at, '1', [at * 10, at * 10 + 5], { events }));
  const without3 = (count: number) => said({ plan, actions, deliveries: many(count) }, 'process-completed');
  expect(without3(100)).toContain('failed');
  expect(without3(200)).toContain('could-not-run');
});

test('other events are none of the table, equal delivery ids make one event, and two people of one address nobody', () => {
  const other = changed(story(only(3), '+a 3'), () => ({ code: 'other' }));
  expect(said(other, 'only-subscribed')).toBe('passed');
  const repeated = changed(story(one, '+a 2 3 2'), () => ({ deliveryId: 'delivery' }));
  expect(said(repeated, 'signatures-before-completed')).toBe('passed');
  const byEmail = (plan: Plan) =>
    changed(story(plan, '+a +b 2a 3'), ({ code }) =>
      code === 2 ? { signatory: { by: 'email', value: 'PERSON-0@example.com' } } : {},
    );
  const signatories = two.signatories.map((person) => ({ ...person, email: 'person-0@example.com' }));
  expect(said(byEmail(two), 'signatory-completed')).toMatch(/arrive for signatory 2 /);
  expect(said(byEmail({ ...two, signatories }), 'signatory-completed')).toMatch(
    /arrive for signatory 1 .* signatory 2 /,
  );
});

test('events 2 that name nobody are in no order as long as two of them may be one', () => {
  const [first, last] = [{ deliveryId: 'first' }, { deliveryId: 'last' }];
  const late = (given: object, other: object) => {
    const nameless = story(two, '+a 2 +b 3 2');
    const deliveries = nameless.deliveries.map((delivery, index) => {
      const more = index === 0 ? given : index === 2 ? other : {};
      return { ...delivery, events: delivery.events.map((event) => ({ ...event, ...more })) };
    });
    return said({ ...nameless, deliveries }, 'signatures-before-completed');
  };
  expect(late(first, last)).toMatch(/^failed: event 2 /);
  // Of one delivery that came twice the first counts.
  expect(late(first, first)).toBe('passed');
  expect(late(first, {})).toBeUndefined();
  expect(late({}, {})).toBeUndefined();
});

test('what an earlier run took in has no number', () => {
  const given = withDelivery(story(one, '2a'), 0, { index: -1 });
  expect(said(given, 'signatory-completed-after-action')).toMatch(/^failed: event 2 of signatory 1 arrived/);
  expect(told(given).judgements.flatMap(({ deliveries }) => deliveries)).toEqual([]);
});

type Time = { readonly ms: number; readonly at: string };
const at = (ms: number, place = '/time'): Time => ({ ms, at: place });

/** When two deliveries were in flight, which times their events tell, and their order. */
const orders: readonly (readonly [
  first: readonly [number, number],
  next: readonly [number, number],
  order: string,
  times?: readonly (Time | undefined)[],
])[] = [
  [[10, 19], [20, 30], 'before'],
  [[20, 30], [10, 19], 'after'],
  [[10, 20], [20, 30], 'unordered'],
  [[20, 30], [10, 20], 'unordered'],
  [[10, 19], [20, 30], 'before', [at(2), at(1)]],
  [[10, 20], [15, 30], 'before', [at(1), at(2)]],
  [[10, 20], [15, 30], 'after', [at(2), at(1)]],
  [[10, 20], [15, 30], 'unordered', [at(1), at(1)]],
  [[10, 20], [15, 30], 'unordered', [at(1), at(2, '/sent')]],
  [[10, 20], [15, 30], 'unordered', [at(1)]],
  [[10, 20], [15, 30], 'unordered', [undefined, at(1)]],
];

test('of deliveries in flight at the same time the times of their events tell the order, where they can', () => {
  for (const [first, next, order, times = []] of orders) {
    const [received, completed] = ['1', '2a'].map((word, index) =>
      eventOf(word, times[index] ? { time: times[index] } : {}),
    );
    const deliveries = [deliveryOf(0, received ?? '1', first), deliveryOf(1, completed ?? '2a', next)];
    const value = observed({ ...story(one, '+a'), deliveries })['events.order: event 1 to the first event 2'];
    expect(value, JSON.stringify([first, next, times])).toBe(order);
  }
});

test('an event 2 that arrives while its signatory acts is in time', () => {
  const plan = planOf(['signer'], { subscription: [2] });
  const actions = { completed: [{ signatory: 0, at: { startMs: 100, endMs: 500 } }] };
  for (const [arrivedMs, expected] of [
    [99, ['signatory-completed-after-action']],
    [100, []],
    [300, []],
  ] as const) {
    for (const word of ['2a', '2']) {
      const deliveries = [deliveryOf(0, word, [50, 600], { arrivedMs })];
      expect(failures({ plan, actions, deliveries }), `${word} ${arrivedMs}`).toEqual(expected);
    }
  }
});

test('what the list of event codes does not say clearly is neither demanded nor forbidden', () => {
  for (const subscription of [undefined, [], [0, 3], [3, 9]]) {
    const { subscription: _, ...plan } = planOf(['signer']);
    const given = story({ ...plan, ...(subscription ? { subscription } : {}) }, 'sent +a 1 2a');
    expect(failures(given), JSON.stringify(subscription)).toEqual([]);
    expect(said(given, 'only-subscribed')).toBeUndefined();
  }
});

test('the order is not judged where the listener answered with a failure', () => {
  const given = story(planOf(['signer']), 'sent 1 +a 3 2a');
  const failed = given.deliveries.map((delivery, index) => ({ ...delivery, accepted: index !== 0 }));
  expect(failures(given)).toEqual(['signatures-before-completed']);
  const judged = told({ ...given, deliveries: failed });
  expect(withVerdict(judged, 'failed')).toEqual([]);
  for (const requirement of ['request-received-first', 'signatures-before-completed']) {
    expect(said({ ...given, deliveries: failed }, requirement)).toBeUndefined();
  }
  expect(observed({ ...given, deliveries: failed })).toMatchObject({
    'events.retries: repeated after a failed delivery': false,
  });
});

test('events 2 that name nobody are counted, and what counting cannot tell is left open', () => {
  const nameless = (words: string, ids: boolean, roles = two): Story =>
    changed(story(roles, words), ({ code, signatory, ...rest }) => ({
      ...rest,
      signatory: undefined as never,
      ...(ids ? { deliveryId: `${code}-${signatory?.value}` } : {}),
    }));
  const approverSilent = planOf(['signer', 'approver'], { signatoryCompletedRoles: ['signer'] });
  for (const [words, about, says, roles] of [
    ['sent 1 +a 2a +b 2b 3', 'signatory-completed', /^passed/],
    ['sent 1 +a 2a +b 3', 'signatory-completed', /^failed: /],
    ['sent 1 +a +b 2a 2a 3', 'signatory-completed', /^could-not-run: /],
    ['sent 1 2a +a 2b +b 3', 'signatory-completed-after-action', /^failed: .* arrived before anybody acted$/],
    ['sent 1 +a 2a 2b +b 3', 'signatory-completed-after-action', /^could-not-run: /],
    ['sent 1 +a 2a +b 3 2b', 'signatures-before-completed', /^failed: /],
    ['sent 1 +a +b 2a 3', 'signatory-completed', /^could-not-run: /, approved],
    ['sent 1 +a +b 2a 3', 'signatory-completed', /^passed/, approverSilent],
    ['sent 1 +a 2a 3', 'none-for-cc', /^passed/, copied],
    ['sent 1 +a 2a 2b 3', 'none-for-cc', /^could-not-run: /, copied],
  ] as const)
    expect(said(nameless(words, true, roles), about), words).toMatch(says);
  expect(failures(nameless('sent 1 +a 2a +b 2b 3', true))).toEqual([]);
  // Without delivery ids the late one may repeat the first.
  expect(said(nameless('sent 1 +a 2a +b 3 2b', false), 'signatures-before-completed')).toBeUndefined();
});

test('for a request without CallbackUrl nothing may arrive that is about it', () => {
  const { callbackUrl: _, ...plan } = planOf(['signer']);
  const elsewhere = story({ ...plan, requestId: 'request-2', otherRequestIds: ['request-1'] }, '+a 1 2a 3');
  expect(withVerdict(told(elsewhere), 'passed')).toEqual(['optional']);
  expect(failures(story(plan, '+a 3'))).toEqual(['optional']);
  const unnamed = changed(story(plan, '+a 3'), () => ({ requestId: undefined as never }));
  expect(said(unnamed, 'optional')).toBe('could-not-run: callbacks arrived that name no known request');
  const byPerson = changed(story(plan, '+a 2a'), () => ({ requestId: undefined as never }));
  expect(failures(byPerson)).toEqual(['optional']);
  // People may take part in several requests.
  const byEmail = changed(byPerson, () => ({ signatory: { by: 'email', value: 'person-0@example.com' } }));
  expect(failures(byEmail)).toEqual([]);
  const byNobody = changed(byPerson, () => ({ signatory: { by: 'id', value: 'somebody' } }));
  expect(failures(byNobody)).toEqual([]);
  expect(said(elsewhere, 'optional', { refused: 1 })).toMatch(/^could-not-run: 1 delivery /);
  expect(withVerdict(told(story(plan, '+a')), 'passed')).toEqual(['optional']);
});

test('what names a request that the run did not create blames nobody', () => {
  const strange = { requestId: 'request-of-nobody' };
  const foreign = (word: string) => deliveryOf(9, eventOf(word, strange), [0, 1]);
  const three = planOf(['signer'], { subscription: [3], attachments: false, documents: ['ESC-1'] });
  const rows: readonly (readonly [title: string, plan: Story['plan'], words: string, foreign: string])[] = [
    ['event 3 before anybody acted', planOf(['signer']), 'sent 1 +a 2a 3', '3'],
    ['event 2 before anybody acted', planOf(['signer']), 'sent 1 +a 2a 3', '2a'],
    ['event 2 of a CC', planOf(['signer', 'cc']), 'sent 1 +a 2a 3', '2b'],
    ['an event that nobody subscribed to', three, '+a 3', '1'],
  ];
  for (const [title, plan, words, word] of rows) {
    const given = story(plan, words);
    const disturbed = { ...given, deliveries: [foreign(word), ...given.deliveries] };
    expect(failures(disturbed), title).toEqual([]);
    expect(withVerdict(told(disturbed), 'could-not-run'), title).toEqual([]);
    // It is no callback of this request either.
    const alone = { ...given, plan: { ...plan, namesRequests: true }, deliveries: [foreign('3')] };
    expect(failures(alone), title).toContain('process-completed');
    // A target may name its requests by ids of another kind: what arrives then shows that something did.
    const otherwise = changed(disturbed, () => strange);
    expect(failures(otherwise), title).toEqual([]);
    expect(withVerdict(told(otherwise), 'passed'), title).toContain('process-completed');
  }
});

test('the query of CallbackUrl has to arrive as given', () => {
  const base = 'http://127.0.0.1:1/callback/abc';
  const rows: [url: string, target: string, message: string | undefined][] = [
    [`${base}?a=1&b=x%20y`, '/callback/abc?b=x+y&a=1', undefined],
    [`${base}?a=1`, '/callback/abc?a=1&event=2', undefined],
    [`${base}?a=1&a=2`, '/callback/abc?a=1&a=2', undefined],
    [`${base}/?a=1`, '/callback/abc/?a=1', undefined],
    [`${base}?a=1&a=2`, '/callback/abc?a=1', 'the query parameter a is changed'],
    [base, '/callback/abc/events', 'the path is not /callback/abc'],
    ['https://tunnel.example/hooks/callback/abc', '/callback/abc', undefined],
    [base, 'https://tunnel.example/callback/abc', undefined],
    [base, 'https://', 'the path is none'],
    ['http://127.0.0.1:1', '/hooks', undefined],
  ];
  for (const [callbackUrl, target, message] of rows) {
    const given = story(planOf(['signer'], { callbackUrl }), '+a 1 2a 3');
    const deliveries = given.deliveries.map((delivery) => ({ ...delivery, target }));
    const expected = message
      ? `failed: delivery 1 went to ${target}: ${message}`
      : expect.stringMatching(/^passed/);
    expect(said({ ...given, deliveries }, 'to-callback-url'), target).toEqual(expected);
  }
});

const asked = planOf(['signer'], { attachments: true, documents: ['ESC-1', 'ESC-2'] });
const unasked = planOf(['signer'], { attachments: false, documents: ['ESC-1'] });
const converted = { ...asked, documents: [] };
const long = { ...asked, documents: ['ESC-1'], pages: [3] };
const withCopy = planOf(['signer', 'approver', 'cc'], { attachments: true, documents: ['ESC-1'] });
const unreadable = attachmentOf([], 'unreadable');
const twoPages = { ...attachmentOf([]), pages: 2 };
const { name: _, ...nameless } = { ...unreadable, why: 'it is encrypted' };
const picture = { ...attachmentOf([]), hasText: false };
const pagesOf = (pages: number, marker = 'ESC-1') => ({ ...attachmentOf([marker]), pages });
const numbered = (...numbers: readonly (number | undefined)[]) => ({
  ...pagesOf(numbers.length),
  numbers: [numbers],
});

/** What event 3 carries, and what is said about it; faults show what is plainly wrong. */
type Carried = readonly [
  plan: Plan,
  words: string,
  attachments: SeenEvent['attachments'],
  says: RegExp | undefined,
  losses?: Losses,
];
const carried: Readonly<Record<string, readonly Carried[]>> = {
  'documents-attached': [
    [asked, '+a 3', [attachmentOf(['ESC-1']), attachmentOf(['ESC-2'])], /^passed/],
    [asked, '+a 3', [attachmentOf(['ESC-2', 'ESC-1'])], /^passed/],
    [asked, '+a 3', [{ ...picture, state: 'no-pdf' }], /^failed: .* carries no PDF/],
    [{ ...asked, documents: [] }, '+a 3', [], /^failed: .* carries no PDF/],
    [asked, '1', [], undefined],
    [planOf(['approver', 'cc'], { attachments: true, documents: ['ESC-1'] }), '+a 3', [], undefined],
    // An audit trail that is cut is none of the signed documents.
    [asked, '+a 3', [attachmentOf(['ESC-1', 'ESC-2']), attachmentOf([], 'truncated')], /^passed/],
    [asked, '+a 3', [attachmentOf(['ESC-1']), attachmentOf([], 'truncated')], /^failed: .* is not whole/],
    [asked, '+a 3', [attachmentOf(['ESC-1']), attachmentOf(['ESC-2'], 'truncated')], /^failed: .* not whole/],
    [asked, '+a 3', [unreadable], /^could-not-run: .* "signed.pdf" cannot be read$/],
    [asked, '+a 3', [nameless], /^could-not-run: .* an attachment cannot be read: it is encrypted$/],
    [asked, '+a 3', [attachmentOf([], 'link')], /^could-not-run/],
    [asked, '+a 3', [picture], /^could-not-run: .* has no text/],
    [asked, '+a 3', [], /^could-not-run: 1 connection /, { connections: 1 }],
    [asked, '+a 3', [], /^could-not-run: the target stopped answering/, { end: 'gone' }],
    [asked, '+a 2a', [], /^could-not-run: event 3 did not arrive$/],
    [long, '+a 3', [pagesOf(3)], /^passed/],
    [{ ...converted, uploads: 2 }, '+a 3', [twoPages], /^passed/],
    [{ ...converted, uploads: 3 }, '+a 3', [twoPages], /^failed: of 3 pages of the 3 /],
    [{ ...converted, uploads: 3 }, '+a 3', [attachmentOf([])], /^passed/],
    [long, '+a 3', [{ ...pagesOf(4), shown: [3] }], /^passed/],
    [{ ...asked, pages: [3, 1] }, '+a 3', [pagesOf(2), pagesOf(9, 'ESC-2')], /^failed: of 3 pages of ESC-1 /],
    [long, '+a 3', [pagesOf(2), pagesOf(4)], /^passed/],
    // A certificate may name the files that an archive beside it holds.
    [long, '+a 3', [pagesOf(1), unreadable], /^could-not-run: .* "signed.pdf" cannot be read$/],
    [long, '+a 3', [twoPages, attachmentOf(['ESC-1'])], /^passed/],
    [{ ...asked, documents: ['ESC-1'] }, '+a 3', [pagesOf(2)], /^passed/],
    [long, '+a 3', [numbered(undefined, 1, 3, 3, undefined)], /^failed: .* come as 1, 3, 3 /],
    // Covers, audit pages, blank ones and copies are added by some; a page that is a picture does not say which one it is.
    [long, '+a 3', [numbered(undefined, 1, 2, undefined, 3, undefined)], /^passed/],
    [long, '+a 3', [numbered(1, 1, 2, 2, 3, 3)], /^passed/],
    [long, '+a 3', [numbered(1, undefined, 3, 1)], /^passed/],
    [long, '+a 3', [numbered(undefined, undefined, undefined)], /^passed/],
    [long, '+a 3', [numbered(2, 1, 3), pagesOf(3)], /^passed/],
    [long, '+a 3', [numbered(2, 1, 3), numbered(1, 2, 3)], /^passed/],
    // Without documents it says nothing about them as long as an approver has not acted.
    [withCopy, '+a 3 +b', [], /^could-not-run: .* before signatory 2 \(approver, order 1\) acted$/],
    [withCopy, '+a +b 3', [], /^failed: /],
    [withCopy, '+a 3 +b 3', [], /^failed: /],
  ],
  'documents-not-attached': [
    [unasked, '+a 3', [attachmentOf(['ESC-1'], 'link')], /^passed/],
    // Another PDF is none of the documents, and one that cannot be read is left open.
    [unasked, '+a 3', [attachmentOf([])], /^passed/],
    [unasked, '+a 3', [picture], /^could-not-run/],
    [unasked, '+a 3', [{ ...picture, state: 'no-pdf' }], /^passed/],
    [unasked, '+a 3', [attachmentOf([], 'truncated')], /^could-not-run/],
    [unasked, '+a 3', [nameless], /^could-not-run: .* cannot be read: it is encrypted$/],
    [unasked, '+a 3', [], /^could-not-run: 1 delivery /, { refused: 1 }],
    [unasked, '+a', [], /^could-not-run: event 3 did not arrive$/],
    [unasked, '1', [], undefined],
    [{ ...unasked, subscription: [1, 2] }, '+a 2a', [], undefined],
    [planOf(['signer']), '+a 3', [attachmentOf(['ESC-1'])], undefined],
  ],
};

for (const [about, rows] of Object.entries(carried)) {
  test(`what is said about ${about}`, () => {
    for (const [plan, words, attachments, says, losses] of rows) {
      const given = changed(story(plan, words), ({ code }) => (code === 3 ? { attachments } : {}));
      const came = said(given, about, losses);
      const what = JSON.stringify([words, attachments, losses]);
      if (says) expect(came, what).toMatch(says);
      else expect(came, what).toBeUndefined();
    }
  });
}

test('what the final callback carries of its own accord is observed, where it can be told', () => {
  const left = planOf(['signer'], { documents: ['ESC-1'] });
  const pdf = attachmentOf(['ESC-1']);
  const rows: readonly (readonly [Plan, SeenEvent['attachments'], boolean | undefined])[] = [
    [left, [pdf], true],
    [left, [{ ...pdf, state: 'no-pdf' }], false],
    [left, [], false],
    [left, [{ ...pdf, state: 'link' }], undefined],
    [unasked, [pdf], undefined],
    [asked, [pdf], undefined],
  ];
  for (const [plan, attachments, value] of rows) {
    const seen = observed(changed(story(plan, '+a 3'), () => ({ attachments })));
    expect(seen['skeleton.completed-documents-left-out: signed PDFs attached']).toBe(value);
  }
});

test('a PDF beside the signed ones is looked through for the Names of the signatories', () => {
  const signed = [attachmentOf(['ESC-1', 'ESC-2'])];
  const key = 'signing.audit-trail: one of them names everybody';
  for (const [more, value] of [
    [[], undefined],
    [[{ ...attachmentOf([]), namesAll: true }], true],
    [[{ ...attachmentOf([]), namesAll: false }], false],
  ] as const) {
    const given = changed(story(asked, '+a 3'), () => ({ attachments: [...signed, ...more] }));
    expect(observed(given)[key]).toBe(value);
  }
});

test('documents in a form that is not known are not traced, and any callback may carry none', () => {
  const unread = [{ field: 'attachments', message: 'a form that is not known' }] as const;
  const strange = changed(story(asked, '+a 3'), () => ({ unread }));
  expect(said(strange, 'documents-attached')).toBe(
    'could-not-run: the documents could not be traced: a form that is not known',
  );
  const early = changed(story(unasked, '+a 2a 3'), ({ code }) =>
    code === 2 ? { attachments: [attachmentOf(['ESC-1'])] } : {},
  );
  expect(failures(early)).toContain('documents-not-attached');
});

test('an event 2 that lists several people may tell of all who had begun by then', () => {
  const unread = [{ field: 'signatory', message: 'it names several', several: true }] as const;
  const listing = (words: string) =>
    changed(story(two, words), ({ code }) => (code === 2 ? { signatory: undefined as never, unread } : {}));
  expect(failures(listing('sent 1 +a +b 2a 3'))).toEqual([]);
  expect(said(listing('sent 1 +a +b 2a 3'), 'signatory-completed')).toMatch(/ be told: it names several$/);
  // Of who acted later it cannot tell.
  expect(failures(listing('sent 1 +a 2a +b 3'))).toEqual(['signatory-completed']);
  expect(failures(listing('sent 1 +a +b 3'))).toEqual(['signatory-completed']);
});

test('when nothing arrives at all, silence is no virtue', () => {
  const plan = planOf(['signer', 'cc'], { subscription: [2, 3], attachments: false });
  const nothing = story(plan, 'sent +a');
  expect(failures(nothing)).toEqual(['process-completed', 'signatory-completed']);
  expect(withVerdict(told(nothing), 'passed')).toEqual([]);
  const quiet = story(planOf(['signer'], { subscription: [3] }), 'sent');
  expect(withVerdict(told(quiet), 'passed')).toEqual(['only-subscribed']);
});

test('what went to the CallbackUrl of another request is no event that was never sent', () => {
  const given = story(planOf(['signer']), 'sent 1 +a 2a');
  const astray = [deliveryOf(9, '3', [500, 510])];
  expect(said(given, 'to-callback-url', { astray })).toMatch(/^failed: delivery 9, which names this request/);
  expect(said(given, 'process-completed', { astray })).toMatch(/^could-not-run: /);
  expect(failures(given, { astray })).toEqual(['to-callback-url']);
  // One that an earlier run took in has no number.
  const earlier = [deliveryOf(-1, '3', [500, 510])];
  expect(said(given, 'to-callback-url', { astray: earlier })).toMatch(/^failed: a delivery, which /);
});

const last = 'process-completed-last';
const first = 'request-received-first';
const ones = 'received-before-signatures';
const twos = 'signatures-before-completed';
const after = 'signatory-completed-after-action';

/** What the document says about an order in which nothing overlaps, in the fewest words; what follows from what is settled later. */
function modelled(order: readonly string[], signers: readonly string[]): readonly string[] {
  const at = (word: string): number => order.indexOf(word);
  const failed = [];
  if (signers.some((name) => at('3') < at(`+${name}`))) failed.push(last);
  if (signers.some((name) => at('3') < at(`2${name}`))) failed.push(twos);
  if (at('1') > at('3')) failed.push(first);
  if (signers.some((name) => at(`2${name}`) < at('1'))) failed.push(ones);
  if (signers.some((name) => at(`2${name}`) < at(`+${name}`))) failed.push(after);
  return failed.toSorted();
}

test('every order of the acts and events of two signers has the verdicts of the model', () => {
  const orders = permutations(['+a', '+b', '1', '2a', '2b', '3']);
  expect(orders).toHaveLength(720);
  const judged = orders.map((order) => [order.join(' '), failures(story(two, `sent ${order.join(' ')}`))]);
  expect(judged).toEqual(orders.map((order) => [order.join(' '), modelled(order, ['a', 'b'])]));
  // So many have nothing said against them.
  expect(judged.filter(([, failed]) => failed?.length === 0)).toHaveLength(16);
});
