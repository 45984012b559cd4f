/** Bodies of callbacks in forms that the document leaves open: compressed, of parts without names, with an archive. */
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { zipSync } from 'fflate';
import { plainPdf } from '../../generators/documents/pdf.ts';
import { readDelivery } from '../../harness/callbacks/reading.ts';
import { send, withListener } from './callbacks-sender.ts';

const known = { requestIds: ['request-1'], signatories: [] };
const event = { event: 3, requestId: 'request-1' };

async function seenOf(body: string | Uint8Array, headers: Record<string, string>, marker: string) {
  let seen: Awaited<ReturnType<typeof readDelivery>>['seen'] | undefined;
  await withListener({}, async (listener) => {
    const address = listener.open('coded');
    await send(address.url, body, { headers });
    const [delivery] = await address.wait((all) => all.length === 1, { deadlineMs: 10_000 });
    if (delivery) seen = (await readDelivery(delivery, { settings: {}, known, markers: [marker] })).seen;
  });
  return seen?.events;
}

test('each of them is read', async () => {
  const { bytes, marker } = await plainPdf({ run: 'run-1', seed: 1, name: 'coded' });
  const base64 = Buffer.from(bytes).toString('base64');
  const json = JSON.stringify({ ...event, documents: [{ content: base64 }] });
  const plain = { 'content-type': 'application/json' };
  const whole = [{ code: 3, attachments: [{ state: 'whole', markers: [marker] }] }];
  const coded = { ...plain, 'content-encoding': 'gzip' };
  expect(await seenOf(gzipSync(json), coded, marker)).toMatchObject(whole);

  const parts = [
    `Content-Type: application/json\r\n\r\n${JSON.stringify(event)}`,
    `Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}`,
  ];
  const mixed = `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`;
  expect(await seenOf(mixed, { 'content-type': 'multipart/mixed; boundary=b' }, marker)).toMatchObject(whole);

  const archive = Buffer.from(zipSync({ 'signed.pdf': bytes })).toString('base64');
  expect(await seenOf(JSON.stringify({ ...event, bundle: archive }), plain, marker)).toMatchObject([
    { code: 3, attachments: [{ state: 'unreadable' }] },
  ]);
});
