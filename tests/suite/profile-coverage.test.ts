/** The profiles of the six sandboxes together use every key and every value of the schema, or a reason is named. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { writtenProfileSchema } from '../../harness/profile/profile-page.ts';
import { sandboxes } from '../proof/dialects/sandboxes.ts';
import { root } from './cli-spawn.ts';

const folder = join(root, 'targets/sandboxes');
const schema = JSON.parse(JSON.stringify(writtenProfileSchema())) as Part;
const profiles = readdirSync(folder).map((name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  return { name: name.replace('.yaml', ''), tree: parse(text) as Readonly<Record<string, unknown>> };
});

/** Choices that none of the six has, with the test that has them. */
const elsewhere: readonly (readonly [choice: RegExp, where: string])[] = [
  [/^\$schema$/, 'a comment in each profile says it'],
  [/^environment = "production"$/, 'profile-production.test.ts'],
  [/^address\.ca$/, 'harness-profile.test.ts and harness-http.test.ts: needs TLS'],
  [/^auth\.(kind = "static"|token)$/, 'targets/plain.yaml in profile-files.test.ts'],
  [/^auth\.(expiredToken|scope|parameters)$/, 'harness-tokens.test.ts and targets/plain.yaml'],
  [/^auth\.(call\.)?(encoding|body|accept|headers)\b/, 'auth-runs.test.ts, and profiles of dialect rows'],
  [/^auth\.(reusable|lifetimeS|answer\.lifetimeUnit)\b/, 'the tests of tokens'],
  [
    /^auth\.(kind = "authorization-code"|authorizationEndpoint|redirectUri)/,
    'login.test.ts: a person logs in',
  ],
  [/^signing\.(page|driver = "browser")/, 'signing-browser.test.ts'],
  [/^signing\.(module|timeoutMs|driver = "module")/, 'signing-module.test.ts'],
  [/^signing\.(requests|driver = "manual")/, 'signing-manual.test.ts: people sign'],
  [/^outbox\.(email|sms)\.(id|message|to|text)\b/, 'signing-outbox.test.ts: Mailpit, and names of its own'],
  [
    /^(outbox\.(email|sms)\.list|calls\.\w+|outbox\.\w+\.message)\.(headers|body|accept|refuse|result|authorize)$/,
    'one template is as good as another',
  ],
  [/^create\.requestId = "none"$/, 'places.test.ts'],
  [/^callbacks\.decoding\.format = "(xml|text)"$/, 'callbacks-formats.test.ts and places.test.ts'],
  [/^callbacks\.decoding\.time\.unit = "(us|ns)"$/, 'callbacks-decode.test.ts'],
  [/^callbacks\.authenticity\.kind = "none"$/, 'the default'],
  [/^callbacks\.authenticity\.(kind = "basic"|user)$/, 'callbacks-authenticity.test.ts'],
  [/^callbacks\.authenticity\.(secretEncoding|algorithm|encoding) = /, 'callbacks-authenticity.test.ts'],
  [/^callbacks\.authenticity\.timestampHeader$/, 'callbacks-authenticity.test.ts'],
];

interface Part {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Part>>;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly anyOf?: readonly Part[];
  readonly items?: Part;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/** Every choice that the schema names: `key` for a key, `key = value` for a value of a closed list. */
function choicesOf({ $ref = '', ...own }: Part, path = ''): string[] {
  // A place is the same everywhere, and has tests of its own.
  const part = $ref.endsWith('/place') ? own : { ...schema.$defs?.[$ref.replace('#/$defs/', '')], ...own };
  const values = [...(part.enum ?? []), ...(part.const === undefined ? [] : [part.const])];
  const below = Object.entries(part.properties ?? {}).flatMap(([key, each]) => {
    const at = path === '' ? key : `${path}.${key}`;
    return [at, ...choicesOf(each, at)];
  });
  const branches = [...(part.anyOf ?? []), ...(part.items ? [part.items] : [])];
  return [
    ...values.map((value) => `${path} = ${JSON.stringify(value)}`),
    ...below,
    ...branches.flatMap((branch) => choicesOf(branch, path)),
  ];
}

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
  const own = profiles.map(({ name, tree }) => (name === 'common' ? { ...tree, auth: {} } : tree));
  const made = new Set(own.flatMap((tree) => madeBy(tree)));
  const lacking = [...new Set(choicesOf(schema))].filter((choice) => !made.has(choice));
  const unexplained = lacking.filter((choice) => !elsewhere.some(([pattern]) => pattern.test(choice)));
  expect(unexplained).toEqual([]);
  const needless = elsewhere.filter(([pattern]) => !lacking.some((choice) => pattern.test(choice)));
  expect(needless).toEqual([]);
});

test('each of the six has its service', () => {
  const names = profiles.map(({ name }) => name).filter((name) => name !== 'common');
  expect(names.sort()).toEqual(Object.keys(sandboxes).sort());
});
