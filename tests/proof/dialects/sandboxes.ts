/** The services behind the profiles in targets/sandboxes: the reference service with other choices for every gap. */
import type { Dialect } from '../../../reference/dialect.ts';
import type { Reference } from '../../../reference/server.ts';

/** Standard Webhooks asks for at least 24 bytes, in base64. */
const callbackSecret = `whsec_${Buffer.from('callback secret of the sandboxes').toString('base64')}`;

/** The settings in which each sandbox differs from the reference service. */
export const sandboxes: Readonly<Record<string, Partial<Dialect>>> = {
  gateway: {
    callbackSecret,
    basePath: '/sandbox/v7',
    tokenClient: 'basic',
    tokenAnswer: 'camelCase',
    tokenLifetimeSeconds: 60,
    bearerCase: 'exact',
    idForm: 'prefixed',
    uploadEncoding: 'raw',
    uploadFileName: 'header',
    uploadMediaType: 'octet-stream',
    uploadStatus: 201,
    uploadRefusedStatus: 415,
    tokenPlace: 'header',
    skeletonStatus: 201,
    signatoryStatus: 201,
    maxDocuments: 2,
    maxSignatories: 5,
    maxTitleLength: 60,
    documentTokenUses: 20,
    errorShape: 'header',
    callbackFormat: 'nested',
    callbackEventAs: 'name',
    callbackSignatoryAs: 'email',
    callbackTime: 'seconds',
    callbackAuth: 'hmac-time-body',
  },
  queue: {
    callbackSecret,
    tokenClient: 'body',
    tokenEncoding: 'json',
    uploadField: 'Document',
    uploadStatus: 202,
    skeletonStatus: 202,
    signatoryStatus: 202,
    tokenPlace: 'string',
    visibleAfterMs: 150,
    documentsVisibleAfterMs: 100,
    createEncoding: 'multipart',
    createField: 'payload',
    createAnswer: 'nested',
    errorShape: 'problem',
    sending: 'delay',
    // Longer than a busy machine takes to add the next signatory.
    sendDelayMs: 9_000,
    requestReceivedAt: 'created',
    callbackFormat: 'cloudevent',
    callbackAttachments: 'data-url',
    callbackAuth: 'standard-webhooks',
  },
  forms: {
    callbackSecret,
    tokenClient: 'body',
    refreshTokens: 'rotated',
    uploadFileName: 'query',
    tokenPlace: 'text',
    documentTokenForm: 'hex',
    createAnswer: 'text',
    errorShape: 'message',
    sending: 'creation',
    callbackFormat: 'form',
    callbackSignatoryAs: 'name',
    callbackTime: 'milliseconds',
    callbackAttachments: 'url',
    callbackTwice: true,
    callbackAuth: 'secret-header',
    approverCompletes: 'event',
  },
  parts: {
    callbackSecret,
    tokenClient: 'api-key',
    uploadEncoding: 'json',
    uploadField: 'content',
    tokenPointer: '/data/0/id',
    errorShape: 'list',
    sending: 'first-signatory',
    callbackFormat: 'multipart',
    callbackAuth: 'bearer',
  },
  legacy: {
    callbackSecret,
    tokenPath: '/connect/token',
    tokenClient: 'basic',
    tokenEncoding: 'multipart',
    tokenAnswer: 'camelCase',
    refreshTokens: 'kept',
    tokenPointer: '/token',
    createAnswer: 'empty',
    errorShape: 'reason',
    sending: 'last-signatory',
    callbackFormat: 'list',
    callbackTime: 'none',
    callbackDeliveryId: false,
    callbackAuth: 'hmac-body',
  },
  plainspoken: {
    callbackSecret,
    tokenClient: 'body',
    tokenLifetimeShown: false,
    createAnswer: 'headers',
    errorShape: 'error',
    extraFields: true,
  },
};

/** The variables of the environment to which the profiles of a sandbox refer. */
export async function environmentOf(reference: Reference): Promise<Readonly<Record<string, string>>> {
  const { clientId, clientSecret } = reference.credentials;
  return {
    SANDBOX_URL: reference.baseUrl,
    SANDBOX_TOKEN: reference.tokens.valid,
    SANDBOX_CLIENT: clientId,
    SANDBOX_SECRET: clientSecret,
    SANDBOX_BASIC: Buffer.from(`${clientId}:${clientSecret}`).toString('base64'),
    SANDBOX_CALLBACK_SECRET: reference.dialect.callbackSecret,
    ...(reference.dialect.refreshTokens === 'none'
      ? {}
      : { SANDBOX_REFRESH_TOKEN: await refreshTokenOf(reference) }),
  };
}

async function refreshTokenOf({ credentials, dialect }: Reference): Promise<string> {
  const { clientId, clientSecret, tokenEndpoint } = credentials;
  const fields = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const body = dialect.tokenEncoding === 'multipart' ? new FormData() : new URLSearchParams();
  for (const [key, value] of Object.entries(fields)) body.set(key, value);
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const headers = new Headers(dialect.tokenClient === 'basic' ? { Authorization: basic } : undefined);
  const answer = await fetch(tokenEndpoint, { method: 'POST', headers, body });
  const given = (await answer.json()) as Readonly<Record<string, string>>;
  const token = given.refresh_token ?? given.refreshToken;
  if (token === undefined) throw new Error(`no refresh token was given: ${JSON.stringify(given)}`);
  return token;
}
