/** Rows about stamps on completed documents. */
import { readPdf } from '../../../harness/untrusted/pdf/completed.ts';
import { path } from '../../../openapi/codes.ts';
import { changed, stampedBody } from '../reference-client.ts';
import { type FlowRound, type FlowRow, flowRow } from './flow-row.ts';

const first = { Identifier: 'Stamp one', Color: '#00FF00', Order: 1, Type: 'signature' };
const second = { Identifier: 'Stamp two', Color: '#00FF00', Order: 2, Type: 'date' };

/** Completes a request of type 3 with two stamps; reads its document. `null` where it cannot be completed. */
async function stamped({ client }: FlowRound) {
  const stamps = [
    { ...first, Offset: { X_offset: 60, Y_offset: 100 }, StampSize: { Width: 120, Height: 40 } },
    { ...second, Offset: { X_offset: 200.5, Y_offset: 300 }, StampSize: { Width: 90, Height: 24 } },
  ];
  const body = changed(stampedBody([await client.document()]), '/Signatories/0/AutoStamps', stamps);
  const { json } = await client.json('POST', `${path.autoStamping}?type=3`, body);
  const [signatory] = json.signatories as readonly { readonly signatoryId: string }[];
  const below = `/_apis/sign/api/v2/requests/${json.requestId}`;
  await client.json('POST', `${below}/signatories/${signatory?.signatoryId}/sign`, {});
  const headers = { Authorization: `Bearer ${client.reference.tokens.valid}` };
  const url = `${client.reference.baseUrl}${below}/documents/0`;
  const answer = await client.reference.handle(new Request(url, { headers }));
  const reading = await readPdf(new Uint8Array(await answer.arrayBuffer()));
  return reading.readable ? reading : null;
}

const near = (one: number, other: number) => Math.abs(one - other) < 1;

export const stampRows: readonly FlowRow[] = [
  flowRow('stamping.placed', 'frames at the offsets, in the sizes', async (round) => {
    const document = await stamped(round);
    if (!document) return true;
    const boxes = document.pages[0]?.boxes ?? [];
    const has = (x: number, y: number, width: number, height: number) =>
      boxes.some(
        (box) => near(box.x, x) && near(box.y, y) && near(box.width, width) && near(box.height, height),
      );
    return has(60, 100, 120, 40) && has(200.5, 300, 90, 24);
  }),
  flowRow('stamping.identifier-label', 'both labels are written', async (round) => {
    const document = await stamped(round);
    if (!document) return true;
    const { text, pages } = document;
    const none = (pages[0]?.boxes ?? []).length === 0;
    return none || (text.includes('Stamp one') && text.includes('Stamp two'));
  }),
];
