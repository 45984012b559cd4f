/** Dialect settings about refusals: where the message stands and which status is used where none is stated. */
import { choice, flag, free } from './setting.ts';

export const errorSettings = {
  errorShape: choice(
    'Shape of a refusal: a JSON body, plain text, HTML, or an empty body with the message in the header X-Error-Message or in the reason phrase.',
    ['problem', 'error', 'message', 'list', 'nested', 'text', 'html', 'header', 'reason'],
  ),
  errorDetail: flag('Whether a refusal also says which field it is about.', true),
  uploadAuthStatus: choice(
    'Status when an upload is rejected because of its access token; 200 carries an error body, 302 leads to a login page.',
    [401, 400, 403, 200, 302],
  ),
  createAuthStatus: choice(
    'Status when a creation of type 1, 2 or 3 is rejected because of its access token; 302 leads to a login page.',
    [401, 400, 403, 302],
  ),
  uploadRefusedStatus: choice('Status for a file that is no PDF, DOC or DOCX.', [400, 415, 422]),
  createRefusedStatus: choice('Status for a wrong body of type 1, 2 or 3.', [400, 422]),
  createRefusedAs: choice(
    'How a refused creation of type 1, 2 or 3 is answered: with its status, or with 200 and a flag or a code that says so.',
    ['status', 'flag', 'code'],
  ),
  createUnknownDocumentStatus: choice(
    'Status for an unknown document token with type 1, 2 or 3.',
    [404, 400, 422],
  ),
  contentTypeStatus: choice('Status for a body that is not declared as JSON.', [400, 415]),
  wrongTypeStatus: choice('Status for a value of the wrong JSON type.', [400, 422]),
  valueStatus: choice('Status for a value outside an enumeration.', [400, 422]),
  emptyDocumentsStatus: choice('Status for an empty list of documents.', [400, 422, 404]),
  emptyTextStatus: choice('Status for an empty string in a required field, where it is refused.', [400, 422]),
  conflictStatus: choice('Status for an action that the state of a request does not allow.', [409, 400, 403]),
  actRefusedAs: choice(
    'How an act of a person that is refused by a call is answered: with its status, or with 200 and a body that says so, as GraphQL, JSON-RPC, a flag, a page of HTML, a word of its own or a code does.',
    ['status', 'graphql', 'json-rpc', 'flag', 'page', 'own-words', 'code'],
  ),
  unknownTypeStatus: choice('Status for a missing or unknown query parameter type.', [400, 404]),
  jsonBeforeAccess: flag(
    'Whether endpoints 4 and 5 read the JSON before they look at the access token (400 before 401).',
  ),
  malformedIdStatus: choice(
    'Status of endpoint 5 for a requestId that does not have the form of one.',
    [404, 400],
  ),
  foreignStatus: choice('Status for a requestId of another account.', [404, 403]),
  requestIdBeforeBody: flag(
    'Whether endpoint 5 looks for the request before it judges the body (404 before 400).',
  ),
  documentsBeforeBody: flag(
    'Whether endpoint 4 looks for well-formed document tokens before it judges the rest of the body (404 before 400).',
  ),
  maxJsonBytes: free('Largest JSON body; a larger one is answered 413.', [1_048_576, 65_536]),
} as const;
