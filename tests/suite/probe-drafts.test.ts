/** What a probe drafts is right: it is the profile of the dialect, and with one every check that it makes applicable passes. */
import { readFileSync } from 'node:fs';
import { expect, type TestInfo, test } from '@playwright/test';
import { parse } from 'yaml';
import { draftProfile } from '../../harness/probing/draft-profile.ts';
import { loadProfile } from '../../harness/profile/load.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import type { Dialect } from '../../reference/dialect.ts';
import { startReference } from '../../reference/server.ts';
import { checksAt } from './services/checks-at.ts';
import { startPlainService } from './services/plain-service.ts';
import { probing } from './services/probing.ts';
import { reference } from './services/profiles.ts';
import { instead, reshaped, startProxy } from './services/proxy.ts';

interface Service {
  readonly baseUrl: string;
  readonly token: string;
  readonly expiredToken: string;
}

/** Probes, looks at what was drafted, and runs the checks with it. */
async function proved(
  info: TestInfo,
  { baseUrl, token, expiredToken }: Service,
  calls = 25,
): Promise<{ readonly profile: Profile; readonly text: string }> {
  const out = info.outputPath('drafted.yaml');
  const env = { ESIGN_TOKEN: token, ESIGN_EXPIRED_TOKEN: expiredToken };
  const { exitCode, stdout, stderr } = await probing({ baseUrl, out }, env);
  expect({ exitCode, stderr }, stdout).toEqual({ exitCode: 0, stderr: '' });
  expect(Number(/(\d+) calls\./.exec(stdout)?.[1])).toBeLessThanOrEqual(calls);
  expect(stdout).toContain(`run --target ${out}`);
  const text = readFileSync(out, 'utf8');
  for (const secret of [token, expiredToken]) expect(text).not.toContain(secret);
  return { profile: parse(text) as Profile, text };
}

interface Row {
  readonly title: string;
  readonly dialect: Partial<Dialect>;
  readonly drafted: Partial<Profile>;
  readonly calls?: number;
  readonly seen?: RegExp;
}

const octets = 'application/octet-stream';

const rows: readonly Row[] = [
  {
    title: 'a field that only the refusals name, a nested token, a base URL with a path, 201',
    dialect: {
      basePath: '/sandbox/v7',
      uploadEncoding: 'multipart',
      uploadField: 'Vertrag[datei]',
      tokenPointer: '/data/0/id',
      uploadStatus: 201,
      skeletonStatus: 201,
      idForm: 'digits',
      documentTokenForm: 'digits',
    },
    drafted: {
      upload: { encoding: 'multipart', field: 'Vertrag[datei]', token: { pointer: '/data/0/id' } },
      create: { requestId: '/requestId', signatoryId: '/signatories/0/signatoryId' },
    },
    seen: /seen: upload\.success-status: status: 201/,
  },
  {
    title: 'a raw body as octet stream, its name in a header, a token and errors as plain text, 202',
    dialect: {
      uploadEncoding: 'raw',
      uploadMediaType: 'octet-stream',
      uploadFileName: 'header',
      tokenPlace: 'text',
      uploadStatus: 202,
      skeletonStatus: 202,
      errorShape: 'text',
      createAnswer: 'text',
    },
    drafted: {
      upload: {
        encoding: 'raw',
        contentTypes: { pdf: octets, doc: octets, docx: octets },
        fileName: { header: 'X-File-Name' },
        token: 'text',
      },
      create: { requestId: 'text' },
    },
    calls: 50,
    seen: /seen: errors\.body-shape: createSkeletonRequest 401: text\/plain/,
  },
  {
    title: 'a token in a header, type 3 as a multipart field with ids in headers, messages in reason phrases',
    dialect: {
      tokenPlace: 'header',
      uploadEncoding: 'multipart',
      uploadField: 'document',
      createEncoding: 'multipart',
      createField: 'payload',
      createAnswer: 'headers',
      errorShape: 'reason',
      idForm: 'slash',
    },
    drafted: {
      upload: { encoding: 'multipart', field: 'document', token: { header: 'x-document-token' } },
      create: {
        field: 'payload',
        requestId: { header: 'x-request-id' },
        signatoryId: { header: 'x-signatory-id' },
      },
    },
    seen: /seen: errors\.message-place: Unauthorized: reason phrase/,
  },
  {
    title: 'a document token that is good for one creation',
    dialect: { documentTokenUses: 1 },
    drafted: { upload: { encoding: 'multipart', field: 'file', token: { pointer: '/documentToken' } } },
    seen: /not found: create\.field \(type 3: refused: 404 .*limits\.documentUses\)/,
  },
];

