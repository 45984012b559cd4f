/** Secrets are kept out of everything recorded, however a service or a call spells them. */
import { expect, test } from '@playwright/test';
import { Redactor } from '../../harness/recording/redact.ts';
import { limits } from '../../harness/untrusted/limits.ts';

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
  ['in JSON of .NET', String.raw`s3cr3t/\u002B=\u0026\u0022\u0027\u003C\u00FC\u003E`],
  ['in JSON of Gson', String.raw`s3cr3t/+\u003d\u0026\"\u0027\u003cü\u003e`],
  ['in JSON of Go', String.raw`s3cr3t/+=\u0026\"'\u003cü\u003e`],
  [
    'in JSON with each sign as a code',
    String.raw`s3cr3t\u002f\u002b\u003d\u0026\u0022\u0027\u003c\u00fc\u003e`,
  ],
  ['in HTML of .NET', 's3cr3t/&#x2B;=&amp;&quot;&#x27;&lt;&#xFC;&gt;'],
  ['in HTML with each sign as a code', 's3cr3t&#47;&#43;&#61;&#38;&#34;&#39;&#60;&#252;&#62;'],
  ['percent-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
  ['in HTML', 's3cr3t/+=&amp;&quot;&#39;&lt;ü&gt;'],
  ['in base64', base64],
  ['in base64 without padding', base64.replace(/=+$/, '')],
  ['in UTF-16', Buffer.from(secret, 'utf16le').toString('latin1').slice(0, -1)],
  ['in base64 of UTF-16', Buffer.from(secret, 'utf16le').toString('base64')],
  ['in base64url', Buffer.from(secret).toString('base64url')],
];

