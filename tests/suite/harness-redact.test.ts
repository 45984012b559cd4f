/** Secrets are kept out of everything recorded, however a service or a call spells them. */
import { expect, test } from '@playwright/test';
import { Redactor } from '../../harness/recording/redact.ts';

const secret = `s3cr3t/+=&"'<ü>`;

function redactor(): Redactor {
  const made = new Redactor();
  made.add(secret, 'secret');
  return made;
}

const base64 = Buffer.from(secret).toString('base64');
const spellings: readonly (readonly [where: string, spelling: string])[] = [
  ['plain', secret],
  ['percent-encoded', encodeURIComponent(secret)],
  [
    'percent-encoded in small letters',
    encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase()),
  ],
  ['in a form', new URLSearchParams({ s: secret }).toString().slice(2)],
  ['in JSON', JSON.stringify(secret).slice(1, -1)],
  ['in JSON with slashes escaped', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
  ['in HTML', 's3cr3t/+=&amp;&quot;&#39;&lt;ü&gt;'],
  ['in base64', base64],
  ['in base64 without padding', base64.replace(/=+$/, '')],
  ['in base64url', Buffer.from(secret).toString('base64url')],
];

for (const [where, spelling] of spellings) {
  test(`a secret ${where} is replaced`, () => {
    expect(redactor().text(`before ${spelling} after`)).toBe('before [secret] after');
  });
}

test('a blank in a secret is one in a form too', () => {
  const made = new Redactor();
  made.add('two words', 'secret');
  expect(made.text('two+words two%20words')).toBe('[secret] [secret]');
});

test('of two secrets the longer one is replaced as a whole', () => {
  const made = new Redactor();
  made.add('secret-of-run', 'one');
  made.add('secret-of-run-7', 'two');
  expect(made.text('secret-of-run-7 secret-of-run')).toBe('[two] [one]');
});

test('a label that says more stands instead of an earlier one', () => {
  const made = new Redactor();
  made.add('the-token-of-a-run', 'ESIGN_TOKEN');
  made.add('the-token-of-a-run', 'access token');
  expect(made.text('the-token-of-a-run')).toBe('[access token]');
});

test('what is too short to be told from other text is left alone', () => {
  const made = new Redactor();
  made.add('abc', 'secret');
  expect(made.text('abcdef')).toBe('abcdef');
});

test('credentials and cookies in headers are replaced although nobody registered them', () => {
  const made = new Redactor();
  expect(made.header('Authorization', 'Bearer somebody-elses')).toBe('Bearer [credentials]');
  expect(made.header('authorization', 'Basic bm9ib2R5')).toBe('Basic [credentials]');
  expect(made.header('Proxy-Authorization', 'Basic bm9ib2R5')).toBe('Basic [credentials]');
  expect(made.header('Set-Cookie', 'sid=1234; Path=/; HttpOnly')).toBe('sid=[cookie]; Path=/; HttpOnly');
  expect(made.header('Accept', '*/*')).toBe('*/*');
});

test('signs that mean something in a pattern mean nothing in a secret', () => {
  const made = new Redactor();
  made.add('a.b*c(d)[e]$', 'secret');
  expect(made.text('a.b*c(d)[e]$ axbbc(d)[e]$')).toBe('[secret] axbbc(d)[e]$');
});

test('a one-time password of few digits is replaced where it stands alone', () => {
  const made = new Redactor();
  made.addOneTime('4071', 'one-time secret');
  const hidden = 'Your code is 4071. {"code":4071} code=4071 "4071"';
  expect(made.text(hidden)).toBe(hidden.replaceAll('4071', '[one-time secret]'));
  const kept = '127.0.0.1:4071 14071 a4071 2026-4071 4071.5 12:4071:00';
  expect(made.text(kept)).toBe(kept);
});

test('three digits are too few to be told from other text', () => {
  const made = new Redactor();
  made.addOneTime('407', 'one-time secret');
  expect(made.text('407')).toBe('407');
});
