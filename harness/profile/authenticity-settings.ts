/** The key `callbacks.authenticity` of a target profile: what proves that a callback comes from the target. */
import { type Static, Type } from '@sinclair/typebox';
import { closed } from './parts.ts';

const name = (description: string) => Type.String({ minLength: 1, description });
/** What proves the origin: the value of `kind`. */
const kind = <const Kind extends string>(value: Kind, description: string) =>
  Type.Literal(value, { description });
const secret = Type.String({
  minLength: 1,
  writeOnly: true,
  description: 'Refer to a variable of the environment.',
});
const toleranceS = Type.Integer({
  minimum: 0,
  description: 'How far the signed time may be from that of arrival.',
});

const Hmac = Type.Object(
  {
    kind: kind('hmac', 'A signature over the delivery by HMAC (RFC 2104).'),
    header: Type.String({ minLength: 1, description: 'Header field that carries the signature.' }),
    secret,
    secretEncoding: Type.Optional(
      Type.Union([Type.Literal('utf8'), Type.Literal('hex'), Type.Literal('base64')], {
        default: 'utf8',
        description: 'How the bytes of the key are written in secret.',
      }),
    ),
    algorithm: Type.Optional(
      Type.Union(
        [Type.Literal('sha1'), Type.Literal('sha256'), Type.Literal('sha384'), Type.Literal('sha512')],
        {
          default: 'sha256',
          description: 'Hash function of the signature.',
        },
      ),
    ),
    encoding: Type.Optional(
      Type.Union([Type.Literal('hex'), Type.Literal('base64'), Type.Literal('base64url')], {
        default: 'hex',
        description: 'How the bytes of the signature are written in the header.',
      }),
    ),
    prefix: Type.Optional(
      Type.String({ description: 'Stands before the signature, such as "sha256="; it may be missing.' }),
    ),
    fields: Type.Optional(
      Type.Object(
        {
          separator: Type.Optional(
            Type.String({ minLength: 1, default: ',', description: 'Stands between two fields.' }),
          ),
          signature: Type.String({ minLength: 1, description: 'Name of the field with the signature: v1.' }),
          timestamp: Type.Optional(
            Type.String({ minLength: 1, description: 'Name of that with the time: t.' }),
          ),
        },
        { ...closed, description: 'For a header of named fields such as "t=1700000000,v1=ab…".' },
      ),
    ),
    timestampHeader: Type.Optional(name('Header field that carries the signed time.')),
    signedPayload: Type.Optional(
      Type.String({
        default: '{body}',
        description: 'What is signed: {body}, {timestamp}, {url}, {target}, {method}, {header:Name}.',
      }),
    ),
    toleranceS: Type.Optional(toleranceS),
  },
  closed,
);

export const AuthenticitySettings = Type.Union(
  [
    Type.Object({ kind: kind('none', 'Nothing proves it.') }, closed),
    Type.Object(
      {
        kind: kind('query', 'A secret in the query of CallbackUrl.'),
        parameter: name('Name of the query parameter.'),
        secret,
      },
      closed,
    ),
    Type.Object(
      {
        kind: kind('header', 'A secret in a header field.'),
        header: name('Name of the header field.'),
        secret,
      },
      closed,
    ),
    Type.Object(
      {
        kind: kind('basic', 'User name and secret by HTTP Basic authentication (RFC 7617).'),
        user: name('User name of the target at the callback address.'),
        secret,
      },
      closed,
    ),
    Type.Object({ kind: kind('bearer', 'A secret as bearer token in Authorization.'), secret }, closed),
    Hmac,
    Type.Object(
      {
        kind: kind('standard-webhooks', 'A signature by Standard Webhooks.'),
        secret,
        toleranceS: Type.Optional(toleranceS),
      },
      closed,
    ),
  ],
  { description: 'What proves that a callback comes from the target.' },
);

export type AuthenticitySettings = Static<typeof AuthenticitySettings>;
export type HmacSettings = Static<typeof Hmac>;

/** What CallbackUrl has to carry in its query where a secret there is the proof of origin. */
export function queryProof(settings: AuthenticitySettings | undefined): Record<string, string> {
  return settings?.kind === 'query' ? { [settings.parameter]: settings.secret } : {};
}
