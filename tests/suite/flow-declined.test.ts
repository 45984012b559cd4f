/** A run that explores lets a signer decline, where the profile has a call for it, and tells what followed. */
import { expect, test } from '@playwright/test';
import { runDefaults } from '../../harness/profile/run-options.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import { RunSession } from '../../harness/running/run-session.ts';
import { declinedFlow } from '../flows/all.ts';
import { startReferenceTarget } from '../running/reference-target.ts';
import { serve } from './services/loopback.ts';

type Change = (profile: Profile, callbackUrl: () => string) => Partial<Profile>;

/** What a run with this one flow observes, and its exchanges. */
async function explored(folder: string, change: Change) {
  const target = await startReferenceTarget();
  const { profile } = target.loaded;
  const callbackUrl = (): string => {
    const creation = session.recorder.exchanges.find((each) => each.operation === 'createSkeletonRequest');
    return JSON.parse(creation?.request.body?.text ?? '{}').CallbackUrl;
  };
  const callbacks = { ...profile.callbacks, grace: { arrivalMs: 400, silenceMs: 50 } };
  const session: RunSession = new RunSession(
    { ...target.loaded, profile: { ...profile, callbacks, ...change(profile, callbackUrl) } },
    { ...runDefaults, out: folder, explore: true },
    { runId: 'decline', callbackUrl: 'http://127.0.0.1:9/', flows: [declinedFlow], profileDir: folder },
  );
  try {
    session.startFlows();
    const observations = await session.observations();
    const seen = (gap: string, key: string) =>
      observations.find((each) => each.gap === gap && each.key === key);
    return {
      callbacks: seen('events.declined', 'callbacks after a signer declined'),
      state: seen('service.transitions', 'state after a signer declined')?.value,
      exchanges: session.recorder.exchanges,
    };
  } finally {
    await session.close();
    await target.close();
  }
}

test('the reference service sends nothing, and calls the request declined', async ({}, info) => {
  const { callbacks, state, exchanges } = await explored(info.outputPath(), () => ({}));
  expect(callbacks).toMatchObject({ value: 'none', stability: 'stable' });
  expect(state).toBe('declined');
  const creation = exchanges[callbacks?.exchanges[0] ?? -1];
  expect(creation).toMatchObject({ operation: 'createSkeletonRequest', purpose: 'observation' });
});

test('what arrives afterwards is told by its event, save event 1, which was due before', async ({}, info) => {
  let url = () => '';
  const declining = await serve(({ body }, response) => {
    const { requestId } = JSON.parse(body.toString('utf8')) as { requestId: string };
    const notify = (event: number) =>
      fetch(url(), { method: 'POST', body: JSON.stringify({ event, requestId }) });
    void notify(1)
      .then(() => notify(3))
      .then(() => notify(17))
      .then(() => response.end('{}'));
  });
  const decline = { method: 'POST', url: declining.baseUrl, body: { requestId: '{requestId}' } };
  const { callbacks } = await explored(info.outputPath(), ({ calls }, callbackUrl) => {
    url = callbackUrl;
    return { calls: { ...calls, decline } };
  });
  await declining.close();
  expect(callbacks?.value).toEqual(['a callback whose event is not known', 'event 3']);
});
