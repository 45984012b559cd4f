/** The judgement of sequences, case by case: what is said, what is left open, what is observed. */
import { expect, test } from '@playwright/test';
import type { SeenEvent } from '../../harness/callbacks/sequence/facts.ts';
import {
  attachmentOf,
  deliveryOf,
  eventOf,
  failures,
  planOf,
  type Story,
  story,
  told,
  withVerdict,
} from './callbacks-story.ts';

/** What is said about one requirement: verdict and message. */
function said(given: Story, requirement: string, losses = {}): string | undefined {
  const found = told(given, losses).judgements.find(
    (judgement) => judgement.requirement === `events.${requirement}`,
  );
  return found && `${found.verdict}: ${found.message}`;
}

function observed(given: Story): Record<string, unknown> {
  return Object.fromEntries(told(given).observations.map(({ gap, key, value }) => [`${gap}: ${key}`, value]));
}

/** The story with the events of its deliveries changed. */
function changed(given: Story, change: (event: SeenEvent) => Partial<SeenEvent>): Story {
  const deliveries = given.deliveries.map((delivery) => ({
    ...delivery,
    events: delivery.events.map((event) => ({ ...event, ...change(event) })),
  }));
  return { ...given, deliveries };
}

test('a complete request puts every rule about its events to the test', () => {
  const plan = planOf(['signer', 'signer', 'cc'], { attachments: true, documents: ['ESC-1'] });
  const given = changed(story(plan, 'sent 1 +a 2a +b 2b 3'), ({ code }) =>
    code === 3 ? { attachments: [attachmentOf(['ESC-1'])] } : {},
  );
  expect(told(given).judgements.map(({ requirement, verdict }) => `${requirement} ${verdict}`)).toEqual([
    'events.request-received passed',
    'events.signatory-completed passed',
    'events.process-completed passed',
    'events.to-callback-url passed',
    'events.signatory-completed-after-action passed',
    'events.process-completed-last passed',
    'events.request-received-first passed',
    'events.none-for-cc passed',
    'events.documents-attached passed',
  ]);
});

test('a failure names event, delivery, person and distance', () => {
  const plan = planOf(['signer', 'approver']);
  expect(said(story(plan, 'sent 1 2b +a 2a +b 3'), 'signatory-completed-after-action')).toBe(
    'failed: event 2 of signatory 2 (delivery 2) arrived 28 ms before signatory 2 (approver, order 1) acted',
  );
  expect(said(story(plan, 'sent 1 +a 2a 2b 3'), 'signatory-completed-after-action')).toBe(
    'failed: event 2 of signatory 2 (delivery 4) arrived, and signatory 2 (approver, order 1) has not completed',
  );
  expect(said(story(plan, 'sent 1 +a +b 3 2a'), 'process-completed-last')).toBe(
    'failed: event 3 (delivery 4) came before event 2 of signatory 1 (delivery 5)',
  );
  expect(said(story(plan, 'sent 1 +a +b 2b 3'), 'signatory-completed')).toBe(
    'failed: event 2 is subscribed to and did not arrive for signatory 1 (signer, order 1), who completed',
  );
  expect(said(story(planOf(['signer'], { subscription: [3] }), '+a 2a 3'), 'only-subscribed')).toBe(
    'failed: CallbackTypes is [3], and event 2 of signatory 1 (delivery 1) arrived',
  );
});

test('an event 2 that arrives while its signatory acts is in time', () => {
  const plan = planOf(['signer'], { subscription: [2] });
  const actions = { completed: [{ signatory: 0, at: { startMs: 100, endMs: 500 } }] };
  for (const [arrivedMs, expected] of [
    [99, ['signatory-completed-after-action']],
    [100, []],
    [300, []],
  ] as const) {
    const deliveries = [deliveryOf(0, '2a', [50, 600], { arrivedMs })];
    expect(failures({ plan, actions, deliveries }), String(arrivedMs)).toEqual(expected);
  }
});

test('what only an approver or nobody at all is told is not demanded', () => {
  expect(failures(story(planOf(['signer', 'approver']), 'sent 1 +a +b 2a 3'))).toEqual([]);
  expect(failures(story(planOf(['signer', 'approver']), 'sent 1 +a +b 2a 2b 3'))).toEqual([]);
  // Whether event 3 needs the approver is not shown.
  expect(failures(story(planOf(['signer', 'approver']), 'sent 1 +a 2a 3 +b 2b'))).toEqual([]);
});

