/** The outbox: which link and which messages are found in the mailboxes of a target. */
import { expect, test } from '@playwright/test';
import { Mailbox } from '../../harness/people/messages/mailbox.ts';
import { createOutbox, linkVariables } from '../../harness/people/outbox.ts';
import type { MailboxSettings } from '../../harness/profile/signing-settings.ts';
import { limits } from '../../harness/untrusted/limits.ts';
import { otpType } from '../../openapi/codes.ts';
import { lowerLimits } from './services/lower-limits.ts';
import {
  listing,
  type Mail,
  mailpit,
  mailpitSettings,
  personWith,
  withMailpit,
  withService,
} from './signing-people.ts';

const anna = personWith({ otpType: otpType.email });
type Box = ReturnType<typeof createOutbox>;
const read = (outbox: Box, of = anna) => outbox.messages(of, 'email', () => true);
/** How many messages are read, and what is told of them. */
const seen = async (outbox: Box, of = anna) => [(await read(outbox, of)).length, outbox.problem(of, 'email')];
const answer = (text: string) => ({ status: 200, bytes: Buffer.alloc(0), headers: [], index: 0, text });

test('a page of a gateway, in the place of a list or a message that is data, is no message', async () => {
  const page = '<!doctype html><title>Back soon</title>';
  const listed = JSON.stringify({ messages: [{ ID: '1', To: anna.email, Subject: 'Hello' }] });
  const seenIn = async (texts: readonly string[], names: Partial<MailboxSettings>) => {
    const answers = [...texts];
    const call = async () => answer(answers.shift() ?? page);
    const list = { method: 'GET', url: '/list?to={email}' } as const;
    const mailbox = new Mailbox('email', { list, ...names }, call);
    const looks = [await mailbox.look(anna), await mailbox.look(anna)];
    return looks.map(({ messages, problem = '' }) => [messages.length, /holds|was/.exec(problem)?.[0]]);
  };
  // A fragment that could be XML as well.
  const login = '<h1>Please log in</h1>';
  for (const names of [{}, { messages: '/messages' }])
    expect(await seenIn([listed, login], names)).toEqual([
      [1, undefined],
      [0, 'holds'],
    ]);
  expect((await seenIn([page], { messages: '/messages' }))[0]).toEqual([0, 'holds']);
  // What stands elsewhere is told, as long as it is not empty.
  expect((await seenIn([listed], { messages: '/items' }))[0]).toEqual([0, 'holds']);
  // One message of the list: newer ones are elsewhere.
  expect((await seenIn([listed], { messages: '/messages/0' }))[0]).toEqual([0, 'holds']);
  expect((await seenIn(['{"messages":[]}'], { messages: '/items' }))[0]).toEqual([0, undefined]);
  const links = '{"total":0,"links":[{"rel":"self"}]}';
  expect((await seenIn([links], { messages: '/items' }))[0]).toEqual([0, undefined]);
  // A mailbox may be a page.
  expect((await seenIn([page], {}))[0]).toEqual([1, undefined]);
  const [one, two] = [1, 2].map((count) =>
    JSON.stringify(Array.from({ length: count }, (_, at) => ({ id: `${at}`, to: anna.email }))),
  ) as [string, string];
  const message = { method: 'GET', url: '/messages/{messageId}' } as const;
  const looks = await seenIn([one, JSON.stringify({ Text: 'Dear Anna' }), two, page], { message });
  expect(looks).toEqual([
    [1, undefined],
    [1, 'was'],
  ]);
});

test('messages to a number are no e-mails, though a list of them stands in the place of the mailbox', async () => {
  const sms = JSON.stringify([{ id: 1, msisdn: '0012025550123', body: 'Your code is 482913' }]);
  const mail = JSON.stringify([{ id: 1, msisdn: '0012025550123', body: `Dear ${anna.email}, please sign` }]);
  const listedBy = async (url: string, text: string) =>
    (await new Mailbox('email', { list: { method: 'GET', url } }, async () => answer(text)).look(anna))
      .messages.length;
  expect(await listedBy('/sms?to={mobileNumber}', sms)).toBe(0);
  expect(await listedBy('/all?number={mobileNumber}', mail)).toBe(1);
  expect(await listedBy('/mail?to={email}', sms)).toBe(1);
});

