/** The run host: errors keep their names on the way to a worker, and strangers are turned away. */
import { expect, test } from '@playwright/test';
import { type Host, type Hosted, isHostOf, remoteSession, startHost } from '../../harness/session/host.ts';
import { CouldNotRun } from '../../record/errors.ts';

/** A session of which a test needs one method only. */
function only(methods: Partial<Hosted>): () => Promise<Hosted> {
  return async () => methods as Hosted;
}

async function withHost<T>(session: () => Promise<Hosted>, work: (host: Host) => Promise<T>): Promise<T> {
  const host = await startHost(session);
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}

const thrown = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: unknown) => error);

test('errors keep their name and message', async () => {
  const session = only({
    request: () => Promise.reject(new CouldNotRun('needs a request')),
    shared: () => Promise.reject(new TypeError('a mistake')),
  });
  await withHost(session, async ({ address }) => {
    const remote = remoteSession(address);
    const missing = await thrown(remote.request(1));
    expect(missing).toBeInstanceOf(CouldNotRun);
    expect((missing as Error).message).toBe('needs a request');
    const mistake = { name: 'TypeError', message: 'a mistake' };
    expect(await thrown(remote.shared('skeleton'))).toMatchObject(mistake);
  });
});

test('who does not know the key may not call', async () => {
  await withHost(only({ request: async () => 'secret' }), async ({ address }) => {
    const body = JSON.stringify({ method: 'request', args: [1] });
    const stranger = await fetch(address.url, { method: 'POST', body });
    expect([stranger.status, await stranger.text()]).toEqual([401, '']);
    const guess = await fetch(address.url, { method: 'POST', body, headers: { Authorization: 'Bearer x' } });
    expect(guess.status).toBe(401);
    const message = 'the run host answered with 401';
    expect(await thrown(remoteSession({ ...address, key: 'x' }).request(1))).toMatchObject({ message });
  });
});

test('who does not know the id of the run is not told', async () => {
  await withHost(only({}), async (host) => {
    const { url } = host.address;
    const asked = (place: string) =>
      fetch(`${url}${place}`).then(async (answer) => [answer.status, await answer.text()]);
    expect(await asked('/run/')).toEqual([404, '']);
    host.runId = 'bcdfghjk';
    expect(await asked('/run')).toEqual([401, '']);
    expect(await asked('/run/')).toEqual([404, '']);
    expect(await asked('/run/bcdfghjx')).toEqual([404, '']);
    expect(await isHostOf(url, 'bcdfghjk')).toBe(true);
    expect(await isHostOf(url, 'bcdfghjx')).toBe(false);
    expect(await isHostOf(url, '')).toBe(false);
  });
});

test('only what a session offers can be called', async () => {
  await withHost(only({}), async ({ address }) => {
    const answer = await fetch(address.url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${address.key}` },
      body: JSON.stringify({ method: 'constructor', args: [] }),
    });
    const error = { name: 'Error', message: 'the host has no method constructor' };
    expect(await answer.json()).toEqual({ error });
  });
});
