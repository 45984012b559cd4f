/** Signing pages that do harm: each is left within bounds, says why, blames nobody, and gets no secret of others. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { type BrowserContext, expect, test } from '@playwright/test';
import { createBrowserDriver } from '../../harness/people/browser.ts';
import { type Chromium, createChromium } from '../../harness/people/chromium.ts';
import type { OutboxReader } from '../../harness/people/outbox.ts';
import { startBrowserProxy } from '../../harness/wire/browser-proxy.ts';
import { otpType } from '../../openapi/codes.ts';
import { startForwardProxy } from './services/forward-proxy.ts';
import { lowerLimits } from './services/lower-limits.ts';
import { type Mail, personWith, type Reply, type Seen, withService } from './signing-people.ts';
import { html, refused, withSite } from './signing-site.ts';

const MiB = 1024 * 1024;
let browser: Chromium;
let restoreLimits = () => {};
test.beforeAll(() => {
  restoreLimits = lowerLimits({
    pageDialogs: 4,
    pageWindows: 2,
    pageFrames: 5,
    pageNavigations: 8,
    pageRequests: 200,
    pageBytes: 3 * MiB,
    pageCharacters: 100_000,
    pageToldBytes: 2 * MiB,
  });
  browser = createChromium({ ignoreHTTPSErrors: false });
});
test.afterAll(async () => {
  restoreLimits();
  await browser.close();
});

const script = (text: string): Reply => html(`<button>Sign</button><script>${text}</script>`);
const redirect = (location: string): Reply => ({ status: 302, headers: { location } });
const never = new Promise<Reply>(() => {});
const megabytes2 = 'x'.repeat(2 * MiB);

const answering =
  (at: string, given: Reply | Promise<Reply>, text: string) =>
  ({ path }: Seen) =>
    path === at ? given : script(text);
const attached = { 'content-disposition': 'attachment; filename=sign.sh' };
const frames = 'setInterval(() => document.body.append(document.createElement("iframe")), 5)';
// Blocked without work for the processor.
const blocking = `onload = () => setTimeout(() => {
  const call = new XMLHttpRequest(); call.open("GET", "/never", false); call.send();
})`;
const requests = 'setInterval(() => { for (let at = 0; at < 50; at++) fetch("/more"); }, 100)';
const loads = '(async () => { for (;;) await (await fetch("/more")).text(); })()';
const writes = 'setInterval(() => console.log("x".repeat(1e5)), 5)';
const grown =
  '<p class="refused">No<span hidden></span></p><script>document.querySelector("span").append("x".repeat(2e5))</script>';

/** What the page does, how it is served, and why it was left. */
const rows: readonly (readonly [string, (seen: Seen) => Reply | Promise<Reply> | undefined, string])[] = [
  ['asks without end', () => script('setInterval(() => confirm("?"), 0)'), 'more than 4 questions'],
  ['opens windows without end', () => script('setInterval(() => open("/more"), 5)'), 'more than 2 windows'],
  ['opens frames without end', () => script(frames), 'more than 5 frames'],
  ['loads itself anew without end', () => script('location = "?" + Math.random()'), 'more than 8 addresses'],
  ['redirects without end', ({ path }) => redirect(`${path}x`), 'it redirects without end'],
  ['redirects to a file', () => redirect('file:///etc/passwd'), 'to an address that is none of the web'],
  [
    'is a download',
    () => ({ headers: attached, type: 'application/x-sh' }),
    'a file is downloaded in its place',
  ],
  ['never answers a question', answering('/never', never, blocking), 'does not respond within 10 s'],
  ['makes requests without end', () => script(requests), 'more than 200 requests'],
  ['loads without end', answering('/more', { body: megabytes2 }, loads), 'more than 3145728 bytes'],
  ['writes to its console without end', () => script(writes), 'it told or loaded too much'],
  ['has a huge text', () => html(grown), 'more than 100000 characters'],
];

for (const [what, page, reason] of rows) {
  test(`a signing page that ${what} is left: ${reason}`, async () => {
    const contexts: BrowserContext[] = [];
    const chromium = noting(contexts);
    await withSite(chromium, { page }, async (driver, seen) => {
      const outcome = await driver.act(personWith(), 'sign', 'right');
      expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringContaining(reason) });
      // The driver waits for a busy page no longer than it has to.
      await expect.poll(() => contexts.flatMap((context) => context.pages())).toEqual([]);
      expect(seen.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
    });
  });
}

