/** Finds out whether the public URL leads to this listener. Some networks do not loop back, so a failure only warns. */
import { randomUUID } from 'node:crypto';
import { selfCallName, shownInQuery } from './address.ts';
import type { Listener } from './listener.ts';

/** The address of the listener for creations whose callbacks no flow waits for. */
export const unwatchedName = 'creations of checks';

/** With the URL that was called, and path and query as they arrived: what differs was changed on the way. */
export type SelfCall =
  | { readonly reached: true; readonly url: string; readonly target: string }
  | { readonly reached: false; readonly message: string; readonly redirects?: boolean };

/** Calls the listener through its public URL, for at most `deadlineMs`. Never rejects. */
export async function selfCall(listener: Listener, deadlineMs = 3_000): Promise<SelfCall> {
  const address = listener.open(selfCallName);
  // Where all addresses share one URL, a request id of its own brings the call to this address.
  const id = randomUUID();
  address.claim(id);
  const url = address.urlWith({ ...shownInQuery(selfCallName), requestId: id });
  const missed = `the listener did not reach itself through ${listener.url}`;
  try {
    const { status } = await fetch(url, {
      // The server that answers there must not choose what else this machine calls.
      redirect: 'manual',
      signal: AbortSignal.timeout(deadlineMs),
    });
    const [arrived] = await address.next(0, 100);
    if (arrived) return { reached: true, url, target: arrived.target };
    const redirects = status >= 300 && status < 400;
    const hint = redirects ? ', a redirect; name the address that it leads to' : '';
    return { reached: false, message: `${missed}: something else answered with ${status}${hint}`, redirects };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException };
    const why = name === 'TimeoutError' ? `no answer within ${deadlineMs} ms` : (cause?.code ?? name);
    return { reached: false, message: `${missed}: ${why}` };
  } finally {
    address.close();
  }
}
