/** Trouble over the wire, a class at a time: hosts that are no service, quotas, what breaks off and what hangs; bounded, named, got over where it passes, and nobody is blamed. What becomes of each kind is a row of the judge. */
import { expect, test } from '@playwright/test';
import { speaksOfQuota } from '../../harness/judging/classify.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { hintFor } from '../../record/finding-text.ts';
import { heldBytes } from '../proof/fuzz/fuzz-run.ts';
import { badHosts } from './services/bad-hosts.ts';
import { checksAt, checksThrough } from './services/checks-at.ts';
import type { Loopback } from './services/loopback.ts';
import { type Behaviour, type Forwarded, instead, type Passing, reshaped } from './services/proxy.ts';

/** Deals with one call that was not answered yet. */
type Trouble = (passing: Passing) => Promise<void> | void;

const okay = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const piece = Buffer.alloc(65_536, 'x');

/** Writes bytes as they are, and ends the connection. */
const saying =
  (text: string | Buffer): Trouble =>
  ({ raw }) =>
    raw((socket) => socket.end(text));

const troubles = {
  'one byte a second': ({ raw }) =>
    raw((socket) => {
      const text = `${okay}Content-Length: 2\r\n\r\n{}`;
      let at = 0;
      const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), 1_000);
      socket.once('close', () => clearInterval(timer));
    }),
  'a Content-Length that is too long': saying(`${okay}Content-Length: 500\r\n\r\n{"requestId":"r"}`),
  'a Content-Length that is too short': saying(`${okay}Content-Length: 5\r\n\r\n{"requestId":"r"}`),
  'a Content-Length that is none': saying(`${okay}Content-Length: many\r\n\r\n{}`),
  garbage: saying(Buffer.from('00ff1603010200010001fc0303deadbeef0d0a0d0a', 'hex')),
  'a login page with 200': ({ reply }) =>
    reply({
      headers: { 'Content-Type': 'text/html' },
      body: Buffer.from('<!doctype html><html><title>Sign in</title><form action="/login"></form></html>'),
    }),
  'a redirect to itself': ({ request, reply }) => reply({ status: 307, headers: { Location: request.url } }),
  'an answer of 200 MB': ({ raw }) =>
    raw((socket) => {
      socket.write(`${okay}Content-Length: ${200 * 1024 * 1024}\r\n\r\n`);
      // One piece a turn: a reader that keeps up would never let a loop end.
      const more = () => {
        if (!socket.destroyed) socket.write(piece, () => setImmediate(more));
      };
      more();
    }),
  'bytes that are no UTF-8': saying(
    Buffer.concat([
      Buffer.from(`${okay}Connection: close\r\n\r\n{"requestId":"`),
      Buffer.from([0xc3, 0x28, 0xff]),
    ]),
  ),
  'chunks that are none': saying(`${okay}Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n`),
  'chunks without an end': saying(`${okay}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`),
} as const satisfies Record<string, Trouble>;

/** A check of each step: an upload, a creation, a signatory, and refusals of each. */
const some: readonly RequirementId[] = [
  'upload.pdf',
  'upload.token-missing',
  'skeleton.created',
  'skeleton.title-required',
  'skeleton.unknown-document',
  'signatory.added',
  'signatory.email-required',
  'otp.mobile-required',
];

/** Checks of refusals, with each kind of what a refusal has to look like. */
const refusals: readonly RequirementId[] = [
  'upload.other-formats',
  'upload.token-invalid',
  'skeleton.title-required',
  'skeleton.title-type',
  'skeleton.documents-not-empty',
  'skeleton.token-invalid',
  'signatory.role-type',
  'signatory.content-type',
  'otp.mobile-valid',
  'stamping.stamp-type-values',
  'create.token-invalid',
];

/** Of what an answer of 200 MB brings, and of everything else, no more than this is kept. */
const mostHeldBytes = 100 * 1024 * 1024;

/** A busy machine is no trouble: only where an answer never comes the deadline is short. */
const unhurriedMs = 60_000;

/** Some checks, in bounded memory. */
async function someChecks(behave: Behaviour, deadlineMs: number) {
  const before = heldBytes();
  const checked = await checksThrough(behave, deadlineMs, some);
  expect(heldBytes() - before).toBeLessThan(mostHeldBytes);
  return checked;
}

/** These never end, and are left out where each call has its time. */
const lasting: readonly string[] = ['one byte a second', 'an answer of 200 MB', 'chunks without an end'];

for (const title of ['one byte a second', 'an answer of 200 MB'] as const) {
  test(`${title}, always: nothing can run, and that is told soon`, async () => {
    const { verdicts, reasons, exchanges } = await someChecks(troubles[title], 1_200);
    expect(Object.keys(verdicts)).toEqual(['could-not-run']);
    expect(reasons.every((reason) => reason.length > 20)).toBe(true);
    expect(exchanges.length).toBeLessThan(30);
  });
}

