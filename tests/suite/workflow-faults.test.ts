/** Every fault of events, signing and completed documents turns its own requirement red, and no other. */
import { expect, test } from '@playwright/test';
import { isRequirementId } from '../../openapi/requirements/catalogue.ts';
import { faults } from '../../reference/faults.ts';
import { verdicts, withVerdict, workflow } from './workflow.ts';

test('without a fault every one of them passes', async ({}, info) => {
  const found = await verdicts(null, info.outputPath('out'));
  expect(withVerdict(found, 'passed')).toEqual(workflow.map(({ id }) => id));
});

test('each has a fault', () => {
  const proved = new Set(Object.keys(faults).map((fault) => fault.split('/')[0]));
  expect(workflow.map(({ id }) => id).filter((id) => !proved.has(id))).toEqual([]);
});

for (const fault of Object.keys(faults)) {
  const [requirement = ''] = fault.split('/');
  if (!isRequirementId(requirement) || !workflow.some(({ id }) => id === requirement)) continue;
  test(`${fault} fails exactly ${requirement}`, async ({}, info) => {
    const found = await verdicts(fault, info.outputPath('out'));
    expect(withVerdict(found, 'failed')).toEqual([requirement]);
  });
}
