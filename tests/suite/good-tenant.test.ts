/** A good tenant: a run makes what its plan says, in production a single signature request, and no request gets more people than the profile allows. */
import { expect, test } from '@playwright/test';
import { select } from '../../bin/selection.ts';
import { SignatoryPlaces } from '../../harness/judging/signatory-places.ts';
import { runDefaults } from '../../harness/profile/run-options.ts';
import { planOf } from '../../harness/session/plan.ts';
import { keptForRefusals } from '../../harness/target/budgets/requests.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { startReference } from '../../reference/server.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { referenceProfile } from '../../running/reference-target.ts';
import { flows } from '../flows/all.ts';
import { withVerdict } from './reports-sample.ts';
import { minimal, refusal } from './services/profiles.ts';
import { startGround } from './services/tenant-ground.ts';

test('a selection makes what its plan says, and with that many signature requests nothing is left over', async ({}, info) => {
  const ground = await startGround(info, { direct: true });
  const profile = referenceProfile(ground.reference);
  for (const name of ['create', 'signing.title-shown']) {
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

test('in production a run creates one signature request and sends nothing invalid', async ({}, info) => {
  const ground = await startGround(info, { direct: true, change: () => ({ environment: 'production' }) });
  const out = info.outputPath('out');
  const { code, stdout } = await ground.cli('--explore', '--out', out);
  await ground.close();
  const run = readRun(out);
  // What was made is removed at the end, by calls of the profile.
  const calls = run.exchanges.filter(({ operation }) => operation !== null);
  expect(calls.map(({ operation, response }) => [operation, response?.status])).toEqual([
    ['uploadDocument', 200],
    ['createSkeletonRequest', 200],
    ['addSignatory', 200],
  ]);
  expect(run.counts.signatureRequestsCreated).toBe(1);
  expect(withVerdict(run, 'passed')).toContain('signatory.request-id-echoed');
  expect(run.requirements.find(({ id }) => id === 'otp.sms')).toMatchObject({
    verdict: 'not-applicable',
    reason: expect.stringContaining('environment: production'),
  });
  expect(stdout).not.toContain('In the target profile these keys would make more requirements applicable');
  expect(run.verdict).toBe('conformant');
  expect(code).toBe(0);
});

test('in production the words in which an upload is refused are told, and nothing is sent to look into them', async ({}, info) => {
  const words = Buffer.from('Your trial quota is exhausted');
  const ground = await startGround(info, {
    change: () => ({ environment: 'production' }),
    behave: ({ reply }) => reply({ status: 403, body: words }),
  });
  const { stdout } = await ground.cli('--only', 'upload', '--out', info.outputPath('out'));
  await ground.close();
  expect(stdout).toContain('403 Your trial quota is exhausted');
});

test('in production nothing is tried out: how files are sent has to be said', async ({}, info) => {
  expect(refusal(info, `${minimal}environment: production\n`)).toBe(
    'acme.yaml: upload.encoding is missing: with environment "production" nothing is tried out; use multipart, raw or json',
  );
});

type Fate = 'refused' | 'accepted' | 'lost';

const limit = 3;

/** What becomes of five who are to be refused and come at once, and the requests that they go to beside the first person. */
const guests: readonly (readonly [Fate, readonly string[]])[] = [
  ['refused', ['R1', 'R1', 'R1', 'R1', 'R1']],
  ['accepted', ['R1', 'R1', 'R2', 'R2', 'R2']],
  // Nobody knows whether they were accepted.
  ['lost', ['R1', 'R1', 'R2', 'R2', 'R2']],
];

for (const [fate, requests] of guests) {
  test(`of five who are to be refused and are ${fate}, ${requests.join(', ')} gets one each`, async () => {
    let made = 0;
    const people = new Map<string, number>();
    const meets = (requestId: string) => people.set(requestId, (people.get(requestId) ?? 0) + 1);
    const places = new SignatoryPlaces({ limit, open: async () => `R${++made}` });
    meets(await places.take(1));
    const went: string[] = [];
    const guest = () =>
      places.beside(
        async (requestId) => {
          went.push(requestId);
          if (fate !== 'refused') meets(requestId);
          if (fate === 'lost') throw new Error('no answer');
          return fate;
        },
        (answer) => answer === 'refused',
      );
    await Promise.allSettled(Array.from({ length: 5 }, guest));
    expect(went.toSorted()).toEqual(requests);
    for (let more = 0; more < limit; more += 1) meets(await places.take(1));
    expect(Math.max(...people.values())).toBeLessThanOrEqual(limit);
  });
}

test('where everybody gets a request alone, whoever is refused leaves it to the next one', async () => {
  let made = 0;
  const places = new SignatoryPlaces({ limit, places: 1, open: async () => `R${++made}` });
  expect([await places.take(1), await places.take(1)]).toEqual(['R1', 'R2']);
  places.giveBack('R1');
  places.giveBack('R of somebody else');
  expect([await places.take(1), await places.take(1)]).toEqual(['R1', 'R3']);
});
