/** Access tokens that are replaced and renewed while a session is under way; the ways to one are dialects. */
import { expect, type TestInfo, test } from '@playwright/test';
import type { AuthSettings } from '../../harness/profile/auth-settings.ts';
import { isAccepted } from '../../harness/target/call.ts';
import type { Dialect } from '../../reference/dialect.ts';
import type { Reference } from '../../reference/server.ts';
import { sessionAt } from './services/session.ts';
import { refreshTokenOf, withDialect } from './services/token-asking.ts';

const multipartUpload = { encoding: 'multipart', field: 'file' } as const;
const camelCase = {
  accessToken: '/accessToken',
  refreshToken: '/refreshToken',
  lifetime: '/expiresIn',
} as const;

/** Uploads with a token by these settings; the statuses of the first upload and of one after another token. */
async function uploadsWith(info: TestInfo, reference: Reference, auth: AuthSettings) {
  const session = sessionAt(reference.baseUrl, info.outputPath('bodies'), { auth, upload: multipartUpload });
  try {
    const first = await session.shared('document');
    const spare = await session.tokens.spare();
    const again = await session.shared('document');
    return {
      accepted: isAccepted(first) && isAccepted(again),
      another: spare !== undefined && spare !== (await session.tokens.valid()),
      lifetimesS: [...session.tokens.statedLifetimesS],
      warnings: session.warnings(),
    };
  } finally {
    await session.close();
  }
}

const ways: readonly (readonly [
  title: string,
  dialect: Partial<Dialect>,
  auth: (reference: Reference) => Promise<AuthSettings>,
])[] = [
  [
    'a refresh token in a form, replaced each time',
    { refreshTokens: 'rotated', tokenAnswer: 'camelCase' },
    async (reference) => ({
      kind: 'refresh-token',
      ...reference.credentials,
      refreshToken: await refreshTokenOf(reference),
      method: 'body',
      answer: camelCase,
    }),
  ],
  [
    'a refresh token by a call of its own',
    { refreshTokens: 'rotated', tokenEncoding: 'multipart' },
    async (reference) => ({
      kind: 'refresh-token',
      refreshToken: await refreshTokenOf(reference),
      clientId: reference.credentials.clientId,
      clientSecret: reference.credentials.clientSecret,
      call: {
        method: 'POST',
        url: reference.dialect.tokenPath,
        encoding: 'multipart',
        body: {
          grant_type: 'refresh_token',
          refresh_token: '{refreshToken}',
          client_id: '{clientId}',
          client_secret: '{clientSecret}',
        },
      },
    }),
  ],
];

for (const [title, dialect, authOf] of ways) {
  test(`an access token comes of ${title}`, async ({}, info) => {
    await withDialect(dialect, async (reference) => {
      const { warnings, ...seen } = await uploadsWith(info, reference, await authOf(reference));
      expect(seen).toEqual({ accepted: true, another: true, lifetimesS: [3600] });
      expect(warnings).toEqual([expect.stringContaining('which may not work a second time')]);
    });
  });
}
