/** Gaps about refusals in general and about bodies that the document neither allows nor forbids. */
import { type GapArea, under } from '../gap.ts';

const refusals = under('Errors, Endpoints 4 and 5');
const endpoints = under('Endpoints');
const resources = under('Resources');
const upload = under('Errors, Upload');

export const errors = {
  'errors.body-shape': upload.notShown({
    question: 'What does the body of an error look like, on each endpoint?',
    reference: 'Problem details in JSON (RFC 9457).',
    observed: 'Media type and top-level fields of each refusal.',
  }),
  'errors.message-place': refusals.unclear({
    question: 'Does the message of an error stand in the body, in a header or in the reason phrase?',
    reference: 'In the body.',
    observed: 'Where the stated messages are found.',
  }),
  'errors.precedence': refusals.notShown({
    question: 'Which of 400, 401 and 404 is answered when a call earns more than one of them?',
    reference: '401 before 400 before 404.',
    observed: 'Calls with two mistakes at once.',
  }),
  'errors.content-type-status': endpoints.unclear({
    question: 'Content-Type must be application/json, but what is answered to another one, 400 or 415?',
    reference: '400',
    observed: 'The status of a JSON body that is sent as text/plain.',
  }),
  'errors.content-type-missing': endpoints.unclear({
    question:
      'The header Content-Type is required, and nothing else can be said by its absence: is a body without it refused, or read as JSON?',
    reference: 'Refused with 400.',
    observed: 'A valid body that is sent without Content-Type.',
  }),
  'errors.enumeration-status': resources.unclear({
    question: 'What is answered to a value that a table of values does not list?',
    reference: '400',
    observed: 'The status of bodies with SignatoryType, OTP.Type or the Type of a stamp outside the table.',
  }),
  'errors.wrong-type-status': refusals.unclear({
    question: 'Is a value of the wrong type "malformed" (400), or something else?',
    reference: '400',
    observed: 'The status of bodies with a null or an object where a string or a number belongs.',
  }),
  'errors.unknown-fields': resources.notShown({
    question: 'Are fields that the document does not name ignored or refused?',
    reference: 'Ignored.',
    observed: 'Bodies with one field more.',
  }),
  'errors.empty-strings': refusals.unclear({
    question: 'Does an empty string count as a missing required field?',
    reference: 'Yes, it is refused with 400.',
    observed: 'Bodies in which one required text is empty.',
    needs: '--explore',
  }),
  'errors.wrong-type-optional': resources.unclear({
    question: 'Is a value of the wrong type in an optional field "malformed" (400), or something else?',
    reference: '400',
    observed:
      'The status of bodies with an object or a list where an optional value of another type belongs.',
  }),
  'errors.null-optional': resources.notShown({
    question: 'Is null in an optional field the same as leaving it out?',
    reference: 'Yes.',
    observed: 'Bodies in which one optional field is null.',
  }),
  'errors.key-case': resources.unclear({
    question: 'Does the casing of a key matter (SignatoryType, signatoryType)?',
    reference: 'Yes, except for the role field in an auto stamping body.',
    observed: 'Bodies with the keys in other casing.',
    needs: '--explore',
  }),
  'errors.numbers-as-strings': resources.unclear({
    question: 'Is a number that is sent as a string ("1") taken as the number?',
    reference: 'No, except for OTP.Type in an auto stamping body.',
    observed: 'Bodies in which an integer is sent as a string.',
  }),
  'errors.byte-order-mark': endpoints.notShown({
    question: 'Is a JSON body accepted that begins with a byte order mark?',
    reference: 'Yes.',
    observed: 'A valid body with a byte order mark before it.',
    needs: '--explore',
  }),
  'errors.lenient-json': refusals.unclear({
    question:
      'Is slightly broken JSON "malformed": a comma too many, a comment, single quotes, a key twice, a text behind it?',
    reference: 'It is refused with 400; of a key that is there twice the last value counts.',
    observed: 'Bodies with one such slip each.',
    needs: '--explore',
  }),
  'errors.empty-documents-status': under('Limits').unclear({
    question: 'Documents holds at least one token, but with which status is an empty list refused?',
    reference: '400',
    observed: 'The status of a body with empty Documents.',
  }),
  'errors.create': upload.notShown({
    question: 'Which errors do endpoints 2 and 3 answer, and when: to fields of a wrong type, too?',
    reference: 'The same as endpoint 4.',
    observed: 'Statuses and messages of refused creations of types 1, 2 and 3.',
  }),
} satisfies GapArea;