test('neither a link of a mail nor a page, by whatever way, leads further inside than the target lies, nor do workers load without end', async () => {
  const page = ({ path }: Seen): Reply => {
    const inner = `127.0.0.1:${port}/inner`;
    const loading = '(async () => { for (;;) await (await fetch("http://sign.example/more")).text(); })()';
    if (path === '/more') return { body: megabytes2 };
    if (path === '/loads') return script(`new Worker(URL.createObjectURL(new Blob([\`${loading}\`])))`);
    if (path === '/redirects') return redirect(`http://${inner}/redirect`);
    if (path !== '/asks') return html('<p class="done">');
    return html(`<button onclick="location = 'http://${inner}/link'">Sign</button><img src="http://${inner}/image">
      <iframe src="http://${inner}/frame"></iframe><link rel="prefetch" href="http://${inner}/prefetch">
      <script>fetch('http://${inner}/fetch', { mode: 'no-cors', method: 'POST' }); new WebSocket('ws://${inner}/socket');
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${datagrams.address().port}' }] });
      peer.createDataChannel('a'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));
      for (let at = 2; at < 9; at += 1) new Image().src = 'http://127.0.0.' + at;
      new Worker(URL.createObjectURL(new Blob(["fetch('http://${inner}/worker', { mode: 'no-cors' })"])));</script>`);
  };
  let port = 0;
  const arrived: Buffer[] = [];
  const datagrams = createSocket('udp4', (datagram) => arrived.push(datagram)).bind(0, '127.0.0.1');
  await once(datagrams, 'listening');
  await withService(page, async ({ baseUrl, seen }) => {
    port = Number(new URL(baseUrl).port);
    const proxy = await startForwardProxy({ hosts: { 'sign.example': port } });
    const before = process.env.http_proxy;
    process.env.http_proxy = proxy.baseUrl;
    const tooDeep = /it asks for 127\.0\.0\.\d(, 127\.0\.0\.\d){0,2}: a stranger named/;
    const links = [
      ['http://sign.example/redirects', tooDeep],
      ['http://sign.example/asks', tooDeep],
      [`${baseUrl}/inner/mail`, tooDeep],
      ['http://sign.example/loads', /it told or loaded too much/],
    ] as const;
    const chromium = createChromium({ ignoreHTTPSErrors: false });
    try {
      for (const [link, reason] of links) {
        const driver = createBrowserDriver({
          ...{ settings: { sign: 'button', done: '.done' }, baseUrl: 'http://8.8.8.8', readyMs: 0, chromium },
          outbox: { link: async () => link, waitMs: 0 } as unknown as OutboxReader,
        });
        const outcome = await driver.act(personWith(), 'sign', 'right');
        expect(outcome, link).toMatchObject({ kind: 'unknown', reason: expect.stringMatching(reason) });
      }
    } finally {
      await chromium.close();
      if (before === undefined) delete process.env.http_proxy;
      else process.env.http_proxy = before;
      await proxy.close();
      datagrams.close();
    }
    expect(arrived).toEqual([]);
    expect(seen.filter(({ path }) => path.startsWith('/inner'))).toEqual([]);
  });
});

test('a signing page that crashes is unknown', async () => {
  const chromium = noting([], (context) => {
    context.on('page', async (page) => {
      const session = await context.newCDPSession(page);
      page.on('domcontentloaded', () => void session.send('Page.crash').catch(() => undefined));
    });
  });
  await withSite(chromium, { page: () => script('') }, async (driver) => {
    const outcome = await driver.act(personWith(), 'sign', 'right');
    expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('crashed') });
  });
});

test('a signing page installs nothing, and leaves the web by no link', async () => {
  const text = `const tried = navigator.serviceWorker.register("/worker.js").then(() => fetch("/registered"));
    const shown = () => document.querySelector("main").insertAdjacentHTML("beforeend", '<p class="refused">Still here');
    document.querySelector("button").onclick = () => {
      location = "file:///etc/passwd"; location = "chrome://version"; tried.finally(shown);
    };`;
  const page = ({ path }: Seen): Reply =>
    path === '/worker.js' ? { type: 'text/javascript', body: 'fetch("/worker-ran")' } : script(text);
  await withSite(browser, { page }, async (driver, seen) => {
    const outcome = await driver.act(personWith(), 'sign', 'right');
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'Still here' });
    expect(seen.filter(({ path }) => path.startsWith('/worker'))).toEqual([]);
  });
});

