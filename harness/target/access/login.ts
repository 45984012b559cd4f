/** Logs a person in: the authorization code grant with PKCE (RFC 6749 section 4.1, RFC 7636, RFC 8252). */
import http from 'node:http';
import * as oauth from 'oauth4webapi';
import { ConfigurationError } from '../../../record/errors.ts';
import type { AuthOf } from '../../profile/auth-settings.ts';
import type { Grant } from '../../profile/token-file.ts';
import { withinTime } from '../../untrusted/deadline.ts';
import { listening } from '../../wire/listening.ts';
import { grantFor } from './token-endpoint.ts';
import { learning, type SendRequest, short, TokenError } from './token-request.ts';

interface LoginParts {
  readonly send: SendRequest;
  /** Called with each secret before it is used. */
  readonly learn: (secret: string, label: string) => void;
  /** Shows a person the address of the login page, and where the answer is waited for. */
  readonly show: (address: string, redirectUri: string) => void;
  /** How long the person has, in milliseconds. */
  readonly timeoutMs: number;
}

/** How long the browser has to get its answer before all connections are closed. */
const answeredMs = 500;

const hint = 'look at auth.clientId, auth.clientSecret, auth.method and auth.redirectUri of the profile';

const defaultRedirectUri = 'http://127.0.0.1/callback';

/**
 * @throws TokenError when nobody logs in in time, the person or the server says no, or no token comes of it
 * @throws ConfigurationError when the port of the redirect URI is taken
 */
export async function logIn(
  settings: AuthOf<'authorization-code'>,
  { send, learn, show, timeoutMs }: LoginParts,
): Promise<Grant> {
  const state = oauth.generateRandomState();
  const receiver = await startRedirectReceiver(settings.redirectUri ?? defaultRedirectUri, state);
  const { redirectUri, answered } = receiver;
  const verifier = oauth.generateRandomCodeVerifier();
  learn(verifier, 'code verifier');
  const late = () => {
    throw new TokenError(`nobody logged in within ${Math.round(timeoutMs / 1000)} seconds`);
  };
  try {
    show(await loginAddress(settings, { redirectUri, verifier, state }), redirectUri);
    const query = await withinTime(timeoutMs, answered, late);
    const code = query.get('code');
    if (code) learn(code, 'authorization code');
    assertGranted(settings, query, state);
    if (!code) throw new TokenError('the answer of the login page cannot be used: it has no code');
    // The token request of RFC 6749, section 4.1.3, has no scope; RFC 7636 adds the verifier.
    const { scope: _, ...asked } = settings;
    const fields = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    };
    return await grantFor(asked, fields, learning(send, learn), { hint, once: true });
  } finally {
    await receiver.close();
  }
}

async function loginAddress(
  { authorizationEndpoint, clientId, scope, parameters = {} }: AuthOf<'authorization-code'>,
  { redirectUri, verifier, state }: Readonly<Record<'redirectUri' | 'verifier' | 'state', string>>,
): Promise<string> {
  const url = new URL(authorizationEndpoint);
  const fields = {
    ...parameters,
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    ...(scope ? { scope } : {}),
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
}

/** @throws TokenError when the answer of the login page is a refusal, or none that can be used */
function assertGranted(
  { tokenEndpoint, clientId }: AuthOf<'authorization-code'>,
  query: URLSearchParams,
  state: string,
): void {
  // Only one server is asked, so the issuer that its answer names (RFC 9207) is accepted as it is.
  const issuer = query.get('iss') ?? new URL(tokenEndpoint).origin;
  try {
    oauth.validateAuthResponse({ issuer }, { client_id: clientId }, query, state);
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError))
      throw new TokenError(`the answer of the login page cannot be used: ${(error as Error).message}`);
    const why = error.error_description ? ` (${short(error.error_description)})` : '';
    throw new TokenError(`the login was refused: ${short(error.error)}${why}`);
  }
}

const say = (words: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>esign-conformance</title><p>${words}</p></html>`;

/**
 * Waits for the query with which the browser comes back; gives the redirect URI with the port that is listened on. Any page
 * in the browser may call this address: requests without the `state` are refused, and the wait goes on.
 * @param redirectUri `http` on a loopback address; without a port any free one is taken
 * @throws ConfigurationError when its port is not free
 */
async function startRedirectReceiver(redirectUri: string, state: string) {
  const wanted = new URL(redirectUri);
  let take = (_: URLSearchParams) => {};
  const answered = new Promise<URLSearchParams>((resolve) => {
    take = resolve;
  });
  const server = http.createServer((request, response) => {
    const headers = {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      Connection: 'close',
    };
    const url = URL.canParse(request.url ?? '', redirectUri) ? new URL(request.url ?? '', redirectUri) : null;
    if (request.method !== 'GET' || url?.pathname !== wanted.pathname) {
      response.writeHead(404, headers).end(say('There is nothing here.'));
    } else if (url.searchParams.get('state') !== state) {
      response.writeHead(400, headers).end(say('This is not the answer that the terminal waits for.'));
    } else {
      take(url.searchParams);
      response.writeHead(200, headers).end(say('The answer has arrived. Go on in the terminal.'));
    }
  });
  const host = wanted.hostname === '[::1]' ? '::1' : '127.0.0.1';
  const { port } = await listening(server, host, Number(wanted.port || 0)).catch(
    ({ code, message }: NodeJS.ErrnoException) => {
      const why = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${message})`;
      throw new ConfigurationError(`auth.redirectUri ${redirectUri}: port ${wanted.port} ${why}`);
    },
  );
  wanted.port = String(port);
  return {
    redirectUri: wanted.href,
    answered,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        // The browser may still get its answer, but connections that browsers open in advance must not hold up the end.
        setTimeout(() => server.closeAllConnections(), answeredMs).unref();
      }),
  };
}
