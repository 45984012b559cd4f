/** The part `auth` of a target profile: where access tokens come from. */
import { type Static, Type } from '@sinclair/typebox';
import { closed } from './parts.ts';

const secret = (description: string) =>
  Type.String({ minLength: 1, description: `${description} Refer to a variable of the environment.` });
const expiredToken = Type.Optional(
  secret('An access token whose lifetime has passed, for the checks of expired tokens.'),
);

const StaticToken = Type.Object(
  {
    kind: Type.Literal('static', { description: 'An access token that is valid for the whole run.' }),
    token: secret('The access token.'),
    expiredToken,
  },
  closed,
);

const ClientCredentials = Type.Object(
  {
    kind: Type.Literal('client-credentials', {
      description: 'An access token by the OAuth 2.0 client credentials grant (RFC 6749, section 4.4).',
    }),
    tokenEndpoint: Type.String({ pattern: '^https?://', description: 'URL of the token endpoint.' }),
    clientId: Type.String({ minLength: 1, description: 'Client identifier.' }),
    clientSecret: secret('The client secret.'),
    method: Type.Optional(
      Type.Union([Type.Literal('basic'), Type.Literal('body')], {
        default: 'basic',
        description: 'Where the client secret is sent: Authorization header or form body.',
      }),
    ),
    scope: Type.Optional(Type.String({ description: 'Scopes to ask for, separated by spaces.' })),
    expiredToken,
  },
  closed,
);

export const Auth = Type.Union([StaticToken, ClientCredentials], {
  description: 'How calls are authorized.',
});

export type AuthSettings = Static<typeof Auth>;