test('nothing is due before the process is complete, unless the profile says when event 1 is', () => {
  expect(
    told(story(planOf(['signer', 'signer']), 'sent +a 2a')).judgements.map(({ requirement }) => requirement),
  ).toEqual([
    'events.signatory-completed',
    'events.to-callback-url',
    'events.signatory-completed-after-action',
  ]);
  const onSending = planOf(['signer'], { requestReceived: 'sending', subscription: [1] });
  expect(said(story(onSending, 'sent'), 'request-received')).toBe(
    'failed: event 1 is subscribed to and did not arrive',
  );
  expect(said(story(onSending, ''), 'request-received')).toBeUndefined();
});

test('what the list of event codes does not say clearly is neither demanded nor forbidden', () => {
  for (const subscription of [undefined, [], [0, 3], [3, 9]]) {
    const { subscription: _, ...plan } = planOf(['signer']);
    const given = story({ ...plan, ...(subscription ? { subscription } : {}) }, 'sent +a 1 2a');
    expect(failures(given), JSON.stringify(subscription)).toEqual([]);
    expect(said(given, 'only-subscribed')).toBeUndefined();
  }
});

test('code 0 brings what explicit codes bring: what comes with neither is no fault of 0', () => {
  const all = planOf(['signer'], { subscription: [0] });
  expect(said(story(all, '+a 1 2a 3'), 'all')).toBe('passed: 0 brought events 1, 2, 3');
  expect(said(story(all, '+a 2a 3'), 'all')).toBe('failed: CallbackTypes is [0], and event 1 did not arrive');
  expect(said(story({ ...all, explicitTwin: [1, 2, 3] }, '+a'), 'all')).toMatch(
    /^failed: .* event 1 and 2 and 3/,
  );
  expect(said(story({ ...all, explicitTwin: [2, 3] }, '+a 2a 3'), 'all')).toMatch(/^passed: /);
  expect(said(story({ ...all, explicitTwin: [] }, '+a'), 'all')).toMatch(/^unreadable: /);
});

test('events 2 that name nobody are counted, and what counting cannot tell is left open', () => {
  const nameless = (words: string, ids: boolean, roles = planOf(['signer', 'signer'])): Story =>
    changed(story(roles, words), ({ code, signatory, ...rest }) => ({
      ...rest,
      signatory: undefined as never,
      ...(ids ? { deliveryId: `${code}-${signatory?.value}` } : {}),
    }));
  const enough = nameless('sent 1 +a 2a +b 2b 3', true);
  expect(said(enough, 'signatory-completed')).toMatch(/^passed: as many events 2 arrived as signers/);
  expect(failures(enough)).toEqual([]);
  expect(said(nameless('sent 1 +a 2a +b 3', true), 'signatory-completed')).toMatch(/^failed: /);
  expect(said(nameless('sent 1 +a +b 2a 2a 3', true), 'signatory-completed')).toMatch(/^unreadable: /);
  expect(said(nameless('sent 1 2a +a 2b +b 3', true), 'signatory-completed-after-action')).toBe(
    'failed: event 2 (delivery 2) arrived before anybody acted',
  );
  expect(said(nameless('sent 1 +a 2a 2b +b 3', true), 'signatory-completed-after-action')).toMatch(
    /^unreadable: /,
  );
  expect(said(nameless('sent 1 +a 2a +b 3 2b', true), 'process-completed-last')).toMatch(/^failed: /);
  // Without delivery ids the late one may repeat the first.
  expect(said(nameless('sent 1 +a 2a +b 3 2b', false), 'process-completed-last')).toMatch(/^unreadable: /);
  const withApprover = planOf(['signer', 'approver']);
  expect(said(nameless('sent 1 +a +b 2a 3', true, withApprover), 'signatory-completed')).toMatch(
    /^unreadable: /,
  );
  const approverSilent = planOf(['signer', 'approver'], { signatoryCompletedRoles: ['signer'] });
  expect(said(nameless('sent 1 +a +b 2a 3', true, approverSilent), 'signatory-completed')).toMatch(
    /^passed: /,
  );
  const withCc = planOf(['signer', 'cc']);
  expect(said(nameless('sent 1 +a 2a 3', true, withCc), 'none-for-cc')).toMatch(/^passed: /);
  expect(said(nameless('sent 1 +a 2a 2b 3', true, withCc), 'none-for-cc')).toMatch(/^unreadable: /);
});

