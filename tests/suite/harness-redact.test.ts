/** Secrets and people are kept out of everything recorded, however a service or a call spells them. */
import { expect, test } from '@playwright/test';
import { defaultEmailTemplate, person, placesOfName } from '../../generators/people.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import { PeopleRedactor } from '../../harness/recording/people-redaction.ts';
import { mapRecorded, Redactor, redactorOf } from '../../harness/recording/redact.ts';
import { Disguise, withNames } from '../../harness/replaying/disguise.ts';
import { limits } from '../../harness/untrusted/limits.ts';
import { inShort } from '../../harness/untrusted/text.ts';
import { parseJson } from '../../record/json.ts';
import { lowerLimits } from './services/lower-limits.ts';
import { sessionAt } from './services/session.ts';

const secret = `s3cr3t/+=&"'<ü>`;

function ofSecret(): Redactor {
  const made = new Redactor();
  made.add(secret, 'secret');
  return made;
}

const base64 = Buffer.from(secret).toString('base64');
const encoded = encodeURIComponent(secret);
const spellings: readonly (readonly [where: string, spelling: string])[] = [
  ['plain', secret],
  ['percent-encoded', encoded],
  ['percent-encoded in small letters', encoded.replaceAll(/%../g, (code) => code.toLowerCase())],
  ['in the pointer to a field', secret.replace('/', '~1')],
  ['in a form', new URLSearchParams({ s: secret }).toString().slice(2)],
  ['in JSON', JSON.stringify(secret).slice(1, -1)],
  ['in JSON with slashes escaped', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
  ['in JSON of .NET', String.raw`s3cr3t/\u002B=\u0026\u0022\u0027\u003C\u00FC\u003E`],
  ['in JSON of Gson', String.raw`s3cr3t/+\u003d\u0026\"\u0027\u003cü\u003e`],
  ['in JSON of Go', String.raw`s3cr3t/+=\u0026\"'\u003cü\u003e`],
  ['in JSON with codes', String.raw`s3cr3t\u002f\u002b\u003d\u0026\u0022\u0027\u003c\u00fc\u003e`],
  ['in HTML of .NET', 's3cr3t/&#x2B;=&amp;&quot;&#x27;&lt;&#xFC;&gt;'],
  ['in HTML with each sign as a code', 's3cr3t&#47;&#43;&#61;&#38;&#34;&#39;&#60;&#252;&#62;'],
  ['percent-encoded twice', encodeURIComponent(encoded)],
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
  ['in lines that end with a sign of it', 's3cr3t/+=\n&"\'<ü>'],
  ['in lines of a mail before a code', 's3cr3t/+=\r\n=3D&"\'<ü>'],
  ['in lines, in the pointer to a field', 's3cr\n3t~1+=&"\'<ü>'],
  ['in lines of a mail, in JSON', String.raw`s3cr=\r\n3t/+=3D&\"'<ü>`],
];

for (const [where, spelling] of [...spellings, ...nested]) {
  test(`a secret ${where} is replaced`, () => {
    expect(ofSecret().text(`before ${spelling} after`)).toBe('before [secret] after');
  });
}

test('a long secret is replaced in small letters and in capitals, in JSON too', () => {
  const long = 'S3cr3t-"of"-acme';
  const made = new Redactor();
  made.add(long, 'secret');
  for (const text of [long.toLowerCase(), long.toUpperCase()])
    expect(made.text(`${text} ${JSON.stringify(text)}`)).toBe('[secret] "[secret]"');
});

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
  expect(made.header('Cookie', 'sid=1234; path=5678')).toBe('sid=[cookie]; path=[cookie]');
  expect(made.header('Authorization', 'without-a-scheme')).toBe('[credentials]');
  expect(made.header('Authorization', 'Bearer')).toBe('Bearer');
  expect(made.header('X-Callback-Secret', 'of the target')).toBe('[credentials]');
  expect(made.header('X-Document-Token', 'D-1')).toBe('D-1');
  // Some gateways join fields.
  const joined = 'a=1; Max-Age=9; Path=/, sid=1234; Path=/';
  expect(made.header('set-cookie', joined)).toBe('a=[cookie]; Max-Age=9; Path=/, sid=[cookie]; Path=/');
  made.add('a-secret', 'secret');
  expect(made.header('Cookie', 'a=a-secret; sid=1234')).toBe('a=[cookie]; sid=[cookie]');
  expect(made.header('Accept', '*/*')).toBe('*/*');
});

