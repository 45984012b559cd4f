/** The profile loader: YAML, JSON, `extends`, references to the environment, secrets that are written out, nothing that runs, and messages that name file, key, value and the fix. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Ajv } from 'ajv';
import { loadProfile } from '../../harness/profile/load.ts';
import { writtenProfileSchema } from '../../harness/profile/profile-page.ts';
import { fill, fillJson } from '../../harness/profile/template.ts';
import { selfSigned } from './services/certificate.ts';
import { env, load, minimal, reference, refusal } from './services/profiles.ts';

test('values of the environment are secrets, and change nothing about the hash', async ({}, info) => {
  const one = load(info, minimal);
  const other = load(info, minimal, { TOKEN: 'another-token' });
  expect(one?.secrets).toEqual(new Map([['TOKEN', 'a-token-of-the-tests']]));
  expect(one?.hash).toBe(other?.hash);
});

test('a profile takes what it does not say from the one that it extends', async ({}, info) => {
  writeFileSync(
    info.outputPath('base.yaml'),
    `${minimal}upload: { encoding: multipart, field: document }\nlimits: { documents: 2 }\n`,
  );
  const auth = `auth: { kind: static, token: "${reference('OTHER')}" }`;
  const text = `extends: base.yaml\naddress: { perSecond: 5 }\n${auth}\nupload: { field: file }\n`;
  const loaded = load(info, text, { OTHER: 'the-other-token' });
  expect(loaded?.profile).toMatchObject({
    address: { baseUrl: 'https://sandbox.example.com/esign', perSecond: 5 },
    auth: { token: 'the-other-token' },
    upload: { encoding: 'multipart', field: 'file' },
    limits: { documents: 2 },
  });
});

test('a token endpoint that begins with a slash stands below the base URL', async ({}, info) => {
  const auth = `{ kind: client-credentials, tokenEndpoint: /token, clientId: a, clientSecret: "${reference('TOKEN')}" }`;
  const { profile } =
    load(info, `address: { baseUrl: https://sandbox.example.com/esign/ }\nauth: ${auth}\n`) ?? {};
  expect(profile?.auth).toMatchObject({ tokenEndpoint: 'https://sandbox.example.com/esign/token' });
});

test('a profile is no less patient than a slow target may need', async ({}, info) => {
  const less = load(info, addressWith('deadlineMs: 100, visibleAfterMs: 0'));
  expect(less?.profile.address).toMatchObject({ deadlineMs: 1_000, visibleAfterMs: 2_000 });
  const more = load(info, addressWith('deadlineMs: 1100, visibleAfterMs: 2100'));
  expect(more?.profile.address).toMatchObject({ deadlineMs: 1_100, visibleAfterMs: 2_100 });
});

test('the CA certificate is read from beside the profile', async ({}, info) => {
  const { cert } = await selfSigned();
  writeFileSync(info.outputPath('ca.pem'), cert);
  expect(load(info, addressWith('ca: ca.pem'))?.ca).toBe(cert);
});

test('a message shows what was written, not the secret in its place', async ({}, info) => {
  const told = refusal(info, minimal.replace('https://sandbox.example.com/esign', `"${reference('TOKEN')}"`));
  expect(told).toContain(`address.baseUrl "${reference('TOKEN')}" does not have the form`);
  expect(told).not.toContain(env.TOKEN);
});

test('a folder and a missing file are no profiles', async ({}, info) => {
  const loading = (target: string) => () => loadProfile({ target }, env);
  expect(loading(import.meta.dirname)).toThrow(/is no file, but has to be a target profile/);
  expect(loading(join(info.outputDir, 'no.yaml'))).toThrow(/there is no such profile$/);
});

test('a base URL alone takes its token, and an expired one, from the environment', async () => {
  const given = { ESIGN_TOKEN: 'a-token-of-the-tests\r\n', ESIGN_EXPIRED_TOKEN: 'one-of-yesterday' };
  expect(loadProfile({ baseUrl: 'https://sandbox.example.com/v1/' }, given)?.profile).toEqual({
    name: 'sandbox.example.com',
    address: { baseUrl: 'https://sandbox.example.com/v1/' },
    auth: { kind: 'static', token: 'a-token-of-the-tests', expiredToken: 'one-of-yesterday' },
  });
  expect(loadProfile({}, given)).toBeNull();
});

type Given = Parameters<typeof loadProfile>[0];
const at = (baseUrl: string): Given => ({ baseUrl });
const options: readonly (readonly [string, Given, NodeJS.ProcessEnv, RegExp])[] = [
  ['a base URL without a token', at('https://a.example'), {}, /^ESIGN_TOKEN is not set: /],
  ['a base URL that is none', at('a.example'), {}, /^--base-url "a\.example" is no http or https URL/],
  ['a base URL with a query', at('https://a.example?b'), { ESIGN_TOKEN: 't' }, /put query parameters/],
  [
    'an expired token that is the other one',
    at('https://a.example'),
    { ESIGN_TOKEN: 't', ESIGN_EXPIRED_TOKEN: 't' },
    /auth\.expiredToken is the same as auth\.token/,
  ],
  ['two targets', { ...at('https://a.example'), target: 'a.yaml' }, {}, /exclude each other/],
];

for (const [title, given, environment, message] of options) {
  test(`options are refused with a message: ${title}`, () => {
    expect(() => loadProfile(given, environment)).toThrow(message);
  });
}

const addressWith = (more: string) =>
  `address: { baseUrl: https://sandbox.example.com, ${more} }\nauth: { kind: static, token: "${reference('TOKEN')}" }\n`;
const authOf = (auth: string) => `address: { baseUrl: https://sandbox.example.com }\nauth: ${auth}\n`;

const base = 'https://sandbox.example.com/esign';
const withBase = (url: string) => minimal.replace(base, url);
const plus = (more: string) => `${minimal}${more}\n`;
const callWith = (more: string) => plus(`calls: { send: { method: POST, ${more} } }`);
const byCode = 'kind: authorization-code, tokenEndpoint: "https://a.example/t", clientId: c';
const [REF, A, B] = ['TOKEN', 'NAME_A', 'NAME_B'].map(reference);

/** A profile, and the message with which it is refused, or a part of it. */
const refused: readonly (readonly [text: string, message: string | RegExp])[] = [
  ['', 'a profile is a mapping with the keys address and auth at least'],
  ['address: [\n', /^acme\.yaml:2: is neither YAML nor JSON: Flow sequence/],
  [authOf(`{ kind: static, token: ${REF} }`), /^acme\.yaml:2: is neither .* a reference stands in quotes/],
  [authOf(`{ kind: static, token: "bearer ${REF}" }`), 'auth.token begins with "Bearer"; give the token'],
  [withBase('"https://"'), 'address.baseUrl "https://" is no URL; write for example https://sandbox'],
  [withBase(`${base}?tenant=7`), `address.baseUrl "${base}?tenant=7" carries a query or a fragment`],
  [addressWith('query: { type: "3" }'), 'address.query.type stands in the interface document; checks have'],
  [withBase('https://user:secret@a.example'), 'address.baseUrl carries a user name; credentials belong'],
  [plus('signing: { driver: browser }'), 'signing.driver "browser" needs signing.page, the selectors'],
  [plus('signing: { driver: manual, send: delay }'), 'signing.send "delay" needs signing.delayMs, how long'],
  [addressWith('perSecnd: 5'), 'address.perSecnd is unknown; did you mean perSecond? (known: baseUrl, '],
  [addressWith('zzzzzzzzzz: 5'), 'address.zzzzzzzzzz is unknown (known: baseUrl, '],
  [callWith('url: /send, encoding: form'), 'calls.send.encoding is unknown; a body that is a text is sent'],
  [addressWith('inFlight: 0, perSecond: x'), /perSecond "x" must be number: .*\n.*inFlight 0 must be >= 1: /],
  [authOf(`{ kind: oauth, token: "${REF}" }`), /auth\.kind "oauth" is unknown; use static.*client-credent/],
  [plus('upload: { token: header }'), 'upload.token "header" is no place; write a JSON Pointer such as'],
  [plus('upload: { token: { pattern: "OK .*" } }'), 'upload.token.pattern "OK .*" has no group'],
  [plus('upload: { token: { pointer: a.b } }'), /\.pointer "a\.b" does not have the form .*JSON Pointer/],
  [
    plus("outbox: { code: 'code\\:\\s(\\d{6})' }"),
    /outbox\.code "code.*is no regular expression .* a backslash/,
  ],
  [plus("outbox: { link: '(\\w{name})' }"), 'outbox.link "(\\\\w{name})" is no regular expression of Java'],
  [plus('callbacks: { publicUrl: "https://[" }'), 'callbacks.publicUrl "https://[" is no URL; write for'],
  [callWith('url: x'), 'calls.send.url "x" is no URL; begin it with / (below the base URL) or https://'],
  [
    plus('calls: { deleteRequest: { method: POST, url: /a }, send: { method: POST, url: /a } }'),
    'calls.deleteRequest is the same call as calls.send; name the one that deletes',
  ],
  [callWith('url: /x, accept: [200, 20]'), 'calls.send.accept[1] 20 must be >= 100'],
  [plus('notApplicable: { otp.smz: no }'), 'notApplicable.otp.smz is no area and no requirement; did you'],
  [callWith('url: /send, body: "code={otpEmail}&x=1"'), 'names {otpEmail}, which is no variable there'],
  [
    plus('calls: { view: { method: POST, url: /approve }, approve: { method: GET, url: "{link}" } }'),
    'calls.view is a POST and calls.approve a GET: is each the call of the other?',
  ],
  [callWith('url: "/{requestID}"'), 'names {requestID}, which is no variable there; did you mean requestId?'],
  [plus('mustRun: [uplaod]'), /mustRun "uplaod" is no area .* did you mean upload\? \(areas: service, /],
  [
    plus(`callbacks: { authenticity: { kind: hmac, header: X-S, secret: "${REF}", secretEncoding: hex } }`),
    'callbacks.authenticity.secret is no hex (callbacks.authenticity.secretEncoding): it holds another',
  ],
  [
    plus(`callbacks: { authenticity: { kind: standard-webhooks, secret: "${REF}-with.dots" } }`),
    'callbacks.authenticity.secret is no base64: it holds another',
  ],
  [authOf(`{ kind: refresh-token, refreshToken: "${REF}" }`), 'auth.tokenEndpoint is missing (or auth.'],
  [authOf(`{ kind: api-key, call: { method: GET, url: "t?${REF}" } }`), 'auth.call.url "t?'],
  [authOf(`{ ${byCode}, authorizationEndpoint: "https://" }`), 'auth.authorizationEndpoint "https://" is no'],
  [addressWith('ca: nowhere.pem'), /address\.ca "nowhere\.pem" is no certificate: .*: there is no such file/],
  [addressWith('ca: acme.yaml'), 'address.ca "acme.yaml" is no certificate in PEM: '],
  [plus(`name: "${A}"`), `name refers to ${A}, which is not set; export NAME_A first`],
  [plus(`name: "${A} ${B}"`), `name refers to ${B}, which are not set; export NAME_A and NAME_B first`],
  [plus(`name: "${A}"\nlimts: {}`), /export NAME_A first\nacme\.yaml: limts is unknown; did you mean limits/],
  ['extends: base.yaml\n', 'base.yaml: there is no such profile (extends of acme.yaml)'],
  ['extends: acme.yaml\n', 'acme.yaml: extends itself through acme.yaml; take "extends" out'],
];

for (const [text, message] of refused) {
  test(`refused: ${message}`, async ({}, info) => {
    const told = refusal(info, text);
    expect(told).toMatch(/^(acme|base)\.yaml:/);
    expect(told).toEqual(
      typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
    );
  });
}

const taken: readonly (readonly [title: string, profile: string])[] = [
  [
    'fields that GraphQL asks for in braces',
    callWith('url: /graphql, body: "mutation { send(id: \\"{requestId}\\") {otp} }"'),
  ],
  [
    'a look by POST, where the GET by which people act tells that it was done',
    plus(
      'calls: { view: { method: POST, url: /look }, sign: { method: GET, url: "{link}", result: /signedAt } }',
    ),
  ],
];

for (const [title, text] of taken) {
  test(`taken: ${title}`, async ({}, info) => {
    expect(() => load(info, text)).not.toThrow();
  });
}

const secret = 'Tr0ub4dor&3';
const call = (text: string) => `${minimal}calls: { send: ${text} }\n`;

const writtenOut: readonly (readonly [profile: string, key: string, variable: string])[] = [
  [
    authOf(`{ kind: client-credentials, tokenEndpoint: /t, clientId: c, clientSecret: "${secret}" }`),
    'auth.clientSecret',
    'ESIGN_CLIENT_SECRET',
  ],
  [addressWith(`headers: { X-Api-Key: "${secret}" }`), 'address.headers.X-Api-Key', 'ESIGN_API_KEY'],
  [
    call(`{ method: POST, url: /x, body: { admin: { password: "${secret}" } } }`),
    'calls.send.body.admin.password',
    'ESIGN_PASSWORD',
  ],
  [
    call(`{ method: POST, url: "/x?a=b&access_token=${secret.replace('&', '')}" }`),
    'calls.send.url (access_token)',
    'ESIGN_ACCESS_TOKEN',
  ],
];

for (const [profile, key, variable] of writtenOut) {
  test(`${key} is not written out`, async ({}, info) => {
    const told = refusal(info, profile);
    expect(told).toBe(
      `acme.yaml: ${key} is written out; put the secret into the environment, write ${reference(variable)} here, and export ${variable}`,
    );
    expect(told).not.toContain('Tr0ub');
  });
}

test('an API-key exchange that refers to nothing carries no key', async ({}, info) => {
  const call = `{ method: POST, url: /token, headers: { X-Vendor: "${secret}" } }`;
  const told = refusal(info, authOf(`{ kind: api-key, call: ${call} }`));
  expect(told).toMatch(/^acme\.yaml: auth\.call carries no API key: .* export ESIGN_API_KEY$/);
  expect(told).not.toContain('Tr0ub');
});

test('what is no secret may be written out', async ({}, info) => {
  const text = `${minimal}calls:
  sign:
    method: POST
    url: /x?token={token}&page=1
    headers: { Authorization: "Bearer {token}", X-Tenant: acme, X-Api-Key: "${reference('KEY')}" }
    body: { password: "{otp}", Title: secret agreement, accessTokens: 3 }
create: { fixed: { body: { AccessCode: "1234", Title: "{title}" } } }
`;
  const loaded = load(info, text, { ...env, KEY: 'some-key' });
  expect(loaded?.profile.calls?.sign?.headers?.['X-Api-Key']).toBe('some-key');
  expect(loaded?.secrets.get('KEY')).toBe('some-key');
});

const V = reference('V');
const withUrl = (url: string) => call(`{ method: GET, url: "${url}" }`);
const under = (header: string) => call(`{ method: GET, url: /x, headers: { ${header}: "${V}" } }`);
const template = `create: { template: { id: "${V}", roles: [a], body: {} } }`;
/** Where a reference stands, and the value of its variable. */
const places: readonly (readonly [where: string, profile: string, value: string, secret: boolean])[] = [
  ['in a header that tells of a secret', under('X-Api-Key'), base, true],
  ['in a header as an address', under('Origin'), base, false],
  ['in a body', call(`{ method: POST, url: /x, body: { a: ["${V}"] } }`), 'some-text', true],
  ['in the address of a call', withUrl(`${V}/x`), base, false],
  ['as the host of a call', withUrl(`https://${V}:8443/x`), 'mail.example.com', false],
  ['as the password of a call', withUrl(`https://user:${V}@mail.example.com/`), 'pass-word', true],
  ['as an address with a key in its path', withUrl(V), `${base}/T0123456789abcdefXYZ`, true],
  ['as an address with a query', withUrl(V), `${base}?key=1`, true],
  ['in a key that is sent nowhere', `${minimal}${template}\n`, 'template-17', false],
];

for (const [where, profile, value, isSecret] of places) {
  test(`a value of the environment is ${isSecret ? 'a secret' : 'shown'} ${where}`, async ({}, info) => {
    expect(load(info, profile, { ...env, V: value })?.secrets.has('V')).toBe(isSecret);
  });
}

test('editors mark a secret that is written out', async () => {
  const check = new Ajv({ strict: false }).addFormat('regex', true).compile(writtenProfileSchema());
  const valid = (token: string) =>
    check({ address: { baseUrl: 'https://sandbox.example.com' }, auth: { kind: 'static', token } });
  expect([valid(reference('TOKEN')), valid(secret)]).toEqual([true, false]);
});

test('tags of YAML that stand for code or classes make nothing but text or a refusal', async ({}, info) => {
  for (const tag of ['!!js/function', '!!js/eval', '!!python/object/apply:os.system', '!ruby/object:Gem']) {
    const loaded = () => load(info, `${minimal}name: ${tag} "globalThis.ran = 1"\n`)?.profile.name;
    let name: unknown;
    try {
      name = loaded();
    } catch (error) {
      expect(String(error)).toContain('acme.yaml');
    }
    expect(['undefined', 'string']).toContain(typeof name);
    expect(globalThis).not.toHaveProperty('ran');
  }
});

test('keys that objects inherit are unknown keys, in one file and in one that extends another', async ({}, info) => {
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    expect(refusal(info, `${minimal}${key}: { polluted: yes }\n`)).toContain(`${key} is unknown`);
    const inner = `address: { baseUrl: https://a.example, ${key}: { polluted: 1 } }\n`;
    writeFileSync(info.outputPath('base.yaml'), minimal);
    expect(refusal(info, `extends: base.yaml\n${inner}`)).toContain(`address.${key} is unknown`);
    expect(Object.prototype).not.toHaveProperty('polluted');
  }
});

test('a template knows its variables and nothing else', () => {
  const text = '{requestId} {constructor} {toString} {process.exit(1)} {__proto__} {{7*7}}';
  expect(fill(text, { requestId: 'r' })).toBe(text.replace('{requestId}', 'r'));
  // What a variable holds is not filled in again.
  expect(fill('{requestId}', { requestId: '{title}', title: 'secret' })).toBe('{title}');
  expect(fillJson({ a: ['{hasOwnProperty}'] }, {})).toEqual({ a: ['{hasOwnProperty}'] });
});

test('a reference to the environment is no command, and what it holds is not resolved again', async ({}, info) => {
  const given = { ...env, INNER: reference('TOKEN') };
  expect(load(info, `${minimal}name: "${reference('INNER')}"\n`, given)?.profile.name).toBe(
    reference('TOKEN'),
  );
  const command = '$' + '{TOKEN:-$(touch ran)} `touch ran` $(touch ran)';
  expect(load(info, `${minimal}name: '${command}'\n`)?.profile.name).toBe(command);
});
