/** Sending, signing, callbacks and completed documents: the rules hold, and each of their faults is asked for. */
import { expect, test } from '@playwright/test';
import { type FaultId, faults } from '../../reference/faults.ts';
import { withReference } from './reference-client.ts';
import { startReceiver } from './reference-receiver.ts';
import { codeRows } from './reference-rows/codes.ts';
import { eventRows } from './reference-rows/events.ts';
import { broken } from './reference-rows/flow-row.ts';
import { signingRows } from './reference-rows/signing.ts';
import { stampRows } from './reference-rows/stamps.ts';

const rows = [...signingRows, ...codeRows, ...stampRows, ...eventRows];
const rowed = new Set(rows.map(({ requirement }) => requirement));
const entries = Object.entries(faults) as [FaultId, (typeof faults)[FaultId]][];
const ofFlows = entries.filter(([, { requirement }]) => rowed.has(requirement));

test('without a fault every requirement holds, and every fault is asked for', async () => {
  const receiver = await startReceiver();
  const { wrong, asked } = await withReference({}, async (client) => ({
    wrong: await broken({ client, receiver }, rows),
    asked: client.reference.faultsAsked,
  }));
  await receiver.close();
  expect(wrong.map(({ title }) => title)).toEqual([]);
  expect(ofFlows.map(([id]) => id).filter((id) => !asked.has(id))).toEqual([]);
});
