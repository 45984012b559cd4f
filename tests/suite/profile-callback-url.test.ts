/** A target that refuses a CallbackUrl which it cannot reach is not blamed; one that refuses what its profile names is. */
import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { startReference } from '../../reference/server.ts';
import { command, readRun } from './command.ts';

const rows = [
  {
    says: 'nothing',
    callbacks: undefined,
    faults: ['skeleton.callback-url/refused'],
    verdict: 'could-not-run',
  },
  {
    says: 'the URL',
    callbacks: { placeholderUrl: '/_control/callbacks' },
    faults: ['skeleton.callback-url/refused'],
    verdict: 'failed',
  },
  { says: 'nothing', callbacks: undefined, dialect: { callbackUrlSchemes: 'https' }, verdict: 'passed' },
] as const;

for (const { says, callbacks, verdict, ...options } of rows) {
  const service = 'faults' in options ? 'refuses every CallbackUrl' : 'takes https alone';
  test(`a service that ${service}: ${verdict} where the profile names ${says}`, async ({}, info) => {
    const reference = await startReference(options);
    const file = info.outputPath('profile.json');
    const address = { baseUrl: reference.baseUrl, deadlineMs: 60_000 };
    const auth = { kind: 'static', token: `\${SERVICE_TOKEN}` };
    writeFileSync(file, JSON.stringify({ address, auth, ...(callbacks ? { callbacks } : {}) }));
    const out = info.outputPath('out');
    const args = ['--target', file, '--only', 'skeleton.callback-url', '--out', out];
    await command(args, { SERVICE_TOKEN: reference.tokens.valid });
    await reference.close();
    const found = readRun(out).requirements.find(({ id }) => id === 'skeleton.callback-url');
    expect(found?.verdict).toBe(verdict);
    expect(found?.reason ?? 'callbacks.placeholderUrl').toContain('callbacks.placeholderUrl');
  });
}
