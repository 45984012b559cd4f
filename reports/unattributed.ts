/** What came to the callback listener and is no callback of the run, in one sentence. */

import { visible } from '../record/visible.ts';
import type { Run } from './run.ts';

const kinds: Readonly<Record<string, string>> = {
  'unknown-request': 'for requests that this run did not create',
  'unknown-address': 'to addresses of nobody',
  connections: 'as connections beyond callbacks.limits.connections',
  malformed: 'that are no HTTP',
  'arrival-time': 'that did not arrive in time',
  incomplete: 'that broke off',
};

/** One sentence with how many, when and from where; none where everything that came was a callback of the run. */
export function unattributed({ unattributed: all = [] }: Run): readonly string[] {
  if (all.length === 0) return [];
  const told = all.map(({ kind, count, first, last, from }) => {
    const what = kinds[kind] ?? `refused (${kind})`;
    const who = from.length > 0 ? ` from ${from.join(', ')}` : '';
    return `${count} ${what}${who}, ${first.slice(11, 19)} to ${last.slice(11, 19)} UTC`;
  });
  return [visible(`what came to the callback listener and blames nobody: ${told.join('; ')}`)];
}
