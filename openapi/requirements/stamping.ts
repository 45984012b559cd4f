/** Requirements of endpoint 3: auto stamping (type 3), its signatories and its stamps. */
import { signed } from './needs.ts';
import { type Area, entriesFor } from './requirement.ts';

const under = entriesFor({ operation: 'createStampedRequest', check: 'stamping' });
const endpoint = under('Endpoints, 3. Create a request with auto stamping (type 3)');
const signatory = under('Resources, Signatory in an auto stamping body (type 3)');
const stamp = under('Resources, AutoStamp');
const otherStamps = under('Resources, AutoStamp', { statusGap: 'errors.enumeration-status' });
const laterSignatory = under('Resources, Signatory in an auto stamping body (type 3)', { since: '0.2.0' });
const placed = under('Endpoints, 3. Create a request with auto stamping (type 3)', { check: 'workflow' });
const access = under('Authentication', { check: 'access', statusGap: 'auth.rejection-status' });
const effects = under('Authentication', { check: 'workflow', since: '0.2.0', needs: signed });

export const stamping = {
  'stamping.status-200': endpoint.must(
    'One call with Title, Message, Documents and Signatories creates the request, answered with 200.',
  ),
  'stamping.several-documents': endpoint.must(
    'Documents carries the tokens of several documents.',
    'several documents',
  ),
  'stamping.several-signatories': endpoint.must(
    'Signatories carries several signatories, each with stamps of its own.',
  ),
  'stamping.signatory-fields': signatory.must(
    'A signatory in Signatories has the fields of one that is added: Email, Name, Order and the rest.',
  ),
  'stamping.signatory-options': laterSignatory.must(
    'A signatory in Signatories has any of the three roles, and an OTP of any Type with IsRequired true.',
  ),
  'stamping.mobile-number': laterSignatory.should(
    'With IsRequired true and Type 2 or 4, a MobileNumber that is missing or not valid is not accepted.',
  ),
  'stamping.signatory-type-lower-case': signatory.must(
    'The role field is accepted as signatoryType, with a lower-case first letter.',
  ),
  'stamping.otp-type-string': signatory.must('OTP.Type is accepted as a string.'),
  'stamping.several-stamps': signatory.must(
    'AutoStamps of a signatory carries several stamps, each with an Identifier of its own.',
  ),
  'stamping.negative-offset': stamp.must('X_offset and Y_offset may be negative.'),
  'stamping.fractional-numbers': stamp.must(
    'X_offset, Y_offset, Height and Width are numbers, not only whole ones.',
  ),
  'stamping.stamp-types': stamp.must(
    'The stamp types signature, text, email, date and initial are accepted.',
  ),
  'stamping.stamp-type-values': otherStamps.should('A stamp type that is none of the five is not accepted.'),
  'stamping.placed': placed.must(
    'Each stamp is placed at the coordinates and in the size given for it.',
    'people who sign',
    'a way to act',
    'ids of type 3',
    'completed documents',
  ),
  'stamping.identifier-label': stamp.notTestable(
    "Identifier, a unique name of the caller's choice, is the label of its stamp.",
    'where the label is to be seen is not shown',
  ),
  'stamping.stamp-color': stamp.must('A stamp carries a hex color.'),
  'stamping.stamp-order': stamp.must('A stamp carries an integer Order.'),
  'stamping.token-missing': access.must('A creation with auto stamping without an access token is rejected.'),
  'stamping.token-invalid': access.must(
    'A creation with auto stamping with an invalid access token is rejected.',
  ),
  'stamping.token-expired': access.must(
    'A creation with auto stamping with an expired access token is rejected.',
    'an expired token',
  ),
  'stamping.refused-without-effect': effects.must(
    'What was rejected for its access token, or for a MobileNumber that is missing, creates no request: its signatories are not written to.',
    'e-mails',
  ),
  'stamping.under-development': under('What the service does').notTestable(
    'The auto stamping mode is labeled as under development.',
    'a remark about the maturity of the mode; nothing on the wire carries the label',
  ),
} satisfies Area;