test('the order is not judged where the listener answered with a failure', () => {
  const given = story(planOf(['signer']), 'sent 1 +a 3 2a');
  const failed = given.deliveries.map((delivery, index) => ({ ...delivery, accepted: index !== 0 }));
  expect(failures(given)).toEqual(['process-completed-last']);
  const judged = told({ ...given, deliveries: failed });
  expect(withVerdict(judged, 'failed')).toEqual([]);
  expect(judged.judgements.map(({ requirement }) => requirement)).not.toContain(
    'events.process-completed-last',
  );
  expect(observed({ ...given, deliveries: failed })).toMatchObject({
    'events.retries: repeated after a failed delivery': false,
  });
});

test('a repetition is an observation, not an order', () => {
  const given = story(planOf(['signer']), 'sent 1 +a 2a 3 2a 1 3');
  expect(failures(given)).toEqual([]);
  expect(observed(given)).toMatchObject({
    'events.repeated: repeated events': 3,
    'events.repeated: repeated with the same delivery id': false,
  });
  const identified = changed(given, ({ code }) => ({ deliveryId: `delivery-${code}` }));
  expect(observed(identified)).toMatchObject({ 'events.repeated: repeated with the same delivery id': true });
});

test('a list of events in one delivery has the order of their own times', () => {
  const plan = planOf(['signer'], { subscription: [2, 3] });
  const at = (ms: number) => ({ time: { ms, at: '/time' } });
  const listed = (two: number, three: number): Story => {
    const given = story(plan, '+a 2a');
    const [delivery] = given.deliveries;
    const events = [eventOf('3', at(three)), eventOf('2a', at(two))];
    return { ...given, deliveries: delivery ? [{ ...delivery, events }] : [] };
  };
  expect(failures(listed(1, 2))).toEqual([]);
  expect(failures(listed(2, 2))).toEqual([]);
  expect(failures(listed(3, 2))).toEqual(['process-completed-last']);
});

test('times that do not stand at the same place are not compared', () => {
  const given: Story = {
    plan: planOf(['signer'], { subscription: [2, 3] }),
    actions: { completed: [{ signatory: 0, at: { startMs: 0, endMs: 1 } }] },
    deliveries: [
      deliveryOf(0, eventOf('3', { time: { ms: 1, at: '/created' } }), [10, 20]),
      deliveryOf(1, eventOf('2a', { time: { ms: 2, at: '/time' } }), [10, 20]),
    ],
  };
  expect(failures(given)).toEqual([]);
});

test('for a request without CallbackUrl nothing may arrive that is about it', () => {
  const { callbackUrl: _, ...plan } = planOf(['signer']);
  const elsewhere = story({ ...plan, requestId: 'request-2', otherRequestIds: ['request-1'] }, '+a 1 2a 3');
  expect(withVerdict(told(elsewhere), 'passed')).toEqual(['optional']);
  expect(failures(story(plan, '+a 3'))).toEqual(['optional']);
  const unnamed = changed(story(plan, '+a 3'), () => ({ requestId: undefined as never }));
  expect(said(unnamed, 'optional')).toBe('unreadable: callbacks arrived that name no known request');
  const byPerson = changed(story(plan, '+a 2a'), () => ({ requestId: undefined as never }));
  expect(failures(byPerson)).toEqual(['optional']);
  expect(withVerdict(told(story(plan, '+a')), 'passed')).toEqual(['optional']);
});

test('events of other requests are left to those', () => {
  const plan = planOf(['signer'], { otherRequestIds: ['request-9'] });
  const given = story(plan, 'sent 1 +a 2a 3');
  const early = deliveryOf(9, eventOf('3', { requestId: 'request-9' }), [0, 1]);
  expect(failures({ ...given, deliveries: [early, ...given.deliveries] })).toEqual([]);
  const unknown = deliveryOf(9, eventOf('3', { requestId: 'an-id-of-another-kind' }), [0, 1]);
  expect(failures({ ...given, deliveries: [unknown, ...given.deliveries] })).toContain(
    'process-completed-last',
  );
});

