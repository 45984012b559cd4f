/**
 * OAuth 2.0: the token endpoint with client credentials, authorization codes and refresh tokens where the dialect
 * gives them (RFC 6749), and the page on which a person lets a client in.
 */
import { AuthorizationCodes } from './authorization-codes.ts';
import { mountConsent } from './pages/consent.ts';
import type { App, Call, Service } from './service.ts';
import { type Asker, askerOf, type Fields, fieldsOf } from './token-question.ts';

const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

export function mountTokenEndpoint(app: App, service: Service): void {
  const codes = new AuthorizationCodes(service.now);
  mountConsent(app, service, codes);
  app.post(service.dialect.tokenPath, async (call) => {
    const fields = await fieldsOf(call, service);
    if (fields === undefined) return refused(call, 'invalid_request');
    const asker = askerOf(call, fields, service);
    if (asker === undefined) {
      return call.json({ error: 'invalid_client' }, 401, {
        ...noStore,
        'WWW-Authenticate': 'Basic realm="token", charset="UTF-8"',
      });
    }
    if (service.dialect.tokenClient === 'api-key' && fields.grant_type === undefined) {
      return call.json(grant(asker.account, service, undefined), 200, noStore);
    }
    switch (fields.grant_type) {
      case 'client_credentials':
        if (service.dialect.tokenClient === 'none') return refused(call, 'unauthorized_client');
        if (!['', ...(fields.scope ?? '').split(' ')].includes(service.dialect.tokenScope)) {
          return refused(call, 'invalid_scope');
        }
        return call.json(grant(asker.account, service, undefined), 200, noStore);
      case 'authorization_code':
        return exchanged(call, fields, asker, codes, service);
      case 'refresh_token':
        return refreshed(call, fields.refresh_token ?? '', asker.account, service);
      case undefined:
        return refused(call, 'invalid_request');
      default:
        return refused(call, 'unsupported_grant_type');
    }
  });
}

function refused(call: Call, error: string): Response {
  return call.json({ error }, 400, noStore);
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
    return refused(call, 'invalid_grant');
  return call.json(grant(account, service, undefined), 200, noStore);
}

function refreshed(call: Call, given: string, account: string, service: Service): Response {
  const rotated = service.dialect.refreshTokens === 'rotated';
  if (service.tokens.refresh(given, rotated) !== account) return refused(call, 'invalid_grant');
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
