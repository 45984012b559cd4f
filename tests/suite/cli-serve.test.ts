/** `serve` runs the reference service until it is told to stop. */
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