test('a page at another origin gets the codes of its person, and neither codes of others nor the access token', async () => {
  const anna = personWith({ otpType: otpType.email });
  const mails: Mail[] = [
    { to: anna.email, subject: 'Code', text: 'Your code is 111111' },
    { to: 'ben@example.com', subject: 'Code', text: 'Your code is 222222' },
  ];
  const fields = '<input class="otp" name="a"><input class="otp" name="b"><input class="otp" name="c">';
  const form = html(`<form method="post">${fields}<button>Sign</button></form>
    <script>navigator.geolocation.getCurrentPosition(() => {}); Notification.requestPermission();</script>`);
  const other = ({ method }: Seen) => (method === 'POST' ? refused : form);
  await withService(other, async ({ baseUrl: elsewhere, seen: there }) => {
    const page = () => script(`location = ${JSON.stringify(`${elsewhere}/sign`)}`);
    await withSite(browser, { page, mails }, async (driver) => {
      expect(await driver.act(anna, 'sign', 'right')).toMatchObject({ kind: 'refused' });
      const got = JSON.stringify(there);
      expect(got).toContain('111111');
      expect(got).not.toContain('222222');
      expect(there.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
    });
  });
});

test('the browser is started without secrets of the environment, without a desktop and programs for mail', async ({}, info) => {
  const [program, seen] = [info.outputPath('browser.sh'), info.outputPath('environment.txt')];
  const opening = `xdg-email a >> '${seen}'\nxdg-open a >> '${seen}'\nexit 1\n`;
  writeFileSync(program, `#!/bin/sh\nenv > '${seen}'\n${opening}`);
  const installed = ['xdg-email', 'xdg-open'].map((name) => info.outputPath(name));
  for (const file of installed) writeFileSync(file, '#!/bin/sh\necho "a mail program was started"\n');
  for (const file of [program, ...installed]) chmodSync(file, 0o755);
  const before = { ...process.env };
  Object.assign(process.env, { CHROMIUM_PATH: program, ESIGN_CLIENT_SECRET: 's-1', DISPLAY: ':7' });
  process.env.PATH = `${info.outputPath()}:${before.PATH}`;
  try {
    const none = createChromium({ ignoreHTTPSErrors: false });
    await expect(none.context(2, () => {})).rejects.toThrow(/could not be started/);
    await none.close();
  } finally {
    for (const name of ['CHROMIUM_PATH', 'ESIGN_CLIENT_SECRET', 'DISPLAY', 'PATH']) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
  expect(existsSync(seen)).toBe(true);
  const told = readFileSync(seen, 'utf8');
  expect(told).toContain('PATH=');
  expect(told).not.toMatch(/ESIGN_CLIENT_SECRET|DISPLAY|mail program/);
});

/** The browser of these tests, whose contexts are noted. */
function noting(contexts: BrowserContext[], prepare: (context: BrowserContext) => void = () => {}): Chromium {
  return {
    async context(most, kept) {
      const context = await browser.context(most, kept);
      contexts.push(context);
      prepare(context);
      return context;
    },
    close: () => Promise.resolve(),
  };
}

/** What no server may answer, and what of it reaches the page: its body, or that the connection broke off. */
const answers: readonly (readonly [head: string, shown: string])[] = [
  ['099 OK', 'nothing'],
  ['101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x', 'nothing'],
  ['200 O\u0001K', 'ok'],
  ['200 OK\r\nTrailer: X', 'ok'],
];

test('whatever a page is answered with, the proxy of the browser goes on', async () => {
  let head = '';
  const server = createServer((socket) =>
    socket
      .once('data', () => socket.end(`HTTP/1.1 ${head}\r\nContent-Length: 2\r\n\r\nok`))
      .on('error', () => undefined),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const nothing = () => undefined;
  const proxy = await startBrowserProxy(2, nothing, nothing);
  for (const [sent, shown] of answers) {
    head = sent;
    const asked = request({ port: proxy.port, path: `http://127.0.0.1:${port}/` }).end();
    const came = await once(asked, 'response')
      .then(([answer]) => text(answer as IncomingMessage))
      .catch(() => 'nothing');
    expect(came, sent).toBe(shown);
  }
  await proxy.close();
  server.close();
});
