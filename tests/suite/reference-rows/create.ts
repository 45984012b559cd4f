/** Rows of endpoint 2. */
import { path } from '../../../openapi/codes.ts';
import { signatoryBody, skeletonBody, stampedBody } from '../reference-client.ts';
import { type ReferenceRow, row, status, tokens } from './row.ts';

export const createRows: readonly ReferenceRow[] = [
  ...tokens('create', ({ client, document }, sending) =>
    client.json('POST', `${path.create}?type=3`, stampedBody([document]), sending),
  ),
  row('create.template-200', 'template', '200', async ({ client }) => {
    const { id, roles } = client.reference.template;
    const Signatories = roles.map((Role) => ({ Role, Email: 'a@example.com', Name: 'A' }));
    const body = { TemplateId: id, Title: 'A title', Message: 'A message', Signatories };
    return status(await client.json('POST', `${path.create}?type=1`, body));
  }),
  row('create.fixed-200', 'fixed', '200', async ({ client, document }) => {
    const Stamps = [{ Type: 'signature', Page: 1, X: 60, Y: 100, Width: 120, Height: 40 }];
    const body = { ...skeletonBody([document]), Signatories: [{ ...signatoryBody, Stamps }] };
    return status(await client.json('POST', `${path.create}?type=2`, body));
  }),
  row('create.stamping-200', 'type 3', '200', async ({ client, document }) =>
    status(await client.json('POST', `${path.create}?type=3`, stampedBody([document]))),
  ),
];
