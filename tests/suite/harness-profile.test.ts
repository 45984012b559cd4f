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
  const loaded = load(
    info,
    `extends: base.yaml\naddress: { perSecond: 5 }\nauth: { kind: static, token: "${reference('OTHER')}" }\nupload: { field: file }\n`,
    { OTHER: 'the-other-token' },
  );
  expect(loaded?.profile).toMatchObject({
    address: { baseUrl: 'https://sandbox.example.com/esign', perSecond: 5 },
    auth: { token: 'the-other-token' },
    upload: { encoding: 'multipart', field: 'file' },
    limits: { documents: 2 },
  });
});

test('a token endpoint that begins with a slash stands below the base URL', async ({}, info) => {
  const loaded = load(
    info,
    `address: { baseUrl: https://sandbox.example.com/esign/ }
auth: { kind: client-credentials, tokenEndpoint: /oauth/token, clientId: a, clientSecret: "${reference('TOKEN')}" }
`,
  );
  expect(loaded?.profile.auth).toMatchObject({
    tokenEndpoint: 'https://sandbox.example.com/esign/oauth/token',
  });
});

test('the CA certificate is read from beside the profile', async ({}, info) => {
  const { cert } = await selfSigned();
  writeFileSync(info.outputPath('ca.pem'), cert);
  const loaded = load(
    info,
    `address: { baseUrl: https://127.0.0.1:1, ca: ca.pem }\nauth: { kind: static, token: "${reference('TOKEN')}" }\n`,
  );
  expect(loaded?.ca).toBe(cert);
});

test('a message shows what was written, not the secret in its place', async ({}, info) => {
  const told = refusal(info, minimal.replace('https://sandbox.example.com/esign', `"${reference('TOKEN')}"`));
  expect(told).toContain(`address.baseUrl "${reference('TOKEN')}" does not have the form`);
  expect(told).not.toContain(env.TOKEN);
});

