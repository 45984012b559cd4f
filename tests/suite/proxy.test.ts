/** A target behind a proxy: variables of the environment name it, its password stays out of everything. */
import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { HttpSender } from '../../harness/wire/http.ts';
import { isLoopback, proxyFor } from '../../harness/wire/proxy.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { expectNone, filesIn } from './artefacts.ts';
import { inProcess } from './cli-spawn.ts';
import { selfSigned } from './services/certificate.ts';
import { startForwardProxy } from './services/forward-proxy.ts';
import { serve, serveRaw } from './services/loopback.ts';
import { failure, get, limits, text } from './services/outcome.ts';
import { startPlainService } from './services/plain-service.ts';

/** None of the variables of this machine, and those given, while `work` runs. */
async function withEnvironment<T>(given: NodeJS.ProcessEnv, work: () => Promise<T>): Promise<T> {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'];
  const before = { ...process.env };
  for (const name of names.flatMap((each) => [each, each.toLowerCase()])) delete process.env[name];
  Object.assign(process.env, given);
  try {
    return await work();
  } finally {
    for (const name of Object.keys(given)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

const found = (url: string, given: NodeJS.ProcessEnv) =>
  withEnvironment(given, async () => proxyFor(new URL(url))?.url.href);

test('the variables of the environment are read as elsewhere, small letters too', async () => {
  const here = 'http://proxy.example:3128/';
  expect(await found('https://a.example', { HTTPS_PROXY: here })).toBe(here);
  expect(await found('https://a.example', { https_proxy: here })).toBe(here);
  expect(await found('http://a.example', { HTTP_PROXY: here })).toBe(here);
  expect(await found('https://a.example', { HTTP_PROXY: here })).toBeUndefined();
  expect(await found('https://a.example', { HTTPS_PROXY: 'proxy.example:3128' })).toBe(here);
  for (const list of ['a.example', '.example', '*', 'b.example, a.example']) {
    expect(await found('https://a.example', { HTTPS_PROXY: here, NO_PROXY: list }), list).toBeUndefined();
    expect(await found('https://a.example', { https_proxy: here, no_proxy: list }), list).toBeUndefined();
  }
});

test('what is on this machine is called directly', async () => {
  for (const host of ['localhost', 'esign.localhost', '127.0.0.1', '127.1.2.3', '[::1]']) {
    expect(
      await found(`http://${host}:1/`, { HTTP_PROXY: 'http://proxy.example:3128' }),
      host,
    ).toBeUndefined();
  }
  expect(['127.0.0.1.example.com', '::1'].map(isLoopback)).toEqual([false, true]);
});

test('a variable that names no proxy is refused without its password', async () => {
  for (const wrong of ['http://user:pass-word@', 'socks5://user:pass-word@proxy.example']) {
    const told = await withEnvironment({ HTTPS_PROXY: wrong }, async () => {
      try {
        return String(proxyFor(new URL('https://a.example'))?.words);
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(told).toMatch(
      /^the variable HTTPS_PROXY of the environment names no proxy; write http:\/\/host:port/,
    );
    expect(told).not.toContain('pass-word');
  }
});

/** What comes of one request through a proxy on this machine. */
function through(port: number, url: string, ca?: string, user = '') {
  return withEnvironment({ HTTPS_PROXY: `http://${user}127.0.0.1:${port}` }, async () => {
    process.env.HTTP_PROXY = process.env.HTTPS_PROXY;
    const sender = new HttpSender({ ...limits, ca, proxyFor });
    try {
      return [await sender.send(get(url)), await sender.send(get(url))] as const;
    } finally {
      sender.close();
      delete process.env.HTTP_PROXY;
    }
  });
}

test('http goes to the proxy in the absolute form, https through a tunnel, with credentials', async () => {
  const service = await serve(({ url, headers }, response) =>
    response.end(`${url} ${headers.host} ${headers['proxy-authorization'] ?? 'no credentials'}`),
  );
  const certificate = await selfSigned();
  const hosts = { 'sandbox.test': service.port };
  const proxy = await startForwardProxy({ hosts, credentials: 'ann:p@ss word', certificate });
  const plain = await through(proxy.port, 'http://sandbox.test/a?b=c', undefined, 'ann:p%40ss%20word@');
  const tunnelled = await through(
    proxy.port,
    'https://sandbox.test/a?b=c',
    certificate.cert,
    'ann:p%40ss%20word@',
  );
  expect([...plain, ...tunnelled].map(text)).toEqual(Array(4).fill('/a?b=c sandbox.test no credentials'));
  expect(proxy.asked.slice(0, 3)).toEqual([
    'GET http://sandbox.test/a?b=c',
    'GET http://sandbox.test/a?b=c',
    'CONNECT sandbox.test:443',
  ]);
  const words = `the proxy 127.0.0.1:${proxy.port} (HTTP`;
  for (const [url, name] of [
    ['http://sandbox.test/', '_PROXY): it answered with 407'],
    ['https://sandbox.test/', 'S_PROXY): it answered CONNECT with 407'],
  ] as const) {
    const [outcome] = await through(proxy.port, url);
    expect(failure(outcome)).toEqual({ code: 'PROXY', message: `by ${words}${name}` });
  }
  await proxy.close();
  await service.close();
});

test('a connection to a proxy that never answers ends with its call', async () => {
  const ended: string[] = [];
  const silent = await serveRaw((socket) => socket.resume().on('close', () => ended.push('proxy')));
  const sender = new HttpSender({ ...limits, deadlineMs: 100, connectMs: 100, proxyFor });
  const given = { HTTPS_PROXY: silent.baseUrl };
  const outcome = await withEnvironment(given, () => sender.send(get('https://sandbox.test/')));
  expect(failure(outcome)).toMatchObject({ message: expect.stringContaining('within 100 ms') });
  await expect.poll(() => ended).toEqual(['proxy']);
  await silent.close();
});

test('a run reaches a target that only the proxy knows', async ({}, info) => {
  const service = await startPlainService();
  const certificate = await selfSigned();
  const { port, pathname } = new URL(service.baseUrl);
  const proxy = await startForwardProxy({
    hosts: { 'sandbox.test': Number(port) },
    credentials: 'ann:pass-of-the-proxy',
    certificate,
  });
  writeFileSync(info.outputPath('ca.pem'), certificate.cert);
  const target = info.outputPath('acme.yaml');
  const variable = (name: string) => `\${${name}}`;
  writeFileSync(
    target,
    `address: { baseUrl: "https://sandbox.test${pathname}", ca: ca.pem }
auth: { kind: static, token: "${variable('TOKEN')}", expiredToken: "${variable('EXPIRED')}" }
upload: { encoding: raw, token: text }
`,
  );
  const out = info.outputPath('out');
  const ended = await inProcess(['--target', target, '--only', 'upload', '--out', out], {
    TOKEN: service.token,
    EXPIRED: service.expiredToken,
    https_proxy: `http://ann:pass-of-the-proxy@127.0.0.1:${proxy.port}`,
    NO_PROXY: '',
    no_proxy: '',
  });
  await proxy.close();
  await service.close();
  expect(ended.stderr).toBe('');
  const run = readRun(out);
  const others = run.requirements.filter(({ verdict }) => !['passed', 'not-applicable'].includes(verdict));
  expect(others).toEqual([]);
  expect({ code: ended.code, verdict: run.verdict }).toEqual({ code: 0, verdict: 'partial' });
  expect(proxy.asked.length).toBeGreaterThan(0);
  const places = [...filesIn(out), ['stdout', ended.stdout], ['stderr', ended.stderr]] as const;
  expectNone(['pass-of-the-proxy', Buffer.from('ann:pass-of-the-proxy').toString('base64')], places);
});
