/** Endpoint 1: what is rejected without a valid access token, and what the rejection says. */

import { withoutAccess } from '../../harness/judging/without-access.ts';
import { message } from '../../openapi/codes.ts';
import { covers } from '../running/covers.ts';
import { test } from '../running/fixtures.ts';

test('an upload without an access token is rejected', covers('upload.token-missing'), async ({ upload }) => {
  await upload.deniesAccess(withoutAccess.missing, 'no-token');
});

test(
  'an upload with an invalid access token is rejected',
  covers('upload.token-invalid'),
  async ({ upload }) => {
    await upload.deniesAccess(withoutAccess.invalid, 'no-token');
  },
);

test(
  'an upload with an expired access token is rejected',
  covers('upload.token-expired'),
  async ({ upload }) => {
    await upload.deniesAccess(withoutAccess.expired, 'no-token');
  },
);

test(
  'the rejection of an invalid token says so',
  covers('upload.token-invalid-message'),
  async ({ upload }) => {
    await upload.deniesAccessSaying(withoutAccess.invalid, 'no-token', message.invalidToken);
  },
);

test(
  'the rejection of an expired token says so',
  covers('upload.token-expired-message'),
  async ({ upload }) => {
    await upload.deniesAccessSaying(withoutAccess.expired, 'no-token', message.expiredToken);
  },
);
