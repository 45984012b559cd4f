/** Requirements about the service as a whole: modes, authentication, versioning. */
import { type Area, entriesFor } from './requirement.ts';

const under = entriesFor({ operation: null, check: 'skeleton' });
const overview = under('What the service does');
const authentication = under('Authentication');
const versioning = under('Versioning');

export const service = {
  'service.signatories-added-after': under('States and transitions').must(
    'A type 0 request is created without signers; signatories are added afterwards by separate calls.',
  ),
  'service.stamps-later': overview.notTestable(
    'Stamps of a type 0 request are placed by later calls.',
    'the operations that place stamps are not shown; where the profile has calls.stamps, flows sign requests whose stamps it placed (signing.signer-signs)',
  ),
  'service.other-operations': under('Endpoints, Other operations').notTestable(
    'There are operations to assign and position stamps, send a request, track it and fetch pages.',
    'their methods, paths and payloads are not shown; where the profile gives calls for them, flows rest on these (signing.*, events.*)',
  ),
  'service.mode-by-type': overview.notTestable(
    'The query parameter type selects the mode of a request: 0, 1, 2 or 3.',
    'each mode has its own requirement (skeleton.created, create.template-200, create.fixed-200, stamping.status-200)',
  ),
  'service.bearer-token': authentication.notTestable(
    'Every call carries an access token in its Authorization header, under the scheme Bearer.',
    'a condition on the caller; that calls without one are rejected is checked on each endpoint (*.token-missing)',
  ),
  'service.oauth': authentication.notTestable(
    'Access tokens come from a grant of OAuth 2.0.',
    'endpoint, grant type, scopes and lifetime of the flow are not shown',
  ),
  'service.v2-paths': versioning.notTestable(
    'The paths of type 0 creation and of adding signatories carry the segment v2.',
    'the checks call these paths alone: a service with another one fails skeleton.created or signatory.added',
  ),
  'service.unversioned-paths': versioning.notTestable(
    'Uploads, and creations of types 1 to 3, have paths without a version.',
    'the checks call these paths alone: a service with others fails upload.pdf, create.* or stamping.status-200',
  ),
} satisfies Area;
