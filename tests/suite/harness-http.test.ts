/** The HTTP sender: answers of every shape, connections that are kept or not, targets that break off or speak something else, and proxies on the way. */

import dns from 'node:dns/promises';
import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { Socket } from 'node:net';
import { expect, test } from '@playwright/test';
import { depthOfHost, lookupWithin, tooDeep, tooDeepWords } from '../../harness/untrusted/networks.ts';
import { type HttpOutcome, HttpSender } from '../../harness/wire/http.ts';
import { isLoopback, proxyFor } from '../../harness/wire/proxy.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { expectNone, filesIn } from './artefacts.ts';
import { inProcess } from './cli-spawn.ts';
import { selfSigned } from './services/certificate.ts';
import { startForwardProxy } from './services/forward-proxy.ts';
import { type Loopback, serve, serveRaw } from './services/loopback.ts';
import { failure, get, limits, outcomeAt, text } from './services/outcome.ts';
import { startPlainService } from './services/plain-service.ts';

test('headers and bytes go out and come back as they were spelled', async () => {
  let arrived: readonly string[] = [];
  const server = await serve(({ rawHeaders, body }, response) => {
    arrived = rawHeaders;
    response.writeHead(299, 'Quite Good', { 'X-mIxEd': 'kept' }).end(body);
  });
  const headers = [
    ['Host', 'example.test'],
    ['x-TWICE', 'one'],
    ['x-TWICE', 'two'],
    ['Content-Length', '3'],
  ] as const;
  const outcome = await outcomeAt(server, { method: 'POST', headers, body: Buffer.from([0, 255, 128]) });
  expect(arrived.slice(0, 6)).toEqual(headers.slice(0, 3).flat());
  expect(outcome).toMatchObject({ response: { status: 299, reason: 'Quite Good' } });
  if (!('response' in outcome)) throw new Error('no answer');
  expect(outcome.response.headers).toContainEqual(['X-mIxEd', 'kept']);
  expect([...outcome.response.body]).toEqual([0, 255, 128]);
});

const secure = ({ baseUrl }: Loopback) => ({ url: new URL(baseUrl.replace('http:', 'https:')) });

test('a TLS handshake that is never answered meets the connect time-out', async () => {
  const server = await serveRaw(() => undefined);
  const outcome = await outcomeAt(server, secure(server), { connectMs: 120 });
  expect(failure(outcome)).toEqual({ code: 'CONNECT_TIMEOUT', message: 'no connection within 120 ms' });
});

test('an answer that came while this process was busy is not late', async () => {
  const server = await serve((_, response) => {
    // As taking apart a large callback does.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
    response.end('there');
  });
  expect(await outcomeAt(server, {}, { deadlineMs: 500 })).toMatchObject({ response: { status: 200 } });
});

test('an answer that began in time and does not end is told from one that never comes', async () => {
  const begun = await serve((_, response) => void response.writeHead(200).write('{'));
  expect(failure(await outcomeAt(begun, {}, { deadlineMs: 200 }))).toMatchObject({ code: 'UNFINISHED' });
  const silent = await serve(() => undefined);
  expect(failure(await outcomeAt(silent, {}, { deadlineMs: 200 }))).toMatchObject({ code: 'DEADLINE' });
});

test('an answer that switches to another protocol is a failure, not a wait', async () => {
  const server = await serveRaw((socket) =>
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    ),
  );
  expect(failure(await outcomeAt(server))).toMatchObject({ code: expect.not.stringMatching('DEADLINE') });
});

test('a header that HTTP does not allow is a failure, not an exception', async () => {
  const server = await serve((_, response) => response.end());
  const outcome = await outcomeAt(server, { headers: [['X-Bad', 'a\nb']] });
  expect(failure(outcome)).toMatchObject({ code: 'NOT_SENT' });
});

test('https to a port that speaks http is named as such', async () => {
  const server = await serve((_, response) => response.end());
  expect(text(await outcomeAt(server, secure(server)))).toBe(
    'no TLS connection came about (wrong version number): does the service speak https there?',
  );
});

