/** Creation bodies of type 0 about which the document is silent. */
import { authorType, event } from '../../openapi/codes.ts';
import type { JsonSchema } from '../../openapi/json-schema.ts';
import { type BoldRow, bold, boldOptionalRows, boldRows } from './bold.ts';
import { without, withValue } from './edit.ts';
import { auditDetails, type CallbackIngredients, maximalRequest, minimalRequest } from './request.ts';

/** All of them. `schema` is that of the body: what is tried with optional fields follows from it. */
export function boldRequestRows(given: CallbackIngredients, schema: JsonSchema): readonly BoldRow[] {
  const minimal = minimalRequest(given);
  const maximal = maximalRequest(given);
  const subfields = Object.keys(auditDetails).map((key) => `/AuditDetails/${key}`);
  return [
    ...boldRows(minimal, { text: '/Title', number: '/AuditDetails/AuthorType' }),
    ...boldOptionalRows(maximal, schema),
    ...documentRows(given),
    ...callbackRows(given),
    bold('skeleton.connections-elements', 'Connections with an object', { ...minimal, Connections: [{}] }),
    bold('skeleton.connections-elements', 'Connections with a text', {
      ...minimal,
      Connections: ['group-1'],
    }),
    bold('skeleton.audit-details-subfields', 'AuditDetails is empty', { ...minimal, AuditDetails: {} }),
    ...subfields.map((pointer) =>
      bold(
        'skeleton.audit-details-subfields',
        `${pointer.slice(1).replace('/', '.')} is missing`,
        without(minimal, pointer),
      ),
    ),
    ...[authorType.adminOrSystem + 1, 0, -1].map((value) =>
      bold(
        'skeleton.author-type-values',
        `AuthorType ${value}`,
        withValue(minimal, '/AuditDetails/AuthorType', value),
      ),
    ),
    // 2001:db8::/32 is reserved for documentation (RFC 3849), 10.0.0.0/8 for private use (RFC 1918).
    ...['2001:db8::10', '::ffff:203.0.113.10', '10.0.0.10', 'unknown'].map((address) =>
      bold(
        'skeleton.author-ip-format',
        `AuthorIPAddress ${address}`,
        withValue(minimal, '/AuditDetails/AuthorIPAddress', address),
      ),
    ),
  ];
}

function documentRows(given: CallbackIngredients): readonly BoldRow[] {
  const minimal = minimalRequest(given);
  const [token] = given.documents;
  return [
    bold('upload.token-reuse', 'one document token twice', { ...minimal, Documents: [token, token] }),
    bold('errors.empty-strings', 'an empty string as document token', { ...minimal, Documents: [''] }),
    bold('errors.wrong-type-status', 'Documents is one token, not in a list', {
      ...minimal,
      Documents: token,
    }),
    bold('errors.wrong-type-status', 'null beside a document token', {
      ...minimal,
      Documents: [token, null],
    }),
  ];
}

function callbackRows(given: CallbackIngredients): readonly BoldRow[] {
  const minimal = minimalRequest(given);
  const url = { ...minimal, CallbackUrl: given.callbackUrl };
  const types = (codes: readonly unknown[]) => ({ ...url, CallbackTypes: codes });
  const done = event.processCompleted;
  return [
    bold('skeleton.callback-url-without-types', 'CallbackUrl without CallbackTypes', url),
    bold('skeleton.callback-types-empty', 'CallbackTypes is an empty list', types([])),
    bold('skeleton.callback-types-without-url', 'CallbackTypes without CallbackUrl', {
      ...minimal,
      CallbackTypes: [done],
    }),
    bold('skeleton.callback-types-without-url', 'CompletedDocumentsAttached without CallbackUrl', {
      ...minimal,
      CompletedDocumentsAttached: true,
    }),
    bold('skeleton.callback-types-unknown', 'CallbackTypes [4]', types([4])),
    bold('skeleton.callback-types-unknown', 'CallbackTypes [-1]', types([-1])),
    bold('skeleton.callback-types-unknown', 'CallbackTypes names a code twice', types([done, done])),
    bold('errors.numbers-as-strings', 'CallbackTypes ["3"]', types([String(done)])),
    bold('events.all-with-others', 'CallbackTypes [0, 3]', types([event.all, done])),
    bold('events.final-callback', 'CompletedDocumentsAttached without event 3', {
      ...types([event.signatoryCompleted]),
      CompletedDocumentsAttached: true,
    }),
    ...['callback', 'ftp://callback.example.com/', 'http://127.0.0.1:9/'].map((CallbackUrl) =>
      bold('skeleton.callback-url-form', `CallbackUrl ${CallbackUrl}`, { ...types([done]), CallbackUrl }),
    ),
  ];
}
