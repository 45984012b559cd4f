/** Hosts that are no service: a clear message once, the right exit code, and nobody is blamed. */
import { expect, test } from '@playwright/test';
import type { Run } from '../../reports/run/run.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { inProcess } from './cli-spawn.ts';
import { badHosts } from './services/bad-hosts.ts';
import { checksAt } from './services/checks-at.ts';
import { deadPort, type Loopback } from './services/loopback.ts';

/** From the first call to the end of the last one. */
function waitedMs({ exchanges }: Run): number {
  const starts = exchanges.map(({ startedAt }) => Date.parse(startedAt));
  const ends = exchanges.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs);
  return Math.max(...ends) - Math.min(...starts);
}

type Host = readonly [title: string, host: () => Promise<Loopback>, reason: RegExp];

const hosts: readonly Host[] = [
  [
    'a web site',
    badHosts.html,
    /was answered with 200 the page "Hello, visitor\."; that is a web page, of a gateway or a login perhaps, and not an answer of the service: is the base URL right\?$/,
  ],
  [
    'a wrong access token',
    badHosts.unauthorized,
    /was answered with 401 .*; the access token of the run is not accepted: look at ESIGN_TOKEN or at auth in the profile, /,
  ],
  [
    'a host that never answers',
    badHosts.silent,
    /had no answer: no complete answer within 2000 ms; is the base URL right, and the service up\?$/,
  ],
  [
    'a host that says 500 to everything',
    badHosts.error,
    /was answered with 500 .*; the target is in trouble$/,
  ],
  [
    'a host that has none of the paths',
    badHosts.notFound,
    /was answered with 404 nothing here; another endpoint is not found there either: is the base URL right\?$/,
  ],
  [
    'a host that sends everybody to a login page',
    badHosts.login,
    /was answered with 302 .*; it redirects to https:\/\/login\.example\.com\/: is the base URL right\?$/,
  ],
  [
    'a wrong access token that is refused with 200',
    badHosts.unauthorizedPolitely,
    /was answered with 200 .*; the access token of the run is not accepted/,
  ],
  ['a host that is busy for good', badHosts.busy, /was answered with 503 busy; the target is in trouble$/],
  [
    'a host that resets every connection',
    badHosts.reset,
    /had no answer: the connection was reset; is the base URL right, and the service up\?$/,
  ],
  ['another protocol', badHosts.otherProtocol, /had no answer: what came is no HTTP/],
  [
    'a certificate that nobody vouches for',
    badHosts.selfSigned,
    /had no answer: the TLS certificate is not trusted \(self-signed certificate\): name the certificate of its CA in address\.ca of the profile$/,
  ],
];

/** What came of the checks at each host, by its title. */
const found = new Map<string, Awaited<ReturnType<typeof checksAt>>>();

test.beforeAll(async () => {
  // Side by side: most of their time is waiting.
  await Promise.all(
    hosts.map(async ([title, host]) => {
      const { baseUrl, close } = await host();
      // Whoever answers has the time to, also on a busy machine.
      const deadlineMs = host === badHosts.silent ? 2_000 : 30_000;
      const target = { baseUrl, token: 'some-access-token', deadlineMs };
      found.set(
        title,
        await checksAt(target, [
          'upload.pdf',
          'upload.token-missing',
          'skeleton.created',
          'signatory.added',
          'stamping.status-200',
        ]),
      );
      await close();
    }),
  );
});

for (const [title, , reason] of hosts) {
  test(`${title}: nothing can run, with one reason for all`, () => {
    const { verdicts = {}, reasons = [], exchanges = [] } = found.get(title) ?? {};
    expect(Object.keys(verdicts)).toEqual(['could-not-run']);
    expect(new Set(reasons).size).toBe(1);
    expect(reasons[0]).toMatch(/^the upload of a first document \(exchange \d+\) /);
    expect(reasons[0]).toMatch(reason);
    expect(exchanges.length).toBeLessThanOrEqual(30);
  });
}

test('a port on which nothing listens is incomplete within 15 seconds, with one reason for all, told once', async ({}, info) => {
  const out = info.outputPath('out');
  const given = ['--base-url', `http://127.0.0.1:${await deadPort()}`, '--out', out];
  const ended = await inProcess(given, { ESIGN_TOKEN: 'some-access-token' });
  // Neither stack nor warning of Node.
  expect(ended.stdout + ended.stderr).not.toMatch(/^\s+at \S+ |node:internal|Warning:|\[object /m);
  const run = readRun(out);
  expect({ code: ended.code, stderr: ended.stderr, verdict: run.verdict }).toEqual({
    code: 2,
    stderr: '',
    verdict: 'incomplete',
  });
  expect(waitedMs(run)).toBeLessThan(15_000);
  expect(run.exchanges.length).toBeLessThanOrEqual(30);
  const checked = run.requirements.filter(({ checks }) => checks.length > 0);
  expect([...new Set(checked.map(({ verdict }) => verdict))].sort()).toEqual([
    'could-not-run',
    'not-applicable',
  ]);
  const stopped = checked.filter(({ verdict }) => verdict === 'could-not-run');
  const [reason = '', ...others] = new Set(stopped.map((each) => each.reason));
  expect(others).toEqual([]);
  expect(reason).toMatch(
    /had no answer: the connection was refused: nothing listens there; is the base URL right, and the service up\?$/,
  );
  expect(ended.stdout.split(reason.slice(0, 60))).toHaveLength(2);
});

test('a host that answers every call with 200 and a JSON object is not taken for the service', async () => {
  const { baseUrl, close } = await badHosts.json();
  const { verdicts } = await checksAt({ baseUrl, token: 'some-token', deadlineMs: 8_000 });
  await close();
  expect(verdicts.passed ?? []).toEqual([]);
  // The one thing that is certain: an answer to an upload that holds no token.
  expect(['', 'upload.returns-token']).toContain((verdicts.failed ?? []).join());
});
