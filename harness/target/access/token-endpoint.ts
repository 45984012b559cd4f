/** Asks the token endpoint of OAuth 2.0 for an access token; body and answer may look as the profile says. */
import type { HeaderField } from '../../../record/exchange.ts';
import type { AskingAuth, AuthOf } from '../../profile/auth-settings.ts';
import type { Grant } from '../../profile/token-file.ts';
import {
  type Asking,
  fieldsBody,
  grantOf,
  type SendRequest,
  TokenError,
  tokenAnswer,
} from './token-request.ts';

/** The settings that asking a token endpoint needs. */
export type EndpointSettings = Pick<AuthOf<'authorization-code'>, 'tokenEndpoint'> &
  Pick<
    AuthOf<'refresh-token'>,
    'clientId' | 'clientSecret' | 'method' | 'encoding' | 'scope' | 'parameters' | 'reusable'
  > &
  Pick<AskingAuth, 'answer' | 'lifetimeS'>;

/** @param fields of the grant, by RFC 6749 @throws TokenError when there is no token to be had */
export async function grantFor(
  settings: EndpointSettings,
  fields: Readonly<Record<string, string>>,
  send: SendRequest,
  about: Asking,
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
