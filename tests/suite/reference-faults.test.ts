/** The catalogue of faults names what exists; what each does, and that a rule asks for it, is seen by `npm run faults`. */
import { expect, test } from '@playwright/test';
import { isRequirementId } from '../../openapi/requirements/catalogue.ts';
import { faults, isFaultId } from '../../reference/faults.ts';
import { startReference } from '../../reference/server.ts';

test('every fault names requirements that exist', () => {
  const named = Object.values(faults).map(({ requirement }) => requirement);
  expect(named.filter((id) => !isRequirementId(id))).toEqual([]);
});

test('an unknown fault is refused with its name', async () => {
  await expect(startReference({ faults: ['skeleton.title-required/acepted'] })).rejects.toThrow(/acepted/);
  expect(isFaultId('skeleton.title-required/acepted')).toBe(false);
});
