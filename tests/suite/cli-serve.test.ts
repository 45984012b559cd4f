/** `serve` runs the reference service until it is told to stop. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { path } from '../../openapi/codes.ts';
import { cli, start } from './cli-spawn.ts';

test('serve prints an address and tokens that work, and stops cleanly', async () => {
  const served = start(['serve', '--fault', 'upload.pdf/refused', '--dialect', 'uploadStatus=202']);
  await served.printed(/but for what it breaks on purpose: upload\.pdf\/refused\.$/m);
  await served.printed(/dialect +uploadStatus=202$/m);
  const [, baseUrl = ''] = await served.printed(/base URL +(\S+)/);
  const [, token = ''] = await served.printed(/valid token +(\S+)/);
  await served.printed(/Ctrl\+C stops it/);
  const call = (authorization: string) =>
    fetch(`${baseUrl}${path.signatories.replace('{requestId}', 'none')}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{}',
    });
  expect((await call('Bearer nobody')).status).toBe(401);
  expect([400, 404]).toContain((await call(`Bearer ${token}`)).status);
  served.process.kill('SIGTERM');
  expect(await served.ended).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/stopped\n$/),
    stderr: '',
  });
});

test('help and hints name the program as npx was told to start it', async () => {
  const env = {
    npm_lifecycle_event: 'npx',
    npm_lifecycle_script: "'esign-conformance' 'help'",
    npm_config_package: './esign-conformance-1.0.0.tgz',
  };
  const { stdout } = await start(['help', 'serve'], { env }).ended;
  expect(stdout).toContain('\n  npx --package ./esign-conformance-1.0.0.tgz esign-conformance serve ');
});

test('the first steps that serve prints work as they stand, up to the callbacks, and --verbose tells each call', async ({}, info) => {
  const served = start(['serve', '--verbose']);
  const [, steps = ''] = await served.printed(
    /^(BASE=[\s\S]*?\/_control\/deliveries\?requestId=\$REQUEST"; echo)$/m,
  );
  mkdirSync(info.outputPath('empty'));
  const shell = spawn('sh', ['-e', '-c', steps], { cwd: info.outputPath('empty') });
  const printed = await text(shell.stdout);
  expect(printed).toContain('"status":"sent"');
  expect(printed).toContain('"state":"completed"');
  const last = printed.trim().split('\n').at(-1) ?? '';
  const { deliveries } = JSON.parse(last) as { deliveries: { event: number }[] };
  expect(deliveries.map(({ event }) => event)).toEqual([1, 2, 2, 3]);
  served.process.kill('SIGTERM');
  const { stderr } = await served.ended;
  expect(stderr).toMatch(
    /^[\d:.]+ POST \S+\/signatories \{"Email":"Ann@example\.com".* -> 200 \{"requestId"/m,
  );
});

test('a port that is taken is named', async () => {
  const served = start(['serve']);
  const [, port = ''] = await served.printed(/base URL +http:\/\/127\.0\.0\.1:(\d+)/);
  const { code, stderr } = await cli('serve', '--port', port);
  expect(stderr).toContain(`--port ${port}: this port is in use`);
  expect(code).toBe(3);
  served.process.kill('SIGINT');
  expect((await served.ended).code).toBe(0);
});

test('only its owner can read what serve stores, and a folder that others can read is named', async ({}, info) => {
  for (const [name, mode] of [
    ['new', undefined],
    ['before', 0o755],
  ] as const) {
    const data = info.outputPath(name);
    if (mode !== undefined) mkdirSync(data);
    if (mode !== undefined) chmodSync(data, mode);
    const served = start(['serve', '--data', data]);
    await served.printed(/Ctrl\+C stops it/);
    const modes = readdirSync(data).map((file) => statSync(join(data, file)).mode & 0o777);
    expect(modes.length).toBeGreaterThan(0);
    expect(new Set(modes)).toEqual(new Set([0o600]));
    expect(statSync(data).mode & 0o777).toBe(mode ?? 0o700);
    served.process.kill('SIGTERM');
    const { stderr } = await served.ended;
    if (mode === undefined) expect(stderr).toBe('');
    else expect(stderr).toContain(`mode 755`);
  }
});
