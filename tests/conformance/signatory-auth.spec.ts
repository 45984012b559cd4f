/** Endpoint 5: 401 without a valid access token. */

import { withoutAccess } from '../../harness/judging/without-access.ts';
import { covers } from '../running/covers.ts';
import { test } from '../running/fixtures.ts';

test(
  'a call without an access token is answered with 401',
  covers('signatory.token-missing'),
  async ({ signatory }) => {
    await signatory.deniesAccess(withoutAccess.missing, 401);
  },
);

test(
  'a call with an invalid access token is answered with 401',
  covers('signatory.token-invalid'),
  async ({ signatory }) => {
    await signatory.deniesAccess(withoutAccess.invalid, 401);
  },
);

test(
  'a call with an expired access token is answered with 401',
  covers('signatory.token-expired'),
  async ({ signatory }) => {
    await signatory.deniesAccess(withoutAccess.expired, 401);
  },
);
