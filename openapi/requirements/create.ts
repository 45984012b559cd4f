/** Requirements of endpoint 2: creating requests of types 1, 2 and 3 on the unversioned path. */
import type { Area } from './requirement.ts';

const at = { operation: 'createRequest', since: '0.1.0' } as const;
const endpoint = 'Endpoints, 2. Create a request, types 1, 2, 3';

export const create = {
  'create.template-200': {
    ...at,
    section: endpoint,
    level: 'must',
    statement: 'With type=1 a request is initiated from a template, answered with status 200.',
    check: 'create',
    needs: ['a template'],
  },
  'create.fixed-200': {
    ...at,
    section: endpoint,
    level: 'must',
    statement:
      'With type=2 a standard request with fixed positioning is initiated, answered with status 200.',
    check: 'create',
    needs: ['fixed positions'],
  },
  'create.stamping-200': {
    ...at,
    section: endpoint,
    level: 'must',
    statement:
      'With type=3 an auto stamping request is initiated on this path too, answered with status 200.',
    check: 'create',
  },
  'create.token-missing': {
    ...at,
    section: 'Authentication',
    level: 'must',
    statement: 'A creation of type 1, 2 or 3 on the unversioned path without an access token is rejected.',
    check: 'create',
  },
  'create.token-invalid': {
    ...at,
    section: 'Authentication',
    level: 'must',
    statement:
      'A creation of type 1, 2 or 3 on the unversioned path with an invalid access token is rejected.',
    check: 'create',
  },
  'create.token-expired': {
    ...at,
    section: 'Authentication',
    level: 'must',
    statement:
      'A creation of type 1, 2 or 3 on the unversioned path with an expired access token is rejected.',
    check: 'create',
    needs: ['an expired token'],
  },
} as const satisfies Area;
