/** Requirements of endpoint 2: creating requests of types 1, 2 and 3 on the unversioned path. */
import { type Area, entriesFor } from './requirement.ts';

const under = entriesFor({ operation: 'createRequest', check: 'create' });
const endpoint = under('Endpoints, 2. Create a request, types 1, 2, 3');
const authentication = under('Authentication', { statusGap: 'auth.rejection-status' });

export const create = {
  'create.template-200': endpoint.must(
    'With type=1 a request is initiated from a template, answered with status 200.',
    'a template',
  ),
  'create.fixed-200': endpoint.must(
    'With type=2 a standard request with fixed positioning is initiated, answered with status 200.',
    'fixed positions',
  ),
  'create.stamping-200': endpoint.must(
    'With type=3 an auto stamping request is initiated on the unversioned path too, answered with status 200.',
  ),
  'create.token-missing': authentication.must(
    'A creation of type 1, 2 or 3 on the unversioned path without an access token is rejected.',
  ),
  'create.token-invalid': authentication.must(
    'A creation of type 1, 2 or 3 on the unversioned path with an invalid access token is rejected.',
  ),
  'create.token-expired': authentication.must(
    'A creation of type 1, 2 or 3 on the unversioned path with an expired access token is rejected.',
    'an expired token',
  ),
} satisfies Area;
