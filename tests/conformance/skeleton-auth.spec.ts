/** Endpoint 4: 401 without a valid access token. */

import { withoutAccess } from '../../harness/judging/without-access.ts';
import { covers } from '../running/covers.ts';
import { test } from '../running/fixtures.ts';

test(
  'a creation without an access token is answered with 401',
  covers('skeleton.token-missing'),
  async ({ skeleton }) => {
    await skeleton.deniesAccess(withoutAccess.missing, 401);
  },
);

test(
  'a creation with an invalid access token is answered with 401',
  covers('skeleton.token-invalid'),
  async ({ skeleton }) => {
    await skeleton.deniesAccess(withoutAccess.invalid, 401);
  },
);

test(
  'a creation with an expired access token is answered with 401',
  covers('skeleton.token-expired'),
  async ({ skeleton }) => {
    await skeleton.deniesAccess(withoutAccess.expired, 401);
  },
);
