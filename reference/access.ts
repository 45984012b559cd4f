/** Section "Authentication": every call carries a Bearer access token; missing, invalid or expired is rejected. */
import type { MiddlewareHandler } from 'hono';
import { message } from '../openapi/codes.ts';
import { alikeBy } from './alike.ts';
import type { Dialect } from './dialect.ts';
import { type AccessArea, byBody, type Carrying, type StatedArea, statedAreas } from './faults/access.ts';
import { type FaultId, faultsOf } from './faults.ts';
import { Refusal, refuse } from './rules.ts';
import type { Call, Service } from './service.ts';

/** The account of calls that only a fault lets in. */
export const firstAccount = 'first';

/** The account that a call of the documented endpoints acts for. Throws the refusal where access is denied. */
export function authorize(call: Call, service: Service, area: AccessArea): string {
  const { faulty } = service;
  const credentials = readBearer(call.req.header('Authorization'), service);
  if (credentials.kind !== 'token') {
    const passing = `${area}.token-missing/${credentials.kind}-accepted` as const;
    refuse(service, rejection(service, area, 'missing'), passing);
    return firstAccount;
  }
  const verdict = service.tokens.judge(credentials.token);
  if (verdict.kind === 'valid') {
    if (!service.rate.take(verdict.account)) throw new Refusal(429, { headers: { 'Retry-After': '1' } });
    return verdict.account;
  }
  if (verdict.kind === 'expired') {
    refuse(service, rejection(service, area, 'expired'), `${area}.token-expired/accepted`);
    return verdict.account;
  }
  const isAlike = alikeBy(service, `${area}.token-invalid`);
  if (isAlike && service.tokens.issued.some((token) => isAlike(token, credentials.token)))
    return firstAccount;
  const isExtended = service.tokens.issued.some((token) => credentials.token.startsWith(token));
  const unsaid = isExtended && area === 'upload' && faulty('upload.token-invalid-message/of-extended');
  const refused = rejection(service, area, unsaid ? 'missing' : 'invalid');
  refuse(service, refused, `${area}.token-invalid/accepted`);
  return firstAccount;
}

/** As `authorize`, unless a fault admits or refuses the call because of what its body carries. */
export async function authorizeCarrying(call: Call, service: Service, area: AccessArea): Promise<string> {
  const on = Object.entries<Carrying>(byBody).filter(([fault]) => service.faulty(fault as FaultId));
  if (on.length === 0) return authorize(call, service, area);
  const body = Buffer.from(await call.req.raw.clone().arrayBuffer()).toString('latin1');
  const denied = deniedFor(call, service);
  // Faults about bodies of creations begin with `skeleton.`; all others, those about an OTP included, are about
  // additions.
  const isOfCreation = (fault: string) => fault.startsWith('skeleton.');
  const isMeant = (fault: string) =>
    denied
      ? fault.startsWith(`${area}.token-${denied}`)
      : !fault.includes('.token-') && isOfCreation(fault) === isOfCreation(`${area}.`);
  const found = on.find(([fault, [, carries]]) => isMeant(fault) && carries.test(body));
  if (!found) return authorize(call, service, area);
  const [, , outcome = denied ? 'accepted' : 400] = found[1];
  if (outcome === 'accepted') return firstAccount;
  throw outcome === 'unsaid' ? rejection(service, area, 'missing') : new Refusal(outcome);
}

/**
 * Refuses pages that need no access token if this machine is called by another name. A web page elsewhere may bind
 * its own name to this machine (DNS rebinding). Any port is allowed: it may be that of a tunnel, and no web page can
 * choose it.
 */
export function onlyByItsAddress(service: Service): MiddlewareHandler {
  return async (call, next) => {
    const { hostname } = new URL(call.req.url);
    const names = new Set([new URL(service.baseUrl()).hostname, '127.0.0.1', '[::1]', 'localhost']);
    const detail = `This answers to ${[...names].join(', ')}; serve --public-url gives it the name that others call`;
    if (!names.has(hostname)) throw new Refusal(403, { detail });
    await next();
  };
}

