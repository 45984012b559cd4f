/** The driver that signs by calls: what it sends, which codes it fetches, and how it reads the answers. */
import { expect, test } from '@playwright/test';
import { PDFDocument } from 'pdf-lib';
import { plainPdf } from '../../generators/documents/pdf.ts';
import type { SigningTask } from '../../harness/people/driver.ts';
import { createHttpDriver, type HttpDriverParts } from '../../harness/people/http.ts';
import { tokenOf } from '../../harness/people/messages/find-link.ts';
import { createOutbox, type OutboxReader } from '../../harness/people/outbox.ts';
import type { MakeCall } from '../../harness/people/template-call.ts';
import type { CallTemplate } from '../../harness/profile/parts.ts';
import { isSuccess } from '../../harness/profile/template.ts';
import { ResultCodes } from '../../harness/target/answers/result-codes.ts';
import { otpType } from '../../openapi/codes.ts';
import type { HeaderField } from '../../record/exchange.ts';
import {
  type Mail,
  mailpit,
  mailpitSettings,
  mailpitSmsSettings,
  noOutbox,
  personWith,
  type Reply,
  type Seen,
  withService,
} from './signing-people.ts';

const body = {
  id: '{signatoryId}',
  otp: '{otp}',
  sms: '{otpSms}',
  accessCode: '{accessCode}',
  nested: ['{otp}'],
};
const sign = { method: 'POST', url: '/requests/{requestId}/sign', body } as const;
const requestOtp = { method: 'POST', url: '/otp/{signatoryId}' } as const;

interface Target {
  readonly mails?: Mail[];
  readonly answer?: (seen: Seen) => Reply | undefined;
  readonly parts?: Partial<HttpDriverParts>;
  readonly sms?: boolean;
}

interface Tried {
  readonly driver: ReturnType<typeof createHttpDriver>;
  readonly seen: readonly Seen[];
  /** The body of the last call to sign. */
  readonly sent: () => unknown;
}

function withTarget<Result>(target: Target, work: (tried: Tried) => Promise<Result>): Promise<Result> {
  const { mails = [], answer = () => ({ status: 204 }) } = target;
  return withService(
    (seen) => mailpit(mails, seen) ?? answer(seen),
    async ({ call, seen }) => {
      const outbox = createOutbox(
        { email: mailpitSettings, waitMs: 200, ...(target.sms ? { sms: mailpitSmsSettings } : {}) },
        call,
      );
      const driver = createHttpDriver({ calls: { sign }, call, outbox, readyMs: 300, ...target.parts });
      const sent = () =>
        JSON.parse(seen.findLast(({ path }) => path.endsWith('/sign'))?.body ?? 'null') as unknown;
      return work({ driver, seen, sent });
    },
  );
}

/** What comes of one act at a target, with how many calls, and the body of the last one to sign. */
function acted(
  target: Target,
  person: SigningTask = personWith(),
  codes: 'right' | 'wrong' | 'none' = 'none',
  act: 'sign' | 'approve' = 'sign',
): Promise<object> {
  return withTarget(target, async ({ driver, seen, sent }) => {
    const outcome = await driver.act(person, act, codes);
    return { mayBeDone: undefined, malformed: undefined, ...outcome, calls: seen.length, sent: sent() };
  });
}

test('a code is asked for, and the page looked at, by the link in the e-mail or its token', async () => {
  const anna = personWith({ otpType: otpType.email });
  const mails: Mail[] = [{ to: anna.email, subject: 'Sign', text: 'https://sign.example.org/s/a1?k=2' }];
  const answer = ({ path }: Seen) => {
    if (path === '/s/a1/code') mails.push({ to: anna.email, subject: 'Code', text: 'Your code is 4711' });
    return { status: 200, body: 'Anna Example' };
  };
  const calls = {
    sign,
    requestOtp: { method: 'POST', url: '/s/{token}/code' },
    view: { method: 'GET', url: '/s/{token}?from={link}' },
  };
  await withTarget({ mails, answer, parts: { calls } }, async ({ driver, seen, sent }) => {
    expect(await driver.act(anna, 'sign', 'right')).toMatchObject({ kind: 'done' });
    expect(sent()).toMatchObject({ otp: '4711' });
    expect(await driver.view(anna)).toMatchObject({ kind: 'seen', text: 'Anna Example' });
    expect(seen.at(-1)?.query.get('from')).toBe('https://sign.example.org/s/a1?k=2');
  });
});

