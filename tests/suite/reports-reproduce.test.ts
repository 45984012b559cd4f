/** Reproductions of a failure: the script for sh makes the whole chain of calls again, or all calls of a flow, and both say what the run said. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, type TestInfo, test } from '@playwright/test';
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { personAt } from '../../harness/judging/names.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import type { RunSession } from '../../harness/session/run-session.ts';
import { otpType } from '../../openapi/codes.ts';
import { requirement } from '../../openapi/requirements/catalogue.ts';
import { curlOf } from '../../record/curl.ts';
import type { Exchange } from '../../record/exchange.ts';
import { startReference } from '../../reference/server.ts';
import { page } from '../../reports/page/page.ts';
import { forHost, piecesOf } from '../../reports/reproduce/pieces.ts';
import { reproduction } from '../../reports/reproduce/scripts.ts';
import { callsOfFlow, decisive } from '../../reports/run/decisive.ts';
import type { Run } from '../../reports/run/run.ts';
import { storyFiles } from '../../reports/texts/explored.ts';
import { referenceProfile } from '../../running/reference-target.ts';
import { inParallel, inSequence } from '../../tests/flows/people.ts';
import { asLoaded, withSession } from '../proof/session.ts';
import { bodyOf, delivery, exchange, record, requirementOf, result, results, run } from './reports-sample.ts';
import { serve } from './services/loopback.ts';
import { sessionAt } from './services/session.ts';

const id = 'otp.mobile-required';
const entry = { ...requirement(id), id };
const tokenOf = (baseUrl: string) => forHost('TOKEN', new URL(baseUrl).host);
const withoutMobile = { IsRequired: true, Type: otpType.sms };

/** What a session has sent so far, as a run. */
const runOf = (session: RunSession, baseUrl: string) =>
  run({
    record: record({
      target: { name: 'reference', baseUrl, profileHash: '' },
      exchanges: session.recorder.settled(),
      created: session.created(),
    }),
  });

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
  const told = runOf(session, reference.baseUrl);
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

type Env = Readonly<Record<string, string>>;
const inSh = (sh: string, cwd: string, env: Env = {}) =>
  promisify(execFile)('sh', ['-c', sh], { cwd, env: { PATH: process.env.PATH ?? '', ...env } });

/** What the script for sh says as it fails. The message of the error would hold the whole script. */
const failing = (...given: Parameters<typeof inSh>): Promise<string> =>
  inSh(...given).then(
    () => '',
    ({ stderr }) => stderr,
  );

/** A call without a body, and its scripts where a run made no other. */
const getting = (url: string, headers: Exchange['request']['headers'] = []) =>
  exchange(0, { request: { method: 'GET', url, headers, body: null } });
const scriptsOf = (sent: Exchange) =>
  reproduction(run({ record: record({ exchanges: [sent] }) }), entry, sent);

test('the script for sh uploads, creates and calls, with ids that a path does not take as they are', async ({}, info) => {
  const { reference, out, requestId, scripts } = await seen(info, { dialect: { idForm: 'slash' } });
  expect(scripts.calls).toBe(3);
  const env = { [tokenOf(reference.baseUrl)]: reference.tokens.valid };
  const { stdout, stderr } = await inSh(scripts.sh, out, env);
  expect(stderr).toBe('the status is as in the run: 200\n');
  const other = scripts.sh.replace('"$now" = 200', '"$now" = 400');
  expect(await failing(other, out, env)).toContain('200 now');
  await reference.close();
  expect(stdout).toMatch(/^in the run: expected 400\nnow:\nHTTP\/1\.1 2\d\d /);
  expect(stdout).toContain('"signatoryId"');
  // A request of its own, not the one of the run.
  expect(stdout).not.toContain(requestId);
});

