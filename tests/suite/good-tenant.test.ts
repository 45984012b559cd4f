/** What a run says beforehand that it will make is what it makes, and no more flows than can prove something. */
import { expect, test } from '@playwright/test';
import { select } from '../../bin/selection.ts';
import { runDefaults } from '../../harness/profile/run-options.ts';
import { planOf } from '../../harness/session/plan.ts';
import { keptForRefusals } from '../../harness/target/budgets/requests.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { startReference } from '../../reference/server.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { referenceProfile } from '../../running/reference-target.ts';
import { flows } from '../flows/all.ts';
import { startGround } from './services/tenant-ground.ts';

test('a selection makes what its plan says, and with that many signature requests nothing is left over', async ({}, info) => {
  const ground = await startGround(info, { direct: true });
  const profile = referenceProfile(ground.reference);
  for (const name of ['create', 'skeleton.connections', 'signing.title-shown']) {
    const only = select([name]);
    const plan = planOf({ profile, options: { ...runDefaults, only }, flows });
    const out = info.outputPath(name);
    const { code } = await ground.cli('--only', name, '--budget', String(plan.requests), '--out', out);
    expect([name, code]).toEqual([name, 0]);
    const { created } = readRun(out);
    const made = (kind: string) => created.filter((each) => each.kind === kind).length;
    const kept = { requests: made('request') + keptForRefusals, documents: made('document') };
    expect({ name, ...kept }).toEqual({ name, requests: plan.requests, documents: plan.documents });
  }
  await ground.close();
});

test('flows are planned and made only where they can prove something that was asked for', async () => {
  const reference = await startReference();
  const { calls: { view, ...calls } = {}, ...rest } = referenceProfile(reference);
  await reference.close();
  expect(view).toBeDefined();
  const plan = (only: readonly RequirementId[]) =>
    planOf({ profile: { ...rest, calls }, options: { ...runDefaults, only }, flows });
  // Nobody can look at a page, so that its title is not applicable.
  expect(plan(['signing.title-shown'])).toMatchObject({ calls: 0, requests: keptForRefusals, emails: 0 });
  expect(plan(['signing.title-shown', 'signing.signer-signs']).requests).toBeGreaterThan(10);
});
