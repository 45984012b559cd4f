/** Each dialect setting does what it says. */
import { expect, test } from '@playwright/test';
import type { Setting, SettingValue } from '../../reference/dialect/setting.ts';
import { type Dialect, resolveDialect, settings } from '../../reference/dialect.ts';
import { withReference } from './reference-client.ts';
import { callsCases } from './reference-dialects/calls.ts';
import { peopleCases } from './reference-dialects/people.ts';
import { requestCases } from './reference-dialects/request.ts';
import { uploadCases } from './reference-dialects/upload.ts';
import { wireCases } from './reference-dialects/wire.ts';

for (const { title, dialect, expected, call } of [
  ...callsCases,
  ...uploadCases,
  ...requestCases,
  ...peopleCases,
  ...wireCases,
]) {
  test(`dialect ${title}`, async () => {
    expect(await withReference({ dialect }, call)).toBe(expected);
  });
}

test('an unknown setting and an impossible value are refused with their names', () => {
  expect(() => resolveDialect({ colour: 'any' } as Partial<Dialect>)).toThrow(/"colour"/);
  expect(() => resolveDialect({ idForm: 'roman' as 'uuid' })).toThrow(/idForm is "roman"; it takes uuid/);
  expect(() => resolveDialect({ maxDocuments: 'many' as unknown as number })).toThrow(/it takes a number/);
});

test('every setting says what it decides and lists each value once', () => {
  const all: readonly (readonly [string, Setting<SettingValue>])[] = Object.entries(settings);
  for (const [name, { about, values }] of all) {
    expect(about, name).toMatch(/[.]$/);
    expect(new Set(values).size, name).toBe(values.length);
  }
});
