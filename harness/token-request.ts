/** Asks an authorization server for an access token: OAuth 2.0 client credentials (RFC 6749, section 4.4). */
import * as oauth from 'oauth4webapi';
import type { HeaderField } from './exchange.ts';
import type { HttpOutcome, HttpRequest } from './http.ts';
import type { AuthSettings } from './profile/auth-settings.ts';

/** Thrown when the target or its authorization server gives no token. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
}

/** How a request is sent: with the deadline, the certificates and the words for failures of all other calls. */
export type SendRequest = (request: HttpRequest) => Promise<HttpOutcome>;

type ClientCredentials = Extract<AuthSettings, { kind: 'client-credentials' }>;

/** Waits before the request is sent again, in milliseconds: asking twice for a token does no harm. */
const pausesMs = [200, 800];

/**
 * A token and how long it lives; `Infinity` when the server does not say.
 * @throws TokenError when there is none
 */
export async function clientCredentials(
  settings: ClientCredentials,
  send: SendRequest,
): Promise<{ readonly token: string; readonly lifetimeMs: number }> {
  const { tokenEndpoint, clientId, clientSecret, scope } = settings;
  const server: oauth.AuthorizationServer = {
    issuer: new URL(tokenEndpoint).origin,
    token_endpoint: tokenEndpoint,
  };
  const client: oauth.Client = { client_id: clientId };
  const authenticate =
    settings.method === 'body' ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret);
  try {
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      authenticate,
      scope ? { scope } : {},
      {
        [oauth.customFetch]: (url, options) => fetched(url, options, send),
        // A sandbox on this machine has no certificate.
        [oauth.allowInsecureRequests]: tokenEndpoint.startsWith('http:'),
      },
    );
    if (response.status >= 500 || response.status === 429) {
      throw new TokenError(`it was answered with ${response.status}`);
    }
    const granted = await oauth.processClientCredentialsResponse(server, client, response);
    const seconds = granted.expires_in ?? Number.POSITIVE_INFINITY;
    return { token: granted.access_token, lifetimeMs: seconds * 1000 };
  } catch (error) {
    throw new TokenError(`no access token from ${tokenEndpoint}: ${reason(error)}`, { cause: error });
  }
}

async function fetched(
  address: string,
  options: oauth.CustomFetchOptions<'POST', URLSearchParams>,
  send: SendRequest,
): Promise<Response> {
  const url = new URL(address);
  const body = Buffer.from(options.body.toString());
  const headers: HeaderField[] = [
    ['Host', url.host],
    ...Object.entries(options.headers),
    ['Content-Length', String(body.length)],
  ];
  const request: HttpRequest = { method: options.method, url, headers, body };
  let outcome = await send(request);
  for (const pauseMs of pausesMs) {
    if (!isPassing(outcome)) break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    outcome = await send(request);
  }
  if ('failure' in outcome) throw new TokenError(outcome.failure.message);
  const { response } = outcome;
  const fields = new Headers();
  for (const [name, value] of response.headers) fields.append(name, value);
  // The body is without its content coding already.
  fields.delete('content-encoding');
  const bodiless = [204, 205, 304].includes(response.status);
  return new Response(bodiless ? null : new Uint8Array(response.body), {
    status: response.status,
    headers: fields,
  });
}

/** Trouble that may be over in a moment. */
function isPassing(outcome: HttpOutcome): boolean {
  if ('response' in outcome) return outcome.response.status >= 500 || outcome.response.status === 429;
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'TRUNCATED', 'EAI_AGAIN'].includes(outcome.failure.code);
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof oauth.ResponseBodyError) {
    const described = error.error_description ? ` (${error.error_description})` : '';
    return `${error.status} ${error.error}${described}; look at auth.clientId, auth.clientSecret, auth.method and auth.scope of the profile`;
  }
  if (error instanceof TokenError) return error.message;
  const { cause } = error;
  const status = cause instanceof Response ? ` (status ${cause.status})` : '';
  return `its answer is none of an OAuth 2.0 token endpoint: ${error.message}${status}`;
}
