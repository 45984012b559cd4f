/** Each step of a probe that breaks is named, with what came, where, and what to do about it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, type TestInfo, test } from '@playwright/test';
import { loadProfile } from '../../harness/profile/load.ts';
import { badHosts } from './services/bad-hosts.ts';
import { deadPort } from './services/loopback.ts';
import { startPlainService } from './services/plain-service.ts';
import { probing } from './services/probing.ts';
import { reference } from './services/profiles.ts';
import { type Behaviour, type Passing, startProxy } from './services/proxy.ts';

interface Broken {
  readonly baseUrl: string;
  readonly token?: string;
  readonly close: () => Promise<void>;
}

const somewhere = (baseUrl: string): Broken => ({ baseUrl, close: async () => {} });

/** The plain service, which one step does not get through. */
const spoiled = (refuses: (passing: Passing) => boolean, body: string, status = 400) =>
  behind(async (passing) => {
    if (refuses(passing)) passing.reply({ status, body: Buffer.from(body) });
    else passing.reply(await passing.forward());
  });

/** Each refusal has the same words, and so has that of any upload. */
const hinting: Behaviour = async (passing) => {
  const answer = await passing.forward();
  const status = isUpload(passing) ? 400 : answer.status;
  passing.reply(status < 400 ? answer : { status, body: Buffer.from('{"hint":"Is your quota exhausted?"}') });
};

/** The plain service behind a proxy. */
async function behind(behaviour: Behaviour): Promise<Broken> {
  const service = await startPlainService();
  const proxy = await startProxy(service.baseUrl, behaviour);
  const close = async () => {
    await proxy.close();
    await service.close();
  };
  return { baseUrl: proxy.baseUrl, token: service.token, close };
}

const isUpload = ({ request }: Passing) => request.url.includes('/thumbs/');

interface Row {
  readonly title: string;
  readonly start: () => Promise<Broken>;
  readonly env?: () => Promise<Record<string, string>>;
  readonly step: string;
  readonly says: RegExp;
  readonly fix: RegExp;
  /** Enough was found to be written down. */
  readonly drafted?: RegExp;
}

