/** The command probe: what it says and asks before it calls, the profile that it starts from, what it leaves. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, type TestInfo, test } from '@playwright/test';
import { parse } from 'yaml';
import { probe } from '../../harness/probing/probe.ts';
import { loadProfile } from '../../harness/profile/load.ts';
import { startReference } from '../../reference/server.ts';
import { inProcess } from './cli-spawn.ts';
import { type Probed, probing } from './services/probing.ts';
import { reference } from './services/profiles.ts';
import { startTinyService } from './services/tiny-service.ts';

const env = { ESIGN_TOKEN: 'an-access-token' };
const nowhere = 'http://127.0.0.1:9';
const at = { baseUrl: nowhere };

/** Writes a profile with a static token. */
function profileAt(info: TestInfo, baseUrl: string, more = ''): string {
  const target = info.outputPath('acme.yaml');
  writeFileSync(
    target,
    `address: { baseUrl: "${baseUrl}" }\nauth: { kind: static, token: "${reference('ESIGN_TOKEN')}" }\n${more}`,
  );
  return target;
}

const production = 'environment: production\nupload: { encoding: raw }\n';

const refused: readonly (readonly [string, (info: TestInfo) => Promise<Probed>, RegExp])[] = [
  ['no target', () => probing({}), /name the target: --base-url URL .* or --target PROFILE/],
  ['nobody to ask', () => probing(at, env, { isTerminal: false }), /no terminal to ask .*--yes/],
  ['a file', (info) => probing({ ...at, out: profileAt(info, nowhere) }, env), /already; .*--force/],
  [
    'production',
    (info) => probing({ target: profileAt(info, nowhere, production) }, env),
    /environment "production": .*probe a sandbox/,
  ],
  [
    'a profile whose paths would lead elsewhere',
    (info) => {
      writeFileSync(info.outputPath('base.yaml'), 'name: base\n');
      mkdirSync(info.outputPath('other'));
      const target = profileAt(info, nowhere, 'extends: ./base.yaml\n');
      return probing({ target, out: info.outputPath('other', 'acme.yaml') }, env);
    },
    /extends of .*acme\.yaml is a path relative to that file/,
  ],
  [
    'a login that nobody made',
    (info) => {
      const target = info.outputPath('login.json');
      const endpoints = { authorizationEndpoint: `${nowhere}/authorize`, tokenEndpoint: `${nowhere}/token` };
      const auth = { kind: 'authorization-code', ...endpoints, clientId: 'probe', tokenFile: 'tokens.json' };
      writeFileSync(target, JSON.stringify({ address: { baseUrl: nowhere }, auth }));
      return probing({ target });
    },
    /nobody has logged in yet; run: esign-conformance login/,
  ],
];

for (const [title, call, says] of refused) {
  test(`a probe does not begin with ${title}`, async ({}, info) => {
    const error: Error = await call(info).then(
      () => new Error('it began'),
      (thrown: Error) => thrown,
    );
    expect(error.name).toBe('ConfigurationError');
    expect(error.message).toMatch(says);
  });
}

test('nothing is called before somebody has agreed', async () => {
  const service = await startTinyService();
  const { exitCode, stderr, asked } = await probing({ baseUrl: service.baseUrl }, env, { answer: '' });
  const unasked = await inProcess(['probe', '--base-url', service.baseUrl], env);
  await service.close();
  expect(unasked.stderr).toMatch(/creates 2 signature requests[\s\S]*nothing was called: .*--yes/);
  expect(asked).toEqual(['Go on? [y/N] ']);
  expect(stderr).toMatch(/about 15 calls, 60 at most\.\n.*\nand creates 2 signature requests/);
  expect(stderr).toContain('Nothing was called.');
  expect(exitCode).toBe(2);
  expect(service.connections()).toBe(0);
});

test('without --out the profile alone goes to stdout', async () => {
  const service = await startTinyService();
  const { exitCode, stdout, stderr } = await probing({ baseUrl: service.baseUrl }, env);
  await service.close();
  expect(exitCode).toBe(0);
  expect(parse(stdout)).toMatchObject({ upload: { field: 'file', token: { pointer: '/documentToken' } } });
  expect(stderr).toContain('Left at the target: 1 document, 3 signature requests; titles begin');
});

test('a profile keeps its keys and comments, what it lacks is filled in, what was made is removed', async ({}, info) => {
  const uploads = { uploadEncoding: 'multipart', uploadField: 'document' } as const;
  const dialect = { ...uploads, createAnswer: 'nested', callbackUrlSchemes: 'https' } as const;
  const service = await startReference({ dialect });
  const target = profileAt(
    info,
    service.baseUrl,
    [
      '# how files are sent: asked on Monday',
      'upload:',
      '  token: auto # to be found',
      'callbacks: { placeholderUrl: "http://callback.example.com/" }',
      'calls:',
      "  deleteRequest: { method: DELETE, url: '/_control/requests/{requestId}' }",
      "  invalidateDocument: { method: POST, url: '/_control/documents/{documentToken}/invalidate' }",
      '',
    ].join('\n'),
  );
  const given = { ESIGN_TOKEN: service.tokens.valid };
  const first = await probing({ target, out: target, force: true, yes: true }, given, { isTerminal: false });
  const once = readFileSync(target, 'utf8');
  const second = await probing({ target, out: target, force: true }, given);
  const twice = readFileSync(target, 'utf8');
  await service.close();
  expect([first.exitCode, second.exitCode]).toEqual([0, 0]);
  expect(first.stdout).toContain('What was created is removed.');
  expect(first.asked).toEqual([]);
  expect(once).toContain('# how files are sent: asked on Monday');
  const { upload, create } = parse(once) as { upload: object; create: object };
  expect(upload).toEqual({ encoding: 'multipart', field: 'document', token: { pointer: '/documentToken' } });
  expect(create).toMatchObject({ requestId: '/data/request/id' });
  expect(once).toMatch(/# not found: callbacks\.placeholderUrl \(400 for the CallbackUrl http:/);
  // What is found already is not looked for again, and the comments do not pile up.
  const lines = (text: string) => text.split('\n').filter((line) => !/^# (drafted|seen): |^$/.test(line));
  expect(lines(twice)).toEqual(lines(once));
  expect(twice.match(/^# drafted: by/gm)).toHaveLength(1);
});

test('an interrupted probe stops, and removes what it made', async ({}, info) => {
  const service = await startReference({});
  const target = profileAt(
    info,
    service.baseUrl,
    "calls: { deleteRequest: { method: DELETE, url: '/_control/requests/{requestId}' } }\n",
  );
  const loaded = loadProfile({ target }, { ESIGN_TOKEN: service.tokens.valid });
  if (!loaded) throw new Error('there is no profile');
  const stop = new AbortController();
  const steps: string[] = [];
  const say = (step: string) => {
    steps.push(step);
    if (step === 'creation') stop.abort();
  };
  const options = { runId: 'stopped', folder: info.outputPath('bodies'), say };
  const { broken, created } = await probe(loaded, options, stop.signal);
  await service.close();
  expect(steps).toEqual(['address', 'access token', 'upload', 'creation']);
  expect(broken?.message).toContain('the probe was interrupted');
  expect(created).toMatchObject([{ kind: 'document' }, { kind: 'request', removed: true }]);
});
