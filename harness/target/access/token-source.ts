/** Where the access tokens of a profile come from: one source for each kind of authorization. */
import { type HeaderField, headerOf } from '../../../record/exchange.ts';
import type { AskingAuth, AuthOf, TokenCall } from '../../profile/auth-settings.ts';
import type { Profile } from '../../profile/schema.ts';
import { fillJson, type Variables } from '../../profile/template.ts';
import type { Grant, TokenFile } from '../../profile/token-file.ts';
import { requestOf, templateDraft } from '../outgoing.ts';
import { type EndpointSettings, grantFor } from './token-endpoint.ts';
import {
  type Asking,
  fieldsBody,
  grantOf,
  type SendRequest,
  TokenError,
  tokenAnswer,
} from './token-request.ts';

export interface TokenSource {
  /** An access token: a new one, or that of a login which is still valid. @throws TokenError when there is none */
  fetch(): Promise<Grant>;
  /** Whether asking again may bring another token. */
  readonly renewable: boolean;
}

interface SourceParts {
  readonly send: SendRequest;
  readonly address: Profile['address'];
  readonly file: TokenFile | undefined;
  /** Called with each secret before it is used. */
  readonly learn: (secret: string, label: string) => void;
  /** Called with what the user should know. */
  readonly warn: (text: string) => void;
}

export function tokenSource(settings: AskingAuth, parts: SourceParts): TokenSource {
  switch (settings.kind) {
    case 'client-credentials': {
      const { call, tokenEndpoint = '', clientId, clientSecret } = settings;
      const keys = call ? ' and auth.call' : ', auth.method and auth.scope';
      const hint = `look at auth.clientId, auth.clientSecret${keys} of the profile`;
      // The grant of RFC 6749, section 4.4.
      const fields = { grant_type: 'client_credentials' };
      const fetch = () =>
        call
          ? byCall(call, { variables: { clientId, clientSecret }, hint }, settings, parts)
          : grantFor({ ...settings, tokenEndpoint }, fields, parts.send, { hint });
      return { renewable: true, fetch };
    }
    case 'api-key': {
      const hint = 'look at the key and the other values of auth.call of the profile';
      return { renewable: true, fetch: () => byCall(settings.call, { hint }, settings, parts) };
    }
    case 'refresh-token':
      return byGivenRefreshToken(settings, parts);
    case 'authorization-code':
      return byLogin(settings, parts);
  }
}

/** The grant of RFC 6749, section 6. */
function refreshed(
  settings: EndpointSettings,
  refreshToken: string,
  hint: string,
  send: SendRequest,
): Promise<Grant> {
  const fields = { grant_type: 'refresh_token', refresh_token: refreshToken };
  // The refresh token may be replaced, and then works only once.
  return grantFor(settings, fields, send, { hint, once: !settings.reusable });
}

function byGivenRefreshToken(settings: AuthOf<'refresh-token'>, parts: SourceParts): TokenSource {
  const { file, send, warn } = parts;
  const { refreshToken: given, reusable = false } = settings;
  const kept = file?.refreshToken(given);
  let current = kept ?? given;
  let warned = false;
  const hint = () =>
    current !== given && kept === current
      ? `the refresh token of auth.tokenFile (${file?.path}) has expired or was used elsewhere: get a new one and put it into auth.refreshToken`
      : 'auth.refreshToken has expired, was used already, or belongs to another client: get a new one';
  const ask = async (): Promise<Grant> => {
    const { call, clientId, clientSecret, tokenEndpoint = '' } = settings;
    if (!call) return refreshed({ ...settings, tokenEndpoint }, current, hint(), send);
    const variables = { refreshToken: current, clientId, clientSecret };
    return byCall(call, { variables, hint: hint(), once: !reusable }, settings, parts);
  };
  return {
    renewable: true,
    fetch: async () => {
      const grant = await ask();
      if (grant.refreshToken !== undefined && grant.refreshToken !== current && !reusable) {
        parts.learn(grant.refreshToken, 'refresh token');
        current = grant.refreshToken;
        if (!file && !warned) {
          warn(
            'the authorization server gave another refresh token in the place of auth.refreshToken, which may not work a second time: name a file in auth.tokenFile that keeps the new one, or say auth.reusable: true if it does; should the next run be refused, get a refresh token once more',
          );
          warned = true;
        }
      }
      return grant;
    },
  };
}

/** A kept access token that is valid for less time than this is not used. */
const leastMs = 5_000;

function byLogin(settings: AuthOf<'authorization-code'>, { file, send, learn }: SourceParts): TokenSource {
  const again = 'log in once more (command login)';
  let newest = file?.newest;
  let refreshToken = file?.refreshToken();
  return {
    renewable: refreshToken !== undefined,
    fetch: async () => {
      const lifetimeMs = (newest?.expiresAt ?? Number.POSITIVE_INFINITY) - Date.now();
      const kept = newest;
      newest = undefined;
      if (kept && lifetimeMs > leastMs) return { token: kept.token, lifetimeMs };
      if (refreshToken === undefined) throw new TokenError(`the login has expired: ${again}`);
      // No scope is sent: the new token gets the scope of the login.
      const { scope: _, ...asked } = settings;
      const grant = await refreshed(asked, refreshToken, `the login has expired: ${again}`, send);
      if (grant.refreshToken !== undefined) {
        learn(grant.refreshToken, 'refresh token');
        refreshToken = grant.refreshToken;
      }
      return grant;
    },
  };
}

/** @throws TokenError when there is no token to be had */
async function byCall(
  call: TokenCall,
  { variables = {}, ...about }: Asking & { readonly variables?: Variables },
  settings: Pick<AskingAuth, 'answer' | 'lifetimeS'>,
  { send, address }: Pick<SourceParts, 'send' | 'address'>,
): Promise<Grant> {
  const { body, encoding, accept, ...template } = call;
  const place = call.url.split('?')[0];
  try {
    const draft = templateDraft('auth.call', template, variables, address.baseUrl);
    const filled = fillJson(body, variables);
    const sent =
      filled !== null && typeof filled === 'object' && !Array.isArray(filled)
        ? await fieldsBody(filled as Record<string, unknown>, encoding ?? 'json')
        : typeof filled === 'string'
          ? { body: Buffer.from(filled), contentType: 'text/plain' }
          : null;
    const headers: HeaderField[] = [...draft.headers];
    if (sent && headerOf(headers, 'content-type') === undefined)
      headers.push(['Content-Type', sent.contentType]);
    const whole = { ...draft, headers, body: sent?.body ?? draft.body };
    const answer = await tokenAnswer(requestOf(whole, address, null), send, { ...about, accept });
    return grantOf(answer, settings);
  } catch (cause) {
    throw new TokenError(`no access token from ${place} (auth.call): ${(cause as Error).message}`, { cause });
  }
}
