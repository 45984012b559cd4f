/** Signing modules that do not work, and callbacks that name no request: a clear message, in bounded time, and no blame. */
import { writeFileSync } from 'node:fs';
import { expect, type TestInfo, test } from '@playwright/test';
import type { Profile } from '../../harness/profile/schema.ts';
import { RunSession } from '../../harness/running/run-session.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { CouldNotRun } from '../../record/errors.ts';
import { inSequence } from '../flows/people.ts';
import { startReferenceTarget } from '../running/reference-target.ts';

/** What a run with one flow says about signing and events. */
async function evidenceOf(info: TestInfo, change: (profile: Profile) => Partial<Profile>) {
  const target = await startReferenceTarget();
  const folder = info.outputPath('run');
  const { profile } = target.loaded;
  const session = new RunSession(
    { ...target.loaded, profile: { ...profile, ...change(profile) } },
    { out: folder, seed: 1, concurrency: 8, explore: false, manual: true },
    { runId: 'modules', callbackUrl: 'http://127.0.0.1:9/', flows: [inSequence], profileDir: info.outputDir },
  );
  const of = async (id: RequirementId) => {
    const { rows } = await session.evidence(id);
    return rows.map(({ verdict, message }) => ({ verdict, message }));
  };
  try {
    return {
      signs: await of('signing.lower-order-first'),
      completed: await of('events.process-completed-last'),
      all: (await session.evidence('events.signatory-completed')).rows.map(({ verdict }) => verdict),
    };
  } catch (error) {
    if (error instanceof CouldNotRun) throw new Error(`the flows did not begin: ${error.message}`);
    throw error;
  } finally {
    await session.close();
    await target.close();
  }
}

for (const [title, text, message] of [
  [
    'throws',
    'export default { act() { throw new Error("no network"); } };',
    'act of the signing module has thrown: no network',
  ],
  [
    'never returns',
    'export default { act: () => new Promise(() => {}) };',
    'act of the signing module did not end within 300 ms',
  ],
] as const) {
  test(`with a signing module that ${title} what depends on it could not run, and says why`, async ({}, info) => {
    writeFileSync(info.outputPath('signing.mjs'), text);
    const { signs, completed, all } = await evidenceOf(info, () => ({
      signing: { driver: 'module', module: './signing.mjs', timeoutMs: 300 },
      callbacks: { grace: { arrivalMs: 300, silenceMs: 50 } },
    }));
    expect(signs).toMatchObject([{ verdict: 'could-not-run', message: expect.stringContaining(message) }]);
    expect(completed).toMatchObject([{ verdict: 'could-not-run' }]);
    expect(all).toEqual(['could-not-run']);
  });
}

test('callbacks from which no request id can be read are not judged where all have one URL, and signing is', async ({}, info) => {
  const { signs, completed, all } = await evidenceOf(info, () => ({
    callbacks: {
      correlate: 'request-id',
      decoding: { format: 'xml' },
      grace: { arrivalMs: 1_000, silenceMs: 50 },
    },
  }));
  expect(signs).toMatchObject([{ verdict: 'passed' }]);
  expect(completed).toMatchObject([{ verdict: 'could-not-run' }]);
  expect(all).toEqual(['could-not-run']);
});
