/** The part `auth` of a target profile: where access tokens come from. */
import { type Static, type TProperties, Type } from '@sinclair/typebox';
import { atLeast, literals, mapping, nonEmpty, text } from '../../record/schema-parts.ts';
import { aPlace, CallTemplate, secretText, textsByName } from './parts.ts';

const secret = (description: string) =>
  secretText(`${description} A reference to the environment: \${NAME}.`);

/** Keys that every kind of `auth` may have. */
const expiredToken = secret('An access token whose lifetime has passed, for the checks of expired tokens.');

const encoding = literals(
  ['form', 'json', 'multipart'],
  'How the body is sent: form (application/x-www-form-urlencoded), json, or multipart (form-data).',
);

/** Keys of the kinds that ask an authorization server. */
const keysOfServers = {
  answer: mapping(
    {
      accessToken: aPlace('Leads to the access token; /access_token by default.'),
      refreshToken: aPlace('Leads to the refresh token; /refresh_token by default.'),
      lifetime: aPlace(
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
  lifetimeS: atLeast(1, 'How long an access token lives, in seconds, where the answer does not say it.'),
  tokenFile: nonEmpty(
    'File, relative to the profile, that keeps a replaced refresh token, and access tokens until they have expired. Only you can read it.',
  ),
  expiredToken,
};

/** Keys of the kinds that ask the token endpoint of OAuth 2.0. */
const endpoint = {
  tokenEndpoint: Type.String({
    pattern: '^(?:/|https?://)',
    description: 'URL of the token endpoint; below the base URL when it begins with a slash.',
  }),
  clientId: nonEmpty('Client identifier.'),
  method: literals(
    ['basic', 'body'],
    'Where the client secret is sent: Authorization header or body.',
    'basic',
  ),
  encoding,
  scope: text('Scopes to ask for, separated by spaces.'),
  parameters: textsByName(
    'More parameters for the token endpoint and the login page, such as audience or resource.',
  ),
};

const { method, url, headers, body, accept } = CallTemplate.properties;
const tokenCall = (variables: string) =>
  mapping(
    { method, url, headers, body, encoding, accept },
    `A call that gives an access token. ${variables}`,
    ['method', 'url'],
  );

const kind = <const Name extends string, Parts extends TProperties, Needed extends keyof Parts>(
  name: Name,
  description: string,
  needed: readonly Needed[],
  parts: Parts,
) => mapping({ kind: Type.Literal(name, { description }), ...parts }, undefined, ['kind', ...needed]);

const StaticToken = kind('static', 'An access token that is valid for the whole run.', ['token'], {
  token: secret('The access token.'),
  expiredToken,
});

const ClientCredentials = kind(
  'client-credentials',
  'An access token by the OAuth 2.0 client credentials grant (RFC 6749, section 4.4).',
  ['clientId', 'clientSecret'],
  {
    ...endpoint,
    clientSecret: secret('The client secret.'),
    call: tokenCall('Instead of tokenEndpoint. {clientId} and {clientSecret} are filled in.'),
    ...keysOfServers,
  },
);

const RefreshToken = kind(
  'refresh-token',
  'An access token for a refresh token (RFC 6749, section 6), or by a call of your own.',
  ['refreshToken'],
  {
    refreshToken: secret('The refresh token.'),
    ...endpoint,
    clientSecret: secret('The client secret, of a client that has one.'),
    reusable: Type.Boolean({
      description:
        'Whether the refresh token goes on working after another one was given, so that no file has to keep that.',
    }),
    call: tokenCall(
      'Instead of tokenEndpoint. {refreshToken} is filled in, {clientId} and {clientSecret} too.',
    ),
    ...keysOfServers,
  },
);

const ApiKey = kind('api-key', 'An access token for an API key, by a call of your own.', ['call'], {
  call: tokenCall(`The key stands in it as a reference to the environment: \${NAME}.`),
  ...keysOfServers,
});

const AuthorizationCode = kind(
  'authorization-code',
  'An access token that the command login got by the authorization code grant with PKCE (RFC 6749, RFC 7636).',
  ['authorizationEndpoint', 'tokenEndpoint', 'clientId'],
  {
    authorizationEndpoint: Type.String({
      pattern: '^https?://',
      description: 'URL of the page where people log in.',
    }),
    ...endpoint,
    clientSecret: secret('The client secret, of a client that has one.'),
    redirectUri: Type.String({
      pattern: '^http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?(/|$)',
      default: 'http://127.0.0.1/callback',
      description:
        'Where the browser is sent back to, on this machine; without a port any free one is taken.',
    }),
    ...keysOfServers,
  },
);

export const Auth = Type.Union([StaticToken, ClientCredentials, RefreshToken, AuthorizationCode, ApiKey], {
  description:
    'How calls are authorized; kind is static, client-credentials, refresh-token, authorization-code or api-key. Some keys belong to several kinds.',
});

export type AuthSettings = Static<typeof Auth>;
type AuthKind = AuthSettings['kind'];
export type AuthOf<Kind extends AuthKind> = Extract<AuthSettings, { kind: Kind }>;
/** Settings of a kind that asks an authorization server. */
export type AskingAuth = Exclude<AuthSettings, { kind: 'static' }>;
export type TokenCall = AuthOf<'api-key'>['call'];