test('the token of a link is the end of its path, or what is no word where that is one', () => {
  const site = 'https://sign.example.org';
  const counted = encodeURIComponent(`${site}/s/8f2a11c0`);
  const done = encodeURIComponent(`${site}/done`);
  for (const [link, token, pattern] of [
    [`${site}/s/Ab-9?lang=de`, 'Ab-9'],
    [`${site}/go?k=8f2a11c0&lang=de`, '8f2a11c0'],
    [`${site}/open#8f2a11c0`, '8f2a11c0'],
    [`${site}/app/#/sign/8f2a11c0`, '8f2a11c0'],
    [`https://click.example.org/t/5d1?u=${counted}`, '8f2a11c0'],
    [`https://click.example.org/t/5d1c0ffee?u=${counted}`, '8f2a11c0'],
    [`${site}/s/8f2a11c0?return=${counted}x`, '8f2a11c0'],
    [`${site}/s/8f2a11c0?url=${done}`, '8f2a11c0'],
    [`${site}/s/8f2a11c0/start?url=${done}`, '8f2a11c0'],
    [`${site}/sign/9f`, '9f', /https:\/\/\S+\/(sign|review)\/\S+/],
    [`${site}/open?lang=de`, 'open'],
  ] as const)
    expect(tokenOf(link, pattern), link).toBe(token);
});

test('a page of which nothing tells whether it shows the document blames nobody', async () => {
  const { bytes } = await plainPdf({ run: 'r', seed: 1, name: 'shown' });
  const pdf = Buffer.from(bytes);
  const rows = [
    [{ type: 'text/html', body: '<canvas></canvas>' }, undefined],
    [{ body: { data: [{ content: pdf.toString('base64url') }] } }, true],
    [{ status: 503 }, undefined],
    [{ status: 403 }, false],
    [{ status: 409 }, undefined],
    [{ status: 404 }, false],
    [{ body: '' }, false],
  ] as const;
  const view = { method: 'GET', url: '/page?of={email}' };
  const calls = { sign, view, viewDocument: { method: 'GET', url: '/document' } };
  for (const [reply, document] of rows) {
    const answer = ({ path }: Seen) => (path === '/document' ? reply : { body: 'Anna' });
    await withTarget({ answer, parts: { calls } }, async ({ driver }) => {
      const seen = await driver.view(personWith());
      expect(seen.kind === 'seen' ? seen.document : seen.reason).toBe(document);
    });
  }
});

/** A page, or where it has moved to, with a cookie. */
function pageAt(url: string, location: string | undefined, shown: string) {
  const cookie = ['Set-Cookie', 'session=7f1c; Path=/; HttpOnly'] as const;
  const headers: HeaderField[] = location ? [cookie, ['Location', location]] : [];
  const [status, text] = location ? [302, ''] : [200, shown];
  return { status, url, text, headers, bytes: Buffer.alloc(0), index: 0 };
}

/** What is seen of a page by a link that was mailed. */
function viewed(call: MakeCall, mailed: string, url: string) {
  const outbox = { reads: () => true, link: async () => mailed } as unknown as OutboxReader;
  const calls = { sign, view: { method: 'GET', url } };
  return createHttpDriver({ calls, call, outbox, readyMs: 0 }).view(personWith());
}

