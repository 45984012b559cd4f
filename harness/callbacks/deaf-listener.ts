/** Stands in for the callback listener where it cannot listen: nothing arrives, and it says why. */
import type { Listener } from './listener.ts';
import type { ListenerError } from './listener-error.ts';

export function deafListener({ message }: ListenerError): Listener {
  return {
    url: '',
    localUrl: '',
    deaf: message,
    open: () => {
      throw new Error(message);
    },
    addresses: () => [],
    deliveries: () => [],
    counts: () => ({ stored: 0, bytes: 0, foreign: 0, held: 0, refused: {} }),
    problems: () => [],
    close: () => Promise.resolve(),
  };
}
