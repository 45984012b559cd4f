/** The authorization endpoint: a page on which a person lets a client in or not (RFC 6749 section 4.1, PKCE). */
import { html } from 'hono/html';
import { onlyByItsAddress } from '../access.ts';
import { readBody } from '../body.ts';
import { badRequest, Refusal } from '../rules.ts';
import type { App, Service } from '../service.ts';
import type { AuthorizationCodes, Consent } from '../tokens.ts';
import { page } from './layout.ts';

/** Native clients are sent back to a loopback address, on any port (RFC 8252, section 7.3). */
const loopback = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/;

interface Question extends Consent {
  readonly given: URLSearchParams;
}

export function mountConsent(app: App, service: Service, codes: AuthorizationCodes): void {
  const { authorizePath } = service.dialect;
  app.use(authorizePath, onlyByItsAddress(service));
  app.get(authorizePath, (call) => {
    const { clientId, redirectUri, given } = questionIn(new URL(call.req.url).searchParams, service);
    const fields = [...given].map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    );
    return page(
      'Let a client in',
      html`<main><h1>Let ${clientId} in?</h1>
<p>It asks to use this service for you${given.get('scope') ? html`: ${given.get('scope')}` : ''}.</p>
<form method="post">${fields}
<button class="first" name="decision" value="allow">Allow</button> <button class="other" name="decision" value="deny">Deny</button></form></main>`,
      { leadsTo: new URL(redirectUri).origin },
    );
  });
  app.post(authorizePath, async (call) => {
    // The form came from another site, by the browser of somebody here.
    if (/^(?:cross|same)-site$/.test(call.req.header('Sec-Fetch-Site') ?? '')) throw new Refusal(403);
    const form = new URLSearchParams((await readBody(call, 65_536)).toString('utf8'));
    const { clientId, account, redirectUri, challenge, given } = questionIn(form, service);
    const back = new URL(redirectUri);
    const state = given.get('state');
    if (state !== null) back.searchParams.set('state', state);
    const sound =
      given.get('response_type') === 'code' &&
      challenge !== '' &&
      given.get('code_challenge_method') === 'S256';
    if (!sound) back.searchParams.set('error', 'invalid_request');
    else if (form.get('decision') !== 'allow') back.searchParams.set('error', 'access_denied');
    else back.searchParams.set('code', codes.issue({ account, clientId, redirectUri, challenge }));
    return call.redirect(back.href, 303);
  });
}

/** Reads the question. Throws a refusal where the client or its address is unknown, since nobody can be sent back then. */
function questionIn(given: URLSearchParams, service: Service): Question {
  const clientId = given.get('client_id') ?? '';
  const account = service.tokens.accountOfPublic(clientId);
  const redirectUri = given.get('redirect_uri') ?? '';
  if (account === undefined) throw badRequest('This client is not known');
  if (!loopback.test(redirectUri) || !URL.canParse(redirectUri))
    throw badRequest('A client is sent back to a loopback address only');
  return { clientId, account, redirectUri, challenge: given.get('code_challenge') ?? '', given };
}
