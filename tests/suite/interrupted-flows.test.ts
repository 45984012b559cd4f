/** What waits for events and people when a run is interrupted: nobody is waited for any more, and nothing spins. */
import { expect, test } from '@playwright/test';
import { runDefaults } from '../../harness/profile/run-options.ts';
import { RunSession } from '../../harness/running/run-session.ts';
import { eventFlows } from '../flows/events.ts';
import { startReferenceTarget } from '../running/reference-target.ts';

/** So long that a wait which goes on after the interrupt shows. */
const longMs = 240_000;
/** So short that a busy machine does not matter, and much shorter than that. */
const soonMs = 60_000;

test('events that are still to come are not waited for after an interrupt', async ({}, info) => {
  const target = await startReferenceTarget({ dialect: { callbackDelayMs: 2 * longMs } });
  const { loaded } = target;
  const callbacks = { ...loaded.profile.callbacks, grace: { arrivalMs: longMs } };
  const session = new RunSession(
    { ...loaded, profile: { ...loaded.profile, callbacks } },
    { ...runDefaults, out: info.outputPath('out') },
    { runId: 'early', callbackUrl: 'http://127.0.0.1:9/', flows: eventFlows, profileDir: info.outputDir },
  );
  const signed = () =>
    session.recorder.exchanges.filter(({ template, response }) => {
      return template === 'calls.sign' && response?.status === 200;
    });
  session.startFlows();
  const evidence = session.evidence('events.all').catch((error: unknown) => error);
  await expect.poll(() => signed().length, { timeout: soonMs }).toBe(eventFlows.length);
  const interruptedMs = performance.now();
  await session.interrupt();
  await session.finish();
  await evidence;
  await session.observations();
  await session.close();
  await target.close();
  expect(performance.now() - interruptedMs).toBeLessThan(soonMs);
});
