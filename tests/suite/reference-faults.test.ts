/** The catalogue of faults: each requirement has one, each one is real, and it changes what it says. */
import { expect, test } from '@playwright/test';
import { catalogue, isRequirementId } from '../../openapi/requirements/catalogue.ts';
import { type FaultId, faults, isFaultId } from '../../reference/faults.ts';
import { startReference } from '../../reference/server.ts';
import { withReference } from './reference-client.ts';
import { deviating, referenceRows } from './reference-rows/all.ts';

const entries = Object.entries(faults) as [FaultId, (typeof faults)[FaultId]][];

/** Faults of what happens after the creation, which have rows of their own elsewhere. */
const rowed = new Set(referenceRows.map(({ requirement }) => requirement));
const ofEndpoints = entries.filter(([, { requirement }]) => rowed.has(requirement));

test('every requirement that is checked has a fault', () => {
  const faulted = new Set(entries.map(([, { requirement }]) => requirement));
  const bare = catalogue.filter((entry) => !('notTestable' in entry) && !faulted.has(entry.id));
  expect(bare.map(({ id }) => id)).toEqual([]);
});

test('every fault names requirements that exist', () => {
  const named = entries.flatMap(([, { requirement, alsoRed }]) => [requirement, ...Object.keys(alsoRed)]);
  expect(named.filter((id) => !isRequirementId(id))).toEqual([]);
});

test('an unknown fault is refused with its name', async () => {
  await expect(startReference({ faults: ['skeleton.title-required/acepted'] })).rejects.toThrow(/acepted/);
  expect(isFaultId('skeleton.title-required/acepted')).toBe(false);
});

test('without a fault every row comes out as the document says', async () => {
  const wrong = await withReference({}, (client) => deviating(client, referenceRows));
  expect(wrong.map(({ title }) => title)).toEqual([]);
});

test('every fault of endpoints 1 to 5 is asked for by some rule', async () => {
  const asked = await withReference({}, async (client) => {
    await deviating(client, referenceRows);
    return client.reference.faultsAsked;
  });
  expect(ofEndpoints.map(([id]) => id).filter((id) => !asked.has(id))).toEqual([]);
});

test('every fault of endpoints 1 to 5 violates its requirement', async () => {
  const harmless: string[] = [];
  for (const [id, { requirement }] of ofEndpoints) {
    const own = referenceRows.filter((row) => row.requirement === requirement);
    const wrong = await withReference({ faults: [id] }, (client) => deviating(client, own));
    if (wrong.length === 0) harmless.push(id);
  }
  expect(harmless).toEqual([]);
});

/** One of each kind; the checks of the suite are the proof for all of them. */
const samples: readonly FaultId[] = [
  'upload.token-missing/empty-accepted',
  'upload.token-invalid-message/of-expired',
  'upload.docx/refused',
  'skeleton.title-required/422',
  'skeleton.message-type/null-accepted',
  'skeleton.malformed/truncated-accepted',
  'skeleton.unknown-document/second-accepted',
  'skeleton.request-id/number',
  'signatory.token-expired/403',
  'signatory.request-id-echoed/other',
  'signatory.many/fourth-refused',
  'signatory.deleted-request/410',
  'otp.mobile-valid/4-empty-accepted',
  'otp.sms/one-country-only',
  'stamping.negative-offset/y-refused',
  'stamping.stamp-types/date-refused',
  'create.stamping-200/201',
];

for (const id of samples) {
  test(`${id} violates its requirement and no other`, async () => {
    const wrong = await withReference({ faults: [id] }, (client) => deviating(client, referenceRows));
    expect([...new Set(wrong.map(({ requirement }) => requirement))]).toEqual([faults[id].requirement]);
  });
}