for (const { title, dialect, drafted, calls, seen = /seen: / } of rows) {
  test(`a profile is drafted that fits: ${title}`, async ({}, info) => {
    const { baseUrl, tokens, close } = await startReference({ dialect });
    const service = { baseUrl, token: tokens.valid, expiredToken: tokens.expired };
    const { profile, text } = await proved(info, service, calls);
    await close();
    const [token, expiredToken] = ['ESIGN_TOKEN', 'ESIGN_EXPIRED_TOKEN'].map(reference);
    const auth = { kind: 'static', token, expiredToken };
    expect(profile).toEqual({ name: new URL(baseUrl).host, address: { baseUrl }, auth, ...drafted });
    expect(text).toMatch(seen);
    expect(text).toContain('# not found: signing');
  });
}

test('a profile is drafted that fits: the plain service, which answers 429 in between', async ({}, info) => {
  const service = await startPlainService();
  let probed = 0;
  const proxy = await startProxy(
    service.baseUrl,
    instead(() => {
      probed += 1;
      const isBusy = probed < 20 && probed % 4 === 0;
      return isBusy ? { status: 429, headers: { 'Retry-After': '0' } } : undefined;
    }),
  );
  const { profile, text } = await proved(info, { ...service, baseUrl: proxy.baseUrl });
  const { token, expiredToken } = service;
  const env = { ESIGN_TOKEN: token, ESIGN_EXPIRED_TOKEN: expiredToken };
  const drafted = loadProfile({ target: info.outputPath('drafted.yaml') }, env);
  if (!drafted) throw new Error('there is no profile');
  // A busy machine is no fault of a target.
  const { address } = drafted.profile;
  const unhurried = { ...drafted.profile, address: { ...address, deadlineMs: 60_000 } };
  const { verdicts, blame, reasons } = await checksAt({ ...drafted, profile: unhurried });
  expect([...blame, ...reasons]).toEqual([]);
  expect(Object.keys(verdicts).sort()).toEqual(['not-applicable', 'passed']);
  expect(verdicts.passed?.length).toBeGreaterThan(80);
  await proxy.close();
  await service.close();
  expect(profile.upload).toEqual({ encoding: 'raw', token: 'text' });
  expect(profile.create).toBeUndefined();
  expect(text).toMatch(/# not found: create\.requestId \(no known place in the answer to type 3: 2\d\d .+\)/);
  expect(text).toContain('# not found: address.perSecond');
});

test('names of a target that refer to the environment, or cannot be seen, are not drafted', () => {
  const loaded = loadProfile({ baseUrl: 'http://127.0.0.1:9' }, { ESIGN_TOKEN: 'a-token-of-the-tests' });
  if (!loaded) throw new Error('there is a profile');
  const result = {
    upload: {
      way: { format: { encoding: 'raw' as const }, settings: {} },
      status: 200,
      place: { pointer: `/\${HOME}/token` },
    },
    type3: { requestId: '/\u202edi', signatoryId: '/signatoryId', status: 200, answer: '200' },
    numericIds: false,
    observations: [],
    calls: 1,
    created: [],
    warnings: [],
  };
  const { upload, create } = parse(draftProfile(loaded, result, { on: '2026-01-31' })) as Profile;
  expect([upload, create]).toEqual([{ encoding: 'raw' }, { signatoryId: '/signatoryId' }]);
});

test('a target that names fields by the access token finds it in no draft', async ({}, info) => {
  const service = await startPlainService();
  const { token } = service;
  const proxy = await startProxy(
    service.baseUrl,
    reshaped((answer, { url }) => {
      if (!url.includes('/thumbs/') || answer.status >= 300) return answer;
      const { 'content-length': _, ...headers } = answer.headers;
      const body = Buffer.from(JSON.stringify({ [token]: { documentToken: String(answer.body) } }));
      return { ...answer, headers, body };
    }),
  );
  const out = info.outputPath('drafted.yaml');
  const { stdout, stderr } = await probing({ baseUrl: proxy.baseUrl, out }, { ESIGN_TOKEN: token });
  await proxy.close();
  await service.close();
  const text = readFileSync(out, 'utf8');
  expect(text).toContain('[access token]');
  expect(`${text}${stdout}${stderr}`).not.toContain(token);
});
