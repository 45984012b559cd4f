/** Gaps about adding signatories, about the order in which they act, and about their OTP. */
import { type GapArea, under } from '../gap.ts';

const endpoint = under('Endpoints, 5. Add a signatory to a type 0 request');
const body = under('Resources, Signatory');
const object = under('Resources, OTP object');
const values = under('Resources, OTP Type values');
const matrix = 'The cells of the OTP matrix about which the document is silent.';

export const signatory = {
  'signatory.success-status': endpoint.notShown({
    question: 'With which 2xx status does adding a signatory succeed?',
    reference: '200',
    observed: 'The status of each successful call.',
  }),
  'signatory.id-format': under('Resources, Added signatory').notShown({
    question: 'What does a signatoryId look like: length, characters, fixed form?',
    reference: 'A UUID.',
    observed: 'Length and class of characters of the ids seen.',
  }),
  'signatory.parallel-order': body.unclear({
    question: 'Is Order 1 for all the only way to sign in parallel, or do other equal orders do it too?',
    reference: 'Equal orders sign in parallel, whichever they are.',
    needs: '--explore-steps: exploring counts who could act beside others of the same Order',
  }),
  'signatory.order-range': body.notShown({
    question: 'Is an Order of 0, below 0, very large, or one that leaves a gap accepted?',
    reference: 'From 1 on, gaps included; others are refused with 400.',
    observed: 'Signatories with Order 0, -1, 1.5, 1000 and 2147483648.',
    needs: '--explore',
  }),
  'signatory.same-email': body.notShown({
    question: 'May one e-mail address be added to a request twice?',
    reference: 'Yes, as two signatories.',
    observed: 'A second signatory with the address of the first.',
  }),
  'signatory.email-form': body.notShown({
    question: 'Is an Email that is no e-mail address refused, and which addresses count as one?',
    reference: 'Refused with 400 without an @ between two parts.',
    observed: 'A signatory whose Email is a plain word.',
    needs: '--explore',
  }),
  'signatory.color-form': body.unclear({
    question: 'Which hex colors are accepted: with #, of three digits, with transparency, in which case?',
    reference: '# and three, six or eight hexadecimal digits.',
    observed: 'Signatories with #RGB, RRGGBB without #, and a color name.',
    needs: '--explore',
  }),
  'signatory.late': endpoint.notShown({
    question: 'May a signatory still be added once the request was sent or completed?',
    reference: 'No: 409.',
    needs: '--explore-steps: exploring counts what was taken and what was refused',
  }),
  'signatory.other-types': endpoint.unclear({
    question: 'Can signatories be added to requests of types 1, 2 and 3 as well?',
    reference: 'No: 404.',
    observed: 'A signatory who is added to the id that a creation of type 3 answered.',
    needs: 'an id in the answer to a creation of type 3',
  }),
  'signatory.color-left-out': body.unclear({
    question: 'Each participant "has" a color label, and Color is optional: which one without it?',
    reference: 'None.',
    needs: 'to know where the user interface shows colors',
  }),
  'signatory.otp-required': body.unclear({
    question: 'The overview calls the identity check optional, the tables do not say: is OTP required?',
    reference: 'No; without it no identity check takes place.',
    observed: 'A signatory without OTP.',
  }),
  'otp.mobile-without-is-required': object.unclear({
    question:
      'MobileNumber is "required when Type is 2 or 4", but the rule also needs IsRequired true: what if false?',
    reference: 'It is not needed when IsRequired is false.',
    observed: matrix,
  }),
  'otp.mobile-format': object.notShown({
    question: 'What is a valid number: with + and country code, with spaces, national, of which countries?',
    reference: 'A number with + and country code, spaces allowed, that a numbering plan allows.',
    observed: 'Numbers with spaces, without +, and with 00.',
    needs: '--explore',
  }),
  'otp.mobile-unneeded': object.notShown({
    question: 'Is a MobileNumber that is not needed (Type 1 or 3) ignored, checked or refused?',
    reference: 'Ignored.',
    observed: matrix,
  }),
  'otp.access-code-form': object.notShown({
    question: 'Which texts can be an AccessCode: how long, digits only, any characters?',
    reference: 'Any text.',
    observed: 'AccessCodes of four digits and of words.',
    needs: '--explore',
  }),
  'otp.access-code-needed': values.unclear({
    question: 'AccessCode is optional, but does Type 3 with IsRequired true work without one?',
    reference: 'No: 400.',
    observed: matrix,
  }),
  'otp.access-code-empty': object.unclear({
    question: 'AccessCode is "usually left empty": sent as an empty text, or left out?',
    reference: 'Either.',
    observed: 'A signatory whose AccessCode is an empty text.',
    needs: '--explore',
  }),
  'otp.access-code-unneeded': object.notShown({
    question: 'What does an AccessCode do with Type 1, 2 or 4, and with IsRequired false?',
    reference: 'Nothing.',
    observed: matrix,
  }),
  'otp.type-4-codes': values.notShown({
    question: 'Type 4 is "Email and SMS OTP": one code sent both ways, or two that are both to be entered?',
    reference: 'One code sent both ways.',
    profileKey: 'calls.sign',
    needs: 'the word of the vendor: the profile says where which code is entered',
  }),
  'otp.code-limits': object.notShown({
    question: 'How many digits has a code, how long is it valid, and how often may a wrong one be entered?',
    reference: 'Six digits, ten minutes, and five times.',
    needs: '--explore-steps: exploring counts how often the right code was taken after wrong ones',
  }),
  'otp.roles': object.notShown({
    question:
      '"Before signing": is an approver asked for the OTP that they are added with, and what does it mean for a CC?',
    reference: 'It holds for an approver too; for a CC it means nothing.',
    observed: 'An approver and a CC who are added with IsRequired true.',
    needs: '--explore',
  }),
} satisfies GapArea;
