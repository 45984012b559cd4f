/** Dialect settings about endpoint 1: how a document travels and where its token comes back. */
import { idForms } from '../ids.ts';
import { choice, flag, free } from './setting.ts';

export const uploadSettings = {
  uploadEncoding: choice(
    'Whether the file is a part of a multipart form, the body itself, or either, with any name of the part; or in base64 within a JSON object that has the name of the file too, as fileName.',
    ['any', 'multipart', 'raw', 'json'],
  ),
  uploadField: free(
    'Name of the part or of the JSON field that carries the file, with uploadEncoding=multipart or json.',
    ['file', 'document', 'File'],
  ),
  uploadFileName: choice(
    'Where the file name stands: in the part, in the header X-File-Name, in the query parameter fileName, or nowhere.',
    ['part', 'header', 'query', 'none'],
  ),
  uploadMediaType: choice(
    'Whether the declared media type of the file has to fit its content, or has to be application/octet-stream.',
    ['ignored', 'judged', 'octet-stream'],
  ),
  uploadStatus: choice('Status of a successful upload.', [200, 201, 202]),
  tokenPlace: choice(
    'Where the document token stands: in a JSON object, as a JSON string, as plain text, in a header, percent-encoded at the end of the address in Location, or in JSON within a page of HTML.',
    ['json', 'string', 'text', 'header', 'location', 'page'],
  ),
  tokenPointer: free('JSON Pointer to the document token, when it stands in a JSON object.', [
    '/documentToken',
    '/token',
    '/data/0/id',
  ]),
  tokenHeader: free('Header of the document token, when it stands in a header.', ['X-Document-Token']),
  documentTokenForm: choice('Form of a document token.', idForms),
  equalDocuments: choice('Whether two uploads of the same bytes give two tokens or one.', [
    'two-tokens',
    'one-token',
  ]),
  encryptedPdf: choice('Whether an encrypted PDF is accepted.', ['accepted', 'refused']),
  truncatedPdf: choice('Whether a PDF without its end is refused.', ['refused', 'accepted']),
  documentTokenLifetimeSeconds: free('How long a document token is valid; 0 means for ever.', [0, 600]),
  documentTokenUses: free('How many requests may refer to one document token; 0 means any number.', [0, 50]),
  documentTokenRequests: free(
    'After how many requests, of whatever documents, a document token ends; 0 means never.',
    [0, 500],
  ),
  documentsVisibleAfterMs: free('Milliseconds for which a new document token is not found.', [0, 100]),
  maxUploadBytes: free('Largest upload; a larger one is answered 413.', [26_214_400, 12_582_912]),
  extraFields: flag('Whether answers carry more fields than the documented ones.'),
} as const;