const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const endless = `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}`;
/** What stands on the wire, and its text, or the code of a failure with a part of its message. */
const answers: readonly (readonly [title: string, raw: string, text: string, code?: string])[] = [
  ['that ends with the connection, in HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nhello', 'hello'],
  ['in chunks with more', `${chunked}2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nX-Sum: 5\r\n\r\n`, 'hello'],
  ['in chunks of one byte', `${chunked}${'1\r\nx\r\n'.repeat(3_000)}0\r\n\r\n`, 'x'.repeat(3_000)],
  ['with an endless header', endless, 'the header of the answer is too long', 'HPE_HEADER_OVERFLOW'],
  ['with the status 000', 'HTTP/1.1 000 X\r\nContent-Length: 2\r\n\r\n{}', 'its status is 0', 'STATUS'],
  ['with the status 099', 'HTTP/1.1 099 X\r\nContent-Length: 2\r\n\r\n{}', 'its status is 99', 'STATUS'],
];

for (const [title, raw, words, code] of answers) {
  test(`an answer ${title} is ${code === undefined ? 'whole' : 'a failure'}`, async () => {
    const server = await serveRaw((socket) => socket.once('data', () => socket.end(raw)));
    const outcome = await outcomeAt(server);
    expect(text(outcome)).toContain(words);
    expect(failure(outcome)).toEqual(code === undefined ? 200 : expect.objectContaining({ code }));
  });
}

/** Several requests to a server over the connections of one sender. */
async function asking(server: Loopback, work: (ask: () => Promise<HttpOutcome>) => Promise<void>) {
  const sender = new HttpSender(limits);
  await work(() => sender.send(get(server.baseUrl)));
  sender.close();
  await server.close();
}

test('connections are kept, without a warning however often they are used', async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on('warning', warned);
  const server = await serve((_, response) => response.end('hello'));
  await asking(server, async (ask) => {
    for (let i = 0; i < 60; i += 1) expect(text(await ask())).toBe('hello');
    // By then it has been seen that connections stay open.
    await expect.poll(() => server.connections()).toBeGreaterThan(1);
    await expect(async () => {
      const before = server.connections();
      for (let i = 0; i < 20; i += 1) await ask();
      expect(server.connections()).toBe(before);
    }).toPass();
  });
  process.off('warning', warned);
  expect(warnings).toEqual([]);
});

test('a target that closes each connection without a word loses no call', async () => {
  const server = await serveRaw((socket) => {
    // The answer promises to keep the connection, which is then closed all the same.
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'));
  });
  await asking(server, async (ask) => {
    for (let i = 0; i < 30; i += 1) expect(text(await ask())).toBe('hello');
  });
  expect(server.connections()).toBe(30);
});

test('what comes over a connection on which nothing was asked is no answer', async () => {
  const answer = (words: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${words.length}\r\n\r\n${words}`;
  const open = new Set<Socket>();
  const server = await serveRaw((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('data', () => socket.write(answer('asked')));
  });
  // As gateways say that they have waited long enough.
  const sayMore = (socket: Socket) =>
    new Promise<void>((resolve) => socket.write(answer('not asked'), () => resolve()));
  await asking(server, async (ask) => {
    for (let i = 0; i < 20; i += 1) {
      expect(text(await ask())).toBe('asked');
      await Promise.all([...open].map(sayMore));
    }
  });
});

test('a request over a kept connection that breaks off is not sent a second time', async () => {
  let requests = 0;
  const server = await serve((_, response) => {
    requests += 1;
    if (requests === 2) response.socket?.destroy();
    else response.end('hello');
  });
  await asking(server, async (ask) => {
    const outcomes = [failure(await ask()), failure(await ask()), failure(await ask())];
    expect(outcomes).toEqual([200, { code: 'ECONNRESET', message: 'the connection was reset' }, 200]);
  });
  expect(requests).toBe(3);
});

const inside: readonly (readonly [target: string, host: string, elsewhere: boolean, isCalled: boolean])[] = [
  ['8.8.8.8', '127.0.0.1', true, false],
  ['8.8.8.8', 'localhost', true, false],
  ['10.1.2.3', '127.0.0.1', true, false],
  ['127.0.0.1', 'localhost', true, true],
  // The profile names it.
  ['8.8.8.8', '127.0.0.1', false, true],
];

for (const [target, host, elsewhere, isCalled] of inside) {
  const named = elsewhere ? 'a stranger names' : 'the profile names';
  test(`${host}, which ${named} to a client of ${target}, is ${isCalled ? '' : 'not '}called`, async () => {
    let calls = 0;
    const server = await serve((_, response) => {
      calls += 1;
      response.end('inner');
    });
    const url = new URL(`http://${host}:${server.port}/`);
    const outcome = await outcomeAt(server, { url, elsewhere }, { target });
    expect(calls).toBe(isCalled ? 1 : 0);
    expect(failure(outcome)).toEqual(isCalled ? 200 : { code: tooDeep, message: tooDeepWords });
  });
}

