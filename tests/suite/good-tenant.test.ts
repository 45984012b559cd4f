/** A run is a good tenant: it says beforehand what it will do, removes what it made, keeps to its budget, and waits when it is asked to. */
import { expect, test } from '@playwright/test';
import { cleanup } from '../../bin/cleanup.ts';
import { select } from '../../bin/selection.ts';
import { runDefaults } from '../../harness/profile/run-options.ts';
import { planOf } from '../../harness/running/plan.ts';
import { keptForRefusals } from '../../harness/target/budgets/requests.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { startReference } from '../../reference/server.ts';
import { readRun } from '../../reports/run-file.ts';
import { flows } from '../flows/all.ts';
import { referenceProfile } from '../running/reference-target.ts';
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

test('what cannot be removed is a warning, and cleanup removes it later', async ({}, info) => {
  const out = info.outputPath('out');
  let stubborn = true;
  const ground = await startGround(info, {
    behave: async ({ request, forward, reply }) => {
      if (stubborn && request.method === 'DELETE') reply({ status: 409, body: Buffer.from('not now') });
      else reply(await forward());
    },
  });
  const only = ['--only', 'skeleton.connections', '--out', out];
  const { code } = await ground.cli(...only);
  expect(code).toBe(0);
  expect(readRun(out).warnings).toEqual([
    expect.stringMatching(/^2 of 2 signature requests were not removed: calls\.deleteRequest: .*409/),
  ]);
  const again = await ground.cli('cleanup', out);
  expect(again.stdout).toContain('0 of 2 objects removed');
  expect(again.code).toBe(2);
  stubborn = false;
  const then = await ground.cli('cleanup', out);
  expect(then).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/2 objects to be removed at .*\n2 of 2 objects removed\n$/),
    stderr: '',
  });
  expect(readRun(out).created.every(({ removed }) => removed)).toBe(true);
  await ground.close();

  for (const [place, words] of [
    [out, 'name the target of the run'],
    [`${out}/nowhere`, 'there is no such folder'],
    [info.outputPath(), 'no run is in there'],
  ] as const) {
    await expect(cleanup(place, {})).rejects.toThrow(words);
  }
});

test('with a small budget a run creates no more than that, and says what could not run', async ({}, info) => {
  const out = info.outputPath('out');
  const budget = 5;
  const ground = await startGround(info);
  // No check among them is judged from flows, which create requests of their own.
  const some = [
    'title-required',
    'connections',
    'created',
    'several-documents',
    'callback-types',
    'message-required',
  ];
  const only = some.map((name) => `skeleton.${name}`).join();
  const given = ['--only', only, '--budget', String(budget), '--out', out];
  const { code, stdout } = await ground.cli(...given);
  await ground.close();
  expect(code).toBe(2);
  expect(stdout).toContain(`the run may create ${budget} signature requests (--budget)`);
  const run = readRun(out);
  expect(run.counts.signatureRequestsCreated).toBeLessThanOrEqual(budget);
  expect(run.counts.requirements).toMatchObject({ failed: 0, error: 0 });
  // Refusals take none for good: they are judged to the last one.
  expect(run.requirements.find(({ id }) => id === 'skeleton.title-required')?.verdict).toBe('passed');
});

test('a pause that the target asks for holds back all workers', async ({}, info) => {
  const pauseMs = 1_000;
  let asked = 0;
  const ground = await startGround(info, {
    behave: async ({ index, forward, reply }) => {
      // Far away enough for several workers.
      await new Promise((resolve) => setTimeout(resolve, 40));
      if (index === 25) {
        asked = performance.now();
        reply({ status: 429, headers: { 'Retry-After': String(pauseMs / 1_000) } });
      } else {
        if (asked > 0) after.push(performance.now() - asked);
        reply(await forward());
      }
    },
  });
  const after: number[] = [];
  const out = info.outputPath('out');
  const { code } = await ground.cli('--only', 'skeleton,signatory', '--out', out);
  await ground.close();
  expect(code).toBe(0);
  expect(readRun(out).counts.retries).toBeGreaterThan(0);
  // Eight calls at most were under way, and as many may have gone out before the answer was read.
  expect(after.filter((ms) => ms < pauseMs - 20).length).toBeLessThanOrEqual(16);
  expect(after.filter((ms) => ms >= pauseMs - 20).length).toBeGreaterThan(50);
});