test.describe('the link', () => {
  const found: readonly (readonly [what: string, link: string, ...mails: readonly Partial<Mail>[]])[] = [
    [
      'the address in the text where HTML has no anchor',
      'https://sign.example.org/s/Ab?a=1&b=2',
      { html: '<p>Dear Anna,<br>https://sign.example.org/s/Ab?a=1&amp;b=2<br></p>' },
    ],
    ['an address with brackets, in brackets', 'http://[::1]:8080/s/Ab', { html: '[http://[::1]:8080/s/Ab]' }],
    [
      'the first anchor that is no picture and does not unsubscribe',
      'https://sign.example.org/s/Ab-9_x?a=1&b=2',
      {
        html:
          '<!DOCTYPE html PUBLIC "http://www.w3.org/TR/x.dtd"><img src="https://cdn.example.org/logo.png">' +
          '<a href="https://example.org/unsubscribe?u=1">no more</a>' +
          "<a href='https://sign.example.org/s/Ab-9_x?a=1&amp;b=2'>Sign</a>",
      },
    ],
    [
      'that which names the request, before a newer one',
      'https://example.org/go/req-7/x',
      { text: 'Open https://example.org/go/req-7/x.' },
      { text: 'See https://example.org/start' },
    ],
  ];
  for (const [what, link, ...mails] of found) {
    test(`is ${what}`, () => {
      const sent = mails.map((mail): Mail => ({ to: anna.email, subject: 'Sign', ...mail }));
      return withMailpit(sent, async (outbox) => expect(await outbox.link(anna)).toBe(link));
    });
  }

  test('is the address around what the group of the pattern takes for its token', async () => {
    const counted = 'https://example.org/c?u=https%3A%2F%2Fexample.org%2Fgo%2F9f';
    const rows = [
      ['https://example.org/go/9f', 'https?://[^"]+/go/(\\w+)'],
      ['https://example.org/go/9f/page', 'go/(\\w+)'],
      [counted, 'go%2F(\\w+)'],
    ] as const;
    for (const [address, link] of rows) {
      const html = `<a href="${address}">Sign</a>`;
      const work = async (outbox: Box) => {
        const calls = { method: 'GET', url: '{link} {token}' };
        expect(await linkVariables(calls, anna, outbox)).toEqual({ link: address, token: '9f' });
      };
      await withMailpit([{ to: anna.email, subject: 'Sign', html }], work, { link });
    }
  });

  test('is kept out of the record with all in it that may give access', async () => {
    const [token, key, inner] = ['8f2a11c0ffee', 'k-77d0c4be91aa', '9e1b00c4d5f6'];
    const to = encodeURIComponent(`https://example.org/done/${inner}`);
    const person = { ...anna, requestId: 'request-2026-0001' };
    const link = `https://example.org/sign/start/${token}?k=${key}&r=${person.requestId}&lang=de&url=${to}`;
    const named = `https://example.org/sign/go/${person.requestId}`;
    const learned: string[] = [];
    for (const text of [link, named]) {
      await withService(
        (seen) => mailpit([{ to: anna.email, subject: 'Sign', text }], seen),
        async ({ call }) => {
          const settings = { email: mailpitSettings, link: 'https://\\S+/sign/(start|go)/\\S+' };
          const outbox = createOutbox(settings, call, (each) => learned.push(each));
          expect(await outbox.link(person)).toBe(text);
        },
      );
    }
    expect(new Set(learned)).toEqual(new Set([token, key, inner]));
  });

  test('is none where it is longer than any is called', async () => {
    const long = `https://example.org/sign/${'a1'.repeat(limits.linkCharacters.most / 2)}`;
    const short = 'https://example.org/s/1';
    const mails = [long, short].map((text) => ({ to: anna.email, subject: 'Sign', text }));
    await withMailpit(mails, async (outbox) => expect(await outbox.link(anna)).toBe(short));
  });

  test('is waited for, and not longer than the profile says', async () => {
    const mails: Mail[] = [];
    const late = async (outbox: Box, calls: () => number) => {
      const found = outbox.link(anna);
      await expect.poll(calls).toBeGreaterThan(1);
      mails.push({ to: anna.email, subject: 'Sign', text: 'https://example.org/sign/1' });
      expect(await found).toBe('https://example.org/sign/1');
    };
    await withMailpit(mails, late, { waitMs: 60_000 });
    await withMailpit(mails, async (outbox, calls) => {
      expect(await outbox.link(personWith({ email: 'nobody@example.com' }))).toBeUndefined();
      expect(calls()).toBeLessThan(40);
    });
  });
});