test('a folder and a missing file are no profiles', async ({}, info) => {
  expect(() => loadProfile({ target: import.meta.dirname }, env)).toThrow(
    /is no file, but has to be a target profile/,
  );
  expect(() => loadProfile({ target: join(info.outputDir, 'no.yaml') }, env)).toThrow(
    /there is no such profile$/,
  );
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

const refused: readonly (readonly [text: string, message: string | RegExp])[] = [
  ['', 'acme.yaml: a profile is a mapping with the keys address and auth at least'],
  [
    'address: [\n',
    'acme.yaml:2: is neither YAML nor JSON: Flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
  [
    authOf(`{ kind: static, token: ${reference('TOKEN')} }`),
    /^acme\.yaml:2: is neither YAML nor JSON: .*; inside of \{ … \} a reference stands in quotes: "\$\{NAME\}"$/,
  ],
  [
    authOf(`{ kind: static, token: "bearer ${reference('TOKEN')}" }`),
    'acme.yaml: auth.token begins with "Bearer"; give the token alone',
  ],
  [
    minimal.replace('https://sandbox.example.com/esign', '"https://"'),
    'acme.yaml: address.baseUrl "https://" is no URL; write for example https://sandbox.example.com',
  ],
  [
    minimal.replace('/esign', '/esign?tenant=7'),
    'acme.yaml: address.baseUrl "https://sandbox.example.com/esign?tenant=7" carries a query or a fragment; put query parameters under address.query',
  ],
  [
    minimal.replace('sandbox', 'user:secret@sandbox'),
    'acme.yaml: address.baseUrl carries a user name; credentials belong under auth',
  ],
  [
    `${minimal}signing: { driver: browser }\n`,
    'acme.yaml: signing.driver "browser" needs signing.page, the selectors of the signing page',
  ],
  [
    `${minimal}signing: { driver: manual, send: delay }\n`,
    'acme.yaml: signing.send "delay" needs signing.delayMs, how long after its last signatory a request is sent',
  ],
  [
    addressWith('perSecnd: 5'),
    /^acme\.yaml: address\.perSecnd is unknown; did you mean perSecond\? \(known: baseUrl, /,
  ],
  [addressWith('zzzzzzzzzz: 5'), /^acme\.yaml: address\.zzzzzzzzzz is unknown \(known: baseUrl, /],
  [
    `${minimal}calls: { send: { method: POST, url: /send, encoding: form } }\n`,
    /^acme\.yaml: calls\.send\.encoding is unknown; a body that is a text is sent as it stands, /,
  ],
  [
    addressWith('inFlight: 0, perSecond: fast'),
    'acme.yaml: address.perSecond "fast" must be number: Calls a second at most.\nacme.yaml: address.inFlight 0 must be >= 1: Calls at the same time at most.',
  ],
  [
    authOf(`{ kind: oauth, token: "${reference('TOKEN')}" }`),
    /^acme\.yaml: auth\.kind "oauth" is unknown; use static( or |, ).*client-credentials/,
  ],
  [
    `${minimal}upload: { token: header }\n`,
    'acme.yaml: upload.token "header" is no place; write a JSON Pointer such as /data/id, "text" for the whole body, or a mapping with one of pointer, root, key, header, query, pattern',
  ],
  [
    `${minimal}upload: { token: { pointer: data.token } }\n`,
    /^acme\.yaml: upload\.token\.pointer "data\.token" does not have the form .*JSON Pointer/,
  ],
  [
    `${minimal}callbacks: { publicUrl: "https://[" }
`,
    'acme.yaml: callbacks.publicUrl "https://[" is no URL; write for example https://hooks.example.com/esign',
  ],
  [
    `${minimal}calls: { deleteRequest: { method: DELETE, url: x } }\n`,
    'acme.yaml: calls.deleteRequest.url "x" is no URL; begin it with / (below the base URL) or https://',
  ],
  [
    `${minimal}calls: { deleteRequest: { method: DELETE, url: /x, accept: [200, 20] } }\n`,
    'acme.yaml: calls.deleteRequest.accept[1] 20 must be >= 100',
  ],
  [
    `${minimal}notApplicable: { otp.smz: we do not }\n`,
    'acme.yaml: notApplicable.otp.smz is no area and no requirement; did you mean otp.sms? (all of them: esign-conformance list)',
  ],
  [
    `${minimal}calls: { send: { method: POST, url: "/r/{requestID}/send" } }\n`,
    'acme.yaml: calls.send.url names {requestID}, which is no variable there; did you mean requestId? (known: {requestId})',
  ],
  [
    `${minimal}mustRun: [uplaod]\n`,
    /^acme\.yaml: mustRun "uplaod" is no area and no requirement; did you mean upload\? \(areas: service, upload, /,
  ],
  [
    authOf(`{ kind: refresh-token, refreshToken: "${reference('TOKEN')}" }`),
    'acme.yaml: auth.tokenEndpoint is missing (or auth.call, where a call of your own gives the token)',
  ],
  [
    authOf(
      `{ kind: api-key, call: { method: POST, url: token, headers: { X-Api-Key: "${reference('TOKEN')}" } } }`,
    ),
    'acme.yaml: auth.call.url "token" is no URL; begin it with / (below the base URL) or https://',
  ],
  [
    authOf(
      '{ kind: authorization-code, authorizationEndpoint: "https://", tokenEndpoint: "https://a.example/t", clientId: c }',
    ),
    'acme.yaml: auth.authorizationEndpoint "https://" is no URL; write for example https://sandbox.example.com',
  ],
  [
    addressWith('ca: nowhere.pem'),
    /^acme\.yaml: address\.ca "nowhere\.pem" is no certificate: .*nowhere\.pem: there is no such file/,
  ],
  [addressWith('ca: acme.yaml'), /^acme\.yaml: address\.ca "acme\.yaml" is no certificate in PEM: /],
  [
    `${minimal}name: "${reference('NAME_OF_TARGET')}"\n`,
    `acme.yaml: name refers to ${reference('NAME_OF_TARGET')}, which is not set; export NAME_OF_TARGET first`,
  ],
  [
    `${minimal}name: "${reference('NAME_A')} ${reference('NAME_B')}"\n`,
    `acme.yaml: name refers to ${reference('NAME_A')}, name refers to ${reference('NAME_B')}, which are not set; export NAME_A and NAME_B first`,
  ],
  [
    `${minimal}name: "${reference('NAME')}"\nlimts: {}\ncallbacks: { publicUrl: "${reference('URL')}" }\n`,
    /which are not set; export NAME and URL first\nacme\.yaml: limts is unknown; did you mean limits\? .*$/,
  ],
  ['extends: base.yaml\n', 'base.yaml: there is no such profile (extends of acme.yaml)'],
  ['extends: acme.yaml\n', /^acme\.yaml: extends itself through acme\.yaml; take "extends" out/],
];

for (const [text, message] of refused) {
  test(`refused: ${message}`, async ({}, info) => {
    const told = refusal(info, text);
    if (typeof message === 'string') expect(told).toBe(message);
    else expect(told).toMatch(message);
  });
}

const secret = 'Tr0ub4dor&3';
const address = 'address: { baseUrl: https://sandbox.example.com }\n';
const auth = (text: string) => `${address}auth: ${text}\n`;
const call = (text: string) => `${minimal}calls: { send: ${text} }\n`;

const writtenOut: readonly (readonly [profile: string, key: string, variable: string])[] = [
  [
    auth(
      `{ kind: client-credentials, tokenEndpoint: "https://a.example/t", clientId: c, clientSecret: "${secret}" }`,
    ),
    'auth.clientSecret',
    'ESIGN_CLIENT_SECRET',
  ],
  [
    `address: { baseUrl: https://sandbox.example.com, headers: { X-Api-Key: "${secret}" } }\n${minimal.split('\n')[1]}\n`,
    'address.headers.X-Api-Key',
    'ESIGN_API_KEY',
  ],
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
  const told = refusal(
    info,
    auth(`{ kind: api-key, call: { method: POST, url: /token, headers: { X-Vendor: "${secret}" } } }`),
  );
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

const base = 'http://sandbox.example.com/esign';
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
