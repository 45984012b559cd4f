/** The catalogue of faults names what exists, and the service asks for each; what each does is seen by `npm run faults`. */
import { expect, test } from '@playwright/test';
import { isRequirementId } from '../../openapi/requirements/catalogue.ts';
import { type FaultId, faults, isFaultId } from '../../reference/faults.ts';
import { startReference } from '../../reference/server.ts';
import { withReference } from './reference-client.ts';
import { deviating, referenceRows } from './reference-rows/all.ts';

const entries = Object.entries(faults) as [FaultId, (typeof faults)[FaultId]][];

/** Faults of what happens after the creation, which have rows of their own elsewhere. */
const rowed = new Set(referenceRows.map(({ requirement }) => requirement));
const ofEndpoints = entries.filter(([, { requirement }]) => rowed.has(requirement));

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
