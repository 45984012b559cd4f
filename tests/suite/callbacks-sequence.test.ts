/** The judgement of sequences, case by case: what is said, what is left open, what is observed. */
import { expect, test } from '@playwright/test';
import {
  attachmentOf,
  changed,
  deliveryOf,
  eventOf,
  failures,
  observed,
  planOf,
  type Story,
  said,
  story,
  told,
  withVerdict,
} from './callbacks-story.ts';

test('what an attempt without a known outcome may explain is no violation, and nothing is due after it', () => {
  const plan = planOf(['signer', 'signer']);
  expect(failures(story(plan, 'sent 1 +a 2a ?b 2b 3'))).toEqual([]);
  expect(failures(story(plan, 'sent 1 +a 2a ?b'))).toEqual([]);
  expect(said(story(plan, 'sent 1 +a 2a ?b 3'), 'process-completed-last')).toBe(
    'could-not-run: whether signatory 2 (signer, order 1) completed is not known',
  );
  // Before the attempt it explains nothing.
  expect(failures(story(plan, 'sent 1 +a 2a 2b ?b'))).toEqual(['signatory-completed-after-action']);
  expect(failures(story(plan, 'sent 1 +a 2a 3 ?b'))).toEqual(['process-completed-last']);
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

test('a service that sends everything twice has not repeated a failed delivery by that', () => {
  const failedAt = (words: string, failed: number, copies: number) => {
    const given = story(planOf(['signer'], { copies }), words);
    const deliveries = given.deliveries.map((each, index) => ({ ...each, accepted: index >= failed }));
    return observed({ ...given, deliveries })['events.retries: repeated after a failed delivery'];
  };
  expect(failedAt('sent +a 2a 2a', 2, 2)).toBe(false);
  expect(failedAt('sent +a 2a 2a 2a', 2, 2)).toBe(true);
  expect(failedAt('sent +a 2a 2a', 1, 1)).toBe(true);
  expect(failedAt('sent +a 2a', 1, 1)).toBe(false);
});

test('a list of events in one delivery has no order, whatever their own times say', () => {
  const plan = planOf(['signer'], { subscription: [2, 3] });
  const at = (ms: number) => ({ time: { ms, at: '/time' } });
  const listed = (two: number, three: number): Story => {
    const given = story(plan, '+a 2a');
    const [delivery] = given.deliveries;
    const events = [eventOf('3', at(three)), eventOf('2a', at(two))];
    return { ...given, deliveries: delivery ? [{ ...delivery, events }] : [] };
  };
  for (const two of [1, 2, 3]) {
    expect(failures(listed(two, 2))).toEqual([]);
    expect(said(listed(two, 2), 'signatures-before-completed')).toMatch(/^passed/);
  }
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
    'signing.audit-trail: attached PDFs that show none of the uploaded documents': 0,
  });
});
