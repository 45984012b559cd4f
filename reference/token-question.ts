/** What is asked of the token endpoint: its fields in the encoding of the dialect, and who asks. */
import { readBody } from './body.ts';
import type { Call, Service } from './service.ts';

export type Fields = Readonly<Record<string, string | undefined>>;

/** The fields of the body; `undefined` when it comes in another encoding than the one that is taken. */
export async function fieldsOf(call: Call, service: Service): Promise<Fields | undefined> {
  const bytes = await readBody(call, 65_536);
  const { tokenEncoding } = service.dialect;
  const mediaType = call.req.header('Content-Type') ?? '';
  if (tokenEncoding === 'form') return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
  const declared = { json: /^application\/json/i, multipart: /^multipart\/form-data/i }[tokenEncoding];
  if (!declared.test(mediaType)) return undefined;
  try {
    const entries: [string, unknown][] =
      tokenEncoding === 'json'
        ? Object.entries(JSON.parse(bytes.toString('utf8')) as object)
        : [
            ...(
              await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': mediaType } }).formData()
            ).entries(),
          ];
    return Object.fromEntries(
      entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    // Neither JSON nor a form: the answer says so.
    return undefined;
  }
}

/** Who asks: the client, and the account that it belongs to. */
export interface Asker {
  readonly clientId: string;
  readonly account: string;
}

/**
 * Client authentication by HTTP Basic (both parts form-encoded, RFC 6749 section 2.3.1), in the body, by a key, or
 * none of a public client.
 */
export function askerOf(call: Call, fields: Fields, service: Service): Asker | undefined {
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
      const basic = /^basic ([a-z0-9+/=_-]+)$/i.exec(call.req.header('Authorization') ?? '')?.[1];
      if (basic !== undefined) {
        if (dialect.tokenClient === 'body') return undefined;
        const [id = '', password = ''] = splitOnce(Buffer.from(basic, 'base64').toString('utf8')).map(
          formDecoded,
        );
        return asker(id, tokens.accountOf(id, password));
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

function formDecoded(text: string): string {
  return new URLSearchParams(`v=${text}`).get('v') ?? '';
}