test.describe('messages', () => {
  test('show their text without markup and their attached files', async () => {
    const subject = '=?utf-8?Q?Unterschrieben=3A_Vertr=C3=A4ge?=';
    const html = '<p>Dear Anna &amp; co,<br>it is <b>do</b>ne</p>';
    const attachments = [{ FileName: 'final.pdf', ContentType: 'application/pdf' }];
    await withMailpit([{ to: anna.email, subject, html, attachments }], async (outbox) => {
      const [message] = await outbox.messages(anna, 'email', ({ attachments }) => attachments.length > 0);
      expect(message?.text).toContain('Unterschrieben: Verträge');
      expect(message?.text).toContain('Dear Anna & co, it is done');
      expect(message?.attachments).toEqual(['final.pdf (application/pdf)']);
    });
  });

  test('carry a file where a PDF stands in them under any name, in base64url too', async () => {
    const data = Buffer.from('%PDF-1.7\n?>?>').toString('base64url');
    const outbox = listing('email', [{ to: anna.email, att: [{ n: 'final', d: data }] }]);
    const [message] = await read(outbox);
    expect(message?.attachments).toEqual(['a file without a name (application/pdf)']);
  });

  test('are read where a mailbox keeps the whole mail, or its text alone, in base64url', async () => {
    const text = 'Dear Anna,\nplease sign “Rent”: https://sign.example.org/s/1?a=1 for 2026';
    const mail = `To: ${anna.email}\r\nSubject: Rent\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}`;
    for (const kept of [mail, text]) {
      const raw = Buffer.from(kept).toString('base64url');
      const outbox = listing('email', [{ id: 'm1', to: anna.email, raw }]);
      expect((await read(outbox))[0]?.text).toContain('please sign “Rent”');
      expect(await outbox.link(anna)).toBe('https://sign.example.org/s/1?a=1');
    }
  });

  test('tell of files where a field for them is there, in one message of the mailbox at least', async () => {
    const mail = `To: ${anna.email}\r\nMIME-Version: 1.0\r\nSubject: Done\r\n\r\nDone`;
    const withFiles = { to: anna.email, body: 'Done', attachments: [] };
    for (const [messages, tells] of [
      [[{ to: anna.email, body: 'Done' }], false],
      [[{ to: anna.email, body: 'Done', hasAttachments: false }], true],
      [[withFiles, { to: anna.email, body: 'More' }], true],
      [[{ to: anna.email, raw: mail }], true],
    ] as const) {
      const told = await read(listing('email', messages));
      expect(told.map(({ tellsOfFiles }) => tellsOfFiles)).toEqual(messages.map(() => tells));
    }
  });

  test('to somebody whose address only contains the person’s are left out', async () => {
    const mails = [
      { to: 'joanna@example.com', subject: 'For Joanna', text: 'Your code is 999999' },
      { to: 'Anna@Example.com', subject: 'For Anna', text: 'Your code is 111111' },
    ];
    await withMailpit(mails, async (outbox) => {
      const messages = await read(outbox);
      expect(messages).toMatchObject([{ text: expect.stringContaining('For Anna') }]);
    });
  });

  test('of a list that holds all of everybody are those that mention the number', async () => {
    const messages = [
      { sid: 'SM2', to: '+1 (202) 555-0199', body: '222222', date_sent: 'Fri, 02 Jan 2026 03:04:06 +0000' },
      { sid: 'SM1', to: '+1 (202) 555-0123', body: '111111', date_sent: 'Fri, 02 Jan 2026 03:04:05 +0000' },
    ];
    const outbox = listing('sms', { messages });
    expect(outbox.reads('sms')).toBe(true);
    expect(outbox.reads('email')).toBe(false);
    expect(await outbox.code(anna, 'sms')).toBe('111111');
  });

  test('of a list that forgets, or that does not ask whose they are, say nothing by their absence', async () => {
    const mail = (to: string, at: number) => ({ id: at, to, body: 'Please sign', sent: 1e9 + at });
    const others = (count: number) =>
      Array.from({ length: count }, (_, at) => mail(`o-${at}@example.com`, at));
    const forgets = [...others(40), mail(anna.email, -1)];
    const outbox = listing('email', { messages: forgets });
    expect(await seen(outbox)).toEqual([1, undefined]);
    forgets.splice(40, 1, mail('new@example.com', 50));
    expect(await seen(outbox)).toEqual([0, expect.stringContaining('newest messages of everybody')]);

    const unasked = others(10);
    const list = { method: 'GET', url: '/list?to={email}' } as const;
    const told = listing('email', { messages: unasked }, { list });
    expect(await seen(told)).toEqual([0, undefined]);
    unasked.unshift(mail('new@example.com', 10));
    unasked.pop();
    expect(await seen(told)).toEqual([0, expect.stringContaining('newest messages only')]);
  });

  test('of a list by the request, whose entries change as time goes on, are not taken to be pushed out', async () => {
    // Others of the request are in it; only of a list by the address is their presence a sign that it holds everybody's.
    const rows = [
      ['{requestId}', false, undefined],
      ['{requestId}', true, undefined],
      ['{email}', false, undefined],
      ['{email}', true, expect.stringContaining('newest messages only')],
    ] as const;
    for (const [by, hasIds, problem] of rows) {
      const messages: { id?: number; to: string; receivedSecondsAgo: number }[] = [];
      const outbox = listing('email', messages, { list: { method: 'GET', url: `/list?of=${by}` } });
      for (const at of [1, 2]) {
        messages.splice(0, 1, { ...(hasIds && { id: at }), to: 'bert@example.com', receivedSecondsAgo: at });
        expect(await read(outbox)).toEqual([]);
      }
      expect(outbox.problem(anna, 'email'), `${by} ${hasIds}`).toEqual(problem);
    }
  });

  test('are glimpses where no field for a whole one is there, not where it is empty', async () => {
    const begin = expect.stringContaining('how messages begin');
    const rows = [
      [{ subject: 'Please sign', text: '' }, undefined],
      [{ subject: 'Please sign' }, begin],
      [{ snippet: 'Dear Anna', text: '' }, begin],
    ] as const;
    for (const [mail, problem] of rows) {
      const outbox = listing('email', [{ to: anna.email, ...mail }]);
      expect(await seen(outbox)).toEqual([1, problem]);
    }
  });

  test('are none of a list that is longer than any is read', async () => {
    const more = limits.listed.most + 1;
    const outbox = listing('email', Array(more).fill(0));
    const problem = `outbox.email.list lists more than ${limits.listed.most} messages; name the person in it, or how many it is to give`;
    expect(await seen(outbox)).toEqual([0, problem]);
  });

  test('are the elements of XML, none where it has no word', async () => {
    const rows = [
      ['<?xml version="1.0"?><box></box>', 0],
      ['<box><mail>Please sign</mail></box>', 1],
      [`<box><mail><to>${anna.email}</to></mail><mail><to>b@example.com</to></mail></box>`, 1],
      [`<box><mail><to>${anna.email}</to></mail><mail><to>${anna.email}</to></mail></box>`, 2],
    ] as const;
    for (const [text, most] of rows) {
      const email = { list: { method: 'GET', url: '/?to={email}' } } as const;
      const outbox = createOutbox({ email, waitMs: 0 }, async () => answer(text));
      expect(await read(outbox)).toHaveLength(most);
    }
  });

  test('that cannot be read are named with the reason', async () => {
    await withService(
      () => ({ status: 500, body: 'no database' }),
      async ({ call }) => {
        const outbox = createOutbox({ email: mailpitSettings, waitMs: 40 }, call);
        const problem = 'outbox.email.list was answered with 500 no database';
        expect(await seen(outbox)).toEqual([0, expect.stringContaining(problem)]);
        expect(outbox.problem(anna, 'sms')).toBeUndefined();
      },
    );
  });
});