/** As encoders of services put a text into another one: each has signs of its own that it writes as codes. */
const nested: readonly (readonly [where: string, spelling: string])[] = [
  ['in JSON within JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  ['in JSON of .NET within JSON', String.raw`s3cr3t/\\u002B=\\u0026\\u0022\\u0027\\u003C\\u00FC\\u003E`],
  ['in JSON of PHP within JSON', String.raw`s3cr3t\\\/+=&\\\"'<\\u00fc>`],
  ['in HTML of Handlebars', 's3cr3t/+&#x3D;&amp;&quot;&#x27;&lt;ü&gt;'],
  ['in HTML of OWASP', 's3cr3t&#x2F;+=&amp;&quot;&#x27;&lt;ü&gt;'],
  ['in HTML within HTML', 's3cr3t/+=&amp;amp;&amp;quot;&amp;#39;&amp;lt;ü&amp;gt;'],
  ['in a script', String.raw`s3cr3t\x2f\x2b\x3d\x26\x22\x27\x3cü\x3e`],
  ['in properties of Java', String.raw`s3cr3t/+\=&"'<\u00FC>`],
  ['percent-encoded in part', 's3cr3t/%2B%3D&"\'<ü>'],
  ['in lines of a mail', 's3cr=\r\n3t/+=3D&"\'<ü>'],
  ['in lines of a folded header', 's3cr3t/+\r\n =&"\'<ü>'],
  ['in base64 in lines of indented XML', base64.replace(/^.{9}/, '$&\n    ')],
  ['in base64 in lines', base64.replace(/^.{9}/, '$&\r\n')],
  ['in base64 in lines, in JSON', base64.replace(/^.{9}/, String.raw`$&\r\n`)],
];

for (const [where, spelling] of [...spellings, ...nested]) {
  test(`a secret ${where} is replaced`, () => {
    expect(redactor().text(`before ${spelling} after`)).toBe('before [secret] after');
  });
}

/** Texts in which a secret goes out, coded as a whole. */
const carriers: readonly (readonly [what: string, text: (secret: string) => string])[] = [
  ['Basic credentials', (secret) => `client:${secret}`],
  ['Basic credentials of a client whose name is a sign longer', (secret) => `client1:${secret}`],
  ['Basic credentials of a client whose name is two signs longer', (secret) => `client12:${secret}`],
  ['Basic credentials, encoded for a form', (secret) => `client:${encodeURIComponent(secret)}`],
  ['a bearer header', (secret) => `Bearer ${secret}`],
  ['JSON around it', (secret) => JSON.stringify({ token: secret, more: 1 })],
];
const codings: readonly (readonly [name: string, code: (text: string) => string])[] = [
  ['base64', (text) => Buffer.from(text).toString('base64')],
  ['base64url', (text) => Buffer.from(text).toString('base64url')],
  ['base64 in a URL', (text) => encodeURIComponent(Buffer.from(text).toString('base64'))],
  ['hexadecimal digits', (text) => Buffer.from(text).toString('hex')],
  ['hexadecimal digits in capitals', (text) => Buffer.from(text).toString('hex').toUpperCase()],
];
/** Its middle would be the same in every coding that holds the secret, wherever it begins. */
const tokens = [secret, 'a-token.with_signs~of-URLs', '7d1f0b5c-3e88-4a27-9d35-0c6f2a91b3e4', '123456789012'];

for (const [what, carrier] of carriers) {
  test(`however coded, ${what} show nothing of a secret`, () => {
    for (const [name, code] of codings) {
      for (const token of tokens) {
        const made = new Redactor();
        made.add(token, 'secret');
        const whole = code(carrier(token));
        const shown = made.text(`{"seen":"${whole}"}`);
        expect(shown, name).toContain('[secret]');
        // The signs at the ends hold bits of their neighbours, too.
        expect(shown.length).toBeLessThanOrEqual(whole.length - code(token).length + '[secret]'.length + 20);
      }
    }
  });
}

test('an origin that is kept stays, though a word of it is a secret elsewhere', () => {
  const made = new Redactor();
  made.add('sandbox-of-acme', 'TENANT');
  made.keep('https://sandbox-of-acme.example.com');
  expect(made.text('https://sandbox-of-acme.example.com/x?tenant=sandbox-of-acme')).toBe(
    'https://sandbox-of-acme.example.com/x?tenant=[TENANT]',
  );
});

test('credentials and cookies in headers are replaced although nobody registered them', () => {
  const made = new Redactor();
  expect(made.header('Authorization', 'Bearer somebody-elses')).toBe('Bearer [credentials]');
  expect(made.header('authorization', 'Basic bm9ib2R5')).toBe('Basic [credentials]');
  expect(made.header('Proxy-Authorization', 'Basic bm9ib2R5')).toBe('Basic [credentials]');
  expect(made.header('Set-Cookie', 'sid=1234; Path=/; HttpOnly')).toBe('sid=[cookie]; Path=/; HttpOnly');
  expect(made.header('Accept', '*/*')).toBe('*/*');
});

test('a secret of few digits is replaced where it is the whole value of a field', () => {
  const made = redactor();
  made.add('4071', 'code');
  made.add('407', 'code');
  const hidden = `{"a":"4071","b":[ '4071' ]} {\\"a\\":\\"4071\\"} &quot;4071&quot; %224071%22 a=4071&b=4071`;
  expect(made.text(hidden)).toBe(hidden.replaceAll('4071', '[code]'));
  const kept = '{"a":4071,"b":"14071","c":"4071x"} 4071 (4071) :4071/ "407" 2240710 x=40712';
  expect(made.text(kept)).toBe(kept);
});

test('a one-time password of few digits is replaced where it stands alone', () => {
  const made = new Redactor();
  made.addOneTime('4071', 'one-time secret');
  const hidden = 'Your code is 4071. {"code":4071} code=4071 "4071"';
  expect(made.text(hidden)).toBe(hidden.replaceAll('4071', '[one-time secret]'));
  const kept = '127.0.0.1:4071 14071 a4071 2026-4071 4071.5 12:4071:00';
  expect(made.text(kept)).toBe(kept);
});

test('a secret that is cut within a character is found, in all its spellings', () => {
  const made = new Redactor();
  // Node reads a character of another plane as two.
  const long = `a-token-${'\u{1f600}'.repeat(10_000)}`;
  made.add(long, 'secret');
  made.addOneTime('\ud83d-half-a-character', 'half');
  for (const text of [long, encodeURIComponent(long)]) expect(made.text(`x ${text}`)).toMatch(/^x \[secret]/);
  expect(made.text('\ud83d-half-a-character')).toBe('[half]');
});

test('three digits are too few to be told from other text', () => {
  const made = new Redactor();
  made.addOneTime('407', 'one-time secret');
  expect(made.text('407')).toBe('407');
});

const token = 'the-token-of-a-run';
/** Secrets by their labels, a text with them, and what is shown of it. */
const shown: readonly (readonly [Readonly<Record<string, string>>, text: string, shown: string])[] = [
  [{ secret: 'two words' }, 'two+words two%20words', '[secret] [secret]'],
  // Of two secrets the longer one is replaced as a whole.
  [{ one: 'secret-of-run', two: 'secret-of-run-7' }, 'secret-of-run-7 secret-of-run', '[two] [one]'],
  // A label that says more stands instead of an earlier one.
  [{ ESIGN_TOKEN: token, 'access token': token }, token, '[access token]'],
  // Too short to be told from other text.
  [{ secret: 'abc' }, 'abcdef', 'abcdef'],
  // Signs that mean something in a pattern mean nothing in a secret.
  [{ secret: 'a.b*c(d)[e]$' }, 'a.b*c(d)[e]$ axbbc(d)[e]$', '[secret] axbbc(d)[e]$'],
];

test('secrets with blanks and signs, within one another, known by two names, and short ones', () => {
  for (const [secrets, text, expected] of shown) {
    const made = new Redactor();
    for (const [label, secret] of Object.entries(secrets)) made.add(secret, label);
    expect(made.text(text)).toBe(expected);
  }
});

/** Texts that a target can make of the tokens that it gives: each time the whole of it is compared in vain. */
const made: readonly (readonly [what: string, tokens: readonly string[], text: string])[] = [
  ['one sign over and over', [`${'a'.repeat(1_000)}b`], 'a'.repeat(1_000_000)],
  ['a code over and over', [`${'a%'.repeat(500)}b`], 'a%'.repeat(500_000)],
  [
    'the beginning of many tokens',
    Array.from({ length: 100 }, (_, at) => `eyJhbGciOiJIUzI1NiJ9.${at}.${'x'.repeat(900)}`),
    'eyJhbGciOiJIUzI1NiJ9.'.repeat(10_000),
  ],
];

for (const [what, tokens, text] of made) {
  test(`of a text with ${what} what was looked through in time is kept, and no secret`, () => {
    const known = new Redactor();
    const [secret = ''] = tokens;
    for (const token of tokens) known.add(token, 'access token');
    const shown = known.text(`${secret} ${text} ${secret}`);
    expect(shown).toMatch(/^\[access token\] /);
    expect(shown).toMatch(/\(not kept: it may hold the rest of a secret\)$/);
    expect(shown).not.toContain(secret);
    // Who wrote one such text has less time for the next; a usual one is looked through all the same.
    const usual = JSON.stringify({ ids: Array.from({ length: 2_000 }, (_, at) => `6579${at}`) });
    expect(known.text(`${usual} ${secret}`)).toBe(`${usual} [access token]`);
  });
}

test('of a secret beyond the bound its beginning is looked for, and nothing behind it is kept', () => {
  const made = new Redactor();
  const long = 'k9'.repeat(limits.secretCharacters.most);
  made.add(long, 'access token');
  expect(made.text(`a ${long}`)).toMatch(/^a \[access token\]\(not kept/);
  expect(made.text(`a ${Buffer.from(long).toString('base64')} b`)).toMatch(/^a \[access token\]\(not kept/);
  expect(made.text('k9k9k9')).toBe('k9k9k9');
});

test('when there were very many tokens, of those that follow the beginning is looked for', () => {
  const made = new Redactor();
  const token = (at: number) => `${at}-${'t'.repeat(limits.secretCharacters.most - 10)}`;
  for (let at = 0; at <= limits.secretsCharacters.most / limits.secretCharacters.most; at += 1)
    made.add(token(at), 'access token');
  expect(made.text(`a ${token(5)} b`)).toBe('a [access token] b');
  made.add(token(999), 'access token');
  expect(made.text(`a ${token(999)} b`)).toBe('a [access token](not kept: it may hold the rest of a secret)');
  made.add('a-short-one', 'code');
  expect(made.text('a a-short-one b')).toBe('a [code] b');
});
