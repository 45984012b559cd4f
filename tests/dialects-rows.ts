/** The dialects that the checks are tried against: a pairwise covering set over all settings of the reference. */
import { coveringRows } from '../generators/pairwise.ts';
import { type Dialect, settings } from '../reference/dialect.ts';

type Value = string | number | boolean;

/** Compliant services that share no code with the reference. */
export const foreigners = ['gateway', 'java', 'php', 'queue'] as const;
export type Foreigner = (typeof foreigners)[number];

export interface DialectRow {
  readonly name: string;
  readonly dialect: Partial<Dialect>;
  /** What the suite knows of the service: what its dialect needs, or its address and a token alone. */
  readonly profile: 'derived' | 'empty';
  /** Instead of the reference. */
  readonly foreign?: Foreigner;
}

/**
 * Values that hide other settings: where no callback arrives, nothing else about callbacks can be seen. They do
 * not take part in the pairs; each has a row of its own.
 */
const hiding: Partial<Dialect>[] = [
  { callbackUrlSchemes: 'https' },
  { callbackNetworks: 'public' },
  { callbackNetworks: 'public', callbackUrlCheck: 'called' },
];

function isHiding(name: string, value: Value): boolean {
  return hiding.some((each) => Object.keys(each)[0] === name && Object.values(each)[0] === value);
}

const factors = Object.fromEntries(
  Object.entries(settings).map(([name, { values }]) => [
    name,
    values.filter((value: Value) => !isHiding(name, value)),
  ]),
);

/** Examples of free settings are for somebody who waits, not for a machine that is busy. */
const unhurried: Partial<Dialect> = { sendDelayMs: 4_000 };

const covering = coveringRows(factors, 1).map((dialect): Partial<Dialect> => ({ ...dialect, ...unhurried }));

function numbered(prefix: string, dialects: readonly Partial<Dialect>[], profile: DialectRow['profile']) {
  return dialects.map((dialect, index): DialectRow => ({ name: `${prefix}-${index + 1}`, dialect, profile }));
}

export const dialectRows: readonly DialectRow[] = [
  { name: 'default', dialect: {}, profile: 'derived' },
  ...numbered('hiding', hiding, 'derived'),
  ...foreigners.map((foreign): DialectRow => ({ name: foreign, foreign, dialect: {}, profile: 'empty' })),
  ...numbered('pairs', covering, 'derived'),
  ...numbered('bare', covering, 'empty'),
];

export function dialectRow(name: string): DialectRow {
  const row = dialectRows.find((each) => each.name === name);
  if (!row) throw new Error(`no dialect row is called ${name}`);
  return row;
}
