/** Gaps about auto stamping (type 3): its body, its answer, and where a stamp lands. */
import { type GapArea, under } from '../gap.ts';

const endpoint = under('Endpoints, 3. Create a request with auto stamping (type 3)');
const signatory = under('Resources, Signatory in an auto stamping body (type 3)');
const stamp = under('Resources, AutoStamp');
const positions =
  'The places of stamps in completed documents, from several stamps of known offset and size.';

export const stamping = {
  'stamping.required-fields': endpoint.notShown({
    question: 'Which fields of an auto stamping body, its signatories and its stamps are required?',
    reference:
      'Title, Message, Documents and Signatories; Email and Name of each; Identifier, Type, Offset and StampSize of a stamp.',
    observed: 'Bodies from which one field is left out.',
    needs: '--explore, since each of these bodies may create a request',
  }),
  'stamping.response-body': endpoint.notShown({
    question: 'What does endpoint 3 answer besides the status 200, and is the id of the request in it?',
    reference: 'JSON with requestId.',
    observed: 'Media type and top-level fields of each answer.',
  }),
  'stamping.sent': endpoint.notShown({
    question: 'Is a request of type 3 sent to its signatories when it is created, or by a later call?',
    reference: 'When it is created.',
    observed: 'Whether a signer can act after the creation, or only after calls.send.',
    needs: 'signing in the profile',
  }),
  'stamping.stamps-by-role': signatory.notShown({
    question: 'May an approver or a CC, who do not sign, have stamps, and what becomes of these?',
    reference: 'Yes; only those of signers are filled in.',
    needs: 'a completed document of such a request, which no flow looks at',
  }),
  'stamping.role-spelling': signatory.unclear({
    question: 'The role field is SignatoryType in one table and signatoryType here: are both accepted?',
    reference: 'Both.',
    observed: 'Bodies with either spelling.',
  }),
  'stamping.otp-type': signatory.unclear({
    question:
      'OTP.Type is an integer in one table and a string here: are both accepted, and is the string "1" for 1?',
    reference: 'Both.',
    observed: 'Bodies with either.',
  }),
  'stamping.unit': endpoint.notShown({
    question: 'In which unit are Offset and StampSize given: points, pixels, a share of the page?',
    reference: 'PDF points.',
    observed: positions,
    needs: 'signing in the profile',
  }),
  'stamping.origin': endpoint.notShown({
    question: 'From which point of the page is Offset measured, in which direction, to which corner?',
    reference: 'From the lower left corner of the page to the lower left corner of the stamp.',
    observed: positions,
    needs: 'signing in the profile',
  }),
  'stamping.page': stamp.notShown({
    question: 'A stamp names no page and no document: on which ones is it placed?',
    reference: 'On the last page of each document.',
    needs: 'a document of several pages with stamps, which no flow uploads',
  }),
  'stamping.order-meaning': stamp.unclear({
    question: 'What does the Order of a stamp decide, and may two stamps share one?',
    reference: 'The order in which stamps are filled in; two may share one.',
    observed: 'A stamp with Order 0.',
    needs: '--explore, since each of these bodies may create a request',
  }),
  'stamping.identifier-scope': stamp.unclear({
    question: 'Within what is Identifier unique (signatory, request), and what if it is not?',
    reference: 'Within the request; a repeated one is refused with 400.',
    observed: 'Two stamps with one Identifier.',
    needs: '--explore, since each of these bodies may create a request',
  }),
  'stamping.content': stamp.notShown({
    question: 'What does a stamp of type text, date or initial show, and who fills it in?',
    reference: 'Its Identifier and a value from the signatory or the time of signing.',
    needs: 'a flow with stamps of these types, which is not there',
  }),
} satisfies GapArea;
