/** The profiles in targets/: they load, they show every key, and two of them are run against what they describe. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { loadProfile } from '../../harness/profile/load.ts';
import { profilePage } from '../../harness/profile/profile-page.ts';
import { writtenProfileSchema } from '../../harness/profile/written.ts';
import { startReference } from '../../reference/server.ts';
import { readRun } from '../../reports/run-file.ts';
import { referenceProfile } from '../running/reference-target.ts';
import { cli, root, start } from './cli-spawn.ts';
import { startPlainService } from './services/plain-service.ts';

const targets = join(root, 'targets');
const profiles = readdirSync(targets).filter((name) => name.endsWith('.yaml'));
const textOf = (name: string) => readFileSync(join(targets, name), 'utf8');
const schema = JSON.parse(JSON.stringify(writtenProfileSchema()));

/** A value for every variable of the environment that a profile refers to. */
function dummies(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [name, `dummy-${name}`]),
  );
}

test('the schema in targets/ is that of the profile (npm run schema writes it)', () => {
  expect(JSON.parse(textOf('profile.schema.json'))).toEqual(schema);
});

test('docs/profile.md is the page of the schema (npm run schema writes it)', () => {
  expect(readFileSync(join(root, 'docs/profile.md'), 'utf8')).toBe(profilePage());
});

test('every key of the schema says what it is for', () => {
  const silent = keysOf(schema).filter(([, { description }]) => !description);
  expect(silent.map(([path]) => path)).toEqual([]);
});

for (const name of profiles) {
  test(`${name} loads, and editors find nothing wrong with it`, () => {
    const text = textOf(name);
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\/profile\.schema\.json\n/);
    const ajv = formats.default(new Ajv({ strict: false, allErrors: true }));
    const valid = ajv.validate(schema, parse(text));
    expect(ajv.errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    const loaded = loadProfile({ target: join(targets, name) }, dummies(text));
    expect(loaded?.profile.name).toBeTruthy();
  });
}

test('example.yaml shows every key', () => {
  const text = textOf('example.yaml');
  const missing = keysOf(schema)
    .map(([path]) => path.split('.').at(-1) ?? '')
    .filter((key) => key !== '$schema' && !new RegExp(`[\\s{]${key}(:|\\b.*\\n)`).test(text));
  expect([...new Set(missing)]).toEqual([]);
});

test('a profile that extends another one needs only what differs', ({}, info) => {
  const file = info.outputPath('mine.yaml');
  const text = `extends: ${join(targets, 'plain.yaml')}\naddress: { baseUrl: "https://sandbox.example" }\n`;
  writeFileSync(file, text);
  expect(new Ajv({ strict: false }).addFormat('regex', true).validate(schema, parse(text))).toBe(true);
  const loaded = loadProfile({ target: file }, dummies(textOf('plain.yaml')));
  expect(loaded?.profile).toMatchObject({
    name: 'plain sandbox',
    address: { baseUrl: 'https://sandbox.example' },
    upload: { encoding: 'raw', token: 'text' },
  });
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

test('the reference service conforms when it is served and named by reference.yaml', async ({}, info) => {
  const served = start(['serve']);
  const [, baseUrl = ''] = await served.printed(/base URL +(\S+)/);
  const [, tokenEndpoint = ''] = await served.printed(/token endpoint +(\S+)/);
  const [, secret = ''] = await served.printed(/client secret +(\S+)/);
  const profile = info.outputPath('profile.yaml');
  const auth = { ...parse(textOf('reference.yaml')).auth, tokenEndpoint };
  const address = { baseUrl, deadlineMs: 60_000 };
  const differs = { extends: join(targets, 'reference.yaml'), address, auth };
  writeFileSync(profile, JSON.stringify(differs));
  const out = info.outputPath('out');
  const { code } = await start(['--target', profile, '--out', out], {
    env: { REFERENCE_CLIENT_SECRET: secret },
  }).ended;
  served.process.kill('SIGTERM');
  expect((await served.ended).code).toBe(0);
  const run = readRun(out);
  expect(run.target).toMatchObject({ name: 'reference service', baseUrl });
  expect(run.requirements.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  expect(run.verdict).toBe('conformant');
  expect(code).toBe(0);
});

test('a plain sandbox conforms when it is named by plain.yaml', async ({}, info) => {
  const service = await startPlainService();
  const profile = info.outputPath('profile.yaml');
  const differs = { extends: join(targets, 'plain.yaml'), address: { baseUrl: service.baseUrl } };
  writeFileSync(profile, JSON.stringify(differs));
  const out = info.outputPath('out');
  const { code, stdout } = await start(['--target', profile, '--out', out], {
    env: { SANDBOX_TOKEN: service.token, SANDBOX_EXPIRED_TOKEN: service.expiredToken },
  }).ended;
  await service.close();
  const run = readRun(out);
  expect(run.verdict).toBe('conformant');
  const [uploaded] = run.exchanges;
  expect(uploaded?.request.headers).toContainEqual(['Content-Type', 'application/pdf']);
  const quoted = run.requirements.find(({ id }) => id === 'create.template-200');
  expect(quoted).toMatchObject({
    verdict: 'not-applicable',
    reason: expect.stringContaining('no templates'),
  });
  expect(stdout).toContain('plain sandbox');
  expect(code).toBe(0);
});

test('an address that comes from the environment is shown, a token is not', async ({}, info) => {
  const service = await startPlainService({ createsWithoutToken: true });
  const profile = info.outputPath('profile.yaml');
  const variable = (name: string) => `\${${name}}`;
  const address = { baseUrl: variable('SANDBOX_URL') };
  writeFileSync(profile, JSON.stringify({ extends: join(targets, 'plain.yaml'), address }));
  const out = info.outputPath('out');
  const only = ['--only', 'skeleton.token-missing,signatory.request-id-echoed'];
  const { code, stdout } = await start(['--target', profile, '--out', out, ...only], {
    env: {
      SANDBOX_URL: service.baseUrl,
      SANDBOX_TOKEN: service.token,
      SANDBOX_EXPIRED_TOKEN: service.expiredToken,
    },
  }).ended;
  await service.close();
  expect(stdout).toContain('reproduce/skeleton.token-missing.sh');
  expect(stdout).not.toContain(service.token);
  const run = readRun(out);
  expect(run.target.baseUrl).toBe(service.baseUrl);
  expect(run.requirements.map(({ id, verdict }) => `${id} ${verdict}`).sort()).toEqual([
    'signatory.request-id-echoed passed',
    'skeleton.token-missing failed',
  ]);
  const accepted = run.exchanges.find(({ operation }) => operation === 'addSignatory');
  expect(accepted?.curl).toContain('-H "Authorization: Bearer $TOKEN"');
  expect(code).toBe(1);
});

test('a profile whose variables are not set is refused with their names', async () => {
  const { code, stderr } = await cli('--target', join(targets, 'plain.yaml'));
  expect(stderr).toContain('{SANDBOX_TOKEN}, which is not set; export SANDBOX_TOKEN first');
  expect(code).toBe(3);
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
