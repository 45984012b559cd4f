/** The key `callbacks.authenticity` of a target profile: what proves that a callback comes from the target. */
import { type Static, Type } from '@sinclair/typebox';

const closed = { additionalProperties: false } as const;
const name = Type.String({ minLength: 1 });
const secret = Type.String({ minLength: 1, description: 'Refer to a variable of the environment.' });
const toleranceS = Type.Integer({
  minimum: 0,
  description: 'How far the signed time may be from that of arrival.',
});

const Hmac = Type.Object(
  {
    kind: Type.Literal('hmac'),
    header: Type.String({ minLength: 1, description: 'Header field that carries the signature.' }),
    secret,
    secretEncoding: Type.Optional(
      Type.Union([Type.Literal('utf8'), Type.Literal('hex'), Type.Literal('base64')], { default: 'utf8' }),
    ),
    algorithm: Type.Optional(
      Type.Union(
        [Type.Literal('sha1'), Type.Literal('sha256'), Type.Literal('sha384'), Type.Literal('sha512')],
        {
          default: 'sha256',
        },
      ),
    ),
    encoding: Type.Optional(
      Type.Union([Type.Literal('hex'), Type.Literal('base64'), Type.Literal('base64url')], {
        default: 'hex',
      }),
    ),
    prefix: Type.Optional(
      Type.String({ description: 'Stands before the signature, such as "sha256="; it may be missing.' }),
    ),
    fields: Type.Optional(
      Type.Object(
        {
          separator: Type.Optional(Type.String({ minLength: 1, default: ',' })),
          signature: Type.String({ minLength: 1, description: 'Name of the field with the signature: v1.' }),
          timestamp: Type.Optional(
            Type.String({ minLength: 1, description: 'Name of that with the time: t.' }),
          ),
        },
        { ...closed, description: 'For a header of named fields such as "t=1700000000,v1=ab…".' },
      ),
    ),
    timestampHeader: Type.Optional(name),
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

export const AuthenticitySettings = Type.Union([
  Type.Object({ kind: Type.Literal('none') }, closed),
  Type.Object({ kind: Type.Literal('query'), parameter: name, secret }, closed),
  Type.Object({ kind: Type.Literal('header'), header: name, secret }, closed),
  Type.Object({ kind: Type.Literal('bearer'), secret }, closed),
  Hmac,
  Type.Object(
    { kind: Type.Literal('standard-webhooks'), secret, toleranceS: Type.Optional(toleranceS) },
    closed,
  ),
]);

export type AuthenticitySettings = Static<typeof AuthenticitySettings>;
export type HmacSettings = Static<typeof Hmac>;
