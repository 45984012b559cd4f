/** `serve` runs the reference service until it is told to stop. */
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { path } from '../../openapi/codes.ts';
import { cli, start } from './cli-spawn.ts';

test('serve prints an address and tokens that work, and stops cleanly', async () => {
  const served = start(['serve', '--fault', 'upload.pdf/refused', '--dialect', 'uploadStatus=202']);
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

test('serve takes a client of your choice, and shows where its messages go', async () => {
  const env = { REFERENCE_CLIENT_SECRET: 'words of mine' };
  const served = start(['serve', '--client-id', 'somebody'], { env });
  const [, tokenEndpoint = ''] = await served.printed(/token endpoint +(\S+)/);
  const [, outbox = ''] = await served.printed(/outbox +(\S+)/);
  const answer = await fetch(tokenEndpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'somebody',
      client_secret: env.REFERENCE_CLIENT_SECRET,
    }),
  });
  expect([answer.status, (await fetch(outbox)).status]).toEqual([200, 200]);
  served.process.kill('SIGTERM');
  expect((await served.ended).code).toBe(0);
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
