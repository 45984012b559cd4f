/** Words that several reports share. */
import { counted } from '../../record/counted.ts';
import type { Created } from '../../record/exchange.ts';
import { grouped } from '../../record/grouped.ts';
import { visible } from '../../record/visible.ts';
import type { Run } from './run.ts';

const createdNames = {
  document: 'document',
  request: 'signature request',
  signatory: 'added signatory',
} as const;

/** `2 documents, 1 signature request`. */
export function createdWords(created: readonly Pick<Created, 'kind'>[]): string {
  return (Object.keys(createdNames) as (keyof typeof createdNames)[])
    .map((kind) => [kind, created.filter((each) => each.kind === kind).length] as const)
    .flatMap(([kind, count]) => (count > 0 ? [counted(count, createdNames[kind])] : []))
    .join(', ');
}

/** The objects that are still at the target, as far as that is known; signatories go with their requests. */
export function leftThere(created: readonly Created[]): readonly Created[] {
  const gone = ({ removed, removalStatus }: Created) =>
    removed === true || removalStatus === 404 || removalStatus === 410;
  return created.filter((each) => each.kind !== 'signatory' && !gone(each));
}

export const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

export function cut(text: string, most: number, sign = ' …'): string {
  return text.length > most ? `${text.slice(0, most)}${sign}` : text;
}

/** `7.4 s`. */
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** The minute of an ISO 8601 time: `2026-01-02 03:04 UTC`. */
export const minute = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;

export function firstOf(ids: readonly string[], most: number, between = ', '): string {
  return ids.slice(0, most).join(between) + (ids.length > most ? `${between}…` : '');
}

const kinds: Readonly<Record<string, string>> = {
  'unknown-request': 'for requests that this run did not create',
  'unknown-address': 'to addresses of nobody',
  connections: 'as connections beyond callbacks.limits.connections',
  malformed: 'that are no HTTP',
  'arrival-time': 'that did not arrive in time',
  incomplete: 'that broke off',
};

/** One sentence with count, time and sender for each kind of foreign call to the listener; none where there was none. */
export function unattributed({ unattributed: all = [] }: Run): readonly string[] {
  if (all.length === 0) return [];
  const told = all.map(({ kind, count, first, last, from }) => {
    const what = kinds[kind] ?? `refused (${kind})`;
    const who = from.length > 0 ? ` from ${from.join(', ')}` : '';
    return `${count} ${what}${who}, ${first.slice(11, 19)} to ${last.slice(11, 19)} UTC`;
  });
  return [
    visible(
      `of what came to the callback listener, this counts for nothing and blames nobody: ${told.join('; ')}`,
    ),
  ];
}

/** For each key, the requirements that it would make checkable by itself, and those that need other keys of the list too. */
export function unlocked(unlocks: Run['unlocks']) {
  const keys = grouped(
    unlocks.flatMap(({ requirements }) => requirements),
    (id) => id,
  );
  return unlocks.map(({ key, requirements }) => {
    const alone = requirements.filter((id) => keys.get(id)?.length === 1);
    const together = requirements.filter((id) => !alone.includes(id));
    const byItself = alone.length > 0 ? `${alone.length} by itself` : '';
    const more = `${together.length}${byItself && ' more'} with other keys of this list`;
    const says = [byItself, together.length > 0 ? more : ''].filter(Boolean).join(', ');
    return { key, alone: alone.length, says, requirements: [...alone, ...together] };
  });
}