test('the script for sh stops without a token, and reads and writes through no link, which may have come with the run', async ({}, info) => {
  const { reference, out, scripts } = await seen(info);
  await reference.close();
  const said = (cwd = out) => failing(scripts.sh, cwd, { [tokenOf(reference.baseUrl)]: 'x' });
  expect(await failing(scripts.sh, out)).toMatch(
    /TOKEN_FOR_127_0_0_1_x3a_\d+: set it to an access token of the target for this host alone/,
  );
  const outside = info.outputPath('outside');
  writeFileSync(outside, 'as it was');
  const folder = join(out, 'reproduce', entry.id);
  mkdirSync(folder, { recursive: true });
  for (const put of [symlinkSync, linkSync]) {
    put(outside, join(folder, 'headers-1.txt'));
    expect(await said()).toContain('it holds a link, through which nothing is written');
    rmSync(join(folder, 'headers-1.txt'));
  }
  rmSync(folder, { recursive: true });
  symlinkSync(info.outputPath('.'), folder);
  expect(await said()).toContain('it holds a link, through which nothing is written');
  expect(readFileSync(outside, 'utf8')).toBe('as it was');
  rmSync(folder);
  const elsewhere = 'start it in the folder that has bodies/';
  expect(await said(info.outputPath('.'))).toContain(elsewhere);
  for (const name of readdirSync(join(out, 'bodies'))) {
    rmSync(join(out, 'bodies', name));
    symlinkSync('/etc/passwd', join(out, 'bodies', name));
  }
  expect(await said()).toContain(elsewhere);
});

