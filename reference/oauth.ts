/** OAuth 2.0 (RFC 6749): the token endpoint, with the grants of the dialect, and the page that lets a client in. */
import { readBody, readForm } from './body.ts';
import { mountConsent } from './pages/consent.ts';
import type { App, Call, Service } from './service.ts';
import { AuthorizationCodes } from './tokens.ts';

const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

export function mountTokenEndpoint(app: App, service: Service): void {
  const codes = new AuthorizationCodes(service.now);
  mountConsent(app, service, codes);
  app.post(service.dialect.tokenPath, async (call) => {
    const fields = await fieldsOf(call, service);
    if (fields === undefined) {
      const { tokenEncoding } = service.dialect;
      return errorAnswer(call, 'invalid_request', `The body is not ${mediaTypes[tokenEncoding]}`);
    }
    const asker = askerOf(call, fields, service);
    const { tokenClient, tokenScope } = service.dialect;
    if (asker === undefined) {
      const isShown = call.req.header('Authorization') ?? call.req.header('X-Api-Key') ?? fields.client_id;
      const lack =
        isShown === undefined ? 'There are no credentials of a client' : 'The credentials are of no client';
      const description = `${lack} (tokenClient=${tokenClient} of the dialect)`;
      return errorAnswer(call, 'invalid_client', description, 401, challenge);
    }
    if (tokenClient === 'api-key' && fields.grant_type === undefined)
      return call.json(grant(asker.account, service, undefined), 200, noStore);
    switch (fields.grant_type) {
      case 'client_credentials':
        if (tokenClient === 'none')
          return errorAnswer(call, 'unauthorized_client', 'The client has no secret');
        if (!['', ...(fields.scope ?? '').split(' ')].includes(tokenScope))
          return errorAnswer(call, 'invalid_scope', `scope lacks ${tokenScope}`);
        return call.json(grant(asker.account, service, undefined), 200, noStore);
      case 'authorization_code':
        return exchanged(call, fields, asker, codes, service);
      case 'refresh_token':
        return refreshed(call, fields.refresh_token ?? '', asker.account, service);
      case undefined:
        return errorAnswer(call, 'invalid_request', 'grant_type is missing');
      default:
        return errorAnswer(call, 'unsupported_grant_type', `grant_type is none of ${grants.join(', ')}`);
    }
  });
}

const grants = ['client_credentials', 'authorization_code', 'refresh_token'];
const challenge = { 'WWW-Authenticate': 'Basic realm="token", charset="UTF-8"' };

function errorAnswer(
  call: Call,
  error: string,
  description?: string,
  status: 400 | 401 = 400,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return call.json({ error, error_description: description }, status, { ...noStore, ...headers });
}

function exchanged(
  call: Call,
  fields: Fields,
  { clientId, account }: Asker,
  codes: AuthorizationCodes,
  service: Service,
): Response {
  const { code = '', redirect_uri: redirectUri = '', code_verifier: verifier = '' } = fields;
  if (codes.redeem(code, { clientId, redirectUri, verifier }) !== account)
    return errorAnswer(call, 'invalid_grant');
  return call.json(grant(account, service, undefined), 200, noStore);
}

function refreshed(call: Call, given: string, account: string, service: Service): Response {
  const rotated = service.dialect.refreshTokens === 'rotated';
  if (service.tokens.refresh(given, rotated) !== account) return errorAnswer(call, 'invalid_grant');
  return call.json(grant(account, service, rotated ? undefined : given), 200, noStore);
}

function grant(account: string, service: Service, refreshToken: string | undefined): Record<string, unknown> {
  const { dialect, tokens } = service;
  const lifetime = dialect.tokenLifetimeSeconds;
  const token = tokens.issue(account, lifetime);
  const refresh =
    dialect.refreshTokens === 'none' ? undefined : (refreshToken ?? tokens.issueRefresh(account));
  const expires = dialect.tokenLifetimeShown ? lifetime : undefined;
  return dialect.tokenAnswer === 'rfc6749'
    ? { access_token: token, token_type: 'Bearer', expires_in: expires, refresh_token: refresh }
    : { accessToken: token, tokenType: 'Bearer', expiresIn: expires, refreshToken: refresh };
}

const mediaTypes = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
  multipart: 'multipart/form-data',
} as const;

export type Fields = Readonly<Record<string, string | undefined>>;

/** The fields of the body; `undefined` when its encoding is not the one of the dialect. */
export async function fieldsOf(call: Call, service: Service): Promise<Fields | undefined> {
  const bytes = await readBody(call, 65_536);
  const { tokenEncoding } = service.dialect;
  const mediaType = call.req.header('Content-Type') ?? '';
  const named = Object.entries(mediaTypes).find(([, type]) => mediaType.toLowerCase().startsWith(type))?.[0];
  // Clients often send a form with a general Content-Type, or with none.
  if ((named ?? 'form') !== tokenEncoding) return undefined;
  if (tokenEncoding === 'form') return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
  try {
    const given: Iterable<[string, unknown]> =
      tokenEncoding === 'json'
        ? Object.entries(JSON.parse(bytes.toString('utf8')) as object)
        : await readForm(bytes, mediaType);
    return Object.fromEntries(
      [...given].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    // Not valid JSON: the caller answers with the error.
    return undefined;
  }
}

interface Asker {
  readonly clientId: string;
  readonly account: string;
}

/** Client authentication: HTTP Basic (both parts form-encoded, RFC 6749, 2.3.1), in the body, by a key, or none. */
function askerOf(call: Call, fields: Fields, service: Service): Asker | undefined {
  const { dialect, tokens } = service;
  const { client_id: clientId = '', client_secret: secret } = fields;
  switch (dialect.tokenClient) {
    case 'api-key': {
      const key = call.req.header('X-Api-Key') ?? fields.apiKey ?? '';
      return tokens.clientOfSecret(key);
    }
    case 'none':
      return secret === undefined ? asker(clientId, tokens.accountOfPublic(clientId)) : undefined;
    default: {
      const basic = /^basic +([a-z0-9+/=_-]+)$/i.exec(call.req.header('Authorization') ?? '')?.[1];
      if (basic !== undefined) {
        if (dialect.tokenClient === 'body') return undefined;
        const given = splitOnce(Buffer.from(basic, 'base64').toString('utf8'));
        // Many clients do not form-encode, so both readings are tried.
        const pairs = [given.map(formDecoded), given];
        const found = pairs.map(([id = '', password = '']) => asker(id, tokens.accountOf(id, password)));
        return found.find(Boolean);
      }
      if (dialect.tokenClient === 'basic') return undefined;
      return asker(clientId, tokens.accountOf(clientId, secret ?? ''));
    }
  }
}

function asker(clientId: string, account: string | undefined): Asker | undefined {
  return account === undefined ? undefined : { clientId, account };
}

function splitOnce(pair: string): [string, string] {
  const at = pair.indexOf(':');
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
}

const formDecoded = (text: string): string => new URLSearchParams(`v=${text}`).get('v') ?? '';
