/** Logs a person in: the authorization code grant with PKCE (RFC 6749 section 4.1, RFC 7636, RFC 8252). */
import * as oauth from 'oauth4webapi';
import type { AuthOf } from '../../profile/auth-settings.ts';
import type { Grant } from '../../profile/token-file.ts';
import { startRedirectReceiver } from './redirect-receiver.ts';
import { byCode } from './token-endpoint.ts';
import { type SendRequest, TokenError } from './token-request.ts';

export interface LoginParts {
  readonly send: SendRequest;
  /** Told a secret before anything is done with it. */
  readonly learn: (secret: string, label: string) => void;
  /** Shows a person the address of the login page, and where the answer is waited for. */
  readonly show: (address: string, redirectUri: string) => void;
  /** How long the person has, in milliseconds. */
  readonly timeoutMs: number;
}

const defaultRedirectUri = 'http://127.0.0.1/callback';

/**
 * @throws TokenError when nobody logs in in time, the person or the server says no, or no token comes of it
 * @throws ConfigurationError when the port of the redirect URI is taken
 */
export async function logIn(
  settings: AuthOf<'authorization-code'>,
  { send, learn, show, timeoutMs }: LoginParts,
): Promise<Grant> {
  const receiver = await startRedirectReceiver(settings.redirectUri ?? defaultRedirectUri);
  const { redirectUri } = receiver;
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  learn(verifier, 'code verifier');
  let timer: NodeJS.Timeout | undefined;
  try {
    const answered = receiver.next((query) => query.get('state') === state);
    const late = new Promise<never>((_, reject) => {
      const words = `nobody logged in within ${Math.round(timeoutMs / 1000)} seconds`;
      timer = setTimeout(() => reject(new TokenError(words)), timeoutMs);
    });
    show(await loginAddress(settings, { redirectUri, verifier, state }), redirectUri);
    const query = await Promise.race([answered, late]);
    const code = query.get('code');
    if (code) learn(code, 'authorization code');
    return await byCode(
      settings,
      { parameters: checked(settings, query, state), redirectUri, verifier },
      send,
    );
  } finally {
    clearTimeout(timer);
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

/** The query as the library has checked it. */
function checked(
  { tokenEndpoint, clientId }: AuthOf<'authorization-code'>,
  query: URLSearchParams,
  state: string,
): URLSearchParams {
  // One server is asked, so that its name in the answer (RFC 9207) cannot be that of another one.
  const issuer = query.get('iss') ?? new URL(tokenEndpoint).origin;
  try {
    return oauth.validateAuthResponse({ issuer }, { client_id: clientId }, query, state);
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError)) {
      throw new TokenError(`the answer of the login page cannot be used: ${(error as Error).message}`);
    }
    const why = error.error_description ? ` (${error.error_description})` : '';
    throw new TokenError(`the login was refused: ${error.error}${why}`);
  }
}
