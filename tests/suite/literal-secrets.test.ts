/** A secret that is written out in a profile is refused with its key and the way to say it, and is not shown. */
import { expect, test } from '@playwright/test';
import { Ajv } from 'ajv';
import { writtenProfileSchema } from '../../harness/profile/profile-page.ts';
import { env, load, minimal, reference, refusal } from './services/profiles.ts';

const secret = 'Tr0ub4dor&3';
const address = 'address: { baseUrl: https://sandbox.example.com }\n';
const auth = (text: string) => `${address}auth: ${text}\n`;
const call = (text: string) => `${minimal}calls: { send: ${text} }\n`;

const refused: readonly (readonly [profile: string, key: string, variable: string])[] = [
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

for (const [profile, key, variable] of refused) {
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
const at = (url: string) => call(`{ method: GET, url: "${url}" }`);
const under = (header: string) => call(`{ method: GET, url: /x, headers: { ${header}: "${V}" } }`);
const template = `create: { template: { id: "${V}", roles: [a], body: {} } }`;
/** Where a reference stands, and the value of its variable. */
const places: readonly (readonly [where: string, profile: string, value: string, secret: boolean])[] = [
  ['in a header that tells of a secret', under('X-Api-Key'), base, true],
  ['in a header as an address', under('Origin'), base, false],
  ['in a body', call(`{ method: POST, url: /x, body: { a: ["${V}"] } }`), 'some-text', true],
  ['in the address of a call', at(`${V}/x`), base, false],
  ['as the host of a call', at(`https://${V}:8443/x`), 'mail.example.com', false],
  ['as the password of a call', at(`https://user:${V}@mail.example.com/`), 'pass-word', true],
  ['as an address with a key in its path', at(V), `${base}/T0123456789abcdefXYZ`, true],
  ['as an address with a query', at(V), `${base}?key=1`, true],
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
