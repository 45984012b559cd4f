/** `serve` runs the reference service until it is told to stop. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { path } from '../../openapi/codes.ts';
import { cli, inProcess, start } from './cli-spawn.ts';
import { serveRaw } from './services/loopback.ts';

/** What anybody may do with a folder, and with each file in it. */
function modesIn(folder: string) {
  const files = readdirSync(folder).map((file) => statSync(join(folder, file)).mode & 0o777);
  expect(files.length).toBeGreaterThan(0);
  return { folder: statSync(folder).mode & 0o777, files: [...new Set(files)] };
}

test('serve prints an address and tokens that work, keeps its data for its owner, and stops cleanly', async ({}, info) => {
  const data = info.outputPath('data');
  const more = ['--fault', 'upload.pdf/refused', '--dialect', 'uploadStatus=202'];
  const served = start(['serve', '--data', data, ...more]);
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
  // A client that were cut off while it sends would see no answer.
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(30e6)]), 'large.pdf');
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${baseUrl}${path.upload}`, { method: 'POST', headers, body })).status).toBe(413);
  expect(modesIn(data)).toEqual({ folder: 0o700, files: [0o600] });
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
  const { stdout } = await inProcess(['help', 'serve'], env);
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
  const taken = await serveRaw(() => undefined);
  const { code, stderr } = await cli('serve', '--port', String(taken.port));
  await taken.close();
  expect(stderr).toContain(`--port ${taken.port}: this port is in use`);
  expect(code).toBe(3);
});

test('a folder that others can read is named, and its files are for its owner alone', async ({}, info) => {
  const data = info.outputPath('before');
  mkdirSync(data);
  chmodSync(data, 0o755);
  const served = start(['serve', '--data', data]);
  await served.printed(/Ctrl\+C stops it/);
  expect(modesIn(data)).toEqual({ folder: 0o755, files: [0o600] });
  served.process.kill('SIGINT');
  expect(await served.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('mode 755') });
});
