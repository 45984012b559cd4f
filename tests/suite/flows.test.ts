/** The flows of a run: which are chosen, and what follows where a signer declines. */
import { expect, test } from '@playwright/test';
import { chooseFlows } from '../../harness/flows/choose-flows.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import { declinedFlow, flows } from '../flows/all.ts';
import { otpFlow } from '../flows/otp.ts';
import { namesColor } from '../flows/people.ts';
import { changedReference, withSession } from '../proof/session.ts';
import { serve } from './services/loopback.ts';

const wishes = { explore: false, only: undefined, notApplicable: {}, waiting: undefined };
const byHand = (requests?: number) => ({
  signing: { driver: 'manual' as const, ...(requests === undefined ? {} : { requests }) },
});

const sign = { method: 'POST', url: '/signatories/{signatoryId}/sign' };
const byCalls = { signing: { driver: 'http' as const }, calls: { sign } };

const judging = flows.filter(({ explores }) => !explores);

test('where calls sign all flows run that judge something', () => {
  for (const url of [sign.url, '/requests/{requestId}/sign?email={email}']) {
    const chosen = chooseFlows(flows, { ...byCalls, calls: { sign: { ...sign, url } } }, wishes);
    expect(chosen).toEqual({ flows: judging, notApplicable: {} });
  }
});

test('who acts by a link in a message is given no two requests that are alike', () => {
  for (const url of ['/sign/{token}', '{link}']) {
    const chosen = chooseFlows(flows, { ...byCalls, calls: { sign: { ...sign, url } } }, wishes).flows;
    expect(chosen).toEqual(judging.filter(({ neighbour }) => !neighbour));
  }
});

test('a flow with more signatories than a request may have gives way to its parts, which prove the same', () => {
  const chosen = (signatories: number) =>
    chooseFlows(flows, { ...byCalls, limits: { signatories } }, wishes).flows;
  expect(chosen(6)).toEqual(judging);
  const few = chosen(2).filter(({ name }) => name.startsWith('OTP'));
  expect(few.map(({ signatories }) => signatories.length)).toEqual([2, 2]);
  expect(new Set(few.flatMap(({ proves }) => proves))).toEqual(new Set(otpFlow.proves));
});

test('a flow that only explores needs a run that does, as a whole, and its call', () => {
  const profile = { ...byCalls, calls: { sign, decline: { method: 'POST', url: '/decline' } } };
  const count = (more: object, given: Parameters<typeof chooseFlows>[1] = profile) =>
    chooseFlows(flows, given, { ...wishes, ...more }).flows.length - judging.length;
  expect(count({ explore: true })).toBe(1);
  expect(count({ explore: true, only: ['events.all'] })).toBe(0);
  expect(count({ explore: true }, byCalls)).toBe(0);
  expect(count({})).toBe(0);
});

test('people are asked for as many requests as the profile says, three by default', () => {
  const chosen = (requests?: number) => chooseFlows(flows, byHand(requests), wishes);
  expect(chosen().flows).toHaveLength(3);
  expect(chosen(1).flows).toHaveLength(1);
  // As many as it takes, and no more.
  const enough = chosen(judging.length);
  expect(enough.notApplicable).toEqual({});
  const { length } = enough.flows;
  expect(length).toBeLessThan(judging.length);
  expect(chosen(length).notApplicable).toEqual({});
  expect(chosen(length - 1).notApplicable).not.toEqual({});
  const { notApplicable } = chosen();
  const asked = 'people are asked to sign 3 requests (signing.requests)';
  expect(notApplicable['stamping.placed']).toContain(asked);
  expect(notApplicable['events.process-completed']).toBeUndefined();
});

test('nobody is asked for what is not wanted or cannot be checked', () => {
  const names = (only: string[], notApplicable = {}) =>
    chooseFlows(flows, byHand(), { ...wishes, only, notApplicable }).flows.map(({ name }) => name);
  expect(names(['signing.signer-signs'])).toHaveLength(1);
  expect(names(['events.all'])).toEqual(['a DOCX and a DOC, attached']);
  expect(names(['events.all'], { 'events.all': 'the profile says so' })).toEqual([]);
  expect(names(['upload.pdf'])).toEqual([]);
});

test('a Color is written where it stands as it was sent or alone, and not by chance within an id or a hash', () => {
  for (const text of ['Color: #b5e61d', 'Anna#B5E61Dsigned', 'Color B5E61D', 'B5E61D'])
    expect(namesColor(text)).toBe(true);
  for (const text of ['', 'SHA-256 00b5e61d9f3c', 'id 9b5e61d', 'B5E61D7A-0000'])
    expect(namesColor(text)).toBe(false);
});

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
