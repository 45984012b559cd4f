/** Faults of endpoint 1. */
import { type FaultEntries, instead } from './kinds.ts';

export const uploadFaults = {
  ...instead('upload.pdf', 'a PDF', 'refused', 500),
  'upload.pdf/many-pages-refused': 'a PDF of more than 20 pages is refused',
  'upload.pdf/landscape-refused': 'a PDF in landscape is refused',
  'upload.pdf/turned-refused': 'a PDF with turned pages is refused',
  'upload.pdf/form-refused': 'a PDF with a form is refused',
  'upload.pdf/embedded-font-refused': 'a PDF with an embedded font is refused',
  'upload.doc/refused': 'a DOC is refused',
  'upload.docx/refused': 'a DOCX is refused',
  'upload.other-formats/png-accepted': 'a PNG image is accepted',
  'upload.other-formats/text-accepted': 'a plain text is accepted',
  'upload.other-formats/zip-accepted': 'a ZIP archive that is no DOCX is accepted',
  'upload.other-formats/500': 'a file of another format is answered with 500',
  'upload.returns-token/missing': 'the answer carries no document token',
  'upload.returns-token/empty': 'the document token is an empty string',
  'upload.token-string/number': 'the document token is a JSON number',
  'upload.token-identifies/same': 'every upload answers the same token',
  'upload.token-usable/other': 'the answer carries a token that is not known',
  'upload.token-usable/doc': 'the answer to a DOC carries a token that is not known',
  'upload.token-usable/docx': 'the answer to a DOCX carries a token that is not known',
  'upload.token-invalid-message/other': 'another message is given for an invalid access token',
  'upload.token-invalid-message/of-expired': 'an invalid access token is said to be expired',
  'upload.token-expired-message/other': 'another message is given for an expired access token',
  'upload.token-expired-message/of-invalid': 'an expired access token is said to be invalid',
} as const satisfies FaultEntries;
