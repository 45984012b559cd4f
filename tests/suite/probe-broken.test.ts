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

const service = async (token: string) => ({ ...(await startPlainService()), token });
const port = async () => somewhere(`http://127.0.0.1:${await deadPort()}`);
const lateCreation = ({ request, index }: Passing) => request.url.endsWith('type=0') && index > 4;
const fields = 'no such thing as a file: Das Feld „bestand“ fehlt. 「shorui」を指定してください';
/** A text, a remark that is too long for a token, and a token within. */
const unnamed = `{"ticket":"T1","remark":"${'well '.repeat(30)}","stuk":{"sleutel":"${'9a+B/'.repeat(80)}"}}`;
const fieldInXml = '<e:err xmlns:e="urn:e" kod="PL400"><opis><![CDATA[brak pola "plik"]]></opis></e:err>';
/** No way to upload was found, which the draft says. */
const noWay = [/upload\.encoding, upload\.field/, /# not found: upload\.encoding, upload\.field/] as const;
const noToken = [/upload\.token/, /# not found: upload\.token/] as const;

/** What breaks at which step, what is said, how it is mended, and what is drafted where enough was found for that. */
type Row = readonly [
  title: string,
  start: () => Promise<Broken>,
  step: string,
  says: RegExp,
  fix: RegExp,
  drafted?: RegExp,
];

const rows: readonly Row[] = [
  ['a dead port', port, 'connection', /127\.0\.0\.1:\d+: the connection was refused/, /port of the base URL/],
  ['an unknown CA', badHosts.selfSigned, 'TLS', /certificate is not trusted/, /address\.ca/],
  [
    'a wrong access token',
    () => service('an-access-token-of-somebody-else'),
    'access token',
    /POST http\S+v2\/requests\?type=0: 401 .*; the access token is not taken/,
    /fresh access token.*ESIGN_TOKEN/,
  ],
  ['a login page', badHosts.html, 'base URL', /200 .*; that is a web page/, /base URL of the API and not/],
  ['another service', badHosts.json, 'base URL', /200 \{"status":"ok"\}.*no requestId/, /another service/],
  ['a wrong path', () => spoiled(() => true, 'no', 404), 'base URL', /document: 404 no/, /look at its path/],
  [
    'an upload that is refused in every way with 200',
    () => spoiled(isUpload, '{"Fault":"<faultstring>Brak pliku</faultstring>"}', 200),
    'upload',
    /was refused in all of 38 ways, .*Brak pliku/,
    ...noWay,
  ],
  [
    'fields in other languages',
    () => spoiled(isUpload, fields),
    'upload',
    /all of 40 ways, and nothing was uploaded; .*400 no such/,
    ...noWay,
  ],
  ['a field in a text of XML', () => spoiled(isUpload, fieldInXml), 'upload', /all of 39 ways/, ...noWay],
  ['words of a quota everywhere', () => behind(hinting), 'upload', /in all of 38 ways/, ...noWay],
  [
    'an upload whose token is called like nothing known',
    () => spoiled(isUpload, unnamed, 202),
    'upload',
    /looks like a document token \(texts stand at \/ticket, \/stuk\/sleutel\)/,
    ...noToken,
  ],
  [
    'a creation that is refused',
    () => spoiled(lateCreation, '\u001b[32mDepartment is missing'),
    'creation',
    // No color of a stranger.
    /requests\?type=0: 400 \\u\{001b\}\[32mDepartment is missing/,
    /ask the vendor what it lacks/,
    /encoding: raw[\s\S]*# not found: all behind the step "creation" \(POST .*Department is missing\)/,
  ],
  [
    'a requestId that leads to another path',
    () => spoiled(lateCreation, '{"requestId":"../../accounts/1"}', 200),
    'signatory',
    /"\.\.\/\.\.\/accounts\/1" would lead to another path/,
    /what the target answered/,
    /# not found: all behind the step "signatory"/,
  ],
];

for (const [title, start, step, says, fix, drafted] of rows) {
  test(`a probe names what breaks: ${title}`, async ({}, info) => {
    const { baseUrl, token = 'an-access-token', close } = await start();
    const out = info.outputPath('drafted.yaml');
    const given = { ESIGN_TOKEN: token };
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

test('a probe names what breaks: a proxy that is not there', async () => {
  const given = { ESIGN_TOKEN: 'an-access-token', http_proxy: `http://127.0.0.1:${await deadPort()}` };
  const { stderr } = await probing({ baseUrl: 'http://sandbox.test' }, given);
  const says =
    /BROKEN: proxy\n.*sandbox\.test by the proxy 127\.0\.0\.1:\d+ \(http_proxy\): the connection was refused/;
  expect(stderr).toMatch(says);
  expect(stderr).toMatch(/fix: .*HTTPS_PROXY and HTTP_PROXY.*NO_PROXY=sandbox\.test/);
});

test('a probe names what breaks: a host that never answers', async ({}, info) => {
  const { baseUrl, close } = await badHosts.silent();
  const auth = { kind: 'static', token: reference('TEST_PROBE_TOKEN') };
  const target = thin(info, auth, { baseUrl, deadlineMs: 1_000 });
  const { exitCode, stderr } = await probing({ target }, { TEST_PROBE_TOKEN: 'an-access-token' });
  await close();
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/BROKEN: connection\n.*no complete answer within 1000 ms\n {2}fix: .*deadlineMs/);
});
