/** Endpoint 4: 401 without a valid access token. */
import { covers } from '../covers.ts';
import { test } from '../fixtures.ts';
import { withoutAccess } from '../without-access.ts';

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
