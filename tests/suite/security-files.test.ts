/** A whole run against a service that is hostile in every answer: it ends as it does elsewhere, and writes into its folder alone. */
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { readRun } from '../../reports/run/run-file.ts';
import { start } from './cli-spawn.ts';
import { startPlainService } from './services/plain-service.ts';
import { reshaped, startProxy } from './services/proxy.ts';

/** Notes each file that is written. */
const watcher = fileURLToPath(new URL('./services/write-watch.mjs', import.meta.url));

/** Whatever writes into what all objects share ends the process with an error. */
const guard =
  'data:text/javascript,Object.preventExtensions(Object.prototype);Object.preventExtensions(Object);Object.preventExtensions(Array.prototype);Object.preventExtensions(Function.prototype)';

const hostile =
  '"__proto__":{"__proto__":{"a":1},"toString":"x"},"constructor":{"prototype":{"b":1}},"toString":"x","hasOwnProperty":["y"],"valueOf":null';

/**
 * Puts names that objects have from their prototype into every object in JSON that is answered, in its text:
 * `__proto__` is a key there as any other. Names and ids in header fields would lead elsewhere if a path were made of them.
 */
const withHostileNames = reshaped((answer) => {
  const paths = {
    'content-disposition': 'attachment; filename="../../../escaped"',
    'x-request-id': '/../../escaped',
  };
  const text = answer.body.toString('utf8');
  if (!/^\s*\{/.test(text)) return { ...answer, headers: { ...answer.headers, ...paths } };
  // Errors are deep too, so that they cannot be read as JSON: their text is all that counts.
  const own = answer.status < 400 ? hostile : `"deep":${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const body = Buffer.from(
    text.replaceAll(/\{(\s*)(\})?/g, (_, space: string, end?: string) =>
      end ? `{${own}}` : `{${own},${space}`,
    ),
  );
  return { ...answer, headers: { ...answer.headers, ...paths, 'content-length': body.length }, body };
});

test('hostile keys and names in every answer: nobody is blamed, and files are written below the out folder only', async ({}, info) => {
  const out = info.outputPath('out');
  const log = info.outputPath('written.txt');
  const service = await startPlainService();
  const proxy = await startProxy(service.baseUrl, withHostileNames);
  // A changed checkout is compiled when its command line first runs.
  await start(['list']).ended;
  const { code, stderr } = await start(['--base-url', proxy.baseUrl, '--out', out], {
    env: {
      ESIGN_TOKEN: service.token,
      WRITE_WATCH: log,
      NODE_OPTIONS: `--import ${watcher} --import=${guard}`,
    },
  }).ended;
  await proxy.close();
  await service.close();
  const run = readRun(out);
  const failed = run.requirements.filter(({ verdict }) => verdict === 'failed' || verdict === 'error');
  expect(
    failed.map(({ id, verdict }) => `${id} ${verdict}`),
    stderr,
  ).toEqual([]);
  expect(code, stderr).not.toBe(4);
  // The contract that was observed, and the page, were made of these answers.
  expect(run.exchanges.some(({ response }) => response?.body?.text?.includes('"__proto__"'))).toBe(true);

  const written = [...new Set(readFileSync(log, 'utf8').trim().split('\n'))];
  expect(written.filter((path) => path.startsWith(out)).length).toBeGreaterThan(5);
  // Playwright keeps what it compiled in the folder for temporary files, and a run has one of its own there.
  const ofRun = join(tmpdir(), 'esign-conformance-');
  // The first run of a user makes a key in their state folder.
  const state = join(process.env.XDG_STATE_HOME ?? '', 'esign-conformance');
  const allowed = [`${out}/`, ofRun, state, join(tmpdir(), 'playwright-')];
  const elsewhere = written.filter((path) => !allowed.some((begin) => path.startsWith(begin)));
  expect(elsewhere.filter((path) => path !== out && path !== '/dev/null')).toEqual([]);
  expect(written.filter((path) => path.startsWith(ofRun) && existsSync(path))).toEqual([]);
});