test('answers to the wrong request are never taken for right ones, and break nothing', async () => {
  let before: Forwarded | undefined;
  const late = reshaped((answer) => {
    const said = before ?? answer;
    before = answer;
    return said;
  });
  const { verdicts } = await someChecks(late, unhurriedMs);
  expect(verdicts.error ?? []).toEqual([]);
  expect((verdicts.failed ?? []).length + (verdicts['could-not-run'] ?? []).length).toBeGreaterThan(0);
});

/** From the n-th call on, for a while. */
function during(from: number, ms: number): (index: number) => boolean {
  let until = 0;
  return (index) => {
    if (index === from) until = performance.now() + ms;
    return index >= from && performance.now() < until;
  };
}

test('each trouble that passes, one after the other, then errors for a while, 503 and 429, connections that break off, a call that hangs and answers that come late', async () => {
  const passing = Object.entries<Trouble>(troubles).filter(([title]) => !lasting.includes(title));
  const spacing = 20;
  const after = spacing * passing.length;
  const isOut = during(after, 300);
  let met = 0;
  const { verdicts, blame, exchanges } = await checksThrough(async (call) => {
    const { index, forward, reply, reset } = call;
    if (index < 3 || isOut(index)) return reply({ status: 500, body: Buffer.from('out of order') });
    if (index < after) {
      // Far enough apart for what is asked again to get through.
      const [, trouble] = (index % spacing === 12 && passing[(index - 12) / spacing]) || [];
      if (!trouble) return reply(await forward());
      met += 1;
      return trouble(call);
    }
    if (index % 40 === 30) return reply({ status: 503, headers: { 'Retry-After': '0' } });
    if (index === after + 35) return reply({ status: 429 });
    if (index === after + 25) return;
    const answer = await forward();
    if (index % 60 === 7) reset();
    else if (index % 60 === 42) reset(answer);
    else if (index % 10 === 3) setTimeout(() => reply(answer), 400);
    else reply(answer);
  }, 3_000);
  expect(met).toBe(passing.length);
  expect(exchanges.length).toBeGreaterThan(after + 60);
  expect(blame).toEqual([]);
  expect(verdicts.error ?? []).toEqual([]);
  expect(exchanges.filter(({ response }) => response?.status === 500).length).toBeGreaterThan(0);
  const failures = exchanges.flatMap(({ failure }) => failure?.code ?? []);
  expect(failures).toContain('DEADLINE');
  expect(failures.length).toBeGreaterThan(5);
  expect((verdicts.passed ?? []).length).toBeGreaterThan(80);
});

test('an account whose calls are taken one after the other', async () => {
  let isAtWork = false;
  const { verdicts, blame } = await checksThrough(
    async ({ forward, reply }) => {
      if (isAtWork) return reply({ status: 409, headers: { 'Retry-After': '0' } });
      isAtWork = true;
      reply(await forward());
      setTimeout(() => {
        isAtWork = false;
      }, 30);
    },
    unhurriedMs,
    [...some, ...refusals],
  );
  expect(blame).toEqual([]);
  expect(verdicts['could-not-run'] ?? []).toEqual([]);
});

test('the first call of each endpoint is refused on the way: that is told of it, and the rest goes on', async () => {
  const met = new Set<string>();
  const hiccup = instead(({ url }) => {
    const [endpoint = ''] = /[^/]*$/.exec(url) ?? [];
    if (met.has(endpoint)) return undefined;
    met.add(endpoint);
    return { status: 400, body: Buffer.from('{"message":"upstream hiccup"}') };
  });
  const { verdicts, blame } = await checksThrough(hiccup, unhurriedMs, [...some, ...refusals]);
  expect(met.size).toBeGreaterThan(3);
  expect(blame).toEqual([]);
  expect(verdicts['could-not-run']).toContain('signatory.added');
  expect(verdicts.passed).toContain('signatory.role-type');
});

type Host = readonly [title: string, host: () => Promise<Loopback>, reason: RegExp];

