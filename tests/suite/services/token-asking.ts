/** What a client of the token endpoint of the reference service has before it asks. */
import type { Reference } from '../../../reference/server.ts';

/** A refresh token of the first account, as its token endpoint gives it out. */
export async function refreshTokenOf(reference: Reference): Promise<string> {
  const { clientId, clientSecret, tokenEndpoint } = reference.credentials;
  const fields = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const { tokenEncoding } = reference.dialect;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const body = { form: new URLSearchParams(fields), json: JSON.stringify(fields), multipart: form }[
    tokenEncoding
  ];
  const headers = tokenEncoding === 'json' ? { 'Content-Type': 'application/json' } : undefined;
  const request = new Request(tokenEndpoint, { method: 'POST', body, ...(headers ? { headers } : {}) });
  const answer = (await (await reference.handle(request)).json()) as Record<string, string>;
  return answer.refresh_token ?? answer.refreshToken ?? '';
}
