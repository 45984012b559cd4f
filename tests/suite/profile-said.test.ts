/** What a profile writes out and says about gaps: bodies of creations, whom they may name, and never a secret. */
import { writeFileSync } from 'node:fs';
import { expect, type TestInfo, test } from '@playwright/test';
import { stringify } from 'yaml';
import { callbackUrlsFor } from '../../harness/flows/first-facts.ts';
import { assertNoStranger } from '../../harness/profile/addresses.ts';
import { saidUnder } from '../../harness/profile/literal-secrets.ts';
import { loadProfile } from '../../harness/profile/load.ts';
import { encodingOf } from '../../harness/profile/template.ts';
import { filledCreation, withConstantFields } from '../../harness/target/creation-body.ts';
import { page } from '../../reports/page/page.ts';
import { gapsMarkdown } from '../../reports/ticket/gaps-markdown.ts';
import { startReferenceTarget } from '../../running/reference-target.ts';
import { record, run } from './reports-sample.ts';
import { minimal, refusal } from './services/profiles.ts';

const reference = (name: string) => `\${${name}}`;

function read(info: TestInfo, profile: object) {
  const file = info.outputPath('profile.yaml');
  writeFileSync(file, stringify(profile));
  const loaded = loadProfile({ target: file }, { ACME_TOKEN: 'the-token', ACME_KEY: 'the-secret-key' });
  if (!loaded) throw new Error('there is no profile');
  return loaded;
}

const acme = {
  address: { baseUrl: 'https://acme.example.com', headers: { 'X-Key': reference('ACME_KEY') } },
  auth: { kind: 'static', token: reference('ACME_TOKEN') },
  upload: { encoding: 'raw' },
  calls: { send: { method: 'POST', url: '/send', headers: { 'X-Key': reference('ACME_KEY') } } },
};

test('values are shown as they are written: references to the environment stay references', ({}, info) => {
  const loaded = read(info, acme);
  expect(saidUnder('upload.encoding', loaded)).toBe('raw');
  expect(saidUnder('auth', loaded)).toBe(`kind: static\ntoken: ${reference('ACME_TOKEN')}`);
  expect(saidUnder('calls.send', loaded)).toContain(`X-Key: ${reference('ACME_KEY')}`);
  expect(saidUnder('upload.field', loaded)).toBeUndefined();
  expect(saidUnder('callbacks.decoding', loaded)).toBeUndefined();
});

test('a profile that was not read from a file shows none of its secrets', async () => {
  const { loaded, close } = await startReferenceTarget();
  await close();
  expect(loaded.profile.auth).toMatchObject({ clientSecret: expect.any(String) });
  expect(saidUnder('auth', loaded)).toContain('clientSecret: (secret)');
  expect(saidUnder('auth.kind', loaded)).toBe('client-credentials');
  expect(saidUnder('create.template', loaded)).toContain('TemplateId: "{templateId}"');
});

test('the page and the open questions show what the profile says, beside what was observed', () => {
  const seen = { key: 'encoding', value: 'raw', stability: 'stable', exchanges: [] } as const;
  const says = 'method: POST\nurl: /send';
  const answeredByProfile = [
    { gap: 'upload.encoding', says: 'raw' },
    { gap: 'operations.send', says },
  ];
  const observations = [{ gap: 'upload.encoding', ...seen }];
  const given = run({ record: record({ answeredByProfile, observations }) });
  const text = page(given);
  expect(text).toContain('Profile key <code>upload.encoding</code>:</p><pre tabindex="0">raw</pre>');
  expect(text).toContain(`Profile key <code>calls.send</code>:</p><pre tabindex="0">${says}</pre>`);
  expect(text).toContain('Profile key <code>calls.stamps</code>, not in this profile');
  const markdown = gapsMarkdown(given);
  expect(markdown).toContain(
    '  - the profile of the integrator says `upload.encoding: "raw"`\n  - `encoding`: `raw`',
  );
  expect(markdown).toContain('`calls.send: {"method":"POST","url":"/send"}`');
});