const hosts: readonly Host[] = [
  ['a web site', badHosts.html, /200 the page "Hello, .*; that is a web page.*: is the base URL right\?$/],
  ['a wrong access token', badHosts.unauthorized, /the access token .*: look at ESIGN_TOKEN or at auth in/],
  ['a host that never answers', badHosts.silent, /no complete answer within 2000 ms; is the base URL right/],
  ['a host that says 500 to everything', badHosts.error, /with 500 .*; the target is in trouble$/],
  ['none of the paths', badHosts.notFound, /404 nothing here; another .* either: is the base URL right\?$/],
  ['a login page', badHosts.login, /302 .*; it redirects to https:\/\/login\.example\.com\/: is the base/],
  ['a wrong token, by 200', badHosts.unauthorizedPolitely, /the access token of the run is not accepted/],
  ['a host that is busy for good', badHosts.busy, /was answered with 503 busy; the target is in trouble$/],
  ['a host that resets all', badHosts.reset, /the connection was reset; is the base URL right, and the /],
  ['another protocol', badHosts.otherProtocol, /had no answer: what came is no HTTP/],
  ['an unknown certificate', badHosts.selfSigned, /not trusted \(self-signed .*: name .* in address\.ca/],
];

test('where a host is no service, or none that works, nothing can run, with one reason for all', async () => {
  // Side by side: most of their time is waiting.
  const checks = hosts.map(async ([title, host, reason]) => {
    const { baseUrl, close } = await host();
    // Whoever answers has the time to, also on a busy machine.
    const deadlineMs = host === badHosts.silent ? 2_000 : 30_000;
    const found = await checksAt({ baseUrl, token: 'some-access-token', deadlineMs }, some);
    await close();
    return { title, reason, ...found };
  });
  for (const { title, reason, verdicts, reasons, exchanges } of await Promise.all(checks)) {
    expect(Object.keys(verdicts), title).toEqual(['could-not-run']);
    expect(new Set(reasons).size, title).toBe(1);
    expect(reasons[0]).toMatch(/^the upload of a first document \(exchange \d+\) /);
    expect(reasons[0]).toMatch(reason);
    expect(exchanges.length, title).toBeLessThanOrEqual(30);
  }
});

test('a host that answers every call with 200 and a JSON object is not taken for the service', async () => {
  const { baseUrl, close } = await badHosts.json();
  const target = { baseUrl, token: 'some-token', deadlineMs: 8_000 };
  const { verdicts } = await checksAt(target, [...some, ...refusals, 'upload.returns-token']);
  await close();
  expect(verdicts.passed ?? []).toEqual([]);
  // The one thing that is certain: an answer to an upload that holds no token.
  expect(['', 'upload.returns-token']).toContain((verdicts.failed ?? []).join());
});

test('a refusal for the length of Title names the key of the profile, and no other one does', () => {
  const hinted = (text: string) => {
    const body = { mediaType: 'text/plain', size: 0, sha256: '', text };
    const request = { method: 'POST', url: 'http://target/', headers: [], body: null };
    const response = { status: 400, reason: '', headers: [], body };
    return hintFor('refused', { index: 0, request, response }, 'skeleton') ?? '';
  };
  for (const text of ['Title: at most 40 characters', '{"Title":["must not be longer than 40"]}'])
    expect(hinted(text)).toContain('limits.titleLength');
  for (const text of ['{"Title":["is missing"]}', 'Message: at most 40 characters'])
    expect(hinted(text)).toBe('');
});

test('what is used up is told from a pace that is too high and from a token that is not accepted', () => {
  const spoken = (status: number, text: string) => speaksOfQuota({ status, text, reason: '' });
  for (const text of [
    '{"error":"Sandbox quota exceeded"}',
    'You have reached the maximum of 25 envelopes',
    'The sandbox is full',
    'Monthly document limit reached, please upgrade your plan',
    'Insufficient credits',
    '{"errors":["too many Documents"]}',
    'A request has at most 4 signatories',
  ]) {
    for (const status of [400, 403, 409, 429]) expect([text, spoken(status, text)]).toEqual([text, true]);
    expect(spoken(200, text)).toBe(false);
  }
  for (const status of [402, 413]) expect(spoken(status, '')).toBe(true);
  for (const [status, text] of [
    [429, 'Too Many Requests'],
    [429, 'Rate limit exceeded'],
    [429, 'You exceeded the rate limit'],
    [429, 'Quota exceeded: 100 requests per minute'],
    [403, 'Forbidden'],
    [401, 'Invalid access token'],
    [400, 'Title is too long'],
  ] as const) {
    expect([text, spoken(status, text)]).toEqual([text, false]);
  }
});

/** A correct service behind a gate that lets `most` creations pass, and refuses all others. */
async function checksWith(most: number, refusal: { readonly status: number; readonly text: string }) {
  let created = 0;
  const behave: Behaviour = async ({ request, forward, reply }) => {
    const creates = /requests\?type/i.test(request.url);
    if (creates && created >= most) return reply({ status: refusal.status, body: Buffer.from(refusal.text) });
    const answer = await forward();
    if (creates && answer.status < 300) created += 1;
    reply(answer);
  };
  return checksThrough(behave, unhurriedMs, [
    'skeleton.created',
    'skeleton.several-documents',
    'skeleton.request-id-unique',
    'create.stamping-200',
  ]);
}

test('a sandbox that is used up, from the first or the third creation on, blames nobody', async () => {
  for (const [most, status, text, says] of [
    [0, 403, 'Sandbox quota exceeded', /used up: remove the requests of earlier runs/],
    [2, 422, '{"message":"limit of requests reached"}', /limits\.requests in the profile/],
    [2, 403, '', /taken before and is not for this: look at the rights of the account/],
  ] as const) {
    const { verdicts, reasons, blame } = await checksWith(most, { status, text });
    expect(blame).toEqual([]);
    expect(verdicts['could-not-run']?.length).toBeGreaterThan(0);
    expect(reasons.join('\n')).toMatch(says);
    for (const reason of reasons) expect(reason).not.toContain('ESIGN_TOKEN');
  }
});
