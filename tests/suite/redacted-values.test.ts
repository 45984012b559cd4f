/** What is redacted is never read back: values of the environment that stand in addresses and ids as well. */
import { writeFileSync } from 'node:fs';
import { expect, type TestInfo, test } from '@playwright/test';
import { startReference } from '../../reference/server.ts';
import type { Run } from '../../reports/run/run.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { referenceProfile } from '../../running/reference-target.ts';
import { inProcess } from './cli-spawn.ts';

interface Given {
  readonly env: Record<string, string>;
  readonly header: string;
}

/** A run whose environment gives the base URL, and whose profile has further variables in a header. */
async function runWith(info: TestInfo, { env, header }: Given) {
  const reference = await startReference();
  const base = new URL(reference.baseUrl);
  base.hostname = 'localhost';
  const { valid, expired } = reference.tokens;
  const target = info.outputPath('profile.json');
  const written = {
    ...referenceProfile(reference),
    address: { baseUrl: `\${BASE}` },
    auth: { kind: 'static', token: `\${TOKEN}`, expiredToken: `\${EXPIRED}` },
  };
  const { deleteRequest } = written.calls ?? {};
  const calls = { ...written.calls, deleteRequest: { ...deleteRequest, headers: { 'X-Api-Key': header } } };
  writeFileSync(target, JSON.stringify({ ...written, calls }));
  const out = info.outputPath('out');
  const ended = await inProcess(
    ['--target', target, '--only', 'signatory.request-id-echoed,skeleton.token-missing', '--out', out],
    { BASE: base.href.replace(/\/$/, ''), TOKEN: valid, EXPIRED: expired, ...env },
  );
  await reference.close();
  return { ...ended, run: readRun(out) };
}

/** What is judged and observed with a secret that occurs nowhere else. */
const plain = { env: { KEY: 'occurs-nowhere' }, header: `\${KEY}` };

/** Secrets that are the base URL and its host, stand in each path, and are a field of each answer. */
const redacted = {
  env: { HOST: 'localhost', PART: 'requests', FIELD: 'requestId' },
  header: `\${BASE} \${HOST} \${PART} \${FIELD}`,
};

test('a run judges and observes the same, whatever of it is redacted', async ({}, info) => {
  const expected = await runWith(info, plain);
  expect(expected.code).toBe(0);
  const { code, stdout, stderr, run } = await runWith(info, redacted);
  expect(`${stdout}${stderr}`).not.toContain('Invalid URL');
  expect({ code, problems: run.problems }).toEqual({ code: 0, problems: [] });
  expect(observedIn(run)).toEqual(observedIn(expected.run));
  const { baseUrl } = run.target;
  for (const { request } of run.exchanges) expect(new URL(request.url).origin).toBe(new URL(baseUrl).origin);
});

/** What a run observed that does not depend on the moment, by gap and key. */
function observedIn({ gaps }: Run): string[] {
  return gaps.flatMap(({ id, observations }) =>
    observations.filter(({ stability }) => stability === 'stable').map(({ key }) => `${id} ${key}`),
  );
}