test('other accounts of the machine see no secret of the script for sh: neither among its programs nor in its files', async ({}, info) => {
  const { reference, out, scripts } = await seen(info);
  const curl = spawnSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).stdout.trim();
  const given = info.outputPath('given.txt');
  mkdirSync(info.outputPath('bin'));
  const noting = `#!/bin/sh\nprintf '%s\\n' "$@" >> '${given}'\nexec '${curl}' "$@"\n`;
  writeFileSync(info.outputPath('bin', 'curl'), noting, { mode: 0o755 });
  const { stderr } = await inSh(scripts.sh, out, {
    PATH: `${info.outputPath('bin')}:${process.env.PATH}`,
    [tokenOf(reference.baseUrl)]: reference.tokens.valid,
  });
  await reference.close();
  expect(stderr).toBe('the status is as in the run: 200\n');
  expect(readFileSync(given, 'utf8')).toContain('Content-Type: application/json');
  expect(readFileSync(given, 'utf8')).not.toContain(reference.tokens.valid);
  const folder = join(out, 'reproduce', entry.id);
  for (const name of ['.', ...readdirSync(folder)]) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
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
        body: bodyOf(JSON.stringify({ [evil]: 'r-1' })),
      },
      request: {
        method: line ? evil : 'POST',
        url: `${baseUrl}/${index === 0 ? '' : 'r-1'}${line ? evil : ''}`,
        headers: [
          ['X-Evil', evil],
          [evil, 'value'],
          [`@${evil}`, ''],
        ],
        body: bodyOf(`${evil} {"CallbackUrl":"http:${evil}"}`, 'text/plain'),
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

test('curl gets ASCII alone from PowerShell: Windows may make quotation marks of other signs', () => {
  const { powershell } = scriptsOf(getting('http://127.0.0.1:1/', [['X-Evil', '\uff02 -o owned \uff02']]));
  expect(powershell).toMatch(/^ {2}if \(\$text -match '\[\^\\x00-\\x7f\]'\) \{ throw /m);
  expect(powershell).toMatch(/-H \(Argument '[^']*owned[^']*'\)/);
});

const bearer = [['Authorization', 'Bearer [access token]']] as const;

/** An id in the run of a stranger, and what the stranger's host gives in its place; `good` and `evil` are hosts. */
const ids: readonly (readonly [what: string, id: (good: string) => string, now: (evil: string) => string])[] =
  [
    ['the host', (good) => good, (evil) => evil],
    ['the port of the host', (good) => good.slice(good.indexOf(':')), (evil) => `@${evil}`],
    ['what follows the host', () => '/v2', (evil) => `@${evil}/v2`],
  ];

for (const [what, idOf, now] of ids) {
  test(`an id that is ${what} sends a secret to no other host, and an answer no commands to the terminal`, async ({}, info) => {
    const heard: string[] = [];
    // Taking out a command between two halves of another one would join them.
    const joined = Buffer.from([0xc2, 0xc2, 0x80, 0x9b]);
    const said = Buffer.concat([Buffer.from('\u001b[2J\u009b2Jdone\u0007 ä'), joined]);
    const [good, evil] = await Promise.all(
      [0, 1].map(() =>
        serve(({ rawHeaders }, response) => {
          heard.push(rawHeaders.join(' '));
          response.write(JSON.stringify({ id: now(new URL(evil?.baseUrl ?? '').host) }));
          response.end(said);
        }),
      ),
    );
    if (!good || !evil) throw new Error('nothing listens');
    const host = new URL(good.baseUrl).host;
    const body = bodyOf(JSON.stringify({ id: idOf(host) }));
    const calls = [evil, good].map(({ baseUrl }, index) => ({
      ...getting(`${baseUrl}/v2`, index === 0 ? [] : bearer),
      index,
      response: { status: 200, reason: 'OK', headers: [], body },
    }));
    for (const baseUrl of [evil.baseUrl, good.baseUrl]) {
      const created = [{ kind: 'request', id: idOf(host), exchange: 0 }] as const;
      const target = { name: '', baseUrl, profileHash: '' };
      const told = run({ record: record({ target, exchanges: calls, created }) });
      const { sh } = reproduction(told, entry, told.exchanges[1] ?? exchange(1));
      const { stdout } = await inSh(sh, info.outputPath(), { [tokenOf(good.baseUrl)]: 'of-the-reader' });
      expect(stdout).toContain('[2J?2Jdone ä');
      expect(stdout).not.toContain('\u009b');
    }
    await Promise.all([good.close(), evil.close()]);
    const told = heard.filter((each) => each.includes('of-the-reader'));
    expect(told).toHaveLength(2);
    for (const each of told) expect(each).toContain(host);
  });
}

test('a chain that a stranger made endless makes a script of bounded length, up to the call itself', () => {
  const exchanges = Array.from({ length: 1000 }, (_, index) => ({
    ...getting(`http://127.0.0.1:1/r/id${index - 1}`),
    index,
  }));
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

test('an id of few signs, such as a number that counts up, is found where it is one, and not in what looks like it', () => {
  const known = [{ value: '1', variable: 'ID' }];
  const found = (text: string, where: 'head' | 'body') =>
    piecesOf(text, known, { host: 'a.example', where }).map((each) =>
      typeof each === 'string' ? each : '?',
    );
  expect(found('/v1/requests/1/documents/10?type=1', 'head')).toEqual([
    '/v1/requests/',
    '?',
    '/documents/10?type=1',
  ]);
  expect(found('{"Documents":["1"],"CallbackTypes":[1],"Type":"1","Device":"127.0.0.1"}', 'body')).toEqual([
    '{"Documents":["',
    '?',
    '"],"CallbackTypes":[1],"Type":"1","Device":"127.0.0.1"}',
  ]);
});

test('nothing that was typed before gets into a call that is pasted into a terminal', () => {
  const sent = getting('http://127.0.0.1:1/', [['X-Evil', '[access token] !echo !!']]);
  const { sh } = scriptsOf(sent);
  const [call = ''] = /^printf .*\|\n +curl [\s\S]*?[^\\]$/m.exec(sh) ?? [];
  const typed = (line: string) => `echo typed\ncurl() { printf '%s\\n' "$@"; cat; }\n${line}\n`;
  for (const line of [call, curlOf(sent.request)]) {
    const { stdout } = spawnSync('bash', ['--norc', '-i'], { input: typed(line), encoding: 'utf8' });
    expect(stdout).toContain('X-Evil:  !echo !!');
  }
});

test('the script of a sequence starts no program that came with the run', ({}, info) => {
  const story = { requirement: id, sequence: { people: [], documents: [], steps: [] } };
  const files = storyFiles({ explored: { stories: [story] } } as unknown as Run);
  const [folder, installed] = ['of a stranger', 'installed'].map((name) => info.outputPath(name));
  for (const [place, name] of [
    [String(folder), `reproduce/${id}.sequence.sh`],
    [String(folder), 'npx'],
    [String(installed), 'npx'],
  ] as const) {
    mkdirSync(join(place, name, '..'), { recursive: true });
    writeFileSync(join(place, name), files.get(name.slice(10)) ?? '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  }
  const script = join(String(folder), 'reproduce', `${id}.sequence.sh`);
  const started = (cwd: string, more = {}, path = script) =>
    spawnSync('sh', [path], {
      cwd,
      encoding: 'utf8',
      env: { PATH: `${cwd}:${process.env.PATH}`, ...more },
    });
  for (const place of [String(folder), join(String(folder), 'reproduce')]) {
    expect(started(place)).toMatchObject({ status: 2, stdout: '' });
    expect(started(place, { ESIGN_CONFORMANCE: 'echo' }).stdout).toMatch(/^explore --replay-sequence /);
  }
  const fromHere = started(String(folder), { CDPATH: folder }, `reproduce/${id}.sequence.sh`);
  expect(fromHere).toMatchObject({ status: 2, stdout: '' });
  expect(started(String(installed)).stdout).toContain('-- esign-conformance explore --replay-sequence ');
});

test('a secret for https is not sent over http', () => {
  const [plain, secure] = ['http', 'https'].map(
    (scheme) => scriptsOf(getting(`${scheme}://api.acme.com/`, bearer)).needs,
  );
  expect([plain, secure]).toEqual([['TOKEN_FOR_API_ACME_COM_x3a_80'], ['TOKEN_FOR_API_ACME_COM']]);
});

test('no two hosts have one name for a secret', () => {
  const hosts =
    String.raw`api.acme.com api-acme.com api_acme.com api.acme.com:1 api.acme.com\@b a.x2d.b a-b a_x2d_b`.split(
      ' ',
    );
  const names = hosts.map((host) => forHost('TOKEN', host));
  // Windows does not tell small letters from capitals.
  expect(new Set(names.map((name) => name.toUpperCase())).size).toBe(hosts.length);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_]+$/);
  expect(names[0]).toBe('TOKEN_FOR_API_ACME_COM');
});

/** A flow of type 3: created, signed, and its document fetched; what failed names no call. */
const flowName = 'three stamps';
const call = (index: number, path: string, said: string, differing: Partial<Exchange>): Exchange =>
  exchange(index, {
    operation: null,
    purpose: 'template',
    ...differing,
    request: {
      method: 'POST',
      url: `http://127.0.0.1:1${path}`,
      headers: [],
      body: bodyOf(differing.curl ?? '{}'),
    },
    response: { status: 200, reason: 'OK', headers: [], body: bodyOf(said, '') },
  });
const attempts = [100, 200, 900].map((waitedMs) => ({ status: 404, because: 'early', waitedMs }) as const);
const receiver = 'http://127.0.0.1:9/callbacks/1';
const inFlow = { title: flowName, verdict: 'failed' } as const;
const evidence = { exchanges: [], deliveries: ['0'] };
const finding = { requirement: 'stamping.placed', row: flowName, verdict: 'failed', evidence } as const;
const flowRun: Run = run({
  record: record({
    exchanges: [
      call(0, '/requests', '{"requestId":"r-1001","signatories":[{"signatoryId":"s-2002"}]}', {
        purpose: 'flow',
        row: flowName,
        curl: JSON.stringify({ CallbackUrl: receiver }),
      }),
      call(1, '/requests/r-1001/signatories/s-2002/sign', '{}', { template: 'calls.sign', attempts }),
      call(2, '/requests/r-1001/documents/0', '{}', { template: 'download' }),
      call(3, '/requests/r-1001/delete', '{}', { template: 'deleteRequest' }),
    ],
    created: [{ kind: 'request', id: 'r-1001', exchange: 0 }],
    deliveries: [delivery('0')],
  }),
  results: results(
    result('stamping.placed', 'failed', {
      rows: [{ ...inFlow, message: 'they stand at one place', exchanges: [], finding }],
      timeline: [{ flow: flowName, kind: 'action', title: 'created', at: '2026-01-02T03:04:05.000Z' }],
    }),
  ),
});

test('what came of a flow is reproduced by all of its calls, with ids that its answers gave', () => {
  const failed = requirementOf(flowRun, 'stamping.placed');
  const found = decisive(failed, flowRun);
  expect(found).toMatchObject({ exchange: { index: 2 }, says: 'they stand at one place' });
  if (!found) return;
  const { calls, listens, sh, powershell } = reproduction(flowRun, failed, found.exchange, found.says);
  expect({ calls, listens }).toEqual({ calls: 3, listens: true });
  for (const script of [sh, powershell]) expect(script).not.toMatch(/r-1001|s-2002/);
  expect(sh).toContain(`CALLBACK_URL=\${CALLBACK_URL:-'${receiver}'}`);
  expect(sh).toMatch(/^# 2\. .*\nsleep 2 #/m);
  expect(powershell).toMatch(/^Start-Sleep 2 #/m);
  expect(sh.match(/^accepted \d$/gm)).toEqual(['accepted 1', 'accepted 2']);
  expect(sh).toContain(`"\${BASE_URL}/requests/\${REQUEST_ID}/signatories/\${SIGNATORY_ID}/sign"`);
});

test('the page has the calls and the deliveries of a flow that failed', () => {
  const text = page(flowRun);
  expect(text).toContain('1 failed</span> <span class="statement">three stamps');
  expect(text).toContain('Its calls: <a href="#exchange-0">0</a> <a href="#exchange-1">1</a> <a');
  expect(text).toContain('export CALLBACK_URL=…    # a receiver of yours');
  expect(text).toMatch(/<details class="more exchange"><summary>Callback 0: /);
});

/** The only calls of a profile beside that which sends: people act by one that names them so. */
const actingBy =
  (person: string) =>
  ({ calls }: Profile): Partial<Profile> => {
    const act = { method: 'POST', url: '/_control/act', body: { person, act: '{act}' } };
    return { calls: { send: calls?.send, sign: act, approve: act } };
  };

test('people who act by a call that names their e-mail address alone act in the script too, those of other flows do not', async () => {
  const reference = await startReference();
  const profile = referenceProfile(reference);
  const loaded = asLoaded({ ...profile, ...actingBy('{email}')(profile) });
  let cwd = '';
  const start = async (folder: string) => {
    cwd = folder;
    return { loaded, close: () => reference.close() };
  };
  await withSession(start, { runId: 'acts', flows: [inSequence, inParallel] }, async (session) => {
    await session.evidence('events.signatory-completed');
    const told = runOf(session, reference.baseUrl);
    const own = callsOfFlow(told, inSequence.name);
    const last = own.findLast(({ template }) => template === 'calls.sign') ?? exchange(0);
    const { calls: count, sh } = reproduction(told, requirementOf(told, 'stamping.placed'), last);
    const { documents, signatories } = inSequence;
    expect(count, sh).toBe(documents.length + 2 + 2 * signatories.length);
    expect(own.at(-1)).toBe(last);
    const { stdout } = await inSh(sh, cwd, { [tokenOf(reference.baseUrl)]: reference.tokens.valid });
    expect(stdout).toMatch(/^HTTP\/1\.1 2\d\d /);
  });
});

test('a script asks for what is sent to people while it runs, once it needs that, and names the host', async ({}, info) => {
  const arrived: string[] = [];
  const server = await serve((request, response) => {
    arrived.push(request.url);
    response.end('{}');
  });
  const url = `${server.baseUrl}/sign/[one-time secret]`;
  const told = run({
    record: record({
      target: { name: 'a sandbox', baseUrl: server.baseUrl, profileHash: '' },
      exchanges: [exchange(0, { request: { method: 'GET', url, headers: [], body: null } })],
    }),
  });
  const { needs, sh, powershell } = reproduction(told, entry, told.exchanges[0] ?? exchange(0));
  expect(needs).toEqual([]);
  const { host } = new URL(server.baseUrl);
  expect(powershell).toContain(`= Read-Host '[one-time secret] that was sent, for ${host}: GET ${url}`);
  const ended = inSh(sh, info.outputPath('.'));
  ended.child.stdin?.end('8f2a11c0ffee\n');
  const { stderr } = await ended;
  await server.close();
  expect(stderr).toContain(`[one-time secret] that was sent, for ${host}: GET ${url}`);
  expect(arrived).toEqual(['/sign/8f2a11c0ffee']);
});