const people = ['one', 'two'].map((name) => ({
  name,
  email: `${name}@example.com`,
  mobileNumber: '+12025550123',
  color: '#1A73E8',
}));
const given = { title: 'T', message: 'M', documents: ['d-1', 'd-2'], people };

test('each role of a template gets a person of its own, and lists stay lists', () => {
  const settings = {
    id: '7f1c',
    roles: ['Buyer', 'Seller'],
    signatory: { Role: '{role}', Order: '{order}', Email: '{email}' },
    body: { Id: '{templateId}', Documents: '{documents}', First: '{documentToken}', People: '{signatories}' },
  };
  expect(filledCreation(settings, given)).toEqual({
    Id: '7f1c',
    Documents: ['d-1', 'd-2'],
    First: 'd-1',
    People: [
      { Role: 'Buyer', Order: 1, Email: 'one@example.com' },
      { Role: 'Seller', Order: 2, Email: 'two@example.com' },
    ],
  });
});

test('constant fields are added, and never stand in the place of a field that a check sets', () => {
  const fields = { Language: 'en', Title: 'constant' };
  expect(withConstantFields({ Title: 'own' }, { fields })).toEqual({ Language: 'en', Title: 'own' });
  expect(withConstantFields(['no object'], { fields })).toEqual(['no object']);
});

test('a variable is written for the place in which it stands', () => {
  const value = `a&b "c"/<d>`;
  expect(encodingOf('application/x-www-form-urlencoded')(value)).toBe(encodeURIComponent(value));
  expect(JSON.parse(`"${encodingOf('application/vnd.x+json')(value)}"`)).toBe(value);
  expect(encodingOf('text/xml; charset=utf-8')(value)).toBe('a&amp;b &quot;c&quot;/&lt;d&gt;');
  expect(encodingOf('text/plain')(value)).toBe(value);
});

test('nobody is written to outside of the domains of the profile', () => {
  const acme = { people: { email: 'qa-{n}@acme.internal' } };
  const names = (address: string) => Buffer.from(JSON.stringify({ Signatories: [{ Email: address }] }));
  for (const address of ['a@acme.internal', 'A@ACME.internal', 'a@example.com', 'a@b.test', 'no address']) {
    expect(() => assertNoStranger(names(address), acme)).not.toThrow();
  }
  for (const address of ['a@acme.com', 'A <a@sub.acme.internal>', 'mailto:a@b.co']) {
    expect(() => assertNoStranger(names(address), acme)).toThrow('not sent: the body names');
  }
  expect(() => assertNoStranger(Buffer.from('to=a%40b.co&x=1'), acme)).toThrow('not sent');
});

test('an address in a body of the profile that belongs to a stranger is refused, with its key', async ({}, info) => {
  const text = `${minimal}create: { fixed: { body: { Signatories: [{ Email: boss@corp.co }] } } }\n`;
  expect(refusal(info, text)).toMatch(
    /^acme\.yaml: create\.fixed\.body\.Signatories\[0\]\.Email is an address outside of the domains/,
  );
});

test('a CallbackUrl that the profile names is vouched for, others are tried and excused', () => {
  const address = { baseUrl: 'https://sandbox.example.net/v1' };
  const own = 'http://127.0.0.1:9/callbacks';
  const reserved = 'https://callback.example.com/esign-conformance';
  expect(callbackUrlsFor({ address, callbacks: { placeholderUrl: '/nobody' } }, own)).toEqual({
    callbackUrl: 'https://sandbox.example.net/v1/nobody',
    otherCallbackUrls: [reserved],
    callbackUrlVouched: true,
  });
  const unvouched = { callbackUrlVouched: false };
  expect(callbackUrlsFor({ address }, own)).toMatchObject({ callbackUrl: reserved, ...unvouched });
  const local = { callbackUrl: own, otherCallbackUrls: [reserved], ...unvouched };
  expect(callbackUrlsFor({ address: { baseUrl: 'http://localhost:1' } }, own)).toEqual(local);
});
