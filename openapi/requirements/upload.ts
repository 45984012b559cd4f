/** Requirements of endpoint 1: uploading a document. */
import { type Area, entriesFor } from './requirement.ts';

const under = entriesFor({ operation: 'uploadDocument', check: 'document-upload' });
const endpoint = under('Endpoints, 1. Upload a document');
const documentToken = under('Resources, Document token');
const access = under('Authentication', { check: 'access', statusGap: 'upload.error-status' });
const accessErrors = under('Errors, Upload', { check: 'access', statusGap: 'upload.error-status' });
const limits = under('Limits', { statusGap: 'upload.other-format-status' });

export const upload = {
  'upload.pdf': endpoint.must('A PDF file is accepted.'),
  'upload.doc': endpoint.must('A DOC file is accepted.'),
  'upload.docx': endpoint.must('A DOCX file is accepted.'),
  'upload.other-formats': limits.should('A file that is neither PDF, DOC nor DOCX is not accepted.'),
  'upload.returns-token': endpoint.must('The answer to an upload contains a document token.'),
  'upload.token-string': documentToken.must('The document token is a string.'),
  'upload.token-identifies': documentToken.must(
    'The document token identifies the uploaded document: two different documents have two tokens.',
  ),
  'upload.token-usable': documentToken.must(
    'A token that an upload returned can be passed in Documents when a request is created.',
  ),
  'upload.token-missing': access.must('An upload without an access token is rejected.'),
  'upload.token-invalid': access.must('An upload with an invalid access token is rejected.'),
  'upload.token-expired': access.must(
    'An upload with an expired access token is rejected.',
    'an expired token',
  ),
  'upload.token-invalid-message': accessErrors.must(
    'The rejection of an upload with an invalid access token says "Invalid access token".',
  ),
  'upload.token-expired-message': accessErrors.must(
    'The rejection of an upload with an expired access token says "Access token is expired".',
    'an expired token',
  ),
} satisfies Area;
