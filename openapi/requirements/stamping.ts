/** Requirements of endpoint 3: auto stamping (type 3), its signatories and its stamps. */
import { signed } from './needs.ts';
import type { Area } from './requirement.ts';

const at = { operation: 'createStampedRequest', since: '0.1.0' } as const;
const endpoint = 'Endpoints, 3. Create a request with auto stamping (type 3)';
const signatory = 'Resources, Signatory in an auto stamping body (type 3)';
const stamp = 'Resources, AutoStamp';

export const stamping = {
  'stamping.status-200': {
    ...at,
    section: endpoint,
    level: 'must',
    statement:
      'One call with Title, Message, Documents and Signatories creates the request, answered with 200.',
    check: 'stamping',
  },
  'stamping.several-documents': {
    ...at,
    section: endpoint,
    level: 'must',
    statement: 'Documents carries the tokens of several documents.',
    check: 'stamping',
    needs: ['several documents'],
  },
  'stamping.several-signatories': {
    ...at,
    section: endpoint,
    level: 'must',
    statement: 'Signatories carries several signatories, each with stamps of its own.',
    check: 'stamping',
  },
  'stamping.signatory-fields': {
    ...at,
    section: signatory,
    level: 'must',
    statement:
      'A signatory in Signatories has the fields of one that is added: Email, Name, Order and the rest.',
    check: 'stamping',
  },
  'stamping.signatory-options': {
    ...at,
    since: '0.2.0',
    section: signatory,
    level: 'must',
    statement:
      'A signatory in Signatories has any of the three roles, and an OTP of any Type that is required.',
    check: 'stamping',
  },
  'stamping.mobile-number': {
    ...at,
    since: '0.2.0',
    section: signatory,
    level: 'should',
    statement:
      'With IsRequired true and Type 2 or 4, a MobileNumber that is missing or not valid is not accepted.',
    check: 'stamping',
  },
  'stamping.signatory-type-lower-case': {
    ...at,
    section: signatory,
    level: 'must',
    statement: 'The role field is accepted as signatoryType, with a lower-case first letter.',
    check: 'stamping',
  },
  'stamping.otp-type-string': {
    ...at,
    section: signatory,
    level: 'must',
    statement: 'OTP.Type is accepted as a string.',
    check: 'stamping',
  },
  'stamping.several-stamps': {
    ...at,
    section: signatory,
    level: 'must',
    statement: 'AutoStamps of a signatory carries several stamps, each with an Identifier of its own.',
    check: 'stamping',
  },
  'stamping.negative-offset': {
    ...at,
    section: stamp,
    level: 'must',
    statement: 'X_offset and Y_offset may be negative.',
    check: 'stamping',
  },
  'stamping.fractional-numbers': {
    ...at,
    section: stamp,
    level: 'must',
    statement: 'X_offset, Y_offset, Height and Width are numbers, not only whole ones.',
    check: 'stamping',
  },
  'stamping.stamp-types': {
    ...at,
    section: stamp,
    level: 'must',
    statement: 'The stamp types signature, text, email, date and initial are accepted.',
    check: 'stamping',
  },
  'stamping.stamp-type-values': {
    ...at,
    section: stamp,
    level: 'should',
    statement: 'A stamp type that is none of the five is not accepted.',
    check: 'stamping',
  },
  'stamping.placed': {
    ...at,
    section: endpoint,
    level: 'must',
    statement: 'Each stamp is placed at the coordinates and in the size given for it.',
    check: 'workflow',
    needs: ['people who sign', 'a way to act', 'ids of type 3', 'completed documents'],
  },
  'stamping.identifier-label': {
    ...at,
    section: stamp,
    level: 'must',
    statement: "Identifier, a unique name of the caller's choice, is the label of its stamp.",
    notTestable: 'where the label is to be seen is not shown',
  },
  'stamping.stamp-color': {
    ...at,
    section: stamp,
    level: 'must',
    statement: 'A stamp carries a hex color.',
    check: 'stamping',
  },
  'stamping.stamp-order': {
    ...at,
    section: stamp,
    level: 'must',
    statement: 'A stamp carries an integer Order.',
    check: 'stamping',
  },
  'stamping.token-missing': {
    ...at,
    section: 'Authentication',
    level: 'must',
    statement: 'A creation with auto stamping without an access token is rejected.',
    check: 'access',
  },
  'stamping.token-invalid': {
    ...at,
    section: 'Authentication',
    level: 'must',
    statement: 'A creation with auto stamping with an invalid access token is rejected.',
    check: 'access',
  },
  'stamping.token-expired': {
    ...at,
    section: 'Authentication',
    level: 'must',
    statement: 'A creation with auto stamping with an expired access token is rejected.',
    check: 'access',
    needs: ['an expired token'],
  },
  'stamping.refused-without-effect': {
    ...at,
    since: '0.2.0',
    section: 'Authentication',
    level: 'must',
    statement:
      'What was rejected for its access token creates no request: its signatories are not written to.',
    needs: [...signed, 'e-mails'],
    check: 'workflow',
  },
  'stamping.under-development': {
    ...at,
    section: 'What the service does',
    level: 'must',
    statement: 'The auto stamping mode is labeled as under development.',
    notTestable: 'a remark about the maturity of the mode; nothing on the wire carries the label',
  },
} as const satisfies Area;
