/**
 * Measures runs against services that lack one operation: `npx tsx bench/missing-operation.ts`. Each is to take at
 * most 1.3 times the usual run; exit code 1 when one takes longer.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReference } from '../reference/server.ts';
import { readRun } from '../reports/run/run-file.ts';
import { referenceProfile } from '../running/reference-target.ts';
import { start } from '../tests/suite/cli-spawn.ts';
import { writable } from '../tests/suite/services/profiles.ts';
import { startProxy } from '../tests/suite/services/proxy.ts';

const allowed = 1.3;
/** Of this many runs the quickest counts: a busy machine only adds. */
const times = 3;

/** What is answered with 404. */
const missing: Readonly<Record<string, RegExp | undefined>> = {
  'the usual run': undefined,
  'no type 3': /\?type=3$/,
  'no types 1 and 2': /\?type=[12]$/,
  'no signatories': /\/signatories$/,
  'no type 0': /\?type=0$/,
  'no upload': /\/document$/,
};

const folder = mkdtempSync(join(tmpdir(), 'esign-missing-'));
try {
  let usual = 0;
  for (const [name, what] of Object.entries(missing)) {
    const runs = [];
    for (let time = 0; time < times; time += 1) runs.push(await measure(what));
    const { durationMs, calls } = runs.reduce((one, other) =>
      one.durationMs < other.durationMs ? one : other,
    );
    usual ||= durationMs;
    const ratio = durationMs / usual;
    if (ratio > allowed) process.exitCode = 1;
    process.stdout.write(
      `${name.padEnd(18)} ${(durationMs / 1000).toFixed(1).padStart(6)} s ${String(calls).padStart(5)} calls   ${ratio.toFixed(2)} times the usual\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(what: RegExp | undefined): Promise<{ durationMs: number; calls: number }> {
  const reference = await startReference();
  const proxy = await startProxy(reference.baseUrl, async ({ request, forward, reply }) =>
    request.method === 'POST' && what?.test(request.url) ? reply({ status: 404 }) : reply(await forward()),
  );
  const profile = referenceProfile(reference);
  const { text, env } = writable({ ...profile, address: { ...profile.address, baseUrl: proxy.baseUrl } });
  const target = join(folder, 'profile.json');
  writeFileSync(target, text);
  await start(['--target', target, '--out', folder], { env }).ended;
  await proxy.close();
  await reference.close();
  const { durationMs, exchanges } = readRun(folder);
  return { durationMs, calls: exchanges.length };
}
