/** Reproductions of a failure: the script for sh makes the whole chain of calls again, and both say what the run said. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, type TestInfo, test } from '@playwright/test';
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { personAt } from '../../harness/judging/names.ts';
import { otpType } from '../../openapi/codes.ts';
import { requirement } from '../../openapi/requirements/catalogue.ts';
import { startReference } from '../../reference/server.ts';
import { forHost, piecesOf } from '../../reports/reproduce/pieces.ts';
import { reproduction } from '../../reports/reproduce/scripts.ts';
import type { Run } from '../../reports/run/run.ts';
import { exchange, record, run } from './reports-sample.ts';
import { serve } from './services/loopback.ts';
import { sessionAt } from './services/session.ts';

const id = 'otp.mobile-required';
const entry = { ...requirement(id), id };
const tokenOf = (baseUrl: string) => forHost('TOKEN', new URL(baseUrl).host);
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

for (const [title, dialect] of [
  ['with ids as they are by default', {}],
  ['with ids that a path does not take as they are', { dialect: { idForm: 'slash' } }],
  ['with ids that are digits', { dialect: { idForm: 'digits' } }],
] as const) {
  test(`the script for sh uploads, creates and calls, ${title}`, async ({}, info) => {
    const { reference, out, requestId, scripts } = await seen(info, dialect);
    try {
      expect(scripts.calls).toBe(3);
      const env = { PATH: process.env.PATH ?? '', [tokenOf(reference.baseUrl)]: reference.tokens.valid };
      const { stdout, stderr } = await promisify(execFile)('sh', ['-c', scripts.sh], { cwd: out, env });
      expect(stderr).toBe('the status is as in the run: 200\n');
      const other = scripts.sh.replace('"$now" = 200', '"$now" = 400');
      const differs = promisify(execFile)('sh', ['-c', other], { cwd: out, env });
      await expect(differs).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('200 now') });
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
  await expect(start(out, {})).rejects.toThrow(
    /TOKEN_FOR_127_0_0_1_x3a_\d+: set it to an access token of the target for this host alone/,
  );
  await expect(start(info.outputPath('.'), { [tokenOf(reference.baseUrl)]: 'x' })).rejects.toThrow(
    'start it in the folder that has bodies/',
  );
});

test('the script for sh writes through no link in its folder, which may have come with the run', async ({}, info) => {
  const { reference, out, scripts } = await seen(info);
  await reference.close();
  const outside = info.outputPath('outside');
  writeFileSync(outside, 'as it was');
  const folder = join(out, 'reproduce', entry.id);
  const env = { PATH: process.env.PATH ?? '', [tokenOf(reference.baseUrl)]: 'x' };
  const start = () => promisify(execFile)('sh', ['-c', scripts.sh], { cwd: out, env });
  mkdirSync(folder, { recursive: true });
  symlinkSync(outside, join(folder, 'headers-1.txt'));
  await expect(start()).rejects.toThrow('it holds a link, through which nothing is written');
  rmSync(folder, { recursive: true });
  symlinkSync(info.outputPath('.'), folder);
  await expect(start()).rejects.toThrow('it holds a link, through which nothing is written');
  expect(readFileSync(outside, 'utf8')).toBe('as it was');
});

/** The script for a call that carries these header fields and nothing else, up to what `until` stands in. */
function scriptWith(headers: readonly (readonly [string, string])[], until: string): string {
  const sent = exchange(0, { request: { method: 'GET', url: 'http://127.0.0.1:1/', headers, body: null } });
  const { sh } = reproduction(run({ record: record({ exchanges: [sent] }) }), entry, sent);
  return sh.slice(0, sh.indexOf(until));
}

test('what a profile takes from the environment is asked for by its name', () => {
  const script = scriptWith([['X-Gateway-Key', '[ACME_GATEWAY_KEY]']], 'curl');
  expect(script).toMatch(
    /^: "\$\{ACME_GATEWAY_KEY_FOR_127_0_0_1_x3a_1:\?set it to its value for this host alone\}"$/m,
  );
  expect(script).not.toContain('TOKEN');
});

const evils = [
  `'; touch owned; echo "$(touch owned)" \`touch owned\` ; '`,
  `" ; touch owned ; "`,
  '\u2019; touch owned; \u2018',
  '$(touch owned)',
  '@/etc/passwd',
  '-o owned',
  '\ntouch owned\n',
  '#\n1e touch owned\n',
  '[AWS_SECRET_ACCESS_KEY] [access token] [credentials]',
];

/**
 * A run of a stranger whose calls go to `baseUrl`, with hostile values in every text of it.
 * @param line whether also in method and URL, with which curl sends nothing
 */
function hostileRun(baseUrl: string, evil: string, line = true): Run {
  const said = (index: number) =>
    exchange(index, {
      response: {
        status: 200,
        reason: evil,
        headers: [[evil, `${evil}r-1`]],
        body: {
          mediaType: 'application/json',
          size: 1,
          sha256: 'b',
          text: JSON.stringify({ [evil]: 'r-1' }),
        },
      },
      request: {
        method: line ? evil : 'POST',
        url: `${baseUrl}/${index === 0 ? '' : 'r-1'}${line ? evil : ''}`,
        headers: [
          ['X-Evil', evil],
          [evil, 'value'],
          [`@${evil}`, ''],
        ],
        body: {
          mediaType: 'text/plain',
          size: 1,
          sha256: 'a',
          text: `${evil} {"CallbackUrl":"http:${evil}"}`,
        },
      },
      retries: [evil],
      attempts: [{ status: 404, because: 'early', waitedMs: 99_999_999 }],
      curl: `curl ${evil}`,
    });
  return run({
    record: record({
      target: { name: evil, baseUrl, profileHash: evil },
      exchanges: [said(0), said(1)],
      created: [{ kind: 'request', id: 'r-1', exchange: 0 }],
    }),
  });
}

