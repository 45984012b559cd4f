/** Gaps about uploading documents and about the tokens that uploads return. */
import { type GapArea, under } from '../gap.ts';

const endpoint = under('Endpoints, 1. Upload a document');
const token = under('Resources, Document token');
const errors = under('Errors, Upload');
const limits = under('Limits');

export const upload = {
  'upload.encoding': endpoint.notShown({
    question:
      'How is the file carried: as a part of multipart/form-data, as the body itself, or within JSON?',
    reference: 'As a part of multipart/form-data.',
    profileKey: 'upload.encoding',
    observed: 'The encoding in which the first upload was accepted.',
  }),
  'upload.field-name': endpoint.notShown({
    question: 'If the file is a part of multipart/form-data, what is the name of its field?',
    reference: 'file',
    profileKey: 'upload.field',
    observed: 'The field of the form in which the first upload was accepted.',
  }),
  'upload.file-name': endpoint.notShown({
    question: 'Where is the name of the file given, and is it needed?',
    reference: 'In the Content-Disposition of the part; it is not needed.',
    profileKey: 'upload.fileName',
    observed: 'A PDF with a name outside ASCII.',
    needs: '--explore',
  }),
  'upload.token-place': endpoint.notShown({
    question: 'Which field of the answer carries the document token, if the answer is JSON at all?',
    reference: 'JSON with the field documentToken.',
    profileKey: 'upload.token',
    observed: 'The shape of the answer to an upload.',
  }),
  'upload.success-status': endpoint.notShown({
    question: 'With which 2xx status does an upload succeed?',
    reference: '200',
    observed: 'The status of each successful upload.',
  }),
  'upload.error-status': errors.notShown({
    question: 'Which statuses belong to the two error messages of an upload?',
    reference: '401 for both.',
    observed: 'The status of each upload that is rejected for its token.',
  }),
  'upload.token-missing-message': errors.notShown({
    question: 'What does an upload without any access token answer, whose message is not in the table?',
    reference: 'Invalid access token',
    observed: 'The text of each upload that is rejected because it has no token.',
  }),
  'upload.other-format-status': limits.notShown({
    question: 'With which status and message is a file of another format refused?',
    reference: '400',
    observed: 'The answer to a PNG and to a plain text.',
  }),
  'upload.format-detection': endpoint.notShown({
    question: 'Is a format told by content, by file name or by declared media type?',
    reference: 'By content alone.',
    observed: 'The answer to a text that is named and declared as a PDF.',
  }),
  'upload.damaged-file': endpoint.notShown({
    question: 'Is an empty or truncated file accepted?',
    reference: 'No: 400.',
    observed: 'The answers to an empty file and to a PDF without its end.',
  }),
  'upload.encrypted-file': endpoint.notShown({
    question: 'Is a PDF that is encrypted with a password accepted?',
    reference: 'Yes.',
    observed: 'The answer to an encrypted PDF.',
    needs: '--explore',
  }),
  'upload.equal-documents': token.notShown({
    question: 'Does the same file, uploaded twice, have one token or two?',
    reference: 'Two.',
    observed: 'The tokens of two uploads of the same bytes.',
  }),
  'upload.token-format': token.notShown({
    question: 'What does a document token look like: length, characters, fixed form?',
    reference: 'A UUID.',
    observed: 'Length and class of characters of the tokens seen.',
  }),
  'upload.token-validity': under('Errors, Endpoints 4 and 5').notShown({
    question: 'How long is a document token valid, and what ends it?',
    reference: 'Until it is invalidated.',
    profileKey: 'calls.invalidateDocument',
    observed: 'The age at which a token was still taken, and the call template `invalidateDocument`.',
  }),
  'upload.token-reuse': token.notShown({
    question: 'May one document token be used in several requests, or twice in one?',
    reference: 'Yes.',
    profileKey: 'limits.documentUses',
    observed: 'A creation with a token that was used before, and one that names a token twice.',
  }),
} satisfies GapArea;
