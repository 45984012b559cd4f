/** The profiles in targets/: they load, they show every key, and those of the six sandboxes use every value of the schema, or a reason is named. */
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
import { sandboxes } from '../proof/dialects/sandboxes.ts';
import { root } from './cli-spawn.ts';

const targets = join(root, 'targets');
const profiles = readdirSync(targets).filter((name) => name.endsWith('.yaml'));
const sandboxFiles = readdirSync(join(targets, 'sandboxes'));
const textOf = (name: string) => readFileSync(join(targets, name), 'utf8');
const schema = JSON.parse(JSON.stringify(writtenProfileSchema())) as Part;

/** A value for every variable of the environment that a profile refers to. */
function dummies(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [name, `dummy-${name}`]),
  );
}

test('docs/profile.md is the page of the editors (npm run editors writes it)', () => {
  const page = readFileSync(join(root, 'docs/profile.md'), 'utf8');
  expect(page).toBe(profilePage(page));
});

test('every key of the editors says what it is for', () => {
  const silent = nodesOf(schema).filter(({ isKey, part }) => isKey && !part.description);
  expect(silent.map(({ path }) => path)).toEqual([]);
});

/** What an editor says of a profile. */
let validate: ValidateFunction;
test.beforeAll(() => {
  validate = formats.default(new Ajv({ strict: false, allErrors: true })).compile(schema);
});

for (const name of [...profiles, ...sandboxFiles.map((each) => `sandboxes/${each}`)]) {
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
  const missing = nodesOf(schema)
    .flatMap(({ path, isKey }) => (isKey ? (path.split('.').at(-1) ?? '') : []))
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

const folder = join(root, 'targets/sandboxes');
const written = readdirSync(folder).map((name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  return { name: name.replace('.yaml', ''), tree: parse(text) as Readonly<Record<string, unknown>> };
});

/** Choices that none of the six has, with the test that has them. */
const elsewhere: readonly (readonly [choice: RegExp, where: string])[] = [
  [/^\$schema$/, 'a comment in each profile says it'],
  [/^environment = "production"$/, 'good-tenant.test.ts'],
  [/^address\.ca$/, 'harness-profile.test.ts and harness-http.test.ts: needs TLS'],
  [/^auth\.(kind = "static"|token)$/, 'targets/plain.yaml in profile-files.test.ts'],
  [/^auth\.(expiredToken|scope|parameters)$/, 'harness-tokens.test.ts and targets/plain.yaml'],
  [/^auth\.(call\.)?(encoding|body|accept|headers)\b/, 'auth-runs.test.ts, and written of dialect rows'],
  [/^auth\.(reusable|lifetimeS|answer\.lifetimeUnit)\b/, 'the tests of tokens'],
  [/^auth\.(kind = "authorization-code"|authorizationEndpoint|redirectUri)/, 'login.test.ts: people log in'],
  [/^signing\.(page|driver = "browser")/, 'signing-browser.test.ts'],
  [/^signing\.(module|timeoutMs|driver = "module")/, 'signing-module.test.ts'],
  [/^signing\.(requests|driver = "manual")/, 'signing-manual.test.ts: people sign'],
  [/^outbox\.(email|sms)\.(id|message|to|text)\b/, 'signing-outbox.test.ts: Mailpit, and names of its own'],
  [
    /^(outbox\.(email|sms)\.list|calls\.\w+|outbox\.\w+\.message)\.(headers|body|accept|refuse|result|authorize)$/,
    'one template is as good as another',
  ],
  [/^create\.requestId = "none"$/, 'places.test.ts'],
  [/^callbacks\.decoding\.format = "(xml|text)"$/, 'callbacks-decode.test.ts and places.test.ts'],
  [/^callbacks\.decoding\.time\.unit = "(us|ns)"$/, 'callbacks-decode.test.ts'],
  [/^callbacks\.authenticity\.kind = "none"$/, 'the default'],
  [/^callbacks\.authenticity\.(kind = "basic"|user)$/, 'callbacks-authenticity.test.ts'],
  [/^callbacks\.authenticity\.(secretEncoding|algorithm|encoding) = /, 'callbacks-authenticity.test.ts'],
  [/^callbacks\.authenticity\.timestampHeader$/, 'callbacks-authenticity.test.ts'],
];

interface Part {
  readonly description?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Part>>;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly anyOf?: readonly Part[];
  readonly items?: Part;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/** A part of the schema with the path of the key that it belongs to, and whether it is all of what that key takes. */
interface Node {
  readonly path: string;
  readonly part: Part;
  readonly isKey: boolean;
}

function nodesOf({ $ref = '', ...own }: Part, path = '', isKey = false): Node[] {
  // A place is the same everywhere, and has tests of its own.
  const part = $ref.endsWith('/place') ? own : { ...schema.$defs?.[$ref.replace('#/$defs/', '')], ...own };
  const keys = Object.entries(part.properties ?? {});
  const branches = [...(part.anyOf ?? []), ...(part.items ? [part.items] : [])];
  return [
    { path, part, isKey },
    ...keys.flatMap(([key, each]) => nodesOf(each, path === '' ? key : `${path}.${key}`, true)),
    ...branches.flatMap((branch) => nodesOf(branch, path)),
  ];
}

/** Every choice that the schema names: `key` for a key, `key = value` for a value of a closed list. */
const choices = () =>
  nodesOf(schema).flatMap(({ path, part, isKey }) => [
    ...(isKey ? [path] : []),
    ...(part.enum ?? ('const' in part ? [part.const] : [])).map(
      (value) => `${path} = ${JSON.stringify(value)}`,
    ),
  ]);

/** Every choice that a profile makes, in the same words. */
function madeBy(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => madeBy(item, path));
  if (value === null || typeof value !== 'object') return [`${path} = ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([key, below]) => {
    const at = path === '' ? key : `${path}.${key}`;
    return [at, ...madeBy(below, at)];
  });
}

test('the six use every key and every value, or another test that is named does', () => {
  // The token of what they have in common is nobody's: each of them has its own way to one.
  const own = written.map(({ name, tree }) => (name === 'common' ? { ...tree, auth: {} } : tree));
  const made = new Set(own.flatMap((tree) => madeBy(tree)));
  const lacking = [...new Set(choices())].filter((choice) => !made.has(choice));
  const unexplained = lacking.filter((choice) => !elsewhere.some(([pattern]) => pattern.test(choice)));
  expect(unexplained).toEqual([]);
  const needless = elsewhere.filter(([pattern]) => !lacking.some((choice) => pattern.test(choice)));
  expect(needless).toEqual([]);
});

test('each of the six has its service', () => {
  const names = written.map(({ name }) => name).filter((name) => name !== 'common');
  expect(names.sort()).toEqual(Object.keys(sandboxes).sort());
});
