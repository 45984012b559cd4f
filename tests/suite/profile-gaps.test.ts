/** Every key of the profile that the gap register names is one that a profile can have. */
import { expect, test } from '@playwright/test';
import { ProfileSchema } from '../../harness/profile/schema.ts';
import { gaps } from '../../openapi/gaps/register.ts';

interface Part {
  readonly properties?: Readonly<Record<string, Part>>;
  readonly anyOf?: readonly Part[];
}

/** Whether a dotted path leads to a key in one of the forms that the schema allows. */
function has(part: Part | undefined, [key, ...rest]: readonly string[]): boolean {
  if (!part) return false;
  if (key === undefined) return true;
  const forms = part.anyOf ?? [part];
  return forms.some((form) => (form.anyOf ? has(form, [key, ...rest]) : has(form.properties?.[key], rest)));
}

test('every profileKey of the gap register stands in the schema of the profile', () => {
  const keys = gaps.flatMap(({ id, profileKey }) => (profileKey === undefined ? [] : [{ id, profileKey }]));
  expect(keys.length).toBeGreaterThan(20);
  const unknown = keys.filter(({ profileKey }) => !has(ProfileSchema as Part, profileKey.split('.')));
  expect(unknown).toEqual([]);
});

test('a key that no profile can have is found out', () => {
  expect(has(ProfileSchema as Part, ['calls', 'outbox'])).toBe(false);
  expect(has(ProfileSchema as Part, ['auth', 'kind'])).toBe(true);
});
