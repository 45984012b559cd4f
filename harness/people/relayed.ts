/** Takes deliveries from a signing module: one after the other, whatever it throws, until the run ends. */
import { reasonOf } from './load-module.ts';
import type { RelayedDelivery } from './module-types.ts';

/** More than these that cannot be used are no longer told one by one. */
const toldMost = 5;

/**
 * The deliveries that can be used. Ends with the module's iteration, when that throws, or when `signal` is aborted,
 * also while the module waits for the next one.
 */
export async function* relayed(
  open: () => AsyncIterable<RelayedDelivery>,
  signal: AbortSignal,
  problem: (text: string) => void,
): AsyncGenerator<RelayedDelivery> {
  let told = 0;
  const ended = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  let iterator: AsyncIterator<unknown> | undefined;
  try {
    iterator = open()[Symbol.asyncIterator]();
    while (!signal.aborted) {
      const step = await Promise.race([iterator.next(), ended]);
      if (!step || step.done) return;
      if (isDelivery(step.value)) yield step.value;
      else if (told < toldMost) {
        told += 1;
        problem('deliveries of the signing module gave something without method, url, headers or body');
      }
    }
  } catch (error) {
    problem(`deliveries of the signing module has thrown: ${reasonOf(error)}`);
  } finally {
    // One that waits for its next delivery may never answer; nobody waits for it.
    iterator?.return?.().catch((error: unknown) => {
      problem(`deliveries of the signing module has thrown at its end: ${reasonOf(error)}`);
    });
  }
}

function isDelivery(value: unknown): value is RelayedDelivery {
  if (value === null || typeof value !== 'object') return false;
  const { method, url, headers, body, receivedAt } = value as Partial<Record<keyof RelayedDelivery, unknown>>;
  return (
    typeof method === 'string' &&
    typeof url === 'string' &&
    Array.isArray(headers) &&
    headers.every(
      (field) =>
        Array.isArray(field) && field.length === 2 && field.every((part) => typeof part === 'string'),
    ) &&
    (typeof body === 'string' || body instanceof Uint8Array) &&
    (receivedAt === undefined || (typeof receivedAt === 'string' && !Number.isNaN(Date.parse(receivedAt))))
  );
}