/** Why a call is denied access; undefined if its token is valid. */
function deniedFor(call: Call, service: Service): Reason | undefined {
  const credentials = readBearer(call.req.header('Authorization'), service);
  if (credentials.kind !== 'token') return 'missing';
  const { kind } = service.tokens.judge(credentials.token);
  return kind === 'valid' ? undefined : kind === 'expired' ? 'expired' : 'invalid';
}

/**
 * Serves a call. If it is refused, `leave` gets the body, the refusal, and the reason if access was denied: some
 * faults leave something behind after a refusal.
 * @param rule the requirement of such faults. If none of them is on, the body is not copied, so that none is kept
 *   that is too large.
 */
export async function leaving<Result>(
  call: Call,
  service: Service,
  rule: string,
  serve: () => Promise<Result>,
  leave: (body: string, refusal: Refusal, denied: Reason | undefined) => void,
): Promise<Result> {
  const isKept = service.combined.any || faultsOf(rule).some(service.faulty);
  const copy = isKept ? call.req.raw.clone() : null;
  try {
    return await serve();
  } catch (error) {
    if (copy && error instanceof Refusal) leave(await copy.text(), error, deniedFor(call, service));
    throw error;
  }
}

/** The account of a control call, which no fault and no dialect changes. */
export function authorizeControl(call: Call, service: Service): string {
  const credentials = readBearer(call.req.header('Authorization'), service);
  const verdict = credentials.kind === 'token' ? service.tokens.judge(credentials.token) : undefined;
  if (verdict?.kind === 'valid') return verdict.account;
  const detail = mistakes[deniedFor(call, service) ?? 'invalid'];
  throw new Refusal(401, { detail, headers: challengeOf(service.dialect, 'invalid') });
}

type Credentials =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'no-header' | 'empty' | 'scheme-only' | 'other-scheme' };

function readBearer(header: string | undefined, service: Service): Credentials {
  if (header === undefined) return { kind: 'no-header' };
  const [scheme = '', ...rest] = header.trim().split(/ +/);
  if (scheme === '') return { kind: 'empty' };
  const fits = service.dialect.bearerCase === 'any' ? scheme.toLowerCase() === 'bearer' : scheme === 'Bearer';
  if (!fits) return { kind: 'other-scheme' };
  const token = rest.join(' ');
  return token === '' ? { kind: 'scheme-only' } : { kind: 'token', token };
}

/** RFC 6750, section 3: no error where no token was sent. */
function challengeOf({ challenge }: Dialect, reason: Reason): Readonly<Record<string, string>> {
  if (challenge === 'none') return {};
  const error = challenge === 'error' && reason !== 'missing' ? ' realm="esign", error="invalid_token"' : '';
  return { 'WWW-Authenticate': `Bearer${error}` };
}

export type Reason = 'missing' | 'invalid' | 'expired';

/** What a client did wrong, in other words than those that the document states. */
const mistakes: Readonly<Record<Reason, string>> = {
  missing: 'There is no header Authorization with Bearer and an access token',
  invalid: 'The access token is not known here',
  expired: 'The time of the access token is over',
};

/** Section "Errors": 401 is stated for endpoints 4 and 5; for the others the status is not shown. */
function rejection(service: Service, area: AccessArea, reason: Reason): Refusal {
  const detail = mistakes[reason];
  if (isStated(area)) return new Refusal(401, { detail, headers: challengeOf(service.dialect, reason) });
  const status = area === 'upload' ? service.dialect.uploadAuthStatus : service.dialect.createAuthStatus;
  const text = area === 'upload' ? uploadMessage(service, reason) : 'Unauthorized';
  const headers: Readonly<Record<number, Readonly<Record<string, string>>>> = {
    401: challengeOf(service.dialect, reason),
    302: { Location: `${service.baseUrl()}/login` },
  };
  return new Refusal(status, { message: text, detail, headers: headers[status] ?? {} });
}

const isStated = (area: AccessArea): area is StatedArea => (statedAreas as readonly string[]).includes(area);

/** Section "Errors", upload: the two messages. */
function uploadMessage(service: Service, reason: Reason): string {
  if (reason === 'missing' || service.faulty(`upload.token-${reason}-message/other`)) return 'Unauthorized';
  return reason === 'invalid' ? message.invalidToken : message.expiredToken;
}
