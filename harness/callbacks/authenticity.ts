/** Tells whether a delivery comes from the target: shared secrets, Basic, bearer tokens, HMAC, Standard Webhooks. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type Message, queryOf } from '../../record/delivery.ts';
import { headerOf } from '../../record/exchange.ts';
import type { AuthenticitySettings, CallbackSettings, HmacSettings } from '../profile/callback-settings.ts';

/** `missing`: no proof is there; `wrong`: the proof does not fit; `stale`: it fits, but its time is too far away. */
export type Authenticity =
  | { readonly genuine: true; readonly by: AuthenticitySettings['kind'] }
  | { readonly genuine: false; readonly reason: 'missing' | 'wrong' | 'stale'; readonly message: string };

const key = 'callbacks.authenticity';

/**
 * Checks the origin of a delivery as the profile says; where it says nothing, every delivery is genuine. Messages name the
 * setting to look at, never a secret.
 * @param arrived when the delivery arrived, in ISO 8601, for settings with a tolerance
 */
export function originOf(
  message: Message,
  { authenticity: settings = { kind: 'none' } }: Pick<CallbackSettings, 'authenticity'>,
  arrived: { readonly at: string },
): Authenticity {
  const nowMs = Date.parse(arrived.at);
  switch (settings.kind) {
    case 'none':
      return { genuine: true, by: 'none' };
    case 'query': {
      const { parameter, secret } = settings;
      return shared('query', queryOf(message.target, parameter), secret, `query parameter ${parameter}`);
    }
    case 'header': {
      const { header, secret } = settings;
      return shared(settings.kind, headerOf(message.headers, header), secret, `header ${header}`);
    }
    case 'bearer': {
      const token = /^bearer +(.*)$/i.exec(headerOf(message.headers, 'authorization') ?? '')?.[1];
      return shared(settings.kind, token, settings.secret, 'bearer token of the header Authorization');
    }
    case 'basic': {
      const given = /^basic +(.*)$/i.exec(headerOf(message.headers, 'authorization') ?? '')?.[1];
      const expected = Buffer.from(`${settings.user}:${settings.secret}`).toString('base64');
      return shared(
        settings.kind,
        given?.trim(),
        expected,
        `user name (${key}.user) and password of Basic in the header Authorization`,
      );
    }
    case 'hmac':
      return hmac(message, settings, nowMs);
    case 'standard-webhooks':
      return standardWebhooks(message, settings.secret, settings.toleranceS ?? 300, nowMs);
  }
}

function shared(
  by: AuthenticitySettings['kind'],
  given: string | undefined,
  secret: string,
  place: string,
): Authenticity {
  if (given === undefined) return missing(place);
  if (same(given, secret)) return { genuine: true, by };
  return wrong(`the ${place} is not the one of ${key}.secret`);
}

/** A header of signatures, made of named fields or of one value, over the bytes that a template describes. */
function hmac(message: Message, settings: HmacSettings, nowMs: number): Authenticity {
  const { header, fields, algorithm = 'sha256', encoding = 'hex', signedPayload = '{body}' } = settings;
  const value = headerOf(message.headers, header);
  if (value === undefined) return missing(`header ${header}`);
  const named = fields ? fieldsOf(value, fields.separator ?? ',') : undefined;
  const signatures = fields
    ? (named ?? []).filter(([name]) => name === fields.signature).map(([, signature]) => signature)
    : [value.trim()];
  if (signatures.length === 0) return missing(`field ${fields?.signature} of the header ${header}`);
  const timestamp = settings.timestampHeader
    ? headerOf(message.headers, settings.timestampHeader)
    : named?.find(([name]) => name === fields?.timestamp)?.[1];
  if (timestamp === undefined && (signedPayload.includes('{timestamp}') || settings.toleranceS !== undefined))
    return missing(
      settings.timestampHeader ? `header ${settings.timestampHeader}` : `time in the header ${header}`,
    );
  const expected = digest(
    algorithm,
    Buffer.from(settings.secret, settings.secretEncoding ?? 'utf8'),
    signedBytes(signedPayload, message, timestamp),
  );
  const received = signatures.map((signature) =>
    Buffer.from(withoutPrefix(signature, settings.prefix), encoding),
  );
  if (!received.some((signature) => sameBytes(signature, expected))) {
    const length = received[0]?.length ?? 0;
    const hint =
      length === expected.length
        ? `${key}.secret is not the one that the target signs with, or ${key}.signedPayload is not what it signs`
        : `it has ${length} bytes where ${algorithm} gives ${expected.length}: look at ${key}.algorithm, encoding and prefix`;
    return wrong(`the signature in the header ${header} does not fit: ${hint}`);
  }
  return fresh('hmac', timestamp, settings.toleranceS, nowMs);
}

