/** Dialect settings about addresses, tokens and what every call has in common. */
import { idForms } from '../ids.ts';
import { choice, flag, free } from './setting.ts';

export const accessSettings = {
  basePath: free('Path before all paths of the document, without a slash at its end.', ['', '/sandbox/v7']),
  tokenPath: free('Path of the OAuth 2.0 token endpoint, below basePath.', [
    '/oauth/token',
    '/connect/token',
  ]),
  tokenClient: choice(
    'How a client shows its secret at the token endpoint: none is shown by a public one, and with api-key it is a key in the header X-Api-Key or the field apiKey, for a token without a grant.',
    ['basic-or-body', 'basic', 'body', 'none', 'api-key'],
  ),
  tokenEncoding: choice('How the body of a token request is sent.', ['form', 'json', 'multipart']),
  authorizePath: free('Path of the page on which people let a client in, below basePath.', [
    '/oauth/authorize',
    '/connect/authorize',
  ]),
  tokenAnswer: choice(
    'Names in the answer of the token endpoint: of RFC 6749, or accessToken, refreshToken and expiresIn.',
    ['rfc6749', 'camelCase'],
  ),
  tokenLifetimeShown: flag('The answer of the token endpoint says how long the token lives.', true),
  tokenLifetimeSeconds: free('Lifetime of an access token in seconds.', [3600, 120]),
  refreshTokens: choice('Whether refresh tokens are given out, and whether using one replaces it.', [
    'none',
    'kept',
    'rotated',
  ]),
  tokenForm: choice(
    'Form of an access token: an opaque string, one with the three parts of a JWT, or a UUID, which is read in any letter case.',
    ['opaque', 'three-parts', 'uuid'],
  ),
  tokenScope: free('Scope without which no access token is given; empty: none is needed.', ['', 'sign']),
  bearerCase: choice('Whether "bearer" is taken in any letter case, as RFC 9110 says.', ['any', 'exact']),
  idForm: choice(
    'Form of requestId and signatoryId; with a slash, they have to be percent-encoded in a path.',
    idForms,
  ),
  visibleAfterMs: free(
    'Milliseconds for which later calls answer 404 to the id of a request or signatory that was just made.',
    [0, 150],
  ),
  jsonMediaType: choice('Content-Type of answers in JSON.', [
    'application/json',
    'application/json; charset=utf-8',
    'application/vnd.esign+json',
  ]),
  rateLimit: free(
    'Calls of documented endpoints that one account may make a second; 0 means any number. More are answered 429.',
    [0, 200],
  ),
} as const;
