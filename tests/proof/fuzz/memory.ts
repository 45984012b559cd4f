/** How much memory this process holds on to, after everything that can be given back was given back. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of objects and buffers that are still in use. */
export function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // The second time takes what only finalizers held.
  for (let times = 0; times < 2; times += 1) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
