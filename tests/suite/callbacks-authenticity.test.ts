/** Proofs of origin: each accepts what is genuine, names what is missing, wrong or stale, and tells no secret. */
import { createHmac } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { originOf } from '../../harness/callbacks/authenticity.ts';
import type { AuthenticitySettings } from '../../harness/profile/callback-settings.ts';
import type { Message } from '../../record/delivery.ts';

// Bytes that are no text: a signature is over bytes.
const body = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
const secret = 'a-shared-secret-of-the-tests';
const nowMs = 1_700_000_000_000;
const now = { at: new Date(nowMs).toISOString() };

function message(headers: Record<string, string> = {}, target = '/callback/x'): Message {
  return { method: 'POST', target, url: `http://127.0.0.1${target}`, headers: Object.entries(headers), body };
}

function mac(
  payload: readonly (string | Uint8Array)[],
  encoding: 'hex' | 'base64' | 'base64url' = 'hex',
  algorithm = 'sha256',
  key: string | Buffer = secret,
): string {
  const hmac = createHmac(algorithm, key);
  for (const piece of payload) hmac.update(piece);
  return hmac.digest(encoding);
}

/** What is said of a delivery: `genuine`, or the reason. */
function said(settings: AuthenticitySettings, given: Message): string {
  const result = originOf(given, { authenticity: settings }, now);
  if (result.genuine) return 'genuine';
  expect(result.message).not.toContain(secret);
  expect(result.message).toContain('callbacks.authenticity');
  return result.reason;
}

test('without a setting everything is believed', () => {
  expect(said({ kind: 'none' }, message())).toBe('genuine');
});

test('a secret in the query, in a header or as bearer token has to be the one of the profile', () => {
  const rows: [AuthenticitySettings, (value: string) => Message][] = [
    [{ kind: 'query', parameter: 'key', secret }, (value) => message({}, `/callback/x?a=1&key=${value}`)],
    [{ kind: 'header', header: 'X-Secret', secret }, (value) => message({ 'x-secret': value })],
    [{ kind: 'bearer', secret }, (value) => message({ Authorization: `Bearer ${value}` })],
    [
      { kind: 'basic', user: 'esign', secret },
      (value) => message({ Authorization: `Basic ${Buffer.from(`esign:${value}`).toString('base64')}` }),
    ],
  ];
  for (const [settings, given] of rows) {
    expect(said(settings, given(secret)), settings.kind).toBe('genuine');
    expect(said(settings, given('another')), settings.kind).toBe('wrong');
    expect(said(settings, given(`${secret}x`)), settings.kind).toBe('wrong');
    expect(said(settings, message()), settings.kind).toBe('missing');
  }
});

