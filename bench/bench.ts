/**
 * Measures what users wait for, prints it, and keeps it as dated rows in bench/results.md: `npm run bench`, or a part of it:
 * `npm run bench -- --latency 50,200 --flight 8 --only runs`. Nothing here fails because a machine is slow.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadProfile } from '../harness/profile/load.ts';
import { writeReports } from '../reports/ending/write.ts';
import { suiteVersion } from '../reports/run/package.ts';
import type { Run } from '../reports/run/run.ts';
import { readRun } from '../reports/run/run-file.ts';
import { type Ended, start } from '../tests/suite/cli-spawn.ts';
import { large } from '../tests/suite/reports-page-sample.ts';
import { asItIs } from '../tests/suite/services/proxy.ts';
import { scenes, screenOf } from './screens.ts';

/** A measurement; `least` is the bound that no run can beat. */
interface Measured {
  readonly what: string;
  readonly measured: string;
  readonly least?: string;
  readonly ratio?: string;
}

const head = `# What was measured

Rows of \`npm run bench\`, oldest first, with the load of the machine when each was taken: a busy machine is slower. The least time of a run is the longer of calls × latency / calls in flight, and its longest chain of calls that depend on each other, with the waits that they name; a latency of 0 is reported only.

| UTC | version, Node | load | what | measured | least | ratio |
|---|---|---|---|---|---|---|
`;

const results = fileURLToPath(new URL('./results.md', import.meta.url));

function keep({ what, measured, least = '', ratio = '' }: Measured): void {
  const at = new Date().toISOString().slice(0, 16).replace('T', ' ');
  const by = `${suiteVersion().version}, ${process.versions.node}`;
  const row = `| ${[at, by, loadavg()[0]?.toFixed(1), what, measured, least, ratio].join(' | ')} |\n`;
  if (!existsSync(results)) writeFileSync(results, head);
  appendFileSync(results, row);
  process.stdout.write(row);
}

/**
 * The least time for the calls of a run, attempts and their pauses included. A call has to wait for another one whose ids it
 * names, for earlier calls of the same flow, mailboxes of its people included, and, where it removes an object, for all
 * others. Waiting that follows from pages and messages is not counted.
 * @param waitsMs the time that the profile has a flow wait
 */
function longestChainMs(
  { exchanges, created }: Pick<Run, 'exchanges' | 'created'>,
  latencyMs: number,
  waitsMs: number,
): number {
  const ids = created.filter(({ id }) => id !== '');
  const ends: number[] = [];
  const madeFor = new Map<string, (typeof exchanges)[number][]>();
  const requestOf = new Map<string, string>();
  const removal = /^(delete|invalidate)/;
  const endOf = ({ startedAt, durationMs }: (typeof exchanges)[number]) => Date.parse(startedAt) + durationMs;
  for (const each of exchanges) {
    const { index, request, purpose, template = '', attempts = [] } = each;
    const begun = Date.parse(each.startedAt);
    if (removal.test(template)) continue;
    const text = `${request.url} ${request.body?.text ?? ''}`;
    const named = ids.filter(({ id, exchange }) => exchange < index && text.includes(id));
    const people = text.replaceAll('%40', '@').match(/[\w.+-]+@[\w.-]+/g) ?? [];
    const made = named.find(({ kind }) => kind === 'request')?.id ?? requestOf.get(people[0] ?? '') ?? '';
    if (purpose === 'flow' && made !== '') for (const person of people) requestOf.set(person, made);
    const earlier =
      purpose === 'template' ? (madeFor.get(made) ?? []).filter((one) => endOf(one) <= begun) : [];
    const after = [...named.map(({ exchange }) => exchange), ...earlier.map((one) => one.index)];
    const begin = Math.max(0, ...after.map((at) => ends[at] ?? 0));
    const pauses = attempts.reduce((sum, { waitedMs }) => sum + waitedMs, 0);
    ends[index] = begin + (1 + attempts.length) * latencyMs + pauses;
    if (purpose === 'template' && made !== '') madeFor.set(made, [...(madeFor.get(made) ?? []), each]);
  }
  const removes = exchanges.some(({ template = '' }) => removal.test(template));
  return ends.reduce((most, each) => Math.max(most, each), 0) + (removes ? latencyMs : 0) + waitsMs;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Says at the end of a process how much memory it had at most, in KiB, and how much of the processor, in microseconds. */
const tellUse = `--import=data:text/javascript,process.on('exit',()=>(({maxRSS,userCPUTime,systemCPUTime})=>process.stderr.write('maxRSS='+maxRSS+';cpu='+(userCPUTime+systemCPUTime)+';'))(process.resourceUsage()))`;

const toldBy = ({ stderr }: Ended, what: 'maxRSS' | 'cpu') =>
  Number(new RegExp(`${what}=(\\d+)`).exec(stderr)?.[1]);

async function measureRun(latencyMs: number, inFlight: number, folder: string): Promise<void> {
  const env = { REFERENCE_CLIENT_SECRET: randomUUID(), NODE_OPTIONS: tellUse };
  // In a process of its own, as a target usually is, and compiled: what it computes takes from the run's two cores.
  const reference = start(['serve', '--json', '--dialect', `answerDelayMs=${latencyMs}`], { env });
  const [, url = ''] = await reference.printed(/"url":"([^"]+)"/);
  const [target, out] = [join(folder, 'profile.yaml'), join(folder, 'out')];
  const written = readFileSync(new URL('../targets/reference.yaml', import.meta.url), 'utf8');
  writeFileSync(target, written.replaceAll('http://127.0.0.1:4010', url));
  const profile = loadProfile({ target }, env)?.profile;
  const began = Date.now();
  const given = ['--target', target, '--out', out, '--concurrency', String(inFlight)];
  const ended = await start(given, { env }).ended;
  const tookMs = Date.now() - began;
  reference.process.kill();
  const served = await reference.ended;
  if (ended.code !== 0)
    throw new Error(`the run ended with ${ended.code}:\n${ended.stdout}\n${ended.stderr}`);
  const run = readRun(out);
  const calls = run.exchanges.length;
  const rows = run.requirements.flatMap(({ checks }) => checks.flatMap((each) => each.rows)).length;
  const first = Math.min(...run.exchanges.map(({ startedAt }) => Date.parse(startedAt)));
  const waitsMs = (profile?.callbacks?.grace?.silenceMs ?? 0) + (profile?.signing?.readyMs ?? 0);
  const leastMs = Math.max((calls * latencyMs) / inFlight, longestChainMs(run, latencyMs, waitsMs));
  const processor = [ended, served].map((each) => seconds(toldBy(each, 'cpu') / 1000));
  keep({
    what: `run, ${latencyMs} ms, ${inFlight} in flight: ${calls} calls for ${rows} rows`,
    measured: `${seconds(tookMs)}; first call after ${seconds(first - began)}; ${Math.round(toldBy(ended, 'maxRSS') / 1024)} MB; CPU ${processor[0]}, of the target ${processor[1]}`,
    ...(latencyMs > 0 ? { least: seconds(leastMs), ratio: (tookMs / leastMs).toFixed(2) } : {}),
  });
}