test('a mailbox with names of its own is read where the profile leads to them', async () => {
  const other = 'bert@people.example.org';
  const mails = [
    { empfaenger: { adresse: other }, inhalt: `Code 111222 for ${other}, copied to ${anna.email}` },
    { empfaenger: { adresse: anna.email }, inhalt: '<p>Your code: <b>333444</b></p>', ref: 'code 555666' },
  ];
  const outbox = listing('email', mails, { to: '/empfaenger/adresse', text: '/inhalt' });
  expect(await read(outbox)).toHaveLength(1);
  expect(await outbox.code(anna, 'email')).toBe('333444');
});

test('answers with messages to others are told, so that these stay out of the record', async () => {
  const text = 'https://example.org/s/8f2a11c0ffee';
  const mails = ['ben@example.com', anna.email].map((to, at) => ({ id: `${at}`, to, text }));
  const told = async (listed: readonly object[], message?: MailboxSettings['message']) => {
    const withheld: number[] = [];
    const list = { method: 'GET', url: '/list' } as const;
    const call = async (_: unknown, { messageId }: { readonly messageId?: string }) =>
      messageId === undefined
        ? answer(JSON.stringify(listed))
        : { ...answer(JSON.stringify(mails[Number(messageId)])), index: 1 + Number(messageId) };
    const settings = { email: { list, ...(message ? { message } : {}) } };
    const outbox = createOutbox(settings, call, undefined, (index) => withheld.push(index));
    expect(await read(outbox)).toHaveLength(1);
    return withheld;
  };
  expect(await told(mails)).toEqual([0]);
  expect(await told(mails.slice(1))).toEqual([]);
  // Only the messages themselves tell to whom they are.
  const ids = mails.map(({ id }) => ({ id }));
  expect(await told(ids, { method: 'GET', url: '/messages/{messageId}' })).toEqual([1, 0]);
});

