/** One-time passwords: which code is found in the messages of a person, and how sure that is. */
import { EventEmitter, once } from 'node:events';
import { expect, test } from '@playwright/test';
import { flowOf } from '../../harness/exploring/script-of.ts';
import { codesFor } from '../../harness/people/codes.ts';
import { findCode } from '../../harness/people/messages/find-code.ts';
import { otpType } from '../../openapi/codes.ts';
import type { Sequence } from '../../record/sequence.ts';
import { otpFlow, rightCodesFlow } from '../flows/otp.ts';
import type { Behaviour } from './services/proxy.ts';
import { listing, personWith, withMailpit } from './signing-people.ts';
import { flowVerdicts } from './workflow.ts';

const anna = personWith({ otpType: otpType.email });

test.describe('the code', () => {
  const texts: readonly (readonly [text: string, code: string | undefined])[] = [
    ['Your one-time password is 482913', '482913'],
    ['482913 is your verification code. © 2026 Example, +1 202 555 0123', '482913'],
    ['Your code:\n\n  0071  \n\nvalid for 10 minutes', '0071'],
    ['OTP = 12345678; order 4711-2233', '12345678'],
    ['Use 339201 within 5 minutes, until 12:30 on 2026-01-02', '339201'],
    ['Your code is 123 456.', '123456'],
    ['Your PIN for contract a1b2-998877 is 5512.', '5512'],
    ['Contract 12-2026-8812 of 2026 waits', undefined],
    ['See https://example.org/8817263/x', undefined],
  ];
  test('is told from other numbers in a text', () => {
    for (const [text, code] of texts) expect([text, findCode([text], undefined)?.code]).toEqual([text, code]);
  });

  test('is not sure where the number may be that of something else', () => {
    const texts: readonly (readonly [text: string, sure: boolean])[] = [
      ['Your one-time password is 482913', true],
      ['Your code (never tell it anybody): 482913', true],
      ['Your code is kxbqvn. Reference 99817263.', false],
      ['The code is kxbqvn, valid for 1800 seconds', false],
      ['Reference 99817263', false],
      ['Your code for contract 10452 is 883412', false],
      ['Your code for your contract is 883412. Contract 10452', true],
    ];
    for (const [text, sure] of texts) expect([text, findCode([text], undefined)?.sure]).toEqual([text, sure]);
    // A pattern of the profile may be wrong.
    const found = (text: string, pattern: RegExp) => findCode([text], pattern)?.sure;
    expect(found('Your code is 48291377. Help: /help/771234', /\b\d{6}\b/)).toBe(false);
    expect(found('Your code is 482913. Help: /help/771234', /\b\d{6}\b/)).toBe(true);
    // Nothing but digits, and several numbers that fit: "123 456" is no match of it.
    const mail = 'Votre code de vérification est le: 482 913\n\nTel. +49 30 901820, ID 884213';
    expect(found(mail, /\b\d{6}\b/)).toBe(false);
    expect(found(mail, /ID (\d{6})/)).toBe(true);
    expect(found('Uw sleutel: 482913 (482913). Postbus 998877', /\b\d{6}\b/)).toBe(false);
    expect(found('Uw sleutel: 482913 (482913).', /\b\d{6}\b/)).toBe(true);
    // A guess that is not sure speaks for the pattern, which may be wrong with words of its own, too.
    expect(found('Reference 99817263, use 482913', /\b\d{6}\b/)).toBe(true);
    expect(found('Reference code: 771234 / Use 482913', /Use (\d+)/)).toBe(true);
    expect(found('Your code: 482913 / Order 771234', /Order (\d+)/)).toBe(false);
    expect(found('Your code: 482913 / Order 771234', /code: (\d+)/)).toBe(true);
    expect(found('Order 99817263. Code: K7-42', /Code: (\S+)/)).toBe(true);
    // Digits in groups may be entered with or without what stands between them.
    expect(findCode(['Code: 482-913'], /Code: (\S+)/)).toEqual({ code: '482913', sure: false });
    // A word of the sentence is no code for being found first.
    expect(findCode(['Su código: kxbq-vn'], /(\w+)/u)).toEqual({ code: 'Su', sure: false });
    expect(findCode(['TAN 482913'], /Code (\d+)|TAN (\d+)/)?.code).toBe('482913');
    expect(found('Code for case 10452 is 883412', /(\d+)/)).toBe(false);
    expect(found('Code for case 10452 is 883412', /is (\d+)/)).toBe(true);
    // A part of a word is no code: letters of other languages are none for `\w`.
    expect(found('код: 7Ж2К9', /код: (\w+)/u)).toBe(false);
    expect(found('код: 7Ж2К9', /код: ([\p{L}\d]+)/u)).toBe(true);
    expect(found('Your code is 48291377', /is (\d{4})/)).toBe(false);
    expect(found('Tell us KXQVNZ. Valid for 10 minutes', /(\d+) minutes/)).toBe(false);
    expect(found('Tell us KXQVNZ within 1800 s', /\d+/)).toBe(false);
  });

  test('is the newest that was not seen, in lists that begin with the oldest too', async () => {
    const mails = ['111111', '222222', '333333'].map((code) => ({
      to: anna.email,
      subject: 'Code',
      text: `Your code is ${code}`,
    }));
    const reversed = mails.map((mail, at) => ({ ...mail, created: `2026-01-0${9 - at}T00:00:00Z` }));
    await withMailpit(mails, async (outbox) => {
      expect(await outbox.code(anna, 'email')).toBe('333333');
      expect(await outbox.code(anna, 'email', ['333333'])).toBe('222222');
    });
    await withMailpit(reversed, async (outbox) => expect(await outbox.code(anna, 'email')).toBe('111111'));
  });

  test('is the newest in a list without times that grows at its end', async () => {
    const messages = [{ to: anna.email, text: 'Your code is 111111' }];
    const outbox = listing('email', { messages });
    expect(await outbox.code(anna, 'email')).toBe('111111');
    messages.push({ to: anna.email, text: 'Your code is 222222' });
    expect(await outbox.code(anna, 'email')).toBe('222222');
  });

  test('of a message that is new is preferred, and an old one taken when none comes', async () => {
    const mails = [{ to: anna.email, subject: 'Code', text: 'Your code is 111111' }];
    await withMailpit(mails, async (outbox) => {
      const known = await outbox.known(anna, 'email');
      expect(await outbox.newCode(anna, 'email', known)).toEqual({ code: '111111', only: true, sure: true });
      mails.push({ to: anna.email, subject: 'Code', text: 'Your code is 222222' });
      expect(await outbox.newCode(anna, 'email', known)).toEqual({ code: '222222', only: true, sure: true });
    });
  });

  test('is in doubt where several came: a stranger may have sent one, and a refusal of it says nothing', async () => {
    for (const channel of ['email', 'sms'] as const) {
      const bert = personWith({ otpType: otpType[channel] });
      const to = { email: bert.email, sms: bert.mobileNumber }[channel];
      const messages = ['111111', '222222'].map((code) => ({ to, text: `Your code is ${code}` }));
      expect(await codesFor(bert, 'right', listing(channel, { messages }))).toMatchObject({
        entered: { [channel]: '111111' },
        lacking: expect.stringMatching(/^several codes/),
      });
    }
  });

  test('is in doubt where the pattern of the profile finds it in what nobody is shown alone', async () => {
    const html = '<p style="color:#112233" data-code="771234" lang="CODE">Your word is kxbqvn</p>';
    for (const [code, found] of [
      ['\\d{6}', { sure: false }],
      ['(?<!\\d)(\\d{6})(?!\\d)', { sure: false }],
      ['(?:^|\\D)(\\d{6})(?:\\D|$)', { sure: false }],
      ['\\b([A-Z0-9]{6})\\b', { sure: false }],
      ['(?<code>\\d{6})', { sure: false }],
      ['data-code="(\\d+)"', { code: '771234', sure: true }],
      ['(?<=data-code=.)(\\d+)', { code: '771234', sure: true }],
    ] as const) {
      await withMailpit(
        [{ to: anna.email, subject: 'Code', html }],
        async (outbox) => expect(await outbox.newCode(anna, 'email', new Set())).toMatchObject(found),
        { code },
      );
    }
  });

  test('in HTML is found between tags, and by the pattern of the profile', async () => {
    const html = '<style>.a{width:640000}</style><td>Ihr Wert</td><td><b>77</b>&#45;<b>ABCD</b></td>';
    await withMailpit(
      [{ to: anna.email, subject: 'Code', html }],
      async (outbox) => expect(await outbox.code(anna, 'email')).toBe('77-ABCD'),
      { code: 'Wert\\s+([0-9A-Z-]+)' },
    );
  });
});

