/** Creation bodies of type 0 about which the document is silent. */
import { authorType, event } from '../../openapi/codes.ts';
import type { JsonSchema } from '../../openapi/json-schema.ts';
import { type BoldRow, bold, boldOptionalRows, boldRows } from './bold.ts';
import { without } from './edit.ts';
import {
  type AuditDetails,
  auditDetails,
  type CallbackIngredients,
  maximalRequest,
  minimalRequest,
} from './request.ts';

/** All of these bodies. `schema` is that of the body: the rows with optional fields are derived from it. */
export function boldRequestRows(given: CallbackIngredients, schema: JsonSchema): readonly BoldRow[] {
  const minimal = minimalRequest(given);
  const row = rowsWith(minimal);
  const audited = (gap: BoldRow['gap'], field: keyof AuditDetails, value: unknown) =>
    row(gap, `${field} ${value}`, { AuditDetails: { ...auditDetails, [field]: value } });
  return [
    ...boldRows(minimal, { text: '/Title', number: '/AuditDetails/AuthorType' }),
    ...boldOptionalRows(maximalRequest(given), schema),
    ...documentRows(given),
    ...callbackRows(given),
    row('skeleton.connections-elements', 'Connections with an object', { Connections: [{}] }),
    row('skeleton.connections-elements', 'Connections with a text', { Connections: ['group-1'] }),
    row('skeleton.audit-details-subfields', 'AuditDetails is empty', { AuditDetails: {} }),
    ...Object.keys(auditDetails).map((key) => {
      const body = without(minimal, `/AuditDetails/${key}`);
      return bold('skeleton.audit-details-subfields', `AuditDetails.${key} is missing`, body);
    }),
    ...[authorType.adminOrSystem + 1, 0, -1].map((value) =>
      audited('skeleton.author-type-values', 'AuthorType', value),
    ),
    // 2001:db8::/32 is reserved for documentation (RFC 3849), 10.0.0.0/8 for private use (RFC 1918).
    ...['2001:db8::10', '::ffff:203.0.113.10', '10.0.0.10', 'unknown'].map((address) =>
      audited('skeleton.author-ip-format', 'AuthorIPAddress', address),
    ),
  ];
}

function rowsWith(body: object) {
  return (gap: BoldRow['gap'], title: string, fields: object): BoldRow =>
    bold(gap, title, { ...body, ...fields });
}

function documentRows(given: CallbackIngredients): readonly BoldRow[] {
  const row = rowsWith(minimalRequest(given));
  const [token] = given.documents;
  return [
    row('upload.token-reuse', 'one document token twice', { Documents: [token, token] }),
    row('errors.empty-strings', 'an empty string as document token', { Documents: [''] }),
    row('errors.wrong-type-status', 'Documents is one token, not in a list', { Documents: token }),
    row('errors.wrong-type-status', 'null beside a document token', { Documents: [token, null] }),
  ];
}

function callbackRows(given: CallbackIngredients): readonly BoldRow[] {
  const row = rowsWith(minimalRequest(given));
  const url = { CallbackUrl: given.callbackUrl };
  const types = (codes: readonly unknown[]) => ({ ...url, CallbackTypes: codes });
  const done = event.processCompleted;
  return [
    row('skeleton.callback-url-without-types', 'CallbackUrl without CallbackTypes', url),
    row('skeleton.callback-types-empty', 'CallbackTypes is an empty list', types([])),
    row('skeleton.callback-types-without-url', 'CallbackTypes without CallbackUrl', {
      CallbackTypes: [done],
    }),
    row('skeleton.callback-types-without-url', 'CompletedDocumentsAttached without CallbackUrl', {
      CompletedDocumentsAttached: true,
    }),
    row('skeleton.callback-types-unknown', 'CallbackTypes [4]', types([4])),
    row('skeleton.callback-types-unknown', 'CallbackTypes [-1]', types([-1])),
    row('skeleton.callback-types-unknown', 'CallbackTypes names a code twice', types([done, done])),
    row('errors.numbers-as-strings', 'CallbackTypes ["3"]', types([String(done)])),
    row('events.all-with-others', 'CallbackTypes [0, 3]', types([event.all, done])),
    row('events.final-callback', 'CompletedDocumentsAttached without event 3', {
      ...types([event.signatoryCompleted]),
      CompletedDocumentsAttached: true,
    }),
    ...['callback', 'ftp://callback.example.com/', 'http://127.0.0.1:9/'].map((CallbackUrl) =>
      row('skeleton.callback-url-form', `CallbackUrl ${CallbackUrl}`, { ...types([done]), CallbackUrl }),
    ),
  ];
}