test('a page that has moved is looked at where it is, and not without end', async () => {
  const moved: Readonly<Record<string, string>> = {
    'https://a.example/go': '/on?to=b',
    'https://a.example/s/{token}': '/on?to=b',
    'https://a.example/on?to=b': 'https://b.example/s/1',
    'https://a.example/loop': '/loop',
  };
  for (const [first, calls, seen, page = '{link}'] of [
    ['https://a.example/go', 3, { kind: 'seen', text: 'Anna' }],
    ['https://a.example/loop', 6, { kind: 'unknown' }],
    ['https://a.example/mailed', 3, { kind: 'seen', text: 'Anna' }, '/s/{token}'],
  ] as const) {
    const asked: string[] = [];
    const call: MakeCall = async ({ url: path }, { link = '' }) => {
      const url = path === '{link}' ? link : `https://a.example${path}`;
      return { ...pageAt(url, moved[url], 'Anna'), index: asked.push(url) - 1 };
    };
    expect(await viewed(call, first, page)).toMatchObject(seen);
    expect(asked).toHaveLength(calls);
  }
});

test('a page behind a redirect gets the cookies that came with it, and another origin gets none', async () => {
  const moved: Record<string, string> = { '/link': '/page', '/away': 'https://b.example/page' };
  for (const [first, seen] of [
    ['/link', { kind: 'seen', text: 'Anna' }],
    ['/away', { kind: 'seen', text: 'Log in' }],
  ] as const) {
    const call: MakeCall = async ({ headers = {} }, { link: url = '', cookies }) => {
      const isKnown = headers.Cookie === '{cookies}' && cookies === 'session=7f1c';
      return pageAt(url, moved[new URL(url).pathname], isKnown ? 'Anna' : 'Log in');
    };
    expect(await viewed(call, `https://a.example${first}`, '{link}')).toMatchObject(seen);
  }
});

test('a document is missed only where none stands outside of the count', async () => {
  for (const [first, expected] of [
    [0, { documentUnread: expect.stringContaining('documentIndex') }],
    [2, { document: false, notFound: true }],
  ] as const) {
    const call: MakeCall = async ({ url }, { documentNumber }) => {
      const isThere = url === '/page' || documentNumber === String(first);
      const text = url === '/page' ? 'Anna' : isThere ? '%PDF-1.7' : '';
      return { status: isThere ? 200 : 404, text, headers: [], bytes: Buffer.from(text), index: 0 };
    };
    const view = { method: 'GET', url: '/page', headers: { Person: '{signatoryId}' } };
    const calls = { sign, view, viewDocument: { method: 'GET', url: '/documents/{documentNumber}' } };
    const driver = createHttpDriver({ calls, call, outbox: noOutbox, readyMs: 0 });
    expect(await driver.view(personWith())).toMatchObject(expected);
  }
});

test('all documents are shown where each has its marker', async () => {
  const marked = Buffer.from((await plainPdf({ run: 'r', seed: 1, name: 'shown' })).bytes);
  const drawn = await PDFDocument.create();
  drawn.addPage().drawText('Envelope 7');
  const view = { method: 'GET', url: '/page?of={email}' };
  const calls = { sign, view, viewDocument: { method: 'GET', url: '/{documentIndex}' } };
  for (const [second, all] of [
    [marked, true],
    [Buffer.from(await drawn.save()), false],
  ] as const) {
    const answer = ({ path }: Seen) => ({ body: { '/0': marked, '/1': second }[path] ?? 'Anna' });
    await withTarget({ answer, parts: { calls } }, async ({ driver }) => {
      expect(await driver.view(personWith(), 2)).toMatchObject({ document: true, all });
    });
  }
});

