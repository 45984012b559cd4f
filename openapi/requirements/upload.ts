/** Requirements of endpoint 1: uploading a document. */
import type { Area } from './requirement.ts';

const at = { operation: 'uploadDocument', since: '0.1.0' } as const;
const endpoint = 'Endpoints, 1. Upload a document';

export const upload = {
  'upload.pdf': {
    ...at,
    section: endpoint,
    level: 'must',
    statement: 'A PDF file is accepted.',
    check: 'document-upload',
  },
  'upload.doc': {
    ...at,
    section: endpoint,
    level: 'must',
    statement: 'A DOC file is accepted.',
    check: 'document-upload',
  },
  'upload.docx': {
    ...at,
    section: endpoint,
    level: 'must',
    statement: 'A DOCX file is accepted.',
    check: 'document-upload',
  },
  'upload.other-formats': {
    ...at,
    section: 'Limits',
    level: 'should',
    statement: 'A file that is neither PDF, DOC nor DOCX is not accepted.',
    check: 'document-upload',
  },
  'upload.returns-token': {
    ...at,
    section: endpoint,
    level: 'must',
    statement: 'The answer to an upload contains a document token.',
    check: 'document-upload',
  },
  'upload.token-string': {
    ...at,
    section: 'Resources, Document token',
    level: 'must',
    statement: 'The document token is a string.',
    check: 'document-upload',
  },
  'upload.token-identifies': {
    ...at,
    section: 'Resources, Document token',
    level: 'must',
    statement:
      'The document token identifies the uploaded document: two different documents have two tokens.',
    check: 'document-upload',
  },
  'upload.token-usable': {
    ...at,
    section: 'Resources, Document token',
    level: 'must',
    statement: 'A token that an upload returned can be passed in Documents when a request is created.',
    check: 'document-upload',
  },
  'upload.token-missing': {
    ...at,
    section: 'Authentication',
    level: 'must',
    statement: 'An upload without an access token is rejected.',
    check: 'access',
  },
  'upload.token-invalid': {
    ...at,
    section: 'Authentication',
    level: 'must',
    statement: 'An upload with an invalid access token is rejected.',
    check: 'access',
  },
  'upload.token-expired': {
    ...at,
    section: 'Authentication',
    level: 'must',
    statement: 'An upload with an expired access token is rejected.',
    check: 'access',
    needs: ['an expired token'],
  },
  'upload.token-invalid-message': {
    ...at,
    section: 'Errors, Upload',
    level: 'must',
    statement: 'The rejection of an upload with an invalid access token says "Invalid access token".',
    check: 'access',
  },
  'upload.token-expired-message': {
    ...at,
    section: 'Errors, Upload',
    level: 'must',
    statement: 'The rejection of an upload with an expired access token says "Access token is expired".',
    check: 'access',
    needs: ['an expired token'],
  },
} as const satisfies Area;