const rows: readonly Row[] = [
  {
    title: 'a port on which nothing listens',
    start: async () => somewhere(`http://127.0.0.1:${await deadPort()}`),
    step: 'connection',
    says: /127\.0\.0\.1:\d+: the connection was refused/,
    fix: /port of the base URL/,
  },
  {
    title: 'a proxy that is not there',
    start: async () => somewhere('http://sandbox.test'),
    env: async () => ({ http_proxy: `http://127.0.0.1:${await deadPort()}` }),
    step: 'proxy',
    says: /sandbox\.test by the proxy 127\.0\.0\.1:\d+ \(http_proxy\): the connection was refused/,
    fix: /HTTPS_PROXY and HTTP_PROXY.*NO_PROXY=sandbox\.test/,
  },
  {
    title: 'a certificate of an unknown CA',
    start: badHosts.selfSigned,
    step: 'TLS',
    says: /certificate is not trusted/,
    fix: /address\.ca/,
  },
  {
    title: 'a wrong access token',
    start: async () => ({ ...(await startPlainService()), token: 'an-access-token-of-somebody-else' }),
    step: 'access token',
    says: /POST http\S+v2\/requests\?type=0: 401 .*; the access token is not taken/,
    fix: /fresh access token.*ESIGN_TOKEN/,
  },
  {
    title: 'a login page with 200',
    start: badHosts.html,
    step: 'base URL',
    says: /200 .*; that is a web page/,
    fix: /base URL of the API and not of a website/,
  },
  {
    title: 'another service, which answers 200 to everything',
    start: badHosts.json,
    step: 'base URL',
    says: /200 \{"status":"ok"\}.*no requestId/,
    fix: /another service/,
  },
  {
    title: 'a wrong path',
    start: async () => spoiled(() => true, 'nothing here', 404),
    step: 'base URL',
    says: /POST http\S+\/thumbs\/api\/Requests\/document: 404 nothing here/,
    fix: /look at its path/,
  },
  {
    title: 'an upload that is refused in every way with 200',
    start: async () => spoiled(isUpload, '{"Fault":"<faultstring>Brak pliku</faultstring>"}', 200),
    step: 'upload',
    says: /was refused in all of 38 ways, .*Brak pliku/,
    fix: /upload\.encoding, upload\.field/,
    drafted: /# not found: upload\.encoding, upload\.field/,
  },
  {
    title: 'an upload that is refused in every way',
    start: async () => spoiled(isUpload, 'no such thing as a file'),
    step: 'upload',
    says: /was refused in all of 38 ways, and nothing was uploaded; .*400 no such thing as a file/,
    fix: /upload\.encoding, upload\.field/,
    drafted: /# not found: upload\.encoding, upload\.field/,
  },
  {
    title: 'an upload whose refusals name a field without quotes',
    start: async () => spoiled(isUpload, 'Unknown; the field is called bestand'),
    step: 'upload',
    says: /was refused in all of 39 ways/,
    fix: /upload\.encoding, upload\.field/,
    drafted: /# not found: upload\.encoding, upload\.field/,
  },
  {
    title: 'an upload whose refusals name two fields in other languages',
    start: async () => spoiled(isUpload, 'Das Feld „bestand“ fehlt. 「shorui」を指定してください'),
    step: 'upload',
    says: /was refused in all of 40 ways/,
    fix: /upload\.encoding, upload\.field/,
    drafted: /# not found: upload\.encoding, upload\.field/,
  },
  {
    title: 'an upload that is refused, with words of a quota that stand in every refusal',
    start: () => behind(hinting),
    step: 'upload',
    says: /was refused in all of 38 ways/,
    fix: /upload\.encoding, upload\.field/,
    drafted: /# not found: upload\.encoding, upload\.field/,
  },
  {
    title: 'an upload whose token is not found',
    start: async () => spoiled(isUpload, 'Thank you very much.', 200),
    step: 'upload',
    says: /200 Thank you very much\.; nothing in the answer looks like a document token/,
    fix: /upload\.token/,
    drafted: /# not found: upload\.token/,
  },
  {
    title: 'an upload whose token is called like nothing known',
    start: async () => spoiled(isUpload, '{"ticket":"T1","stuk":{"sleutel":"9a8b7c6d"}}', 202),
    step: 'upload',
    says: /looks like a document token \(texts stand at \/ticket, \/stuk\/sleutel\)/,
    fix: /upload\.token/,
    drafted: /# not found: upload\.token/,
  },
  {
    title: 'a creation that is refused',
    start: async () =>
      spoiled(({ request, index }) => request.url.endsWith('type=0') && index > 4, 'Department is missing'),
    step: 'creation',
    says: /requests\?type=0: 400 Department is missing/,
    fix: /ask the vendor what it lacks/,
    drafted:
      /encoding: raw[\s\S]*# not found: all behind the step "creation" \(POST .*Department is missing\)/,
  },
];

for (const { title, start, env, step, says, fix, drafted } of rows) {
  test(`a probe names what breaks: ${title}`, async ({}, info) => {
    const { baseUrl, token = 'an-access-token', close } = await start();
    const out = info.outputPath('drafted.yaml');
    const given = { ESIGN_TOKEN: token, ...(await env?.()) };
    const { exitCode, stdout, stderr } = await probing({ baseUrl, out }, given);
    await close();
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '' });
    const [, named = '', what = '', remedy = ''] =
      /\nBROKEN: (.*)\n {2}(.*)\n {2}fix: (.*)\n/.exec(stdout) ?? [];
    expect(named).toBe(step);
    expect(what).toMatch(says);
    expect(remedy).toMatch(fix);
    expect(stdout).not.toContain(token);
    expect(Number(/(\d+) calls?\./.exec(stdout)?.[1])).toBeLessThanOrEqual(60);
    expect(existsSync(out)).toBe(drafted !== undefined);
    if (!drafted) return;
    expect(readFileSync(out, 'utf8')).toMatch(drafted);
    // It is a profile all the same.
    expect(loadProfile({ target: out }, given)?.profile.address.baseUrl).toBe(baseUrl);
    expect(stdout).toContain(`probe --target ${out} --out ${out} --force`);
  });
}

/** A profile with nothing but an address and auth. */
function thin(info: TestInfo, auth: object, address: object): string {
  const target = info.outputPath('thin.json');
  writeFileSync(target, JSON.stringify({ address, auth }));
  return target;
}

test('a probe names what breaks: a host that never answers', async ({}, info) => {
  const { baseUrl, close } = await badHosts.silent();
  const auth = { kind: 'static', token: reference('TEST_PROBE_TOKEN') };
  const target = thin(info, auth, { baseUrl, deadlineMs: 300 });
  const { exitCode, stderr } = await probing({ target }, { TEST_PROBE_TOKEN: 'an-access-token' });
  await close();
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/BROKEN: connection\n.*no complete answer within 300 ms\n {2}fix: .*deadlineMs/);
});
