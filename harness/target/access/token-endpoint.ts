/** Asks the token endpoint of OAuth 2.0 for an access token; body and answer may look as the profile says. */
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

/** What came back to the redirect URI, and what it belongs to. */
export interface ReceivedCode {
  readonly code: string;
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
  return granted(settings, { grant_type: 'client_credentials' }, send, { hint });
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
  return granted(settings, { grant_type: 'refresh_token', refresh_token: refreshToken }, send, {
    hint,
    once,
  });
}

/**
 * RFC 6749, section 4.1.3, with the verifier of RFC 7636.
 * @throws TokenError when there is no token to be had
 */
export function byCode(
  { scope: _, ...settings }: EndpointSettings,
  { code, redirectUri, verifier }: ReceivedCode,
  send: SendRequest,
): Promise<Grant> {
  const hint = look('auth.clientId, auth.clientSecret, auth.method and auth.redirectUri');
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  return granted(settings, fields, send, { hint, once: true });
}

async function granted(
  settings: EndpointSettings,
  fields: Readonly<Record<string, string>>,
  send: SendRequest,
  about: { readonly hint: string; readonly once?: boolean },
): Promise<Grant> {
  const { tokenEndpoint, encoding = 'form', scope, parameters } = settings;
  const client = authentication(settings);
  try {
    const url = new URL(tokenEndpoint);
    const all = { ...parameters, ...(scope ? { scope } : {}), ...fields, ...client.fields };
    const { body, contentType } = await fieldsBody(all, encoding);
    const headers: HeaderField[] = [
      ['Host', url.host],
      ['Accept', 'application/json'],
      ['User-Agent', 'esign-conformance'],
      ...client.headers,
      ['Content-Type', contentType],
      ['Content-Length', String(body.length)],
    ];
    return grantOf(await tokenAnswer({ method: 'POST', url, headers, body }, send, about), settings);
  } catch (cause) {
    const why = (cause as Error).message;
    throw new TokenError(`no access token from ${tokenEndpoint}: ${why}`, { cause });
  }
}

/** How a client says who it is (RFC 6749, section 2.3.1). A refresh token may be all that the server asks for. */
function authentication({ clientId, clientSecret, method }: EndpointSettings): {
  readonly fields: Readonly<Record<string, string>>;
  readonly headers: readonly HeaderField[];
} {
  if (clientId === undefined) return { fields: {}, headers: [] };
  if (clientSecret === undefined) return { fields: { client_id: clientId }, headers: [] };
  if (method === 'body') return { fields: { client_id: clientId, client_secret: clientSecret }, headers: [] };
  const encoded = [clientId, clientSecret].map((each) =>
    new URLSearchParams({ '': each }).toString().slice(1),
  );
  const basic = Buffer.from(encoded.join(':')).toString('base64');
  return { fields: {}, headers: [['Authorization', `Basic ${basic}`]] };
}