test('nobody acts by an id that the target did not give, nor by a call that the profile names for something else, too', async () => {
  const { signatoryId: _, ...nameless } = personWith();
  const refusing = { answer: () => ({ status: 409 }) };
  expect(await acted(refusing, nameless)).toMatchObject({ kind: 'unknown', exchanges: [], calls: 0 });
  const status = { method: 'GET', url: '/requests/{requestId}' } as const;
  const reason = expect.stringContaining('calls.status');
  const twice = await acted({ parts: { calls: { sign: status, status } } });
  expect(twice).toMatchObject({ kind: 'unknown', calls: 0, reason });
});

test('a page that is got by a POST and shows nothing of a person may have acted for them', async () => {
  const view = { method: 'POST', url: '/people/{signatoryId}' };
  const afterView = (text: string, calls: HttpDriverParts['calls']) => {
    const answer = ({ path }: Seen) =>
      path.endsWith('/sign') ? { status: 409 } : { status: 200, body: text };
    return withTarget({ answer, parts: { calls } }, async ({ driver }) => {
      await driver.view(personWith());
      return driver.act(personWith(), 'sign', 'none');
    });
  };
  const approve = { ...sign, url: '/requests/{requestId}/approve' };
  const calls = { sign, approve, view };
  const reason = expect.stringContaining('calls.view is a POST');
  expect(await afterView('{"ok":true}', calls)).toMatchObject({ kind: 'unknown', reason });
  expect(await afterView(`For ${personWith().name}`, calls)).toMatchObject({ kind: 'refused' });
  const got = { ...calls, view: { ...view, method: 'GET' } };
  expect(await afterView('', got)).toMatchObject({ kind: 'refused' });
});

test('statuses mean what the profile or custom says', async () => {
  const approve = { ...sign, url: '/requests/{requestId}/approve' };
  const rows: readonly (readonly [
    status: number,
    said: Pick<CallTemplate, 'accept' | 'refuse' | 'result'> & { approve?: CallTemplate },
    kind: string,
    more?: object,
  ])[] = [
    [200, {}, 'done'],
    [409, {}, 'refused', { malformed: undefined }],
    [412, {}, 'refused', { malformed: true }],
    // Nobody approves by a call that is made alike.
    [409, { approve: sign }, 'refused', { malformed: true }],
    [409, { approve: { ...approve, body: { at: 'once' } } }, 'refused', { malformed: true }],
    // Nor does it matter where codes stand that nobody is asked for.
    [409, { approve: { ...approve, body: { ...body, code: '{otp}' } } }, 'refused', { malformed: undefined }],
    [401, {}, 'unknown', { reason: expect.stringContaining('calls.sign.refuse says so') }],
    [401, { refuse: [401] }, 'refused'],
    [415, {}, 'unknown'],
    [423, {}, 'refused'],
    [428, {}, 'refused', { malformed: undefined }],
    [500, {}, 'unknown', { mayBeDone: true }],
    [202, { accept: [200] }, 'unknown', { reason: expect.stringContaining('calls.sign.refuse says so') }],
    // A redirect tells that it was done, and a page that it was not.
    [200, { accept: [303], result: { header: 'Location' } }, 'refused', { malformed: true }],
    [202, {}, 'done', { later: expect.stringContaining('accept') }],
    // It may lead to what tells of a mistake.
    [302, { accept: [302] }, 'done', { later: expect.stringContaining('Location') }],
    [404, { refuse: [404] }, 'refused'],
    [409, { refuse: [404] }, 'unknown'],
  ];
  for (const [status, { approve: other = approve, ...said }, kind, more = { mayBeDone: undefined }] of rows) {
    const calls = { sign: { ...sign, ...said }, approve: other };
    const outcome = await acted({ answer: () => ({ status }), parts: { calls } });
    // A replay has the time of the recorded call, whatever its answer means.
    const at = { endMs: expect.any(Number) };
    expect(outcome, `${status}`).toMatchObject({ kind, at, calls: 1, ...more });
  }
});

test('the call for both is named by its own key', async () => {
  const calls = { sign, approve: sign, complete: sign };
  const outcome = await acted({ answer: () => ({ status: 401 }), parts: { calls } });
  expect(outcome).toMatchObject({ reason: expect.stringContaining('calls.complete.refuse says so') });
});

