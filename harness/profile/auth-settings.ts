/** The part `auth` of a target profile: where access tokens come from. */
import { type Static, type TProperties, Type } from '@sinclair/typebox';
import { atLeast, filled, literals, mapping, object, optional, text } from '../../record/schema-parts.ts';
import { CallTemplate, named, placeOf, secretText } from './parts.ts';

const secret = (description: string) =>
  secretText(`${description} A reference to the environment: \${NAME}.`);

/** What every kind may have. */
const expiredToken = optional(
  secret('An access token whose lifetime has passed, for the checks of expired tokens.'),
);

const encoding = optional(
  literals(
    ['form', 'json', 'multipart'],
    'How the body is sent: form (application/x-www-form-urlencoded), json, or multipart (form-data).',
  ),
);

/** Of kinds that ask an authorization server. */
const asked = {
  answer: optional(
    mapping(
      {
        accessToken: placeOf('Leads to the access token; /access_token by default.'),
        refreshToken: placeOf('Leads to the refresh token; /refresh_token by default.'),
        lifetime: placeOf(
          'Leads to how long the access token lives (a number, or an ISO 8601 duration such as PT1H), or until when (a date); /expires_in by default.',
        ),
        lifetimeUnit: literals(
          ['s', 'ms', 'min', 'unix-s', 'unix-ms'],
          'What the lifetime counts: seconds (the default), or with unix-… the time since 1970.',
          's',
        ),
      },
      'Where things stand in the answer of the authorization server.',
    ),
  ),
  lifetimeS: optional(
    atLeast(1, 'How long an access token lives, in seconds, where the answer does not say it.'),
  ),
  tokenFile: optional(
    filled(
      'File, relative to the profile, that keeps a replaced refresh token, and access tokens until they have expired. Only you can read it.',
    ),
  ),
  expiredToken,
};

/** Of kinds that ask the token endpoint of OAuth 2.0. */
const endpoint = {
  tokenEndpoint: Type.String({
    pattern: '^(?:/|https?://)',
    description: 'URL of the token endpoint; below the base URL when it begins with a slash.',
  }),
  clientId: filled('Client identifier.'),
  method: optional(
    literals(['basic', 'body'], 'Where the client secret is sent: Authorization header or body.', 'basic'),
  ),
  encoding,
  scope: optional(text('Scopes to ask for, separated by spaces.')),
  parameters: optional(
    named('More parameters for the token endpoint and the login page, such as audience or resource.'),
  ),
};

const { method, url, headers, body, accept } = CallTemplate.properties;
const tokenCall = (variables: string) =>
  object({ method, url, headers, body, encoding, accept }, `A call that gives an access token. ${variables}`);

const kind = <const Name extends string, Parts extends TProperties>(
  name: Name,
  description: string,
  parts: Parts,
) => object({ kind: Type.Literal(name, { description }), ...parts });

const StaticToken = kind('static', 'An access token that is valid for the whole run.', {
  token: secret('The access token.'),
  expiredToken,
});

const ClientCredentials = kind(
  'client-credentials',
  'An access token by the OAuth 2.0 client credentials grant (RFC 6749, section 4.4).',
  {
    ...endpoint,
    tokenEndpoint: optional(endpoint.tokenEndpoint),
    clientSecret: secret('The client secret.'),
    call: optional(tokenCall('Instead of tokenEndpoint. {clientId} and {clientSecret} are filled in.')),
    ...asked,
  },
);

const RefreshToken = kind(
  'refresh-token',
  'An access token for a refresh token (RFC 6749, section 6), or by a call of your own.',
  {
    refreshToken: secret('The refresh token.'),
    ...endpoint,
    tokenEndpoint: optional(endpoint.tokenEndpoint),
    clientId: optional(endpoint.clientId),
    clientSecret: optional(secret('The client secret, of a client that has one.')),
    reusable: optional(
      Type.Boolean({
        description:
          'Whether the refresh token goes on working after another one was given, so that no file has to keep that.',
      }),
    ),
    call: optional(
      tokenCall('Instead of tokenEndpoint. {refreshToken} is filled in, {clientId} and {clientSecret} too.'),
    ),
    ...asked,
  },
);

const ApiKey = kind('api-key', 'An access token for an API key, by a call of your own.', {
  call: tokenCall(`The key stands in it as a reference to the environment: \${NAME}.`),
  ...asked,
});

const AuthorizationCode = kind(
  'authorization-code',
  'An access token that the command login got by the authorization code grant with PKCE (RFC 6749, RFC 7636).',
  {
    authorizationEndpoint: Type.String({
      pattern: '^https?://',
      description: 'URL of the page where people log in.',
    }),
    ...endpoint,
    clientSecret: optional(secret('The client secret, of a client that has one.')),
    redirectUri: optional(
      Type.String({
        pattern: '^http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?(/|$)',
        default: 'http://127.0.0.1/callback',
        description:
          'Where the browser is sent back to, on this machine; without a port any free one is taken.',
      }),
    ),
    ...asked,
  },
);

export const Auth = Type.Union([StaticToken, ClientCredentials, RefreshToken, AuthorizationCode, ApiKey], {
  description: 'How calls are authorized. What stands before the first kind belongs to several of them.',
});

export type AuthSettings = Static<typeof Auth>;
export type AuthKind = AuthSettings['kind'];
/** Settings of one kind. */
export type AuthOf<Kind extends AuthKind> = Extract<AuthSettings, { kind: Kind }>;
/** Settings of a kind that asks an authorization server. */
export type AskingAuth = Exclude<AuthSettings, { kind: 'static' }>;
export type TokenCall = AuthOf<'api-key'>['call'];
