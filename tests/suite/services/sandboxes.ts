/** The services behind the profiles in targets/sandboxes: the reference service with other choices for every gap. */
import type { Dialect } from '../../../reference/dialect.ts';
import { type Reference, startReference } from '../../../reference/server.ts';
import { type Eavesdropper, startEavesdropper } from './eavesdropper.ts';

/** What each one has otherwise than the reference service as it is. */
export const sandboxes: Readonly<Record<string, Partial<Dialect>>> = {
  gateway: {
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
    tokenClient: 'api-key',
    uploadEncoding: 'raw',
    uploadFileName: 'query',
    tokenPointer: '/data/0/id',
    errorShape: 'list',
    sending: 'first-signatory',
    callbackFormat: 'multipart',
    callbackAuth: 'bearer',
  },
  legacy: {
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
    tokenClient: 'body',
    tokenLifetimeShown: false,
    createAnswer: 'headers',
    errorShape: 'error',
    extraFields: true,
  },
};

/** Standard Webhooks wants 24 bytes at least, in base64. */
const callbackSecret = `whsec_${Buffer.from('callback secret of the sandboxes').toString('base64')}`;

export interface Sandbox {
  readonly heard: Eavesdropper;
  /** Variables of the environment that the profile refers to. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts one; calls pass through somebody who listens. */
export async function startSandbox(name: string): Promise<Sandbox> {
  const dialect = { ...sandboxes[name], callbackSecret };
  const reference = await startReference({ dialect });
  const { origin } = new URL(reference.baseUrl);
  const heard = await startEavesdropper(origin);
  const { clientId, clientSecret } = reference.credentials;
  return {
    heard,
    env: {
      SANDBOX_URL: heard.baseUrl + reference.dialect.basePath,
      SANDBOX_TOKEN: reference.tokens.valid,
      SANDBOX_CLIENT: clientId,
      SANDBOX_SECRET: clientSecret,
      SANDBOX_BASIC: Buffer.from(`${clientId}:${clientSecret}`).toString('base64'),
      SANDBOX_CALLBACK_SECRET: callbackSecret,
      ...(dialect.refreshTokens ? { SANDBOX_REFRESH_TOKEN: await refreshTokenOf(reference) } : {}),
    },
    close: async () => {
      await heard.close();
      await reference.close();
    },
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