test('a refusal may be that of another call, where approvers act by one that is not made alike, or codes are asked for', async () => {
  const approve = { ...sign, url: '/requests/{requestId}/approve' };
  const requestOtp = { method: 'POST', url: '/code' };
  const anna = personWith({ otpType: otpType.email });
  const answer = () => ({ status: 403 });
  const of = (calls: object, ...how: [SigningTask, 'right' | 'none', 'sign' | 'approve']) =>
    acted({ answer, parts: { calls: { sign, approve, ...calls } } }, ...how);
  const refused = { kind: 'refused', malformed: true };
  const other = { approve: requestOtp };
  expect(await of(other, personWith(), 'none', 'approve')).toMatchObject(refused);
  expect(await of({}, personWith(), 'none', 'approve')).toMatchObject({ ...refused, malformed: undefined });
  expect(await of({ requestOtp }, anna, 'right', 'sign')).toMatchObject(refused);
});

test('a page that is answered with 200 tells by its words at most what was done', async () => {
  for (const [body, codes, kind, more = {}] of [
    ['<p>Thank you</p>', 'right', 'done'],
    ['<ok/>', 'right', 'done'],
    ['<p>Sorry, it is not your turn</p>', 'right', 'unknown'],
    // Nobody is taken for somebody who cannot act whose act was answered so.
    ['<p>Thank you</p>', 'none', 'unknown', { mayBeDone: true }],
    ['<p>Sorry, it is not your turn</p>', 'none', 'unknown', { mayBeDone: undefined }],
    ['{"state":"signed"}', 'none', 'done'],
  ] as const) {
    const outcome = await acted({ answer: () => ({ status: 200, body }) }, personWith(), codes);
    expect(outcome, body).toMatchObject({ kind, ...more });
  }
  const calls = { sign: { ...sign, accept: [200] } };
  const refusing = { answer: () => ({ status: 200, body: '<p>Wrong code</p>' }), parts: { calls } };
  expect(await acted(refusing)).toMatchObject({ kind: 'done', said: { page: 'a page' } });
});

test('a code in the body tells of a refusal once others were known by which something was made', () => {
  const coded = (body: unknown, status = 200) => ({ status, text: JSON.stringify(body), headers: [] });
  const codes = new ResultCodes();
  const early = coded({ code: 30_012, msg: '尚未轮到您' });
  codes.learn(coded({ code: 0, requestId: 'R1' }));
  expect(codes.isOther(early)).toBe(false);
  codes.learn(coded({ code: 0, requestId: 'R2' }, 201));
  expect(codes.isOther(early)).toBe(true);
  for (const other of [coded({ code: 0 }), coded({ code: 200 }), coded({ data: { code: 7 } }), coded({})]) {
    expect(codes.isOther(other)).toBe(false);
  }
  // What an operation answers may have codes of its own: nothing is a refusal until it had the known one.
  expect(codes.isOtherOf('createStampedRequest', early)).toBe(false);
  expect(codes.isOtherOf('createStampedRequest', coded({ code: 0 }))).toBe(false);
  expect(codes.isOtherOf('createStampedRequest', early)).toBe(true);
  expect(codes.isOtherOf('createRequest', early)).toBe(false);
  // Neither a code that is another one each time nor one that repeats the status tells anything.
  const ids = new ResultCodes();
  for (const code of ['R1', 'R2', 'R2', 'R2']) ids.learn(coded({ code, statusCode: 201 }, 201));
  expect(ids.isOther(early)).toBe(false);
  expect(ids.isOther(coded({ statusCode: 200 }))).toBe(false);
});