test('a secret of few digits is replaced where it is the whole value of a field', () => {
  const made = ofSecret();
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

test('a one-time password is found in the groups in which a message shows it, and a recording has others there', () => {
  const made = new Redactor();
  made.addOneTime('483920', 'one-time secret');
  made.addOneTime('55102938', 'one-time secret');
  for (const each of ['483 920', '483-920', '4 8 3 9 2 0', '483\u00a0920', '483&nbsp;920', '5510 2938'])
    expect(made.text(`"Your code is ${each}."`)).toBe('"Your code is [one-time secret]."');
  const mail = Buffer.from('Your code is 483 920.').toString('base64');
  expect(made.text(mail)).toBe('WW91ciBjb2RlIGlzID[one-time secret]Au');
  const others = '1483 920 483 9201 48 3920';
  expect(made.text(others)).toBe(others);
  const disguise = disguiseOf({}, ['483920']);
  const digits = (text: string) => text.replaceAll(/\D/g, '');
  expect(digits(disguise.value('Your code is 483 920'))).toBe(digits(disguise.sent('{"code":"483920"}')));
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

test('a secret in base64 of UTF-16 is replaced where a URL encodes the end of it', () => {
  const made = new Redactor();
  made.add('16-bits', 'secret');
  const base64 = Buffer.from('16-bits', 'utf16le').toString('base64');
  expect(made.text(encodeURIComponent(base64))).toBe('[secret]%3D');
});

test('of a secret that a message cuts off nothing is left', () => {
  const made = ofSecret();
  made.keep('http://s3cr3t.example');
  for (const text of [secret, base64, encodeURIComponent(secret)])
    for (let kept = 6; kept < text.length; kept += 1)
      expect(made.text(`says ${inShort(`"${text}"`, kept + 1)} (7)`)).toBe('says "[secret]… (7)');
  expect(made.text('s3cr… http://s3c…')).toBe('s3cr… http://s3c…');
});

test('data of ours stays, though a target gives out words of it as tokens, and a URL stays one', () => {
  const made = new Redactor();
  for (const word of ['otp.sms', 'failed', 'invented-number', 'DELETE', 'documents', 'signatory', 'http://a'])
    made.add(word, 'token');
  const cause = { excuse: 'invented-number', because: { places: [{ of: 'documents' }] } };
  const data = {
    id: 'otp.sms',
    verdict: 'failed',
    cause,
    created: [{ kind: 'signatory' }],
    method: 'DELETE',
  };
  const given = { ...data, url: 'http://a.example/', says: 'failed 2' };
  const shown = mapRecorded(given, (text) => made.text(text));
  expect(shown).toEqual({ ...data, url: 'http://[token].example/', says: '[token] 2' });
});

test('a secret in an id that a target gives, or under any key of a profile, is replaced', async ({}, info) => {
  const session = sessionAt('http://127.0.0.1:1', info.outputPath());
  const token = 'the-access-token-of-the-tests';
  session.recorder.note({ kind: 'request', id: `r-${token}`, exchange: 0 });
  expect(session.created()).toEqual([expect.objectContaining({ id: 'r-[access token]' })]);
  await session.close();
  const body = { operation: secret, purpose: secret, file: secret, at: secret };
  const calls = { send: { method: 'POST', url: '/send', body } };
  const auth = { kind: 'static', token: secret };
  const given = { address: { baseUrl: 'http://127.0.0.1:1' }, auth, calls };
  expect(JSON.stringify(disguiseOf(given, [secret]).profile(false))).not.toContain('s3cr3t');
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

/** Secrets that stand for others, of which a target may show these. */
const inner: readonly (readonly [secret: string, shown: string])[] = [
  [`whsec_${btoa('0123456789abcdef-key')}`, btoa('0123456789abcdef-key').replace('=', '')],
  [`whsec_${btoa('0123456789abcdef-key')}`, '0123456789abcdef-key'],
  [btoa('\xff\x00-key-of-signatures'), 'FF002D6B65792D6F662D7369676E617475726573'],
  ['ff002d6b65792d6f662d7369676e617475726573', '_wAta2V5LW9mLXNpZ25hdHVyZXM'],
  [`Basic ${btoa('qa:hunter2-of-the-mailbox')}`, 'hunter2-of-the-mailbox'],
];

test('what a secret of the profile is in base64 or hexadecimal digits is one too', () => {
  for (const [secret, text] of inner) {
    const made = redactorOf(new Map([['KEY', secret]]));
    expect(made.text(`a ${text} b`)).toBe('a [KEY] b');
  }
  const words = redactorOf(new Map([['KEY', 'of our company']]));
  expect(words.text('our company')).toBe('our company');
});

/** Texts that a target can make of the tokens that it gives: each time the whole of it is compared in vain. */
const made: readonly (readonly [what: string, tokens: readonly string[], text: string])[] = [
  ['one sign over and over', [`${'a'.repeat(1_000)}b`], 'a'.repeat(200_000)],
  ['a code over and over', [`${'a%'.repeat(500)}b`], 'a%'.repeat(100_000)],
  [
    'the beginning of many tokens',
    Array.from({ length: 100 }, (_, at) => `eyJhbGciOiJIUzI1NiJ9.${at}.${'x'.repeat(900)}`),
    'eyJhbGciOiJIUzI1NiJ9.'.repeat(2_000),
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
  const restore = lowerLimits({ secretCharacters: 1_000, secretsCharacters: 16_000 });
  const made = new Redactor();
  const token = (at: number) => `${at}-${'t'.repeat(limits.secretCharacters.most - 10)}`;
  for (let at = 0; at <= limits.secretsCharacters.most / limits.secretCharacters.most; at += 1)
    made.add(token(at), 'access token');
  expect(made.text(`a ${token(5)} b`)).toBe('a [access token] b');
  made.add(token(999), 'access token');
  expect(made.text(`a ${token(999)} b`)).toBe('a [access token](not kept: it may hold the rest of a secret)');
  made.add('a-short-one', 'code');
  expect(made.text('a a-short-one b')).toBe('a [code] b');
  restore();
});

test('of codes and parts of links no more are looked for than the bound, of which a mailbox may hold others each time', () => {
  const restore = lowerLimits({ oneTimeSecrets: 2 });
  const made = new Redactor();
  for (const code of ['part-one', 'part-two', 'part-one', 'part-three']) made.addOneTime(code, 'link');
  restore();
  expect(made.text('part-one part-two part-three')).toBe('[link] [link] part-three');
});

const runId = '0badcafe';
const seed = 1;
const emailTemplate = 'qa+{run}-{n}@people.acme.internal';
const someone = person(4711, { run: runId, seed, emailTemplate });

const redactor = (profile: ConstructorParameters<typeof PeopleRedactor>[0]['profile']) =>
  new PeopleRedactor({ profile, runId, seed });

const disguiseOf = (profile: object, secrets: readonly string[] = []) =>
  new Disguise({ profile: profile as Profile, runId, seed, secrets });

test('the address that a replay calls stays one, though a link in a mail names its host', () => {
  const given = { profile: {} as Profile, runId, seed, secrets: ['127.0.0.1'] };
  const disguise = new Disguise({ ...given, called: ['http://127.0.0.1:8/base'] });
  const text = 'http://127.0.0.1:8/base';
  expect([disguise.sent(text), disguise.value({ url: text })]).toEqual([text, { url: text }]);
  expect(disguise.sent('t=127.0.0.1')).not.toContain('127.0.0.1');
});

const acme = () => redactor({ people: { email: emailTemplate, mobileNumbers: ['+4915901234567'] } });

test('a person has the same pseudonym wherever they occur', () => {
  const text = acme().text(`{"Email":"${someone.email}","Name":"${someone.name}"}`);
  const [, code] = /Person ([0-9a-f]{6})/.exec(text) ?? [];
  expect(text).toBe(`{"Email":"person-${code}@example.invalid","Name":"Person ${code}"}`);
  const shown = (given: string) => acme().text(given);
  expect(shown(`?to=${encodeURIComponent(someone.email)}&cc=2-${someone.email}`)).toBe(
    `?to=person-${code}@example.invalid&cc=2-person-${code}@example.invalid`,
  );
  expect(shown(`Dear Madam ${someone.name.toUpperCase()},`)).toBe(`Dear Madam Person ${code},`);
  expect(shown(`name=Dear+${someone.name.replace(' ', '+')}`)).toBe(`name=Dear+Person ${code}`);
  expect(shown(`Dear%20${encodeURIComponent(someone.name)}`)).toBe(`Dear%20Person ${code}`);
});

test('an address with the number of the person in it many times is found, and looked for without trying every part', () => {
  const email = `${'{n}'.repeat(40)}-{n}@people.acme.internal`;
  const shown = redactor({ people: { email } }).text(
    `${'1'.repeat(2_000)}@people.acme.internal ${'7'.repeat(40)}-7@people.acme.internal`,
  );
  expect(shown).toMatch(/^somebody@example\.invalid person-\w{6}@example\.invalid$/);
});

test('people are found in mails that a mailbox gives in base64, and in their parts, which stay mails', () => {
  const part = Buffer.from(`Dear ${someone.name}, ${'we write to '.repeat(9)}${someone.email}.`);
  const lines = part.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  const mail = `To: ${someone.email}\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines}`;
  const given = JSON.stringify({ raw: Buffer.from(mail).toString('base64url'), source: mail });
  const shownBy = (change: (text: string) => string) => {
    const { raw, source } = JSON.parse(change(given)) as Record<'raw' | 'source', string>;
    return [Buffer.from(raw, 'base64url').toString(), source].flatMap((each) => {
      const [head = '', body = ''] = each.split('\r\n\r\n');
      return [head, Buffer.from(body, 'base64').toString()];
    });
  };
  const [local = ''] = someone.email.split('@');
  for (const text of shownBy((each) => acme().text(each))) {
    expect(text).toMatch(/^(To: |Dear Person ).*person-\w{6}@example\.invalid/s);
    expect(text).not.toContain(local);
  }
  const disguise = disguiseOf({ people: { email: emailTemplate } });
  const address = `qa-${runId}-4711@example.com`;
  for (const text of shownBy((each) => disguise.value(each))) expect(text).toContain(address);
});

test('in UTF-16 a secret is replaced in a recording however it is coded', () => {
  const text = `${base64} x ${Buffer.from(secret).toString('hex')}`;
  const bytes = Buffer.from(text, 'utf16le');
  expect(disguiseOf({}, [secret]).bytes(bytes).toString('utf16le')).toMatch(/^[\w=+/]{20,} x [0-9a-f]{32}$/);
  for (const each of [bytes, Buffer.from(bytes).swap16()]) {
    const found = disguiseOf({}, [secret]).bytes(each).toString('latin1').replaceAll('\0', '');
    for (const coded of text.split(' x ')) expect(found).not.toContain(coded);
  }
});

test('an answer in which a secret has signs as codes of any kind is still one of JSON in a recording', () => {
  for (const [, spelling] of [...spellings, ...nested].filter(([where]) => where.includes('JSON'))) {
    const answer = `{"error":"${spelling.replaceAll('"', '\\"').replaceAll('\\\\"', '\\"')} is wrong"}`;
    expect(parseJson(answer)).toBeDefined();
    expect(parseJson(disguiseOf({}, [secret]).value(answer)), answer).toBeDefined();
  }
});

test('the places of a name in a recording are not taken for a code with their digits', () => {
  const [first = -1, last = -1] = placesOfName(someone.name) ?? [];
  const disguise = disguiseOf({ people: { email: emailTemplate } }, [`${first}`, `${last}`]);
  expect(withNames(disguise.value({ Name: someone.name }))).toEqual({ Name: someone.name });
});

test('words that are no name stay', () => {
  const text = 'Bad Request: Document Token Not Found, Please Read And Sign';
  expect(acme().text(text)).toBe(text);
});

test('whoever else has an address at the domain of the people is hidden too', () => {
  expect(acme().text('from Jo.Doe@people.acme.internal, or qa+0-1%40PEOPLE.acme.internal')).toBe(
    'from somebody@example.invalid, or somebody@example.invalid',
  );
  const recorded = disguiseOf({ people: { email: emailTemplate } });
  const others = 'jo@people.acme.internal qa%252B0-1%2540people.acme.internal';
  expect(recorded.value(others)).toBe('somebody@example.com somebody@example.com');
  const elsewhere = 'jo@acme.internal jo@people.acme.internals';
  expect(acme().text(elsewhere)).toBe(elsewhere);
});

test('a number that a profile writes without its country is hidden in other spellings too', () => {
  const national = redactor({ people: { mobileNumbers: ['(0159) 012-34567'] } });
  const spellings = '"(0159) 012-34567" 015901234567 +4915901234567 0049159 01234567 915901234568';
  const hidden = '"([mobile number 1]" [mobile number 1] [mobile number 1] [mobile number 1] 915901234568';
  expect(national.text(spellings)).toBe(hidden);
});

test('the mobile numbers of a profile are hidden, with or without their sign, and with what is dialled instead', () => {
  const n = '[mobile number 1]';
  const given = '+4915901234567 %2B4915901234567 "4915901234567" 14915901234567';
  expect(acme().text(given)).toBe(`${n} ${n} "${n}" 14915901234567`);
  const dialled = '004915901234567, 011 49 1590 1234567, 1004915901234567';
  expect(acme().text(dialled)).toBe(`${n}, ${n}, 1004915901234567`);
});

test('a mobile number with its sign is no part of a longer one', () => {
  const body = { Email: 'ada@acme.internal', Mobile: '+4915907654321' };
  const people = redactor({ people: { mobileNumbers: ['+4915901234567'] }, create: { template: { body } } });
  const longer =
    '+49159012345678 %2B49159012345678 \\u002b49159012345678 &#43;49159076543210 =2B49159076543210';
  expect(people.text(longer)).toBe(longer);
  expect(people.text('\\u002b4915901234567 1+4915907654321')).toBe(
    '\\u002b[mobile number 1] 1[mobile number profile-1]',
  );
});

/** A name of one word in a body of a profile, a text of a target, and what a recording has of it. Bytes that are no text are looked through as they stand. */
const words: readonly (readonly [name: string, text: string, kept: string])[] = [
  ['Signatory', '{"Name":"Signatory","Signatory":{"signatoryId":"Signatory"}}', 'the same'],
  ['signatories', '/signatures/1/signatories "signatories"', 'the same'],
  [
    'sealing',
    '{"Name":"sealing","sealing":"sealing", "sealingId":1, "a":"{\\"sealing\\":\\"sealing\\"}"}',
    '{"Name":"Person1","sealing":"Person1", "sealingId":1, "a":"{\\"sealing\\":\\"Person1\\"}"}',
  ],
  [
    'sealing',
    'http://sealing.test/sealing/1?sealing=2&by=sealing',
    'http://sealing.test/sealing/1?sealing=2&by=Person1',
  ],
  ['sealing', '<sealing>sealing</sealing> resealing', '<sealing>Person1</sealing> resealing'],
  ['sealing', 'Dear sealing,\\nsealing. Dear%20sealing', 'Dear Person1,\\nPerson1. Dear%20Person1'],
  [
    'sealing',
    Buffer.from('{"sealing":"a sealing"}').toString('base64'),
    Buffer.from('{"sealing":"a Person1"}').toString('base64'),
  ],
  ['Jörgensen', '"J\\u00f6rgensen" J%C3%B6rgensen &ouml; Jörgensens', '"Person1" Person1 &ouml; Jörgensens'],
];
for (const [name, text, kept] of words)
  test(`a name of one word is exchanged in recordings as a value or a word, never as a name of the wire: ${text}`, () => {
    const body = { Email: 'ada@acme.internal', Name: name };
    const disguise = disguiseOf({ create: { template: { body } } });
    const shown = [disguise.sent(text), disguise.value(text), `${disguise.bytes(Buffer.from(text))}`];
    for (const each of shown.slice(0, /ö|ey/.test(name + text) ? 2 : 3))
      expect(each).toBe(kept === 'the same' ? text : kept);
  });

test('people who are spelled out in the bodies of a profile are hidden', () => {
  const body = { Roles: [{ Email: 'ada@acme.internal', FullName: 'Ada King', Mobile: '+4915907654321' }] };
  const people = redactor({ create: { template: { body: { ...body, Title: '{title}' } } } });
  const written = (Email: string, FullName: string, Mobile: string) =>
    JSON.stringify({ Roles: [{ Email, FullName, Mobile }] });
  const hidden = written('profile-1@example.invalid', 'Person profile-1', '[mobile number profile-1]');
  expect(people.text(JSON.stringify(body))).toBe(hidden);
  expect(people.text('{title} of the Roles')).toBe('{title} of the Roles');
  const recorded = written('profile-1@example.com', 'Person 1', '+12025550150');
  expect(disguiseOf({ create: { template: { body } } }).sent(JSON.stringify(body))).toBe(recorded);
});

const somebody = { Email: "jörg+o'neil@people.acme.internal", Name: "Jörg O'Neil", Mobile: '+4915907654321' };
/** How encoders write a text. */
const dresses: Readonly<Record<string, (text: string) => string>> = {
  'JSON in ASCII': (text) => text.replaceAll(/[^ -~]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
  'JSON of .NET': (text) =>
    text.replaceAll(
      /[^ A-Za-z0-9.@]/g,
      (sign) => `\\u00${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    ),
  'HTML with names': (text) => text.replaceAll('ö', '&ouml;').replaceAll("'", '&#039;'),
  'HTML with numbers': (text) => text.replaceAll(/[^A-Za-z0-9]/g, (sign) => `&#${sign.charCodeAt(0)};`),
  'quoted-printable': (text) => encodeURIComponent(text).replaceAll('%20', ' ').replaceAll('%', '='),
  'a URL within another': (text) => encodeURIComponent(encodeURIComponent(text)),
  base64: (text) => Buffer.from(`x${text}`).toString('base64'),
  'bytes that are no text': (text) => Buffer.from(text).toString('latin1'),
};
for (const [name, dress] of Object.entries(dresses))
  test(`people of a profile are hidden in ${name}`, () => {
    const people = redactor({ people: { email: emailTemplate }, create: { template: { body: somebody } } });
    for (const text of Object.values(somebody)) {
      const shown = people.text(`"${dress(text)}"`);
      const left = name === 'base64' ? Buffer.from(shown, 'base64').toString() : shown;
      expect(left).not.toMatch(/neil|rg|4915907654321|people/i);
    }
  });

for (const template of [defaultEmailTemplate, 'qa-{n}@mail.test', '{run}.{n}@example.org']) {
  test(`people at a reserved domain stay as they are: ${template}`, () => {
    const invented = person(1, { run: runId, seed, emailTemplate: template });
    const text = JSON.stringify(invented);
    expect(redactor({ people: { email: template } }).text(text)).toBe(text);
    expect(redactor({}).text(text)).toBe(text);
  });
}
