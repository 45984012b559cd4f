/** Dialect settings of creation bodies. */
import { signatoryBody, skeletonBody } from '../reference-client.ts';
import { add, create, type DialectCase, status, when } from './case.ts';

export const requestCases: readonly DialectCase[] = [
  when('skeletonStatus', { skeletonStatus: 201 }, 201, create('/Title', 'A title')),
  when('signatoryStatus', { signatoryStatus: 202 }, 202, add('/Name', 'A name')),
  when('unknownFields refused', { unknownFields: 'refused' }, 400, create('/Unknown', 1)),
  when('unknownFields refused inside', { unknownFields: 'refused' }, 400, add('/OTP/Unknown', 1)),
  when('unknownFields ignored', {}, 200, create('/Unknown', 1)),
  when('emptyText refused', { emptyTextStatus: 422 }, 422, create('/Title', '')),
  when('emptyText accepted', { emptyText: 'accepted' }, 200, create('/Title', '')),
  when('coercion none', { wrongTypeStatus: 422 }, 422, add('/Order', '1')),
  when('coercion strings', { coercion: 'strings' }, 200, add('/Order', '1')),
  when('nullOptional refused', { nullOptional: 'refused' }, 400, create('/CallbackUrl', null)),
  when('nullOptional accepted', {}, 200, create('/CallbackUrl', null)),
  when('emptyDocumentsStatus', { emptyDocumentsStatus: 404 }, 404, create('/Documents', [])),
  when('valueStatus', { valueStatus: 422 }, 422, add('/SignatoryType', 4)),
  when('authorTypes one', { authorTypes: 'one' }, 400, create('/AuditDetails/AuthorType', 2)),
  when(
    'auditSubfields required',
    { auditSubfields: 'required' },
    400,
    create('/AuditDetails/Device', undefined),
  ),
  when('authorAddress ip', { authorAddress: 'ip' }, 400, create('/AuditDetails/AuthorIPAddress', 'here')),
  when('connectionElements none', { connectionElements: 'none' }, 400, create('/Connections', [{}])),
  when(
    'callbackTypesWithoutUrl refused',
    { callbackTypesWithoutUrl: 'refused' },
    400,
    create('/CallbackTypes', [1]),
  ),
  when(
    'callbackTypesMissing refused',
    { callbackTypesMissing: 'refused' },
    400,
    create('/CallbackUrl', 'https://example.com/'),
  ),
  when(
    'callbackUrlSchemes https',
    { callbackUrlSchemes: 'https' },
    400,
    create('/CallbackUrl', 'http://example.com/'),
  ),
  when('CallbackUrl of another scheme', {}, 400, create('/CallbackUrl', 'file:///etc/passwd')),
  when('maxTitleLength', { maxTitleLength: 5 }, 400, create('/Title', 'too long')),
  when('maxDocuments', { maxDocuments: 1 }, 400, async (client) =>
    status(await client.create(skeletonBody([await client.document('a'), await client.document('b')]))),
  ),
  when('repeatedDocuments refused', { repeatedDocuments: 'refused' }, 400, async (client) => {
    const token = await client.document();
    return status(await client.create(skeletonBody([token, token])));
  }),
  when('keyCase any', { keyCase: 'any', unknownFields: 'refused' }, 200, async (client) => {
    const body = Object.entries(skeletonBody([await client.document()]));
    return status(
      await client.create(Object.fromEntries(body.map(([key, value]) => [key.toUpperCase(), value]))),
    );
  }),
  when('maxSignatories', { maxSignatories: 1 }, 400, async (client) => {
    const id = await client.request();
    await client.add(id, signatoryBody);
    return status(await client.add(id, { ...signatoryBody, Email: 'other@example.com' }));
  }),
];