test('a signatory that is not visible yet is asked for again, for as long as the profile says', async () => {
  let left = 2;
  const answer = () => {
    left -= 1;
    return { status: left >= 0 ? 404 : 200 };
  };
  const found = await acted({ answer, parts: { readyMs: 60_000 } });
  expect(found).toMatchObject({ kind: 'done', exchanges: [0, 1, 2] });
  // A page may be the word of a gateway, and none of the service about the id.
  for (const [body, idUnknown] of [
    ['', true],
    ['<!doctype html><p>Back soon.</p>', undefined],
  ] as const) {
    const never = await acted({ answer: () => ({ status: 404, body }), parts: { readyMs: 50 } });
    const reason = expect.stringContaining('404');
    expect({ idUnknown: undefined, ...never }).toMatchObject({ kind: 'unknown', reason, idUnknown });
  }
});

test('who may not approve by the call that signs is not refused to approve', async () => {
  const answer = () => ({ status: 403 });
  const headers = { 'Idempotency-Key': '{signatoryId} {act}' };
  // A key that is a new one each time does not tell two calls apart, nor do codes, which this person has none of.
  for (const approve of [
    sign,
    { ...sign, headers },
    { ...sign, body: { ...body, otp: '{accessCode}' } },
    { ...sign, url: `${sign.url}?code={otp}` },
  ]) {
    const target = { answer, parts: { calls: { sign, approve } } };
    const reason = expect.stringContaining('calls.sign is the same call');
    expect(await acted(target, personWith(), 'none', 'approve')).toMatchObject({ kind: 'unknown', reason });
    expect(await acted(target)).toMatchObject({ kind: 'refused' });
  }
});

test.describe('one-time passwords', () => {
  const anna = personWith({ otpType: otpType.email });

  /** Sends a new code with each call to /otp, and takes the newest only. */
  function codeService(to: string) {
    const mails: Mail[] = [{ to, subject: 'Code', text: 'Your code is 111111' }];
    const answer = ({ path, body: given }: Seen): Reply => {
      const newest = String(111111 * mails.length);
      if (path.startsWith('/otp')) {
        mails.push({ to, subject: 'Code', text: `Your code is ${111111 * (mails.length + 1)}` });
        return { status: 202 };
      }
      const { otp, sms } = JSON.parse(given) as { otp?: string; sms?: string };
      return { status: (sms ?? otp) === newest ? 200 : 403 };
    };
    return { mails, answer, parts: { calls: { sign, requestOtp } } };
  }

  test('by SMS are asked for and read for one person of a number at a time', async () => {
    const [one, other] = ['sig-1', 'sig-2'].map((signatoryId) =>
      personWith({ signatoryId, otpType: otpType.sms }),
    ) as [SigningTask, SigningTask];
    await withTarget({ ...codeService(anna.mobileNumber), sms: true }, async ({ driver, seen }) => {
      const outcomes = await Promise.all([
        driver.act(one, 'sign', 'right'),
        driver.act(other, 'sign', 'wrong'),
        driver.act(other, 'sign', 'right'),
      ]);
      expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'refused', 'done']);
      const asked = seen.findIndex(({ path }) => path === '/otp/sig-2');
      expect(seen.findIndex(({ body: of }) => of.includes('"sig-1"'))).toBeLessThan(asked);
    });
  });

  test('that cannot be had make the outcome unknown', async () => {
    const none = expect.stringContaining('no code was found');
    expect(await acted({}, anna, 'right')).toMatchObject({ kind: 'unknown', reason: none, sent: null });
    const reason = `no code was found for ${anna.email}: the profile has no outbox.email`;
    const unknown = { kind: 'unknown', reason, exchanges: [], calls: 0 };
    expect(await acted({ parts: { outbox: noOutbox } }, anna, 'right')).toMatchObject(unknown);
  });

  test('refuse nobody for sure where one of two was read, or both stand in one text', async () => {
    const both = personWith({ otpType: otpType.emailAndSms });
    const code = { subject: 'Code', text: 'Code: 111111' };
    const mails = [both.email, both.mobileNumber].map((to) => ({ to, ...code }));
    const answer = () => ({ status: 403 });
    const unread = {
      kind: 'unknown',
      reason: expect.stringContaining('no outbox.sms'),
      sent: { otp: '111111' },
    };
    expect(await acted({ mails, answer }, both, 'right')).toMatchObject(unread);
    const calls = { sign: { ...sign, body: { code: '{otpEmail} {otpSms}' } } };
    const inOne = { kind: 'unknown', reason: expect.stringContaining('in one text') };
    expect(await acted({ mails, sms: true, answer, parts: { calls } }, both, 'right')).toMatchObject(inOne);
  });

  test('that are refused to be sent refuse the act', async () => {
    const answer = () => ({ status: 409, body: 'not your turn' });
    const outcome = await acted({ answer, parts: { calls: { sign, requestOtp } } }, anna, 'right');
    expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringContaining('calls.requestOtp') });
  });
});

