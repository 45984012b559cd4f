/** Dialect settings about creating requests (endpoints 2, 3 and 4). */
import { choice, free } from './setting.ts';

export const requestSettings = {
  skeletonStatus: choice('Status of a successful creation of type 0.', [200, 201, 202]),
  typeQuery: choice('Whether endpoint 4 needs type=0 in its query.', ['required', 'optional']),
  unknownFields: choice('What happens to a field that the document does not show.', ['ignored', 'refused']),
  emptyText: choice('Whether an empty string in a required field is refused.', ['refused', 'accepted']),
  keyCase: choice('Whether field names are taken in any letter case.', ['exact', 'any']),
  coercion: choice('Whether numbers and booleans that come as strings are taken as what they look like.', [
    'none',
    'strings',
  ]),
  byteOrderMark: choice('Whether a JSON body may start with a byte order mark.', ['accepted', 'refused']),
  nullOptional: choice('Whether null in an optional field counts as absent.', ['accepted', 'refused']),
  contentTypeMissing: choice('Whether a JSON body without a Content-Type is accepted.', [
    'refused',
    'accepted',
  ]),
  contentTypeParameters: choice('Whether Content-Type may have parameters, such as a charset.', [
    'accepted',
    'refused',
  ]),
  callbackUrlCheck: choice(
    'Whether a CallbackUrl is called with HEAD when a request is created, or before the rest of its body is judged, and refused when nobody answers.',
    ['none', 'called', 'called-first'],
  ),
  characters: choice(
    'Which characters required texts such as Title and Name may hold: any, or those of ASCII that are no markup.',
    ['any', 'printable'],
  ),
  lenientJson: choice('Whether a comma too many before a closing bracket is forgiven.', [
    'refused',
    'accepted',
  ]),
  authorTypes: choice('Values of AuthorType: any integer, or 1 only.', ['any', 'one']),
  auditSubfields: choice('Whether all three subfields of AuditDetails are needed.', ['optional', 'required']),
  authorAddress: choice('Whether AuthorIPAddress has to be an IP address.', ['any', 'ip']),
  connectionElements: choice('What elements Connections may have.', ['any', 'objects', 'none']),
  callbackTypesWithoutUrl: choice('Whether CallbackTypes needs a CallbackUrl.', ['accepted', 'refused']),
  callbackTypesMissing: choice('What a CallbackUrl without CallbackTypes subscribes to.', [
    'all',
    'none',
    'refused',
  ]),
  callbackTypesEmpty: choice('What an empty list of CallbackTypes subscribes to.', [
    'none',
    'all',
    'refused',
  ]),
  callbackTypesUnknown: choice('Whether codes other than 0 to 3 are refused.', ['refused', 'ignored']),
  callbackUrlSchemes: choice('Schemes of a CallbackUrl.', ['http-and-https', 'https']),
  repeatedDocuments: choice('Whether one token may stand twice in Documents.', ['accepted', 'refused']),
  maxDocuments: free('Most documents in a request; 0 means any number.', [0, 10]),
  maxTitleLength: free('Longest Title in characters; 0 means any length.', [0, 200]),
  stampingRoleSpelling: choice(
    'Spelling of the role field in a body of type 3: both, or only the lower-case one of the sample.',
    ['both', 'lower'],
  ),
  stampingOtpType: choice('OTP.Type in a body of type 3: number or string, or only a string.', [
    'both',
    'string',
  ]),
  stampingFields: choice(
    'Which fields a signatory and a stamp of type 3 need: only those in use, or all that the sample shows.',
    ['few', 'sampled'],
  ),
  stampingSignature: choice('Whether a signer of type 3 needs a stamp of the type signature.', [
    'optional',
    'needed',
  ]),
  stampIdentifiers: choice('Within what an Identifier may stand once only.', [
    'request',
    'signatory',
    'nothing',
  ]),
  createEncoding: choice(
    'How the body of types 1 to 3 travels: as JSON, or as JSON in a field of a multipart form.',
    ['json', 'multipart'],
  ),
  createField: free('Name of that multipart field.', ['request', 'payload']),
  createAnswer: choice(
    'Answer to a creation of types 1 to 3: an object with requestId, one with the ids of people by their e-mail addresses, one nested in data, the id as text, ids in the headers X-Request-Id and X-Signatory-Id, a page of HTML, or nothing.',
    ['object', 'by-email', 'nested', 'text', 'headers', 'empty', 'page'],
  ),
} as const;
