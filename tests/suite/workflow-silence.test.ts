/** A target that cannot call back: nobody is blamed for it, and what can be asked is asked instead; and flows that stop unheard. */
import { expect, test } from '@playwright/test';
import type { Profile } from '../../harness/profile/schema.ts';
import { role } from '../../openapi/codes.ts';
import { startReferenceTarget } from '../../running/reference-target.ts';
import { withoutCallbackUrl } from '../flows/events.ts';
import { inSequence, mixedRoles } from '../flows/people.ts';
import { changedReference, withSession } from '../proof/session.ts';
import { send } from './callbacks-sender.ts';
import { deadPort } from './services/loopback.ts';
import { workflow } from './workflow.ts';

const request = '/_apis/sign/api/v2/requests/{requestId}';

test('a target that cannot call back gets no CallbackUrl, and signing is checked all the same', async () => {
  const change = (profile: Profile): Partial<Profile> => ({
    // Another name of this machine, from which a listener on loopback is taken to be out of reach.
    address: { ...profile.address, baseUrl: profile.address.baseUrl.replace('127.0.0.1', '0.0.0.0') },
    // The outbox answers under its own name only.
    outbox: {
      email: {
        list: { method: 'GET', url: `${profile.address.baseUrl}/_outbox.json?to={email}` },
        messages: '/messages',
      },
      sms: {
        list: { method: 'GET', url: `${profile.address.baseUrl}/_outbox.json?to={mobileNumber}` },
        messages: '/messages',
      },
    },
    callbacks: {},
    calls: {
      ...profile.calls,
      // The answer names documents under the usual name, to which the access token of this one does not go.
      completedDocuments: { method: 'GET', url: `${request}/documents`, result: '/documents/0/name' },
      download: { method: 'GET', url: `${request}/documents/0` },
    },
  });
  const settings = { runId: 'silent', flows: [inSequence, mixedRoles] };
  const start = () => changedReference({}, change);
  await withSession(start, settings, async (session) => {
    const { notApplicable } = await session.facts();
    const isEvent = (id: string) => id.startsWith('events.');
    const judged = workflow.filter(({ id }) => !notApplicable[id]);
    expect(notApplicable['events.all']).toContain('callbacks.publicUrl');
    expect(judged.filter(({ id }) => isEvent(id))).toEqual([]);
    const evidence = await Promise.all(judged.map(({ id }) => session.evidence(id)));
    const verdicts = evidence.flatMap(({ rows }) => rows.map(({ verdict }) => verdict));
    expect(new Set(verdicts)).toEqual(new Set(['passed']));
    // Its states are asked for instead, and the documents once the last one is reached.
    const observations = await session.observations();
    const seen = (gap: string) => observations.filter((each) => each.gap === gap);
    expect(seen('service.states').map(({ value }) => value)).toEqual([['draft', 'sent', 'completed']]);
    expect(Object.fromEntries(seen('service.transitions').map(({ key, value }) => [key, value]))).toEqual({
      'state before sending': 'draft',
      'state after sending': 'sent',
      'state after signatory 3 (signer, order 1) completed': 'sent',
      'state after signatory 1 (signer, order 2) completed': 'sent',
      'state after signatory 2 (approver, order 3) completed': 'completed',
      'state after everybody completed': 'completed',
    });
    expect((await session.callbacks()).deliveries).toEqual([]);
    const flows = session.recorder.exchanges.filter(({ purpose }) => purpose === 'flow');
    expect(flows.length).toBeGreaterThan(10);
    expect(flows.some(({ request }) => request.body?.text?.includes('"CallbackUrl":'))).toBe(false);
  });
});

test('a target that cannot call back is not blamed where others reach the listener, without an address or with a forged callback', async () => {
  const [unreachable, port] = [await deadPort(), await deadPort()];
  const local = `http://127.0.0.1:${port}`;
  const change = ({ callbacks }: Profile): Partial<Profile> => ({
    callbacks: {
      ...callbacks,
      publicUrl: `http://127.0.0.1:${unreachable}`,
      listen: { port },
      grace: { arrivalMs: 1_000, silenceMs: 100 },
      authenticity: { kind: 'header', header: 'X-Secret', secret: 'of-the-target' },
    },
  });
  const settings = { runId: 'strangers', flows: [inSequence, mixedRoles] };
  await withSession(
    () => changedReference({}, change),
    settings,
    async (session) => {
      const ids = workflow.map(({ id }) => id).filter((id) => id.startsWith('events.'));
      const evidence = Promise.all(ids.map((id) => session.evidence(id)));
      const created = () =>
        session.recorder.exchanges.flatMap(({ request: { body } }) => {
          const [, path] = /"CallbackUrl":"https?:\/\/[^/"]*([^"]+flow=[^"]*)"/.exec(body?.text ?? '') ?? [];
          return path ?? [];
        });
      await expect.poll(() => created().length).toBeGreaterThan(0);
      expect(await send(`${local}/robots.txt`, '')).toEqual({ status: 404 });
      expect(await send(`${local}${created()[0]}`, '{"event":1}')).toEqual({ status: 200 });
      const rows = (await evidence).flatMap((each) => each.rows);
      expect(rows.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
      const causes = rows.map(({ found }) => JSON.stringify(found.cause));
      expect(causes.filter((cause) => cause?.includes('nothing-arrived'))).not.toEqual([]);
      expect(causes.filter((cause) => cause?.includes('"of":"forged"'))).not.toEqual([]);
    },
  );
});

test('a flow that stops is told of where others prove all its requirements', async () => {
  const refused = {
    ...withoutCallbackUrl,
    name: 'an Order below 1',
    signatories: [{ role: role.signer, order: -1 }],
  };
  const settings = { runId: 'stopped', flows: [withoutCallbackUrl, refused] };
  await withSession(
    () => startReferenceTarget(),
    settings,
    async (session) => {
      const { rows } = await session.evidence('signing.email-used');
      expect(rows).toMatchObject([{ title: withoutCallbackUrl.name, verdict: 'passed' }]);
      expect(session.warnings()).toEqual([
        expect.stringMatching(
          /^1 flow did not come to an end \("an Order below 1"\): .* was answered with 400/,
        ),
      ]);
    },
  );
});