test('how far inside an address lies is told of each spelling, and again of what a name leads to when it is called', async () => {
  const hosts = {
    2: '127.9.9.9 169.254.169.254 0.0.0.0 [::1] [::] [fe80::1] [::ffff:7f00:1] [64:ff9b::7f00:1] [2002:7f00:1::] localhost',
    1: '10.0.0.1 172.16.0.1 192.168.1.1 100.64.0.1 [fd00::1] [::ffff:a00:1]',
    0: '8.8.8.8 [2606:4700::1111] nobody.invalid',
  };
  for (const [depth, names] of Object.entries(hosts))
    for (const name of names.split(' ')) expect(await depthOfHost(name), name).toBe(Number(depth));
  const found = await new Promise((resolve) => lookupWithin(1)('localhost', {}, resolve));
  expect(found).toMatchObject({ code: tooDeep });
});

test('a name that leads to this machine too lies where its outermost address does', async () => {
  const { lookup } = dns;
  const addresses = ['8.8.8.8', '127.0.0.1'].map((address) => ({ address, family: 4 }));
  try {
    dns.lookup = (async () => addresses) as unknown as typeof lookup;
    syncBuiltinESMExports();
    expect(await depthOfHost('both.example')).toBe(0);
  } finally {
    dns.lookup = lookup;
    syncBuiltinESMExports();
  }
});

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
    const proxy = await found(`http://${host}:1/`, { HTTP_PROXY: 'http://proxy.example:3128' });
    expect(proxy, host).toBeUndefined();
  }
  expect(['127.0.0.1.example.com', '::1'].map(isLoopback)).toEqual([false, true]);
});

test('a variable that names no proxy is refused without its password', async () => {
  for (const wrong of ['http://user:pass-word@', 'socks5://user:pass-word@proxy.example']) {
    const told = await found('https://a.example', { HTTPS_PROXY: wrong }).catch(({ message }) => message);
    expect(told).toMatch(/^the variable HTTPS_PROXY .* names no proxy; write http:\/\/host:port/);
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
  const ann = 'ann:p%40ss%20word@';
  const plain = await through(proxy.port, 'http://sandbox.test/a?b=c', undefined, ann);
  const tunnelled = await through(proxy.port, 'https://sandbox.test/a?b=c', certificate.cert, ann);
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

test('what a proxy says instead of an answer is told in one line, and no more than its beginning', async () => {
  const said = `HTTP/1.1 200 OK\r\nno header\nbut ${'x'.repeat(20_000)}\r\n\r\n`;
  const lying = await serveRaw((socket) => void socket.once('data', () => socket.write(said)));
  const [outcome] = await through(lying.port, 'https://sandbox.test/');
  const message = expect.stringMatching(/proxy CONNECT response: "no header but x{300,400}…$/);
  expect(failure(outcome)).toMatchObject({ message });
  await lying.close();
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