test('the query of CallbackUrl has to arrive as given', () => {
  const base = 'http://127.0.0.1:1/callback/abc';
  const rows: [url: string, target: string, message: string | undefined][] = [
    [`${base}?a=1&b=x%20y`, '/callback/abc?b=x+y&a=1', undefined],
    [`${base}?a=1`, '/callback/abc?a=1&event=2', undefined],
    [`${base}?a=1`, '/hooks/callback/abc?a=1', undefined],
    [`${base}?a=1&a=2`, '/callback/abc?a=1&a=2', undefined],
    [base, '/callback/abc/', undefined],
    [`${base}?a=1`, '/callback/abc', 'the query parameter a is missing'],
    [`${base}?a=%2B`, '/callback/abc?a=+', 'the query parameter a is changed'],
    [`${base}?a=1&a=2`, '/callback/abc?a=1', 'the query parameter a is changed'],
    [base, '/callback/abc/events', 'the path is not /callback/abc'],
    [base, '/', 'the path is not /callback/abc'],
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

test('attached documents are traced, and what hides them is not blamed', () => {
  const rows: [attachments: SeenEvent['attachments'], verdict: RegExp][] = [
    [[attachmentOf(['ESC-1']), attachmentOf(['ESC-2'])], /^passed/],
    [[attachmentOf(['ESC-2', 'ESC-1'])], /^passed/],
    [[], /^failed: .* carries no PDF/],
    [[attachmentOf([], 'no-pdf')], /^failed: .* carries no PDF/],
    [[attachmentOf(['ESC-1'])], /^failed: 1 of 2 documents .* ESC-2/],
    [[attachmentOf(['ESC-1', 'ESC-2']), attachmentOf([], 'truncated')], /^failed: .* is not whole/],
    [[attachmentOf(['ESC-1']), attachmentOf(['ESC-2'], 'truncated')], /^failed: .* is not whole/],
    [[attachmentOf([], 'unreadable')], /^unreadable/],
    [[attachmentOf([], 'link')], /^unreadable/],
    [[{ ...attachmentOf([]), hasText: false }], /^unreadable: .* has no text/],
  ];
  const plan = planOf(['signer'], { attachments: true, documents: ['ESC-1', 'ESC-2'] });
  for (const [attachments, verdict] of rows) {
    const given = changed(story(plan, '+a 1 2a 3'), ({ code }) => (code === 3 ? { attachments } : {}));
    expect(said(given, 'documents-attached'), JSON.stringify(attachments)).toMatch(verdict);
  }
  const unread = [{ field: 'attachments', message: 'a form that is not known' }] as const;
  expect(
    said(
      changed(story(plan, '+a 1 2a 3'), () => ({ unread })),
      'documents-attached',
    ),
  ).toBe('unreadable: the documents could not be traced: a form that is not known');
  expect(said(story(plan, '+a 1 2a'), 'documents-attached')).toBe('unreadable: event 3 did not arrive');
});

test('without asking nothing is attached; what the absence of the flag means is left open', () => {
  const carrying = (attachments: boolean | undefined) =>
    changed(
      story(planOf(['signer'], attachments === undefined ? {} : { attachments }), '+a 1 2a 3'),
      ({ code }) => (code === 2 ? { attachments: [attachmentOf(['ESC-1'])] } : {}),
    );
  expect(failures(carrying(false))).toEqual(['documents-not-attached']);
  expect(failures(carrying(undefined))).toEqual([]);
  const link = changed(story(planOf(['signer'], { attachments: false }), '+a 1 2a 3'), () => ({
    attachments: [attachmentOf([], 'link')],
  }));
  expect(withVerdict(told(link), 'passed')).toContain('documents-not-attached');
});

test('when nothing arrives at all, silence is no virtue', () => {
  const plan = planOf(['signer', 'cc'], { subscription: [2, 3], attachments: false });
  const nothing = story(plan, 'sent +a');
  expect(failures(nothing)).toEqual(['process-completed', 'signatory-completed']);
  expect(withVerdict(told(nothing), 'passed')).toEqual([]);
  const quiet = story(planOf(['signer'], { subscription: [3] }), 'sent');
  expect(withVerdict(told(quiet), 'passed')).toEqual(['only-subscribed']);
});

test('observations say when, in which order and with what', () => {
  const plan = planOf(['signer', 'signer', 'approver'], { attachments: true, documents: ['ESC-1'] });
  const given = changed(story(plan, '1 sent +a 2a +b 2b +c 2c 3'), ({ code }) =>
    code === 3 ? { attachments: [attachmentOf(['ESC-1']), attachmentOf([], 'no-pdf')] } : {},
  );
  expect(observed(given)).toEqual({
    'events.request-received-when: event 1': 'before the request is sent',
    'events.signatory-completed-roles: event 2 for an approver': true,
    'events.order: event 1 to the first event 2': 'before',
    'events.order: deliveries overlap': false,
    'events.order: events 2 in the order of signing': true,
    'events.order: milliseconds from the last signature to event 3': 23,
    'events.final-callback: events with PDFs': [3],
    'events.attachment-count: PDFs for 1 documents': 1,
    'events.attachment-count: other files': 1,
  });
});
