/** Bad input, end to end: a clear message once, the right exit code, within 15 seconds, and nobody is blamed. */
import { writeFileSync } from 'node:fs';
import { expect, type TestInfo, test } from '@playwright/test';
import type { Run } from '../../reports/run.ts';
import { readRun } from '../../reports/run-file.ts';
import { cli, type Ended, inProcess } from './cli-spawn.ts';
import { badHosts } from './services/bad-hosts.ts';
import { checksAt } from './services/checks-at.ts';
import { deadPort, type Loopback } from './services/loopback.ts';
import { reference } from './services/profiles.ts';

/** As long as a person waits; a second deadline of 8 s would not fit. */
const longestMs = 15_000;

/** From the first call to the end of the last one. */
function waitedMs({ exchanges }: Run): number {
  const starts = exchanges.map(({ startedAt }) => Date.parse(startedAt));
  const ends = exchanges.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs);
  return Math.max(...ends) - Math.min(...starts);
}

/** Neither stack nor warning of Node. */
function expectPlainWords({ stdout, stderr }: Ended): void {
  expect(stdout + stderr).not.toMatch(/^\s+at \S+ |node:internal|Warning:|\[object /m);
}

/** A check of each area and of each step: all stumble over the same thing. */
const some = [
  '--only',
  'upload.pdf,upload.token-missing,skeleton,signatory.added,otp.sms,stamping.status-200',
];

/** Runs checks against a base URL, and returns the words that say why nothing could run. */
async function reasonAt(info: TestInfo, baseUrl: string, selection = some): Promise<string> {
  const out = info.outputPath('out');
  const env = { ESIGN_TOKEN: 'some-access-token' };
  const ended = await inProcess(['--base-url', baseUrl, '--out', out, ...selection], env);
  expectPlainWords(ended);
  expect(ended.stderr).toBe('');
  const run = readRun(out);
  expect(waitedMs(run)).toBeLessThan(longestMs);
  const verdicts = new Set(
    run.requirements.filter(({ checks }) => checks.length > 0).map(({ verdict }) => verdict),
  );
  expect([...verdicts].sort()).toEqual(['could-not-run', 'not-applicable']);
  expect(run.exchanges.length).toBeLessThanOrEqual(30);
  // All have one and the same reason, and the terminal tells it once.
  const reasons = new Set(
    run.requirements.filter(({ verdict }) => verdict === 'could-not-run').map(({ reason }) => reason),
  );
  expect(reasons.size).toBe(1);
  const [reason = ''] = reasons;
  expect(ended.stdout.split(reason.slice(0, 60))).toHaveLength(2);
  expect({ code: ended.code, verdict: run.verdict }).toEqual({ code: 2, verdict: 'incomplete' });
  return reason;
}

type Host = readonly [title: string, host: () => Promise<Loopback>, reason: RegExp];

/** From the command line, of each class one: a wrong address, a wrong token, silence. */
const told: readonly Host[] = [
  [
    'a web site',
    badHosts.html,
    /was answered with 200 <!doctype html>.*; that is a web page and not an answer of the service: is the base URL right\?$/,
  ],
  [
    'a wrong access token',
    badHosts.unauthorized,
    /was answered with 401 .*; the access token of the run is not accepted: look at ESIGN_TOKEN or at auth in the profile, /,
  ],
  [
    'a host that never answers',
    badHosts.silent,
    /had no answer: no complete answer within 8000 ms; is the base URL right, and the service up\?$/,
  ],
];

const others: readonly Host[] = [
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
  [
    'an answer without an end',
    badHosts.endless,
    /had no answer: (the answer is longer than|no complete answer within)/,
  ],
];

for (const [title, host, reason] of told) {
  test(`${title} is incomplete, with one reason for all`, async ({}, info) => {
    const { baseUrl, close } = await host();
    const said = await reasonAt(info, baseUrl);
    await close();
    expect(said).toMatch(/^the upload of a first document \(exchange \d+\) /);
    expect(said).toMatch(reason);
  });
}

for (const [title, host, reason] of others) {
  test(`${title}: nothing can run, with one reason for all`, async () => {
    const { baseUrl, close } = await host();
    const { verdicts, reasons, exchanges } = await checksAt(
      { baseUrl, token: 'some-access-token', deadlineMs: 8_000 },
      ['upload.pdf', 'upload.token-missing', 'skeleton.created', 'signatory.added', 'stamping.status-200'],
    );
    await close();
    expect(Object.keys(verdicts)).toEqual(['could-not-run']);
    expect(new Set(reasons).size).toBe(1);
    expect(reasons[0]).toMatch(/^the upload of a first document \(exchange \d+\) /);
    expect(reasons[0]).toMatch(reason);
    expect(exchanges.length).toBeLessThanOrEqual(30);
  });
}

test('a port on which nothing listens is incomplete, with one reason for all', async ({}, info) => {
  expect(await reasonAt(info, `http://127.0.0.1:${await deadPort()}`, [])).toMatch(
    /had no answer: the connection was refused: nothing listens there; is the base URL right, and the service up\?$/,
  );
});

test('a host name that does not exist is incomplete, with one reason for all', async ({}, info) => {
  expect(await reasonAt(info, 'https://sandbox.invalid')).toMatch(
    /had no answer: the host name (is not known|could not be looked up); is the base URL right, and the service up\?$/,
  );
});

test('a host that answers every call with 200 and a JSON object is not taken for the service', async ({}, info) => {
  const out = info.outputPath('out');
  const { baseUrl, close } = await badHosts.json();
  const ended = await inProcess(['--base-url', baseUrl, '--out', out], { ESIGN_TOKEN: 'some-token' });
  await close();
  expectPlainWords(ended);
  expect([1, 2]).toContain(ended.code);
  const run = readRun(out);
  const failed = run.requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
  // The one thing that is certain: an answer to an upload that holds no token.
  expect(['', 'upload.returns-token']).toContain(failed.join());
  expect(run.requirements.filter(({ verdict }) => verdict === 'passed')).toEqual([]);
});

test('a token endpoint that is down is incomplete, with one reason for all', async ({}, info) => {
  const service = await badHosts.html();
  const endpoint = `http://127.0.0.1:${await deadPort()}/oauth/token`;
  const target = info.outputPath('acme.yaml');
  writeFileSync(
    target,
    `address: { baseUrl: ${service.baseUrl} }
auth: { kind: client-credentials, tokenEndpoint: ${endpoint}, clientId: id, clientSecret: "${reference('SECRET')}" }
`,
  );
  const out = info.outputPath('out');
  const env = { SECRET: 'secret-of-the-tests' };
  const ended = await inProcess(['--target', target, '--out', out], env);
  await service.close();
  expectPlainWords(ended);
  const run = readRun(out);
  const reasons = new Set(
    run.requirements.filter(({ verdict }) => verdict === 'could-not-run').map(({ reason }) => reason),
  );
  expect([...reasons]).toEqual([
    `no access token from ${endpoint}: the connection was refused: nothing listens there`,
  ]);
  expect(run.exchanges).toEqual([]);
  expect({ code: ended.code, verdict: run.verdict }).toEqual({ code: 2, verdict: 'incomplete' });
});

const profiles: readonly (readonly [title: string, profile: string, message: RegExp])[] = [
  [
    'a misspelt key',
    'address: { baseUrl: https://sandbox.example.com, inFlite: 3 }\nauth: {}\n',
    /acme\.yaml: address\.inFlite is unknown; did you mean inFlight\?/,
  ],
  [
    'a certificate that is not there',
    `address: { baseUrl: https://a.example, ca: nowhere.pem }\nauth: { kind: static, token: "${reference('PATH')}" }\n`,
    /acme\.yaml: address\.ca "nowhere\.pem" is no certificate: .*nowhere\.pem: there is no such file/,
  ],
  [
    'a variable that is not set',
    `address: { baseUrl: https://a.example }\nauth: { kind: static, token: "${reference('ACME_TOKEN')}" }\n`,
    /acme\.yaml: auth\.token refers to \$\{ACME_TOKEN\}, which is not set; export ACME_TOKEN first/,
  ],
  ['no YAML', 'address: [\n', /acme\.yaml:2: is neither YAML nor JSON: /],
];

for (const [title, profile, message] of profiles) {
  test(`a profile with ${title} is refused before anything is called`, async ({}, info) => {
    const target = info.outputPath('acme.yaml');
    writeFileSync(target, profile);
    const ended = await cli('--target', target, '--out', info.outputPath('out'));
    expectPlainWords(ended);
    expect(ended.stderr).toMatch(message);
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 3, stdout: '' });
  });
}