test('of messages that were fetched no more is kept than there is room for, the newest', async () => {
  const room = 40_000;
  const restoreLimits = lowerLimits({ mailboxCharacters: room });
  const fetched: unknown[] = [];
  let listed = ['1', '2', '3'];
  const body = `<p>${anna.email}</p>${'x'.repeat(room / 4)}`;
  const list = { method: 'GET', url: '/list?to={email}' } as const;
  const message = { method: 'GET', url: '/messages/{messageId}' } as const;
  const mailbox = new Mailbox('email', { list, message }, async (_, { messageId }) => {
    if (messageId === undefined) return answer(JSON.stringify(listed.map((id) => ({ id }))));
    fetched.push(messageId);
    return answer(JSON.stringify({ id: messageId, to: anna.email, body }));
  });
  // What two looks fetch at the same time is kept once.
  await Promise.all([mailbox.look(anna), mailbox.look(anna)]);
  await mailbox.look(anna);
  expect(fetched.splice(0)).toEqual(['1', '2', '3', '1', '2', '3']);
  listed = ['4', '5', '6', '7', '8'];
  expect((await mailbox.look(anna)).messages).toHaveLength(5);
  expect(fetched).toEqual(listed);
  await mailbox.look(anna);
  expect(fetched.slice(5)).toContain('4');
  expect(fetched.slice(5)).not.toContain('8');
  restoreLimits();
});
