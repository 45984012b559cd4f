/** Stands between a service and the listener, and passes its callbacks on in another manner: late, together, again, reshaped. */
import { type Arrived, type Loopback, serve } from './loopback.ts';

/** A callback as the service sent it: the fields of its JSON. */
export type Told = Readonly<Record<string, unknown>>;

export interface Manner {
  /** How long nothing more has to come for a URL before what came for it is passed on, in milliseconds. */
  readonly holdMs: number;
  /** What is passed on in place of what came, body by body. */
  readonly shape: (told: readonly Told[]) => readonly unknown[];
}

/** @param listener where the listener will be */
export async function startCallbackRelay(listener: string, { holdMs, shape }: Manner): Promise<Loopback> {
  const held = new Map<string, { readonly told: Told[]; timer?: NodeJS.Timeout }>();
  const released = new Map<string, Promise<void>>();
  const pass = (path: string, body: unknown) =>
    fetch(listener + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const release = async (path: string, bodies: readonly unknown[]): Promise<void> => {
    for (const body of bodies) await pass(path, body);
  };
  const hold = ({ url, body }: Arrived): void => {
    const one = held.get(url) ?? { told: [] };
    held.set(url, one);
    one.told.push(JSON.parse(body.toString('utf8')) as Told);
    clearTimeout(one.timer);
    one.timer = setTimeout(() => {
      held.delete(url);
      const bodies = shape(one.told);
      // What was held before goes first, however long that takes.
      const before = released.get(url) ?? Promise.resolve();
      // The listener may be closed by then: the run is over, and what is still held is nobody's.
      released.set(
        url,
        before.then(() => release(url, bodies)).catch(() => undefined),
      );
    }, holdMs);
  };
  const relay = await serve((request, response) => {
    // The suite asks whether the URL leads to itself.
    if (request.method === 'GET') {
      fetch(listener + request.url)
        .then(({ status }) => response.writeHead(status).end())
        .catch(() => response.writeHead(502).end());
      return;
    }
    hold(request);
    response.writeHead(200).end();
  });
  return {
    ...relay,
    close: async () => {
      for (const { timer } of held.values()) clearTimeout(timer);
      await relay.close();
    },
  };
}
