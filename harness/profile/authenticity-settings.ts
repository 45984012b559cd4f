/** The key `callbacks.authenticity` of a target profile: what proves that a callback comes from the target. */
import { type Static, Type } from '@sinclair/typebox';
import { count, filled, literals, object, optional, text } from '../../record/schema-parts.ts';

const name = (description: string) => filled(description);
/** What proves the origin: the value of `kind`. */
const kind = <const Kind extends string>(value: Kind, description: string) =>
  Type.Literal(value, { description });
const secret = Type.String({
  minLength: 1,
  writeOnly: true,
  description: 'Refer to a variable of the environment.',
});
const toleranceS = count('How far the signed time may be from that of arrival.');

const Hmac = object({
  kind: kind('hmac', 'A signature over the delivery by HMAC (RFC 2104).'),
  header: filled('Header field that carries the signature.'),
  secret,
  secretEncoding: optional(
    literals(['utf8', 'hex', 'base64'], 'How the bytes of the key are written in secret.', 'utf8'),
  ),
  algorithm: optional(
    literals(['sha1', 'sha256', 'sha384', 'sha512'], 'Hash function of the signature.', 'sha256'),
  ),
  encoding: optional(
    literals(
      ['hex', 'base64', 'base64url'],
      'How the bytes of the signature are written in the header.',
      'hex',
    ),
  ),
  prefix: optional(text('Stands before the signature, such as "sha256="; it may be missing.')),
  fields: optional(
    object(
      {
        separator: optional(
          Type.String({ minLength: 1, default: ',', description: 'Stands between two fields.' }),
        ),
        signature: filled('Name of the field with the signature: v1.'),
        timestamp: optional(filled('Name of that with the time: t.')),
      },
      'For a header of named fields such as "t=1700000000,v1=ab…".',
    ),
  ),
  timestampHeader: optional(name('Header field that carries the signed time.')),
  signedPayload: optional(
    Type.String({
      default: '{body}',
      description: 'What is signed: {body}, {timestamp}, {url}, {target}, {method}, {header:Name}.',
    }),
  ),
  toleranceS: optional(toleranceS),
});

export const AuthenticitySettings = Type.Union(
  [
    object({ kind: kind('none', 'Nothing proves it.') }),
    object({
      kind: kind('query', 'A secret in the query of CallbackUrl.'),
      parameter: name('Name of the query parameter.'),
      secret,
    }),
    object({
      kind: kind('header', 'A secret in a header field.'),
      header: name('Name of the header field.'),
      secret,
    }),
    object({
      kind: kind('basic', 'User name and secret by HTTP Basic authentication (RFC 7617).'),
      user: name('User name of the target at the callback address.'),
      secret,
    }),
    object({ kind: kind('bearer', 'A secret as bearer token in Authorization.'), secret }),
    Hmac,
    object({
      kind: kind('standard-webhooks', 'A signature by Standard Webhooks.'),
      secret,
      toleranceS: optional(toleranceS),
    }),
  ],
  { description: 'What proves that a callback comes from the target.' },
);

export type AuthenticitySettings = Static<typeof AuthenticitySettings>;
export type HmacSettings = Static<typeof Hmac>;

/** What CallbackUrl has to carry in its query where a secret there is the proof of origin. */
export function queryProof(settings: AuthenticitySettings | undefined): Record<string, string> {
  return settings?.kind === 'query' ? { [settings.parameter]: settings.secret } : {};
}
