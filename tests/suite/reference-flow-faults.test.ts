/** Faults of sending, signing, callbacks and completed documents: each one violates its requirement and no other. */
import { expect, test } from '@playwright/test';
import { type FaultId, faults } from '../../reference/faults.ts';
import { withReference } from './reference-client.ts';
import { startReceiver } from './reference-receiver.ts';
import { codeRows } from './reference-rows/codes.ts';
import { eventRows } from './reference-rows/events.ts';
import { broken, type FlowRow } from './reference-rows/flow-row.ts';
import { signingRows } from './reference-rows/signing.ts';
import { stampRows } from './reference-rows/stamps.ts';

const rows = [...signingRows, ...codeRows, ...stampRows, ...eventRows];
const rowed = new Set(rows.map(({ requirement }) => requirement));
const entries = Object.entries(faults) as [FaultId, (typeof faults)[FaultId]][];
const ofFlows = entries.filter(([, { requirement }]) => rowed.has(requirement));

async function violations(on: readonly string[], play: readonly FlowRow[]) {
  const receiver = await startReceiver();
  try {
    return await withReference({ faults: on }, async (client) => ({
      wrong: await broken({ client, receiver }, play),
      asked: client.reference.faultsAsked,
    }));
  } finally {
    await receiver.close();
  }
}

test('without a fault every requirement holds, and every fault is asked for', async () => {
  const { wrong, asked } = await violations([], rows);
  expect(wrong.map(({ title }) => title)).toEqual([]);
  expect(ofFlows.map(([id]) => id).filter((id) => !asked.has(id))).toEqual([]);
});

test('every fault violates its requirement', async () => {
  const harmless: string[] = [];
  for (const [id, { requirement }] of ofFlows) {
    const own = rows.filter((row) => row.requirement === requirement);
    if ((await violations([id], own)).wrong.length === 0) harmless.push(id);
  }
  expect(harmless).toEqual([]);
});

/** The faults that a check could most easily blame on another requirement. */
const samples: readonly FaultId[] = [
  'events.process-completed-last/before-last-2',
  'events.signatory-completed/last-lost',
  'events.all/as-none',
  'events.only-subscribed/ignored',
  'events.documents-attached/foreign',
  'events.documents-attached/one-of-several',
  'events.optional/notified',
  'signing.lower-order-first/ignored',
  'signing.approver-cannot-sign/signs',
  'signing.cc-cannot-act/signs',
  'signing.private-message/shown-to-all',
  'otp.gates-signing/not-demanded',
  'stamping.placed/size-ignored',
];

for (const id of samples) {
  test(`${id} violates its requirement and no other`, async () => {
    const { wrong } = await violations([id], rows);
    expect([...new Set(wrong.map(({ requirement }) => requirement))]).toEqual([faults[id].requirement]);
  });
}
