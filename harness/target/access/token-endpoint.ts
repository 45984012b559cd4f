/** Asks the token endpoint of OAuth 2.0 for an access token; body and answer may look as the profile says. */
import * as oauth from 'oauth4webapi';
import type { HeaderField } from '../../../record/exchange.ts';
import type { AskingAuth, AuthOf } from '../../profile/auth-settings.ts';
import type { Grant } from '../../profile/token-file.ts';
import { fieldsBody, grantOf, type SendRequest, TokenError, tokenAnswer } from './token-request.ts';

/** What asking a token endpoint takes. */
export type EndpointSettings = Pick<AuthOf<'authorization-code'>, 'tokenEndpoint'> &
  Pick<
    AuthOf<'refresh-token'>,
    'clientId' | 'clientSecret' | 'method' | 'encoding' | 'scope' | 'parameters' | 'reusable'
  > &
  Pick<AskingAuth, 'answer' | 'lifetimeS'>;

/** What came back to the redirect URI, as the library has checked it, and what it belongs to. */
export interface ReceivedCode {
  readonly parameters: URLSearchParams;
  readonly redirectUri: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

const look = (keys: string) => `look at ${keys} of the profile`;

/**
 * RFC 6749, section 4.4.
 * @throws TokenError when there is no token to be had
 */
export function byClientCredentials(settings: EndpointSettings, send: SendRequest): Promise<Grant> {
  const hint = look('auth.clientId, auth.clientSecret, auth.method and auth.scope');
  return granted(settings, send, { hint }, (server, client, authenticate, options) =>
    oauth.clientCredentialsGrantRequest(server, client, authenticate, added(settings), options),
  );
}

/**
 * RFC 6749, section 6.
 * @param hint where a new refresh token comes from
 * @throws TokenError when there is no token to be had
 */
export function byRefreshToken(
  settings: EndpointSettings,
  refreshToken: string,
  hint: string,
  send: SendRequest,
): Promise<Grant> {
  // It may be replaced, and then works once.
  const once = !settings.reusable;
  return granted(settings, send, { hint, once }, (server, client, authenticate, options) =>
    oauth.refreshTokenGrantRequest(server, client, authenticate, refreshToken, {
      ...options,
      additionalParameters: added(settings),
    }),
  );
}

/**
 * RFC 6749, section 4.1.3, with the verifier of RFC 7636.
 * @throws TokenError when there is no token to be had
 */
export function byCode(
  settings: EndpointSettings,
  { parameters, redirectUri, verifier }: ReceivedCode,
  send: SendRequest,
): Promise<Grant> {
  const hint = look('auth.clientId, auth.clientSecret, auth.method and auth.redirectUri');
  const { scope: _, ...rest } = settings;
  return granted(rest, send, { hint, once: true }, (server, client, authenticate, options) =>
    oauth.authorizationCodeGrantRequest(server, client, authenticate, parameters, redirectUri, verifier, {
      ...options,
      additionalParameters: added(rest),
    }),
  );
}

function added({ scope, parameters }: EndpointSettings): Record<string, string> {
  return { ...parameters, ...(scope ? { scope } : {}) };
}

interface Options {
  readonly [oauth.customFetch]: (
    url: string,
    options: oauth.CustomFetchOptions<'POST', URLSearchParams>,
  ) => Promise<Response>;
  readonly [oauth.allowInsecureRequests]: boolean;
}

/** Lets the library make the request, and sends it as the profile says. */
async function granted(
  settings: EndpointSettings,
  send: SendRequest,
  about: { readonly hint: string; readonly once?: boolean },
  ask: (
    server: oauth.AuthorizationServer,
    client: oauth.Client,
    authenticate: oauth.ClientAuth,
    options: Options,
  ) => Promise<Response>,
): Promise<Grant> {
  const { tokenEndpoint, encoding = 'form' } = settings;
  let grant: Grant | null = null;
  const options: Options = {
    [oauth.customFetch]: async (address, { method, headers, body: parameters }) => {
      const url = new URL(address);
      const { body, contentType } = await fieldsBody(Object.fromEntries(parameters), encoding);
      const fields: HeaderField[] = [
        ['Host', url.host],
        ...Object.entries(headers).filter(([name]) => name !== 'content-type'),
        ['Content-Type', contentType],
        ['Content-Length', String(body.length)],
      ];
      grant = grantOf(await tokenAnswer({ method, url, headers: fields, body }, send, about), settings);
      return new Response();
    },
    // A sandbox on this machine has no certificate.
    [oauth.allowInsecureRequests]: tokenEndpoint.startsWith('http:'),
  };
  try {
    const server = { issuer: new URL(tokenEndpoint).origin, token_endpoint: tokenEndpoint };
    await ask(server, { client_id: settings.clientId ?? 'none' }, authentication(settings), options);
  } catch (error) {
    throw new TokenError(`no access token from ${tokenEndpoint}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  if (grant === null) throw new TokenError(`no access token from ${tokenEndpoint}: it was not asked`);
  return grant;
}

function authentication({ clientId, clientSecret, method }: EndpointSettings): oauth.ClientAuth {
  // A refresh token may be all that the server asks for.
  if (clientId === undefined) return () => undefined;
  if (clientSecret === undefined) return oauth.None();
  return method === 'body' ? oauth.ClientSecretPost(clientSecret) : basic(clientId, clientSecret);
}

/** RFC 6749, section 2.3.1. The library also encodes `-`, `.`, `_` and `*`, which servers that decode nothing cannot read. */
function basic(...credentials: readonly string[]): oauth.ClientAuth {
  const encoded = credentials.map((each) => new URLSearchParams({ '': each }).toString().slice(1));
  const authorization = `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
  return (_server, _client, _body, headers) => headers.set('Authorization', authorization);
}