/** A run at a service that lacks a whole operation, beside the usual one: both behind a proxy, in this process. */
async function measureMissing(): Promise<void> {
  const [lacking] = scenes;
  if (!lacking) throw new Error('no scene has a service that lacks an operation');
  const usual = { ...lacking, behave: () => asItIs };
  const took: number[] = [];
  for (const scene of [usual, usual, lacking]) {
    const began = performance.now();
    await screenOf(scene);
    took.push(performance.now() - began);
  }
  // The first run loads what all of them need.
  const [, usualMs = 0, lackingMs = 0] = took;
  keep({
    what: 'run without type 3 (target: 1.3 times the usual at most)',
    measured: `${seconds(lackingMs)}; the usual ${seconds(usualMs)}`,
    ratio: (lackingMs / usualMs).toFixed(2),
  });
}

function measureRendering(checks: number, folder: string): void {
  const run = large(50, checks);
  const began = performance.now();
  writeReports(join(folder, `rendered-${checks}`), run);
  keep({ what: `rendering of ${checks} checks`, measured: seconds(performance.now() - began) });
}

function measureListener(): void {
  const script = fileURLToPath(new URL('./listener.ts', import.meta.url));
  const said = execFileSync(process.execPath, ['--import', 'tsx', script], { encoding: 'utf8' });
  for (const line of said.trim().split('\n')) keep({ what: 'listener', measured: line });
}

async function bench(): Promise<void> {
  const numbers = { type: 'string' } as const;
  const { values } = parseArgs({ options: { latency: numbers, flight: numbers, only: numbers } });
  const listed = (text: string) => text.split(',').map(Number);
  const wants = (part: string) => (values.only ?? part).split(',').includes(part);
  const folder = mkdtempSync(join(tmpdir(), 'esign-bench-'));
  try {
    for (const latencyMs of wants('runs') ? listed(values.latency ?? '0,50,200,500') : []) {
      for (const inFlight of listed(values.flight ?? '1,4,8,16'))
        await measureRun(latencyMs, inFlight, folder);
    }
    if (wants('missing')) await measureMissing();
    for (const checks of wants('rendering') ? [100, 1_000, 10_000] : []) measureRendering(checks, folder);
    if (wants('listener')) measureListener();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await bench();
