/** OAuth 2.0 (RFC 6749): the token endpoint, with the grants of the dialect, and the page that lets a client in. */
import { readBody, readForm } from './body.ts';
import { mountConsent } from './pages/consent.ts';
import type { App, Call, Service } from './service.ts';
import { AuthorizationCodes } from './tokens.ts';

const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

export function mountTokenEndpoint(app: App, service: Service): void {
  const codes = new AuthorizationCodes(service.now);
  mountConsent(app, service, codes);
  const { tokenPath, tokenEncoding, tokenClient } = service.dialect;
  app.post(tokenPath, async (call) => {
    const fields = await fieldsOf(call, service);
    if (fields === undefined)
      return errorAnswer(call, 'invalid_request', `The body is not ${mediaTypes[tokenEncoding]}`);
    const asker = askerOf(call, fields, service);
    if (asker === undefined) {
      const isShown = call.req.header('Authorization') ?? call.req.header('X-Api-Key') ?? fields.client_id;
      const lack =
        isShown === undefined ? 'There are no credentials of a client' : 'The credentials are of no client';
      const description = `${lack} (tokenClient=${tokenClient} of the dialect)`;
      return errorAnswer(call, 'invalid_client', description, 401, challenge);
    }
    const { grant_type: type } = fields;
    if (type === undefined && tokenClient === 'api-key') return granted(call, asker, service);
    if (type === undefined) return errorAnswer(call, 'invalid_request', 'grant_type is missing');
    const answer = grants.get(type)?.({ call, fields, asker, codes, service });
    const known = [...grants.keys()].join(', ');
    return answer ?? errorAnswer(call, 'unsupported_grant_type', `grant_type is none of ${known}`);
  });
}

interface Asked {
  readonly call: Call;
  readonly fields: Fields;
  readonly asker: Asker;
  readonly codes: AuthorizationCodes;
  readonly service: Service;
}

const grants: ReadonlyMap<string, (asked: Asked) => Response> = new Map([
  ['client_credentials', byCredentials],
  ['authorization_code', byCode],
  ['refresh_token', byRefreshToken],
]);
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

function byCredentials({ call, fields, asker, service }: Asked): Response {
  const { tokenClient, tokenScope } = service.dialect;
  if (tokenClient === 'none') return errorAnswer(call, 'unauthorized_client', 'The client has no secret');
  const isScoped = ['', ...(fields.scope ?? '').split(' ')].includes(tokenScope);
  return isScoped
    ? granted(call, asker, service)
    : errorAnswer(call, 'invalid_scope', `scope lacks ${tokenScope}`);
}

function byCode({ call, fields, asker, codes, service }: Asked): Response {
  const { code = '', redirect_uri: redirectUri = '', code_verifier: verifier = '' } = fields;
  const isTheirs = codes.redeem(code, { clientId: asker.clientId, redirectUri, verifier }) === asker.account;
  return isTheirs ? granted(call, asker, service) : errorAnswer(call, 'invalid_grant');
}

function byRefreshToken({ call, fields, asker, service }: Asked): Response {
  const { refresh_token: given = '' } = fields;
  const rotated = service.dialect.refreshTokens === 'rotated';
  const isTheirs = service.tokens.refresh(given, rotated) === asker.account;
  return isTheirs
    ? granted(call, asker, service, rotated ? undefined : given)
    : errorAnswer(call, 'invalid_grant');
}

function granted(call: Call, { account }: Asker, service: Service, refreshToken?: string): Response {
  const { dialect, tokens } = service;
  const lifetime = dialect.tokenLifetimeSeconds;
  const token = tokens.issue(account, lifetime);
  const refresh =
    dialect.refreshTokens === 'none' ? undefined : (refreshToken ?? tokens.issueRefresh(account));
  const expires = dialect.tokenLifetimeShown ? lifetime : undefined;
  const answer =
    dialect.tokenAnswer === 'rfc6749'
      ? { access_token: token, token_type: 'Bearer', expires_in: expires, refresh_token: refresh }
      : { accessToken: token, tokenType: 'Bearer', expiresIn: expires, refreshToken: refresh };
  return call.json(answer, 200, noStore);
}

const mediaTypes = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
  multipart: 'multipart/form-data',
} as const;

type Fields = Readonly<Record<string, string | undefined>>;

/** The fields of the body; `undefined` when its encoding is not the one of the dialect. */
async function fieldsOf(call: Call, service: Service): Promise<Fields | undefined> {
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
