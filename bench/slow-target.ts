/**
 * Measures a whole run against a service that answers after 200 ms: `npx tsx bench/slow-target.ts`. The time is to be
 * at most 1.5 × (calls × 0.2 s / calls in flight) + 4 s; exit code 1 when it is more.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDefaults } from '../harness/profile/run-options.ts';
import { startReference } from '../reference/server.ts';
import type { Run } from '../reports/run.ts';
import { readRun } from '../reports/run-file.ts';
import { referenceProfile } from '../tests/running/reference-target.ts';
import { start } from '../tests/suite/cli-spawn.ts';
import { writable } from '../tests/suite/services/profiles.ts';

const answerDelayMs = 200;
const allowance = { factor: 1.5, ms: 4_000 };
/** The run is looked at in slices of this length. */
const sliceMs = 1_000;

const folder = mkdtempSync(join(tmpdir(), 'esign-slow-'));
try {
  process.exitCode = (await measure()) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<boolean> {
  const reference = await startReference({ dialect: { answerDelayMs } });
  const target = join(folder, 'profile.json');
  const { text, env } = writable(referenceProfile(reference));
  writeFileSync(target, text);
  const loadBefore = loadavg()[0];
  const began = performance.now();
  const { code, stdout, stderr } = await start(['--target', target, '--out', folder], { env }).ended;
  const tookMs = performance.now() - began;
  await reference.close();
  if (code !== 0) throw new Error(`the run ended with ${code}:\n${stdout}\n${stderr}`);
  const run = readRun(folder);
  const calls = run.exchanges.length;
  const leastMs = (calls * answerDelayMs) / runDefaults.concurrency;
  const mostMs = allowance.factor * leastMs + allowance.ms;
  const says = (name: string, value: string) => process.stdout.write(`${name.padEnd(34)} ${value}\n`);
  says('calls, and how many at a time', `${calls}, ${runDefaults.concurrency}`);
  says('least time for these', seconds(leastMs));
  says('the run took, start included', seconds(tookMs));
  says('allowed', seconds(mostMs));
  says('ratio to what is allowed', (tookMs / mostMs).toFixed(2));
  says(
    'load of the machine before, after',
    [loadBefore, loadavg()[0]].map((each) => each?.toFixed(1)).join(', '),
  );
  says(
    'calls under way, by seconds',
    underWay(run)
      .map((count) => count.toFixed(1))
      .join(' '),
  );
  return tookMs <= mostMs;
}

/** How many calls were under way on average in each slice of the run: few mean that something waits in line. */
function underWay({ exchanges, startedAt }: Run): number[] {
  const zero = Date.parse(startedAt);
  const spans = exchanges.map(({ startedAt: at, durationMs }) => {
    const fromMs = Date.parse(at) - zero;
    return { fromMs, toMs: fromMs + durationMs };
  });
  const slices = Math.ceil(Math.max(...spans.map(({ toMs }) => toMs)) / sliceMs);
  return Array.from({ length: slices }, (_, index) => {
    const [from, to] = [index * sliceMs, (index + 1) * sliceMs];
    const busy = spans.reduce(
      (sum, { fromMs, toMs }) => sum + Math.max(0, Math.min(to, toMs) - Math.max(from, fromMs)),
      0,
    );
    return busy / sliceMs;
  });
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
