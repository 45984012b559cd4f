/** The profiles in targets/: they load, and they show every key. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { loadProfile } from '../../harness/profile/load.ts';
import { profilePage, writtenProfileSchema } from '../../harness/profile/profile-page.ts';
import { startReference } from '../../reference/server.ts';
import { referenceProfile } from '../../running/reference-target.ts';
import { root } from './cli-spawn.ts';

const targets = join(root, 'targets');
const profiles = readdirSync(targets).filter((name) => name.endsWith('.yaml'));
const sandboxes = readdirSync(join(targets, 'sandboxes'));
const textOf = (name: string) => readFileSync(join(targets, name), 'utf8');
const schema = JSON.parse(JSON.stringify(writtenProfileSchema()));

/** A value for every variable of the environment that a profile refers to. */
function dummies(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [name, `dummy-${name}`]),
  );
}

test('docs/profile.md is the page of the schema (npm run schema writes it)', () => {
  const page = readFileSync(join(root, 'docs/profile.md'), 'utf8');
  expect(page).toBe(profilePage(page));
});

test('every key of the schema says what it is for', () => {
  const silent = keysOf(schema).filter(([, { description }]) => !description);
  expect(silent.map(([path]) => path)).toEqual([]);
});

/** What an editor says of a profile. */
let validate: ValidateFunction;
test.beforeAll(() => {
  validate = formats.default(new Ajv({ strict: false, allErrors: true })).compile(schema);
});

for (const name of [...profiles, ...sandboxes.map((each) => `sandboxes/${each}`)]) {
  test(`editors find nothing wrong with ${name}`, () => {
    const text = textOf(name);
    const place = name.includes('/') ? '../' : './';
    expect(text.startsWith(`# yaml-language-server: $schema=${place}profile.schema.json\n`)).toBe(true);
    const valid = validate(parse(text));
    expect(validate.errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });
}

test('each of them loads', () => {
  for (const name of profiles) {
    const loaded = loadProfile({ target: join(targets, name) }, dummies(textOf(name)));
    expect(loaded?.profile.name, name).toBeTruthy();
  }
});

test('example.yaml shows every key', () => {
  const text = textOf('example.yaml');
  const missing = keysOf(schema)
    .map(([path]) => path.split('.').at(-1) ?? '')
    .filter((key) => key !== '$schema' && !new RegExp(`[\\s{]${key}(:|\\b.*\\n)`).test(text));
  expect([...new Set(missing)]).toEqual([]);
});

test('reference.yaml says what a run against the embedded reference service uses', async () => {
  const reference = await startReference();
  await reference.close();
  const text = textOf('reference.yaml');
  const { address, auth, ...rest } = loadProfile({ target: join(targets, 'reference.yaml') }, dummies(text))
    ?.profile ?? { address: null, auth: null };
  const { address: _, auth: embedded, ...expected } = referenceProfile(reference);
  expect(rest).toEqual(JSON.parse(JSON.stringify(expected)));
  expect(address).toEqual({ baseUrl: 'http://127.0.0.1:4010' });
  expect(Object.keys(auth ?? {}).sort()).toEqual(Object.keys(embedded).sort());
});

interface SchemaPart {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly anyOf?: readonly SchemaPart[];
  readonly items?: SchemaPart;
}

/** Every key that the schema names, by its path. */
function keysOf(part: SchemaPart, path = ''): [path: string, SchemaPart][] {
  const own = Object.entries(part.properties ?? {}).flatMap(([key, below]): [string, SchemaPart][] => {
    const at = path ? `${path}.${key}` : key;
    return [[at, below], ...keysOf(below, at)];
  });
  const branches = [...(part.anyOf ?? []), ...(part.items ? [part.items] : [])];
  return [...own, ...branches.flatMap((branch) => keysOf(branch, path))];
}
