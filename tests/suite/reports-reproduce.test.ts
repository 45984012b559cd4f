/** Reproductions of a failure: the script for sh makes the whole chain of calls again, and both say what the run said. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, type TestInfo, test } from '@playwright/test';
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { personAt } from '../../harness/judging/shared.ts';
import { otpType } from '../../openapi/codes.ts';
import { requirement } from '../../openapi/requirements/catalogue.ts';
import { startReference } from '../../reference/server.ts';
import { reproduction } from '../../reports/reproduce.ts';
import type { Run } from '../../reports/run.ts';
import { exchange, record, run } from './reports-sample.ts';
import { pathWithCurl } from './services/curl.ts';
import { sessionAt } from './services/session.ts';

const id = 'otp.mobile-required';
const entry = { ...requirement(id), id };
const withoutMobile = { IsRequired: true, Type: otpType.sms };

/** A run against the reference service that breaks the requirement, and its scripts. */
async function seen(info: TestInfo, dialect: Parameters<typeof startReference>[0] = {}) {
  const reference = await startReference({ ...dialect, faults: ['otp.mobile-required/2-absent-accepted'] });
  const out = info.outputPath('out');
  const session = sessionAt(reference.baseUrl, out, {
    auth: { kind: 'static', token: reference.tokens.valid },
    upload: { encoding: 'multipart', field: 'file' },
  });
  const requestId = await session.request(1);
  const facts = await session.facts();
  const json = { ...minimalSignatory({ person: personAt(facts, 'reproduction') }), OTP: withoutMobile };
  const call = { operation: 'addSignatory', purpose: 'judged', requestId, deliberate: true } as const;
  const answer = await session.call({ ...call, body: { json } });
  const told: Run = run({
    record: record({
      target: { name: 'reference', baseUrl: reference.baseUrl, profileHash: '' },
      exchanges: session.recorder.settled(),
      created: session.created(),
    }),
  });
  await session.close();
  const decisive = told.exchanges[answer.exchange.index] ?? exchange(0);
  return {
    reference,
    out,
    requestId,
    told,
    decisive,
    scripts: reproduction(told, entry, decisive, 'expected 400'),
  };
}

const withoutCurl = 'where there is only a stand-in for curl';

for (const [title, dialect] of [
  ['with ids as they are by default', {}],
  ['with ids that a path does not take as they are', { dialect: { idForm: 'slash' } }],
  [withoutCurl, {}],
  ['with ids that are digits', { dialect: { idForm: 'digits' } }],
] as const) {
  test(`the script for sh uploads, creates and calls, ${title}`, async ({}, info) => {
    const { reference, out, requestId, scripts } = await seen(info, dialect);
    try {
      expect(scripts.calls).toBe(3);
      const env = {
        PATH: pathWithCurl(info.outputPath('curl'), title === withoutCurl ? false : undefined),
        TOKEN: reference.tokens.valid,
      };
      const { stdout } = await promisify(execFile)('sh', ['-c', scripts.sh], { cwd: out, env });
      expect(stdout).toMatch(/^in the run: expected 400\nnow:\nHTTP\/1\.1 2\d\d /);
      expect(stdout).toContain('"signatoryId"');
      // A request of its own, not the one of the run.
      expect(stdout).not.toContain(requestId);
    } finally {
      await reference.close();
    }
  });
}

test('the script for sh stops without a token, and where it is started in another folder', async ({}, info) => {
  const { reference, out, scripts } = await seen(info);
  await reference.close();
  const start = (cwd: string, env: Record<string, string>) =>
    promisify(execFile)('sh', ['-c', scripts.sh], { cwd, env: { PATH: process.env.PATH ?? '', ...env } });
  await expect(start(out, {})).rejects.toThrow('TOKEN: set it to an access token of the target');
  await expect(start(info.outputPath('.'), { TOKEN: 'x' })).rejects.toThrow(
    'start it in the folder of run.json',
  );
});

test('both scripts carry the statement, what was said, and no token or id of the run', async ({}, info) => {
  const { reference, requestId, scripts } = await seen(info);
  await reference.close();
  for (const text of [scripts.sh, scripts.powershell]) {
    expect(text).toContain(`# ${id}: ${entry.statement}\n`);
    expect(text).toContain(`'in the run: expected 400'`);
    expect(text).not.toContain(requestId);
    expect(text).not.toContain(reference.tokens.valid);
  }
  expect(scripts.powershell).toContain(`-H ('Authorization: Bearer ' + $TOKEN)`);
  expect(scripts.powershell).toContain(`'"requestId"\\s*:\\s*("[^"]*"|\\d+)' 1 2`);
});

test('nothing that a target said gets out of its quotes or its comment', () => {
  const evil = `'; touch owned; echo "$(touch owned)" \`touch owned\`\n touch owned`;
  const said = exchange(0, {
    response: { status: 200, reason: evil, headers: [], body: null },
    request: {
      method: 'POST',
      url: `http://127.0.0.1:1/${evil}`,
      headers: [['X-Evil', evil]],
      body: { mediaType: 'text/plain', size: 1, sha256: 'a', text: evil },
    },
  });
  const told = run({ record: record({ exchanges: [said] }) });
  const { sh, powershell } = reproduction(told, { ...entry, statement: evil }, said, evil);
  const escaped = evil.replaceAll("'", `'\\''`);
  const oneLine = escaped.replaceAll(/\s+/g, ' ');
  expect(sh.split(escaped)).toHaveLength(4);
  expect(sh.split(oneLine)).toHaveLength(2);
  expect(
    sh
      .replaceAll(escaped, '')
      .replace(oneLine, '')
      .split('\n')
      .filter((line) => line.includes('touch')),
  ).toEqual(sh.split('\n').filter((line) => line.startsWith('#') && line.includes('touch')));
  expect(powershell.split(evil.replaceAll("'", "''"))).toHaveLength(4);
});

/** The script for a call that carries these header fields and nothing else, up to what `until` stands in. */
function scriptWith(headers: readonly (readonly [string, string])[], until: string): string {
  const sent = exchange(0, { request: { method: 'GET', url: 'http://127.0.0.1:1/', headers, body: null } });
  const { sh } = reproduction(run({ record: record({ exchanges: [sent] }) }), entry, sent);
  return sh.slice(0, sh.indexOf(until));
}

test('tokens that nobody issued, and altered ones, are made by the script', async () => {
  const setUp = scriptWith(
    [
      ['Authorization', 'Bearer [altered access token]'],
      ['X-Other', '[unknown access token] [access code]'],
    ],
    'BASE_URL=',
  );
  const shown = async (TOKEN: string) => {
    const script = `${setUp}echo "$ALTERED_TOKEN|$UNKNOWN_TOKEN|$ACCESS_CODE"`;
    const { stdout } = await promisify(execFile)('sh', ['-c', script], {
      env: { PATH: process.env.PATH ?? '', TOKEN },
    });
    return stdout.trim().split('|');
  };
  expect(await shown('head.AZaz09-_zz.tail')).toEqual([
    'head.AAba10-_az.tail',
    expect.stringMatching(/^[\w-]{16,}$/),
    expect.stringMatching(/^[0-9a-f]{12}$/),
  ]);
  expect((await shown('a'))[0]).toBe('b');
});

test('what a profile takes from the environment is asked for by its name', () => {
  const script = scriptWith([['X-Gateway-Key', '[ACME_GATEWAY_KEY]']], 'curl');
  expect(script).toMatch(/^: "\$\{ACME_GATEWAY_KEY:\?set it to its value\}"$/m);
  expect(script).not.toContain('TOKEN');
});
