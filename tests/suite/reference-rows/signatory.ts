/** Rows of endpoint 5. */
import { message } from '../../../openapi/codes.ts';
import { type ReferenceClient, signatoryBody } from '../reference-client.ts';
import { edit, fields, malformed, type ReferenceRow, row, status, tokens } from './row.ts';

const otp = (IsRequired: boolean, Type: number, more = {}) => ({ IsRequired, Type, ...more });
const mobile = { MobileNumber: '+12025550123' };
const abroad = { MobileNumber: '+61491570156' };
const code = { AccessCode: '4711' };

export const signatoryRows: readonly ReferenceRow[] = [
  ...tokens('signatory', ({ client, requestId }, sending) => client.add(requestId, signatoryBody, sending)),
  ...malformed('signatory'),
  ...fields('signatory', {
    Email: 'signatory.email',
    Name: 'signatory.name',
    Order: 'signatory.order',
    SignatoryType: 'signatory.role',
    'OTP/IsRequired': 'otp.is-required',
    'OTP/Type': 'otp.type',
  }),
  ...[0, 4].map((role) => edit('signatory', 'signatory.role-values', '400', '/SignatoryType', role)),
  ...[0, 5].map((type) => edit('signatory', 'otp.type-values', '400', '/OTP/Type', type)),
  edit('signatory', 'signatory.role-signer', '200', '/SignatoryType', 1),
  edit('signatory', 'signatory.role-approver', '200', '/SignatoryType', 2),
  edit('signatory', 'signatory.role-cc', '200', '/SignatoryType', 3),
  edit('signatory', 'signatory.private-message', '200', '/PrivateMessage', 'For you'),
  edit('signatory', 'signatory.color', '200', '/Color', '#1A73E8'),
  row('signatory.added', 'the required fields', '200', async ({ client }) =>
    status(await client.add(await client.request(), signatoryBody)),
  ),
  row('signatory.response-json', 'JSON', 'true', async ({ client }) => {
    const { text: body } = await client.add(await client.request(), signatoryBody);
    return String(body.startsWith('{'));
  }),
  row('signatory.request-id-echoed', 'echoed', 'true', async ({ client }) => {
    const id = await client.request();
    const { json, text: body } = await client.add(id, signatoryBody);
    return String(!body.startsWith('{') || json.requestId === id);
  }),
  row('signatory.signatory-id', 'a string', 'true', async ({ client }) => {
    const { json, text: body } = await client.add(await client.request(), signatoryBody);
    return String(!body.startsWith('{') || (typeof json.signatoryId === 'string' && json.signatoryId !== ''));
  }),
  row('signatory.signatory-id-unique', 'two ids', 'true', async ({ client }) => {
    const id = await client.request();
    const replies = [
      await client.add(id, { ...signatoryBody, Order: 1 }),
      await client.add(id, { ...signatoryBody, Order: 2 }),
    ];
    const [one, other] = replies.map(({ json }) => json.signatoryId);
    return String(typeof one !== 'string' || one === '' || one !== other);
  }),
  row('signatory.many', 'four in a row', '200 200 200 200', ({ client }) => addAll(client, [1, 2, 2, 3])),
  row('signatory.sequential-orders', '1, 2, 3', '200 200 200', ({ client }) => addAll(client, [1, 2, 3])),
  row('signatory.parallel-orders', '1, 1, 1', '200 200 200', ({ client }) => addAll(client, [1, 1, 1])),
  row('signatory.unknown-request', 'unknown', '404', async ({ client }) =>
    status(await client.add('nobody-knows', signatoryBody)),
  ),
  row('signatory.unknown-request-message', 'says so', 'true', async ({ client }) => {
    const reply = await client.add('nobody-knows', signatoryBody);
    return String(reply.status !== 404 || reply.text.includes(message.requestNotFound));
  }),
  row('signatory.deleted-request', 'deleted', '404', async ({ client }) => {
    const id = await client.request();
    await client.send('DELETE', `/_control/requests/${id}`);
    return status(await client.add(id, signatoryBody));
  }),
  edit('signatory', 'otp.email', '200', '/OTP', otp(true, 1)),
  edit('signatory', 'otp.sms', '200', '/OTP', otp(true, 2, mobile)),
  edit('signatory', 'otp.sms', '200', '/OTP', otp(true, 2, abroad)),
  edit('signatory', 'otp.access-code', '200', '/OTP', otp(true, 3, code)),
  edit('signatory', 'otp.email-and-sms', '200', '/OTP', otp(true, 4, mobile)),
  edit('signatory', 'otp.email-and-sms', '200', '/OTP', otp(true, 4, abroad)),
  ...[1, 2, 3, 4].map((type) =>
    edit('signatory', 'otp.not-required', '200', '/OTP', otp(false, type, type % 2 === 0 ? mobile : {})),
  ),
  ...[2, 4].flatMap((type) => [
    edit('signatory', 'otp.mobile-required', '400', '/OTP', otp(true, type)),
    ...[null, '', 'letters', '+1'].map((MobileNumber) =>
      edit('signatory', 'otp.mobile-valid', '400', '/OTP', otp(true, type, { MobileNumber })),
    ),
  ]),
];

async function addAll(client: ReferenceClient, orders: readonly number[]): Promise<string> {
  const id = await client.request();
  const statuses: string[] = [];
  for (const [at, Order] of orders.entries()) {
    statuses.push(status(await client.add(id, { ...signatoryBody, Email: `p${at}@example.com`, Order })));
  }
  return statuses.join(' ');
}