/** Standard Webhooks: `webhook-id`, `webhook-timestamp` and one or more `v1,<base64>` in `webhook-signature`. */
function standardWebhooks(message: Message, secret: string, toleranceS: number, nowMs: number): Authenticity {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(message.headers, name),
  );
  if (id === undefined) return missing('header webhook-id');
  if (timestamp === undefined) return missing('header webhook-timestamp');
  const given = signatures?.split(' ').flatMap((signature) => /^v1,(.*)$/.exec(signature)?.[1] ?? []);
  if (!given?.length) return missing('signature v1 in the header webhook-signature');
  const expected = digest('sha256', Buffer.from(withoutPrefix(secret, 'whsec_'), 'base64'), [
    Buffer.from(`${id}.${timestamp}.`),
    message.body,
  ]);
  if (!given.some((signature) => sameBytes(Buffer.from(signature, 'base64'), expected)))
    return wrong(
      `no signature in the header webhook-signature fits: ${key}.secret is not the one that the target signs with`,
    );
  return fresh('standard-webhooks', timestamp, toleranceS, nowMs);
}

/** The bytes that the template describes. The body goes in as bytes: it need not be text. */
function signedBytes(template: string, message: Message, timestamp = ''): readonly Uint8Array[] {
  return template
    .split(/(\{body\}|\{timestamp\}|\{url\}|\{target\}|\{method\}|\{header:[^}]+\})/)
    .map((piece) => {
      if (piece === '{body}') return message.body;
      if (piece === '{timestamp}') return Buffer.from(timestamp);
      if (piece === '{url}') return Buffer.from(message.url);
      if (piece === '{target}') return Buffer.from(message.target);
      if (piece === '{method}') return Buffer.from(message.method);
      const header = /^\{header:(.+)\}$/.exec(piece)?.[1];
      return Buffer.from(header === undefined ? piece : (headerOf(message.headers, header) ?? ''));
    });
}

/** `a=1,b=2` as names and values; a value may contain further equals signs. */
function fieldsOf(value: string, separator: string): (readonly [string, string])[] {
  return value.split(separator).map((field) => {
    const at = field.indexOf('=');
    return at < 0 ? [field.trim(), ''] : [field.slice(0, at).trim(), field.slice(at + 1).trim()];
  });
}

function fresh(
  by: AuthenticitySettings['kind'],
  timestamp: string | undefined,
  toleranceS: number | undefined,
  nowMs: number,
): Authenticity {
  if (toleranceS === undefined || timestamp === undefined) return { genuine: true, by };
  const number = Number(timestamp);
  const signedMs = Number.isNaN(number) ? Date.parse(timestamp) : number * (number > 1e11 ? 1 : 1000);
  const apartS = Math.round(Math.abs(nowMs - signedMs) / 1000);
  if (apartS <= toleranceS) return { genuine: true, by };
  return {
    genuine: false,
    reason: 'stale',
    message: `the signature fits, but its time "${timestamp}" is ${Number.isNaN(apartS) ? 'none' : `${apartS} s from that of arrival`} (${key}.toleranceS: ${toleranceS})`,
  };
}

function digest(algorithm: string, secret: Uint8Array, pieces: readonly Uint8Array[]): Buffer {
  const mac = createHmac(algorithm, secret);
  for (const piece of pieces) mac.update(piece);
  return mac.digest();
}

function withoutPrefix(text: string, prefix = ''): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

/** Compares in a time that tells neither content nor length. */
function same(a: string, b: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}

const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

function missing(place: string): Authenticity {
  return { genuine: false, reason: 'missing', message: `the delivery has no ${place} (${key})` };
}

function wrong(message: string): Authenticity {
  return { genuine: false, reason: 'wrong', message: `${message} (${key})` };
}
