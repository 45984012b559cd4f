/** A whole run against a service in whose every answer the names stand that objects have from their prototype. */
import { expect, test } from '@playwright/test';
import { readRun } from '../../reports/run-file.ts';
import { start } from './cli-spawn.ts';
import { startPlainService } from './services/plain-service.ts';
import { type Behaviour, startProxy } from './services/proxy.ts';

/** Whatever writes into what all objects share ends the process with an error. */
const guarded =
  '--import=data:text/javascript,Object.preventExtensions(Object.prototype);Object.preventExtensions(Object);Object.preventExtensions(Array.prototype);Object.preventExtensions(Function.prototype)';

const hostile =
  '"__proto__":{"__proto__":{"a":1},"toString":"x"},"constructor":{"prototype":{"b":1}},"toString":"x","hasOwnProperty":["y"],"valueOf":null';

/** Adds the names to every object in JSON that it answers, in its text: `__proto__` is a key there as any other. */
const withHostileKeys: Behaviour = async ({ forward, reply }) => {
  const answer = await forward();
  const text = answer.body.toString('utf8');
  if (!/^\s*\{/.test(text)) return reply(answer);
  // Errors are deep too, so that they cannot be read as JSON: their text is all that counts.
  const own = answer.status < 400 ? hostile : `"deep":${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const body = Buffer.from(
    text.replaceAll(/\{(\s*)(\})?/g, (_, space: string, end?: string) =>
      end ? `{${own}}` : `{${own},${space}`,
    ),
  );
  reply({ ...answer, headers: { ...answer.headers, 'content-length': body.length }, body });
};

test('ends as it does without them', async ({}, info) => {
  const service = await startPlainService();
  const proxy = await startProxy(service.baseUrl, withHostileKeys);
  try {
    const out = info.outputPath('out');
    const { code, stderr } = await start(['--base-url', proxy.baseUrl, '--out', out], {
      env: { ESIGN_TOKEN: service.token, NODE_OPTIONS: guarded },
    }).ended;
    const run = readRun(out);
    const failed = run.requirements.filter(({ verdict }) => verdict === 'failed' || verdict === 'error');
    expect(
      failed.map(({ id, verdict }) => `${id} ${verdict}`),
      stderr,
    ).toEqual([]);
    expect(code, stderr).not.toBe(4);
    // The contract that was observed, and the page, were made of these answers.
    expect(run.exchanges.some(({ response }) => response?.body?.text?.includes('"__proto__"'))).toBe(true);
  } finally {
    await proxy.close();
    await service.close();
  }
});