/** What of a PowerShell script stands outside of its comments and of texts between single quotes. */
function outside(script: string): string {
  const quotes = /['\u2018-\u201b]/;
  let rest = '';
  for (let at = 0; at < script.length; at += 1) {
    const sign = script.charAt(at);
    if (quotes.test(sign)) {
      for (at += 1; at < script.length; at += 1) {
        if (!quotes.test(script.charAt(at))) continue;
        if (!quotes.test(script.charAt(at + 1))) break;
        at += 1;
      }
    } else if (sign === '#' && /^$|\s/.test(script.charAt(at - 1))) {
      while (at < script.length && script.charAt(at) !== '\n') at += 1;
      rest += '\n';
    } else rest += sign;
  }
  return rest;
}

const ofReader = {
  TOKEN: 'a-token-of-the-reader',
  AWS_SECRET_ACCESS_KEY: 'a-key-of-the-reader',
  CREDENTIALS: 'credentials-of-the-reader',
};

for (const shell of ['sh', 'bash', 'pwsh'] as const) {
  const there = spawnSync(shell, ['-c', 'exit 0']).status === 0;
  test(`a stranger's run makes ${shell} do nothing but its calls${there ? '' : ' (not on this machine: its quoting is checked)'}`, async ({}, info) => {
    const heard: string[] = [];
    const server = await serve(({ url, rawHeaders, body }, response) => {
      heard.push(JSON.stringify([url, rawHeaders]), String(body));
      response.end('{}');
    });
    for (const [index, [evil, line]] of evils
      .flatMap((each) => [[each, true] as const, [each, false] as const])
      .entries()) {
      const cwd = info.outputPath(String(index));
      mkdirSync(cwd);
      const told = hostileRun(server.baseUrl, evil, line);
      const last = told.exchanges[1] ?? exchange(1);
      const { sh, powershell } = reproduction(told, { ...entry, statement: evil }, last, evil);
      expect(outside(powershell)).not.toMatch(/owned|passwd/);
      if (!there) continue;
      const file = join(cwd, shell === 'pwsh' ? 'x.ps1' : 'x.sh');
      writeFileSync(file, shell === 'pwsh' ? powershell : sh.replaceAll(/^sleep .*$/gm, ''));
      const env = { PATH: process.env.PATH ?? '', ...ofReader };
      const args = shell === 'pwsh' ? ['-File', file] : [file];
      const child = spawn(shell, args, { cwd, env, stdio: 'ignore' });
      // It may fail: a call that is none is not made.
      await once(child, 'exit');
      const left = readdirSync(cwd, { recursive: true, encoding: 'utf8' });
      expect(left.filter((name) => /owned$/.test(name))).toEqual([]);
    }
    await server.close();
    const all = heard.join('\n');
    if (there) expect(all).toContain('X-Evil');
    for (const secret of [...Object.values(ofReader), 'root:x:']) expect(all).not.toContain(secret);
  });
}

test('a chain that a stranger made endless makes a script of bounded length, up to the call itself', () => {
  const exchanges = Array.from({ length: 1000 }, (_, index) =>
    exchange(index, {
      request: { ...exchange(0).request, url: `http://127.0.0.1:1/r/id${index - 1}`, body: null },
    }),
  );
  const created = exchanges.map(({ index }) => ({
    kind: 'request' as const,
    id: `id${index}`,
    exchange: index,
  }));
  const told = run({ record: record({ exchanges, created }) });
  const { calls, sh } = reproduction(told, entry, told.exchanges[999] ?? exchange(999));
  expect(calls).toBe(200);
  expect(sh).toContain('exchange 999');
});

test('ids that a stranger listed by the ten thousands are not looked for without end', () => {
  let looked = 0;
  const text = ' '.repeat(10_000);
  const body = {
    mediaType: '',
    size: 1,
    sha256: '',
    get text() {
      looked += 1;
      return text;
    },
  };
  const exchanges = Array.from({ length: 200 }, (_, index) =>
    exchange(index, {
      request: { ...exchange(0).request, url: `http://127.0.0.1:1/r/id${index - 1}`, body },
    }),
  );
  const created = Array.from({ length: 20_000 }, (_, index) => ({
    kind: 'request' as const,
    id: `id${index}`,
    exchange: index < 200 ? index : 0,
  }));
  const told = run({ record: record({ exchanges, created }) });
  const { sh } = reproduction(told, entry, told.exchanges[199] ?? exchange(199));
  expect(sh).toContain('exchange 199');
  expect(looked).toBeLessThan(1_500_000);
});

test('a value that is longer than a pattern may be is found in what follows', () => {
  const value = '+'.repeat(40_000);
  const text = `/a${encodeURIComponent(value)}/${value}[ACME_KEY]b${value}c`;
  expect(piecesOf(text, [{ value, variable: 'ID' }], { host: 'h', where: 'head' })).toEqual([
    '/a',
    { variable: 'ID', encoded: true },
    '/',
    { variable: 'ID' },
    { variable: 'ACME_KEY_FOR_H' },
    'b',
    { variable: 'ID' },
    'c',
  ]);
});

test('no two hosts have one name for a secret', () => {
  const hosts = [
    'api.acme.com',
    'api-acme.com',
    'api_acme.com',
    'api.acme.com:1',
    'api.acme.com\\@b',
    'a.x2d.b',
    'a-b',
    'a_x2d_b',
  ];
  const names = hosts.map((host) => forHost('TOKEN', host));
  expect(new Set(names).size).toBe(hosts.length);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_]+$/);
  expect(names[0]).toBe('TOKEN_FOR_API_ACME_COM');
});