test('an AccessCode is entered in the form in which its person was added, whatever form others are taken in meanwhile', async () => {
  const seen = new EventEmitter();
  let additions = 0;
  // The first addition with a code is refused by chance, and taken in another form while the second one is under way.
  const refusedOnce: Behaviour = async ({ request, forward, reply }) => {
    const isAddition = request.url.endsWith('/signatories') && request.body.includes('"AccessCode"');
    if (isAddition) additions += 1;
    const addition = isAddition ? additions : 0;
    if (addition === 1) await once(seen, 'second addition');
    if (addition === 1) return reply({ status: 422 });
    if (addition === 2) seen.emit('second addition');
    if (addition === 2) await once(seen, 'other form taken');
    reply(await forward());
    if (addition === 3) seen.emit('other form taken');
  };
  const { failed, passed } = await flowVerdicts([otpFlow, rightCodesFlow], { behave: refusedOnce });
  expect(failed).toEqual([]);
  expect(passed).toContain('otp.access-code-asked');
});

test('a service that answers a lacking code with 404 may have locked a person after three attempts', async () => {
  const attempts = new Map<string, number>();
  const locking: Behaviour = async ({ request, forward, reply }) => {
    if (!request.url.endsWith('/sign')) return reply(await forward());
    const before = attempts.get(request.url) ?? 0;
    // It says so of a code alone.
    if (before === 3) return reply({ status: request.body.includes('accessCode') ? 409 : 404 });
    const answer = await forward();
    const lacksCode = /The code is (missing|wrong)/.test(String(answer.body));
    if (lacksCode) attempts.set(request.url, before + 1);
    reply(lacksCode ? { status: 404 } : answer);
  };
  const sequence: Sequence = {
    people: [
      { role: 'signer', order: 1, otp: otpType.accessCode },
      { role: 'signer', order: 1 },
    ],
    documents: ['page'],
    steps: [
      { do: 'send' },
      { do: 'act', who: 1 },
      { do: 'act', who: 0, code: 'none' },
      { do: 'act', who: 0 },
    ],
  };
  const { definition } = flowOf('locked', sequence, { reads: false, acted: () => undefined });
  expect((await flowVerdicts([definition], { behave: locking })).failed).toEqual([]);
});