const answered = [
  [{ success: true, error: null, errors: [] }, true],
  [{ code: 0, error: false, result: 'ok' }, true],
  [{ data: { signed: true }, errors: { deprecated: ['v1'] } }, true],
  [{ success: true, error: { code: 0 } }, true],
  [{ error: { code: 0, message: 'success' }, signed: true }, true],
  [{ hasErrors: 'false' }, true],
  [{ error: 'none' }, true],
  [{ errors: ['deprecated'], status: 'OK' }, true],
  [{ errors: [], error: { code: '', message: null } }, true],
  [{ ok: { toString: 1 }, error: { code: { toString: 1 } }, data: 1 }, true],
  [{ errcode: 0, errmsg: 'ok' }, true],
  [{ errorCode: '00000' }, true],
  [{ errcode: 40_029, errmsg: 'invalid code' }, false],
  [{ ok: false }, false],
  [{ success: true, result: 'rejected' }, false],
  [{ error: { code: 0.5 } }, false],
  [{ error: 'no such code' }, false],
  [{ hasErrors: 'true' }, false],
  [{ Success: 'false' }, false],
  [{ isSuccess: false, message: 'It is not your turn' }, false],
  [{ status: 'ERROR', message: 'wrong code' }, false],
  [{ error: 'wrong code' }, false],
  [{ errors: { code: ['is wrong'] } }, false],
  [{ Error: { Code: 17 } }, false],
  [{ erfolg: false, grund: 'noch nicht an der Reihe' }, false],
  [{ Ergebnis: 'ABGELEHNT' }, false],
  [{ résultat: 'échec' }, false],
  [{ Succès: true, résultat: 'signé' }, true],
  [{ Fault: null, Result: '<Id>7</Id>' }, true],
  [{ Fault: '<faultstring>Unauthorized</faultstring>' }, false],
] as const;

test('a call that is answered with 200 was done or not by what its body says', () => {
  for (const [body, done] of answered) {
    const text = JSON.stringify(body);
    // Some frameworks write it twice, others in ASCII alone.
    const escaped = text.replaceAll(/[^ -~]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
    for (const said of [text, JSON.stringify(text), escaped]) {
      expect(isSuccess({}, { status: 200, text: said }), said).toBe(done);
    }
  }
});

test('the state of a request may be that it was refused, and errors beside what was made may be warnings', () => {
  for (const [body, about, done] of [
    [{ status: 'Rejected' }, 'a state', true],
    [{ status: 'error' }, 'a state', false],
    [{ requestId: 'R1', errors: ['SMS is slow'] }, 'what was made', true],
    [{ requestId: 'R1', error: { code: 200, message: 'Success' } }, 'what was made', true],
    [{ requestId: 'trace', success: false, errors: ['no Title'] }, 'what was made', false],
    [{ requestId: 'trace', status: 'failed' }, 'what was made', false],
  ] as const) {
    expect(isSuccess({}, { status: 200, text: JSON.stringify(body) }, about)).toBe(done);
  }
});
