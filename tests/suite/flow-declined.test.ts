/** A run that explores lets a signer decline, where the profile has a call for it, and tells what followed. */
import { expect, test } from '@playwright/test';
import type { Profile } from '../../harness/profile/schema.ts';
import { declinedFlow } from '../flows/all.ts';
import { changedReference, withSession } from '../proof/session.ts';
import { serve } from './services/loopback.ts';

type Change = (profile: Profile, callbackUrl: () => string) => Partial<Profile>;

/** What a run with this one flow observes, and its exchanges. */
function explored(change: Change) {
  let callbackUrl = () => '';
  const start = () =>
    changedReference({}, (profile) => ({
      callbacks: { ...profile.callbacks, grace: { arrivalMs: 400, silenceMs: 50 } },
      ...change(profile, () => callbackUrl()),
    }));
  const settings = { runId: 'decline', flows: [declinedFlow], options: { explore: true } };
  return withSession(start, settings, async (session) => {
    const { exchanges } = session.recorder;
    callbackUrl = () => {
      const creation = exchanges.find((each) => each.operation === 'createSkeletonRequest');
      return JSON.parse(creation?.request.body?.text ?? '{}').CallbackUrl;
    };
    session.startFlows();
    const observations = await session.observations();
    const seen = (gap: string, key: string) =>
      observations.find((each) => each.gap === gap && each.key === key);
    return {
      callbacks: seen('events.declined', 'callbacks after a signer declined'),
      state: seen('service.transitions', 'state after a signer declined')?.value,
      exchanges,
    };
  });
}

test('the reference service sends nothing, and calls the request declined', async () => {
  const { callbacks, state, exchanges } = await explored(() => ({}));
  expect(callbacks).toMatchObject({ value: 'none', stability: 'stable' });
  expect(state).toBe('declined');
  const creation = exchanges[callbacks?.exchanges[0] ?? -1];
  expect(creation).toMatchObject({ operation: 'createSkeletonRequest', purpose: 'observation' });
});

test('what arrives afterwards is told by its event, save event 1, which was due before', async () => {
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
  const { callbacks } = await explored(({ calls }, callbackUrl) => {
    url = callbackUrl;
    return { calls: { ...calls, decline } };
  });
  await declining.close();
  expect(callbacks?.value).toEqual(['a callback whose event is not known', 'event 3']);
});