test('an HMAC is verified in every form that a profile can describe', () => {
  const t = String(nowMs / 1_000);
  const hmac = (more: object): AuthenticitySettings => ({ kind: 'hmac', header: 'X-Sig', secret, ...more });
  type Headers = Record<string, string>;
  const rows: [title: string, AuthenticitySettings, signed: string, more?: Headers, target?: string][] = [
    ['hex over the body', hmac({}), mac([body])],
    ['hex in capitals', hmac({}), mac([body]).toUpperCase()],
    ['with a prefix', hmac({ prefix: 'sha256=' }), `sha256=${mac([body])}`],
    ['with a prefix that is missing', hmac({ prefix: 'sha256=' }), mac([body])],
    ['SHA-512', hmac({ encoding: 'base64', algorithm: 'sha512' }), mac([body], 'base64', 'sha512')],
    ['SHA-1', hmac({ encoding: 'base64url', algorithm: 'sha1' }), mac([body], 'base64url', 'sha1')],
    ['a secret in base64', hmac({ secret: btoa(secret), secretEncoding: 'base64' }), mac([body])],
    [
      'named fields with a time',
      hmac({
        fields: { signature: 'v1', timestamp: 't' },
        signedPayload: '{timestamp}.{body}',
        toleranceS: 300,
      }),
      `t=${t},v0=00,v1=00ff,v1=${mac([t, '.', body])}`,
    ],
    [
      'named fields with another separator',
      hmac({ fields: { separator: ';', signature: 'signature' }, encoding: 'base64' }),
      `keyId=1; signature=${mac([body], 'base64')}`,
    ],
    [
      'a time in a header of its own',
      hmac({ timestampHeader: 'X-Time', signedPayload: 'v0:{timestamp}:{body}' }),
      mac(['v0:', t, ':', body]),
      { 'x-time': t },
    ],
    [
      'method, target, URL and another header',
      hmac({ signedPayload: '{method} {target} {url} {header:X-Id}\n{body}' }),
      mac(['POST /callback/x?a=1 http://127.0.0.1/callback/x?a=1 7\n', body]),
      { 'x-id': '7' },
      '/callback/x?a=1',
    ],
  ];
  for (const [title, settings, signed, more, target] of rows) {
    const genuine = message({ 'x-sig': signed, ...more }, target);
    expect(said(settings, genuine), title).toBe('genuine');
    const other = { ...genuine, body: Buffer.from('{}') };
    expect(said(settings, other), `${title}, another body`).toBe('wrong');
    expect(said(settings, message()), `${title}, nothing`).toBe('missing');
  }
});

test('a wrong secret, another algorithm and garbage are told apart as far as possible', () => {
  const settings: AuthenticitySettings = { kind: 'hmac', header: 'X-Sig', secret };
  const told = (signature: string) => {
    const result = originOf(message({ 'x-sig': signature }), { authenticity: settings }, now);
    return result.genuine ? '' : result.message;
  };
  expect(told(mac([body], 'hex', 'sha256', 'another'))).toContain(
    'callbacks.authenticity.secret is not the one that the target signs with',
  );
  expect(told(mac([body], 'hex', 'sha1'))).toContain('it has 20 bytes where sha256 gives 32');
  expect(told('')).toContain('it has 0 bytes');
  expect(told('§§§')).toContain('it has 0 bytes');
});

test('Standard Webhooks are verified with several signatures and a time', () => {
  const key = Buffer.from(secret);
  const settings = { kind: 'standard-webhooks', secret: `whsec_${key.toString('base64')}` } as const;
  const signed = (seconds: number, more = '') => {
    const signature = mac([`msg_1.${seconds}.`, body], 'base64', 'sha256', key);
    return message({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1a,xx ${more}v1,${signature}`,
    });
  };
  const nowS = nowMs / 1_000;
  expect(said(settings, signed(nowS))).toBe('genuine');
  expect(said(settings, signed(nowS, 'v1,AAAA '))).toBe('genuine');
  expect(said(settings, signed(nowS - 299))).toBe('genuine');
  expect(said(settings, signed(nowS - 301))).toBe('stale');
  expect(said(settings, signed(nowS + 301))).toBe('stale');
  expect(said({ ...settings, secret: 'whsec_AAAA' }, signed(nowS))).toBe('wrong');
  expect(said(settings, { ...signed(nowS), body: Buffer.from('{}') })).toBe('wrong');
  for (const header of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    const given = signed(nowS);
    const headers = given.headers.filter(([name]) => name !== header);
    expect(said(settings, { ...given, headers }), header).toBe('missing');
  }
});

test('a time that is none makes a signature stale, not an error', () => {
  const fields = { signature: 'v1', timestamp: 't' };
  const settings: AuthenticitySettings = { kind: 'hmac', header: 'X-Sig', secret, fields, toleranceS: 300 };
  const at = (time: string) => said(settings, message({ 'x-sig': `${time}v1=${mac([body])}` }));
  expect([at('t=soon,'), at(''), at(`t=${now.at},`)]).toEqual(['stale', 'missing', 'genuine']);
});
