/** Rows of endpoint 3. */
import { path, stampTypes } from '../../../openapi/codes.ts';
import { changed, stampedBody } from '../reference-client.ts';
import { edit, type ReferenceRow, type Round, row, send, status, tokens } from './row.ts';

const stampAt = '/Signatories/0/AutoStamps/0';

export const stampingRows: readonly ReferenceRow[] = [
  ...tokens('stamping', ({ client, document }, sending) =>
    client.json('POST', `${path.autoStamping}?type=3`, stampedBody([document]), sending),
  ),
  row('stamping.status-200', 'least', '200', async (round) =>
    status(await send('stamping', round, stampedBody([round.document]))),
  ),
  edit('stamping', 'stamping.several-documents', '200', '/Documents', ({ document, second }: Round) => [
    document,
    second,
  ]),
  row('stamping.several-signatories', 'two', '200', async (round) => {
    const body = stampedBody([round.document]);
    const [first] = body.Signatories as readonly unknown[];
    const other = changed(first, '/AutoStamps/0/Identifier', 'Signature of another');
    return status(await send('stamping', round, { ...body, Signatories: [first, other] }));
  }),
  row('stamping.several-stamps', 'two', '200', async (round) => {
    const body = stampedBody([round.document]);
    const [signatory] = body.Signatories as readonly { readonly AutoStamps: readonly unknown[] }[];
    const [stamp] = signatory?.AutoStamps ?? [];
    const stamps = [stamp, changed(stamp, '/Identifier', 'Another signature')];
    return status(await send('stamping', round, changed(body, '/Signatories/0/AutoStamps', stamps)));
  }),
  edit('stamping', 'stamping.signatory-type-lower-case', '200', '/Signatories/0/signatoryType', 2),
  edit('stamping', 'stamping.otp-type-string', '200', '/Signatories/0/OTP/Type', '1'),
  edit('stamping', 'stamping.signatory-fields', '200', '/Signatories/0/PrivateMessage', 'For you'),
  edit('stamping', 'stamping.stamp-color', '200', `${stampAt}/Color`, '#1A73E8'),
  edit('stamping', 'stamping.stamp-order', '200', `${stampAt}/Order`, 2),
  edit('stamping', 'stamping.negative-offset', '200', `${stampAt}/Offset/X_offset`, -10),
  edit('stamping', 'stamping.negative-offset', '200', `${stampAt}/Offset/Y_offset`, -10),
  edit('stamping', 'stamping.fractional-numbers', '200', `${stampAt}/Offset/X_offset`, 10.5),
  edit('stamping', 'stamping.fractional-numbers', '200', `${stampAt}/StampSize/Width`, 100.5),
  ...stampTypes.map((type) => edit('stamping', 'stamping.stamp-types', '200', `${stampAt}/Type`, type)),
  edit('stamping', 'stamping.stamp-type-values', '400', `${stampAt}/Type`, 'hologram'),
];
