/** The profile loader names file, key, value and the fix of everything that can be wrong. */
import { expect, test } from '@playwright/test';
import { minimal, reference, refusal } from './services/profiles.ts';

const addressWith = (more: string) =>
  `address: { baseUrl: https://sandbox.example.com, ${more} }\nauth: { kind: static, token: "${reference('TOKEN')}" }\n`;
const authOf = (auth: string) => `address: { baseUrl: https://sandbox.example.com }\nauth: ${auth}\n`;

const refused: readonly (readonly [title: string, text: string, message: string | RegExp])[] = [
  ['an empty file', '', 'acme.yaml: a profile is a mapping with the keys address and auth at least'],
  [
    'neither YAML nor JSON',
    'address: [\n',
    /^acme\.yaml:2: is neither YAML nor JSON: .* at line \d+, column \d+:?$/,
  ],
  ['an alias to nothing', 'name: *nobody\n', /^acme\.yaml: .*nobody/],
  ['no address', minimal.split('\n')[1] ?? '', 'acme.yaml: address is missing'],
  [
    'a base URL without its scheme',
    minimal.replace('https://', ''),
    'acme.yaml: address.baseUrl "sandbox.example.com/esign" does not have the form ^https?://: Base URL; may have a path.',
  ],
  [
    'a base URL that is none',
    minimal.replace('https://sandbox.example.com/esign', '"https://"'),
    'acme.yaml: address.baseUrl "https://" is no URL; write for example https://sandbox.example.com',
  ],
  [
    'a base URL with a query',
    minimal.replace('/esign', '/esign?tenant=7'),
    'acme.yaml: address.baseUrl "https://sandbox.example.com/esign?tenant=7" carries a query or a fragment; put query parameters under address.query',
  ],
  [
    'a base URL with credentials',
    minimal.replace('sandbox', 'user:secret@sandbox'),
    'acme.yaml: address.baseUrl carries a user name; credentials belong under auth',
  ],
  [
    'a driver without the page that it needs',
    `${minimal}signing: { driver: browser }\n`,
    'acme.yaml: signing.driver "browser" needs signing.page, the selectors of the signing page',
  ],
  [
    'a misspelt key',
    addressWith('perSecnd: 5'),
    /^acme\.yaml: address\.perSecnd is unknown; did you mean perSecond\? \(known: baseUrl, /,
  ],
  [
    'a key that resembles none',
    addressWith('zzzzzzzzzz: 5'),
    /^acme\.yaml: address\.zzzzzzzzzz is unknown \(known: baseUrl, /,
  ],
  [
    'two mistakes',
    addressWith('inFlight: 0, perSecond: fast'),
    'acme.yaml: address.perSecond "fast" must be number\nacme.yaml: address.inFlight 0 must be >= 1',
  ],
  [
    'an unknown kind of auth',
    authOf(`{ kind: oauth, token: "${reference('TOKEN')}" }`),
    /^acme\.yaml: auth\.kind "oauth" is unknown; use static( or |, ).*client-credentials/,
  ],
  [
    'a word for the place of the token',
    `${minimal}upload: { token: header }\n`,
    'acme.yaml: upload.token "header" is no place; write a JSON Pointer such as /data/id, "text" for the whole body, or a mapping with one of pointer, root, key, header, query, pattern',
  ],
  [
    'a pointer that is none',
    `${minimal}upload: { token: { pointer: data.token } }\n`,
    /^acme\.yaml: upload\.token\.pointer "data\.token" does not have the form .*JSON Pointer/,
  ],
  [
    'a call to a place that is no URL',
    `${minimal}calls: { deleteRequest: { method: DELETE, url: x } }\n`,
    'acme.yaml: calls.deleteRequest.url "x" is no URL; begin it with / (below the base URL) or https://',
  ],
  [
    'a status that is none, in a list',
    `${minimal}calls: { deleteRequest: { method: DELETE, url: /x, accept: [200, 20] } }\n`,
    'acme.yaml: calls.deleteRequest.accept[1] 20 must be >= 100',
  ],
  [
    'a requirement that does not exist',
    `${minimal}notApplicable: { otp.smz: we do not }\n`,
    'acme.yaml: notApplicable.otp.smz is no area and no requirement; did you mean otp.sms? (all of them: esign-conformance list)',
  ],
  [
    'a variable of a URL that nobody fills in',
    `${minimal}calls: { send: { method: POST, url: "/r/{requestID}/send" } }\n`,
    'acme.yaml: calls.send.url names {requestID}, which is no variable there; did you mean requestId? (known: {requestId})',
  ],
  [
    'an area that does not exist',
    `${minimal}mustRun: [uplaod]\n`,
    /^acme\.yaml: mustRun "uplaod" is no area and no requirement; did you mean upload\? \(areas: service, upload, /,
  ],
  [
    'a certificate that is not there',
    addressWith('ca: nowhere.pem'),
    /^acme\.yaml: address\.ca "nowhere\.pem" is no certificate: .*nowhere\.pem: there is no such file/,
  ],
  [
    'a certificate that is none',
    addressWith('ca: acme.yaml'),
    /^acme\.yaml: address\.ca "acme\.yaml" is no certificate in PEM: /,
  ],
  [
    'a variable that is not set',
    `${minimal}name: "${reference('NAME_OF_TARGET')}"\n`,
    `acme.yaml: name refers to ${reference('NAME_OF_TARGET')}, which is not set; export NAME_OF_TARGET first`,
  ],
  [
    'a base profile that is not there',
    'extends: base.yaml\n',
    'base.yaml: there is no such profile (extends of acme.yaml)',
  ],
  [
    'a profile that extends itself',
    'extends: acme.yaml\n',
    /^acme\.yaml: extends itself through acme\.yaml$/,
  ],
];

for (const [title, text, message] of refused) {
  test(`refused with a message: ${title}`, async ({}, info) => {
    const told = refusal(info, text);
    if (typeof message === 'string') expect(told).toBe(message);
    else expect(told).toMatch(message);
  });
}
