/** The dialects that the checks are tried against: every setting fills a gap or stands among the others, and the rows hold every pair. */
import { expect, test } from '@playwright/test';
import { resolveDialect, settings } from '../../reference/dialect.ts';
import { gapSettings, otherSettings } from '../proof/dialects/gaps.ts';
import { dialectRow, dialectRows, everyDay, factors } from '../proof/dialects/rows.ts';

const names = Object.keys(settings);

test('each setting fills a gap, or stands among the others', () => {
  const filling = Object.values(gapSettings).flatMap((each) => ('none' in each ? [] : each));
  const used = new Set<string>([...filling, ...otherSettings]);
  expect(names.filter((name) => !used.has(name))).toEqual([]);
  expect(filling.filter((name) => otherSettings.includes(name))).toEqual([]);
});

test('the covering rows hold every pair of values of two settings', () => {
  const rows = dialectRows.filter(({ name }) => name.startsWith('pairs-'));
  const all = Object.entries(factors).flatMap(([name, values]) => values.map((value) => ({ name, value })));
  const held = new Set<number>();
  for (const { covered = {} } of rows) {
    const places = all.flatMap(({ name, value }, at) => (covered[name] === value ? [at] : []));
    for (const one of places) for (const other of places) held.add(one * all.length + other);
  }
  // Of one setting a row has one value: it goes with itself alone.
  const pairs = all.flatMap((one) => all.filter((other) => one === other || one.name !== other.name));
  expect(held.size).toBe(pairs.length);
});

test('every row is a dialect, and every value of every setting is in the rows of every day', () => {
  for (const { dialect } of dialectRows) expect(() => resolveDialect(dialect)).not.toThrow();
  const missing = Object.entries(factors).flatMap(([name, values]) =>
    values
      .filter((value) => !everyDay.some(({ covered }) => covered?.[name] === value))
      .map((value) => `${name}=${value}`),
  );
  expect(missing).toEqual([]);
});

test('a drawn row is the same for its number, and every setting and both kinds of profile are drawn', () => {
  const rows = Array.from({ length: 200 }, (_, seed) => dialectRow(`drawn-${seed}`));
  expect(dialectRow('drawn-7')).toEqual(rows[7]);
  for (const { dialect } of rows) expect(() => resolveDialect(dialect)).not.toThrow();
  expect(names.filter((name) => !rows.some(({ dialect }) => name in dialect))).toEqual([]);
  expect(new Set(rows.map(({ profile }) => typeof profile))).toEqual(new Set(['string', 'object']));
});
