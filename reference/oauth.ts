/** The OAuth 2.0 token endpoint: client credentials, and refresh tokens where the dialect gives them (RFC 6749). */
import { readBody } from './body.ts';
import type { App, Call, Service } from './service.ts';

const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

export function mountTokenEndpoint(app: App, service: Service): void {
  app.post(service.dialect.tokenPath, async (call) => {
    const form = new URLSearchParams((await readBody(call, 65_536)).toString('utf8'));
    const account = accountOfClient(call, form, service);
    if (account === undefined) {
      return call.json({ error: 'invalid_client' }, 401, {
        ...noStore,
        'WWW-Authenticate': 'Basic realm="token", charset="UTF-8"',
      });
    }
    switch (form.get('grant_type')) {
      case 'client_credentials':
        return call.json(grant(account, service, undefined), 200, noStore);
      case 'refresh_token':
        return refreshed(call, form.get('refresh_token') ?? '', account, service);
      case null:
        return call.json({ error: 'invalid_request' }, 400, noStore);
      default:
        return call.json({ error: 'unsupported_grant_type' }, 400, noStore);
    }
  });
}

function refreshed(call: Call, given: string, account: string, service: Service): Response {
  const rotated = service.dialect.refreshTokens === 'rotated';
  if (service.tokens.refresh(given, rotated) !== account) {
    return call.json({ error: 'invalid_grant' }, 400, noStore);
  }
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

/** Client authentication by HTTP Basic (both parts form-encoded, RFC 6749 section 2.3.1) or in the body. */
function accountOfClient(call: Call, form: URLSearchParams, service: Service): string | undefined {
  const basic = /^basic ([a-z0-9+/=_-]+)$/i.exec(call.req.header('Authorization') ?? '')?.[1];
  if (basic !== undefined) {
    if (service.dialect.tokenClient === 'body') return undefined;
    const [id = '', secret = ''] = splitOnce(Buffer.from(basic, 'base64').toString('utf8'));
    return service.tokens.accountOf(formDecoded(id), formDecoded(secret));
  }
  if (service.dialect.tokenClient === 'basic') return undefined;
  return service.tokens.accountOf(form.get('client_id') ?? '', form.get('client_secret') ?? '');
}

function splitOnce(pair: string): [string, string] {
  const at = pair.indexOf(':');
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
}

function formDecoded(text: string): string {
  return new URLSearchParams(`v=${text}`).get('v') ?? '';
}
