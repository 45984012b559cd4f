/** The judgement of sequences, case by case: what deliveries carry, where they go, and whom they name. */
import { expect, test } from '@playwright/test';
import type { Losses, Plan, SeenEvent } from '../../record/facts.ts';
import {
  attachmentOf,
  changed,
  deliveryOf,
  eventOf,
  failures,
  planOf,
  type Story,
  said,
  story,
  told,
  withVerdict,
} from './callbacks-story.ts';

test('events 2 that name nobody are counted, and what counting cannot tell is left open', () => {
  const nameless = (words: string, ids: boolean, roles = planOf(['signer', 'signer'])): Story =>
    changed(story(roles, words), ({ code, signatory, ...rest }) => ({
      ...rest,
      signatory: undefined as never,
      ...(ids ? { deliveryId: `${code}-${signatory?.value}` } : {}),
    }));
  const enough = nameless('sent 1 +a 2a +b 2b 3', true);
  expect(said(enough, 'signatory-completed')).toBe('passed');
  expect(failures(enough)).toEqual([]);
  expect(said(nameless('sent 1 +a 2a +b 3', true), 'signatory-completed')).toMatch(/^failed: /);
  expect(said(nameless('sent 1 +a +b 2a 2a 3', true), 'signatory-completed')).toMatch(/^could-not-run: /);
  expect(said(nameless('sent 1 2a +a 2b +b 3', true), 'signatory-completed-after-action')).toBe(
    'failed: event 2 (delivery 2) arrived before anybody acted',
  );
  expect(said(nameless('sent 1 +a 2a 2b +b 3', true), 'signatory-completed-after-action')).toMatch(
    /^could-not-run: /,
  );
  expect(said(nameless('sent 1 +a 2a +b 3 2b', true), 'signatures-before-completed')).toMatch(/^failed: /);
  // Without delivery ids the late one may repeat the first.
  expect(said(nameless('sent 1 +a 2a +b 3 2b', false), 'signatures-before-completed')).toBeUndefined();
  const withApprover = planOf(['signer', 'approver']);
  expect(said(nameless('sent 1 +a +b 2a 3', true, withApprover), 'signatory-completed')).toMatch(
    /^could-not-run: /,
  );
  const approverSilent = planOf(['signer', 'approver'], { signatoryCompletedRoles: ['signer'] });
  expect(said(nameless('sent 1 +a +b 2a 3', true, approverSilent), 'signatory-completed')).toMatch(/^passed/);
  const withCc = planOf(['signer', 'cc']);
  expect(said(nameless('sent 1 +a 2a 3', true, withCc), 'none-for-cc')).toMatch(/^passed/);
  expect(said(nameless('sent 1 +a 2a 2b 3', true, withCc), 'none-for-cc')).toMatch(/^could-not-run: /);
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
    [`${base}?a=1`, '/hooks/callback/abc?a=1', undefined],
    [`${base}?a=1&a=2`, '/callback/abc?a=1&a=2', undefined],
    [`${base}/?a=1`, '/callback/abc/?a=1', undefined],
    [`${base}?a=1&a=2`, '/callback/abc?a=1', 'the query parameter a is changed'],
    [base, '/callback/abc/events', 'the path is not /callback/abc'],
    ['https://tunnel.example/hooks/callback/abc', '/callback/abc', undefined],
    [base, 'https://tunnel.example/callback/abc', undefined],
    [base, 'https://', 'the path is none'],
    ['http://127.0.0.1:1/?a=1', '/?a=1', undefined],
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
const long = { ...asked, documents: ['ESC-1'], pages: [3] };
const withCopy = planOf(['signer', 'approver', 'cc'], { attachments: true, documents: ['ESC-1'] });
const { name: _, ...nameless } = { ...attachmentOf([], 'unreadable'), why: 'it is encrypted' };
const picture = { ...attachmentOf([]), hasText: false };
const pagesOf = (pages: number) => ({ ...attachmentOf(['ESC-1']), pages });
const numbered = (...numbers: readonly (number | undefined)[]) => ({
  ...pagesOf(numbers.length),
  numbers: [numbers],
});

/** What event 3 carries, and what is said about it; faults show what is plainly wrong. */
type Row = readonly [
  plan: Plan,
  words: string,
  attachments: SeenEvent['attachments'],
  says: RegExp | undefined,
  losses?: Losses,
];
const carried: Readonly<Record<string, readonly Row[]>> = {
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
    [asked, '+a 3', [attachmentOf([], 'unreadable')], /^could-not-run: .* "signed.pdf" cannot be read$/],
    [asked, '+a 3', [nameless], /^could-not-run: .* an attachment cannot be read: it is encrypted$/],
    [asked, '+a 3', [attachmentOf([], 'link')], /^could-not-run/],
    [asked, '+a 3', [picture], /^could-not-run: .* has no text/],
    [asked, '+a 3', [], /^could-not-run: 1 connection /, { connections: 1 }],
    [asked, '+a 3', [], /^could-not-run: the target stopped answering/, { gone: true }],
    [asked, '+a 2a', [], /^could-not-run: event 3 did not arrive$/],
    // An event 3 that comes too early is one fault, not two.
    [asked, '3 +a', [], /^could-not-run: the documents are not judged; that follows from /],
    [long, '+a 3', [pagesOf(3)], /^passed/],
    [long, '+a 3', [{ ...pagesOf(4), shown: [3] }], /^passed/],
    [
      { ...asked, pages: [3, 1] },
      '+a 3',
      [pagesOf(2), { ...attachmentOf(['ESC-2']), pages: 9 }],
      /^failed: of 3 pages of ESC-1 /,
    ],
    [long, '+a 3', [pagesOf(2), pagesOf(4)], /^passed/],
    // A certificate may name the files that an archive beside it holds.
    [
      long,
      '+a 3',
      [pagesOf(1), attachmentOf([], 'unreadable')],
      /^could-not-run: .* "signed.pdf" cannot be read$/,
    ],
    [long, '+a 3', [{ ...attachmentOf([]), pages: 2 }, attachmentOf(['ESC-1'])], /^passed/],
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
  const listing = (words: string) =>
    changed(story(planOf(['signer', 'signer']), words), ({ code }) =>
      code === 2
        ? {
            signatory: undefined as never,
            unread: [{ field: 'signatory', message: 'it names several', several: true }],
          }
        : {},
    );
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
