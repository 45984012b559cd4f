/** A run writes below the folder that it was given, whatever the target calls its files and ids. */
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { readRun } from '../../reports/run-file.ts';
import { start } from './cli-spawn.ts';
import { startPlainService } from './services/plain-service.ts';
import { startProxy } from './services/proxy.ts';

const watcher = fileURLToPath(new URL('./services/write-watch.mjs', import.meta.url));

test('files are written below the out folder only, also when the target names them otherwise', async ({}, info) => {
  const out = info.outputPath('out');
  const log = info.outputPath('written.txt');
  const service = await startPlainService();
  // Ids and names that would lead elsewhere if a path were made of them.
  const proxy = await startProxy(service.baseUrl, async ({ forward, reply }) => {
    const answer = await forward();
    const headers = { ...answer.headers, 'content-disposition': 'attachment; filename="../../../escaped"' };
    reply({ ...answer, headers: { ...headers, 'x-request-id': '/../../escaped' } });
  });
  // A changed checkout is compiled when its command line first runs.
  await start(['list']).ended;
  const ended = await start(
    [
      '--base-url',
      proxy.baseUrl,
      '--out',
      out,
      '--only',
      'upload.pdf,skeleton.created,signatory.added,otp.sms',
    ],
    { env: { ESIGN_TOKEN: service.token, WRITE_WATCH: log, NODE_OPTIONS: `--import ${watcher}` } },
  ).ended;
  await proxy.close();
  await service.close();
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
  expect(readRun(out).verdict).toBe('partial');
  expect(existsSync(log)).toBe(true);
  const written = new Set(readFileSync(log, 'utf8').trim().split('\n'));
  expect([...written].filter((path) => path.startsWith(out)).length).toBeGreaterThan(5);
  // Playwright keeps what it compiled in the folder for temporary files, and a run has one of its own there.
  const ofRun = join(tmpdir(), 'esign-conformance-');
  const allowed = [`${out}/`, ofRun, join(tmpdir(), 'playwright-')];
  const elsewhere = [...written].filter((path) => !allowed.some((begin) => path.startsWith(begin)));
  expect(elsewhere.filter((path) => path !== out && path !== '/dev/null')).toEqual([]);
  expect([...written].filter((path) => path.startsWith(ofRun) && existsSync(path))).toEqual([]);
});
