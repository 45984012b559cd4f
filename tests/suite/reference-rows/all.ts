/** All rows of endpoints 1 to 5, and a round of them against one service. */
import type { ReferenceClient } from '../reference-client.ts';
import { createRows } from './create.ts';
import type { ReferenceRow, Round } from './row.ts';
import { signatoryRows } from './signatory.ts';
import { skeletonRows } from './skeleton.ts';
import { stampingRows } from './stamping.ts';
import { uploadRows } from './upload.ts';

export const referenceRows: readonly ReferenceRow[] = [
  ...uploadRows,
  ...skeletonRows,
  ...signatoryRows,
  ...stampingRows,
  ...createRows,
];

/** Titles of the rows that do not come out as the interface document says. */
export async function deviating(
  client: ReferenceClient,
  rows: readonly ReferenceRow[],
): Promise<ReferenceRow[]> {
  const round: Round = {
    client,
    document: await client.document(),
    second: await client.document('another'),
    requestId: await client.request(),
  };
  const wrong: ReferenceRow[] = [];
  for (const row of rows) if ((await row.call(round)) !== row.expected) wrong.push(row);
  return wrong;
}
