/** Runs that end early: by Ctrl+C, once or twice, because their command line is killed, or the target dies under them. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { expect, type TestInfo, test } from '@playwright/test';
import { hurry } from '../../harness/untrusted/deadline.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { referenceProfile } from '../../running/reference-target.ts';
import { eventFlows } from '../flows/events.ts';
import { asLoaded, changedReference, withSession } from '../proof/session.ts';
import { inProcess, root, type Started, start } from './cli-spawn.ts';
import { withVerdict } from './reports-sample.ts';
import { lowerLimits } from './services/lower-limits.ts';
import { asItIs } from './services/proxy.ts';
import { type GroundOptions, startGround } from './services/tenant-ground.ts';

/** Resolves when the proxy has taken so many calls. */
function countdown(left: number): { readonly reached: Promise<void>; readonly take: () => void } {
  let take = () => {};
  const reached = new Promise<void>((resolve) => {
    take = () => {
      left -= 1;
      if (left === 0) resolve();
    };
  });
  return { reached, take };
}

/** What a run that ends too soon has said is more than that the test took too long. */
async function unlessEnded(awaited: Promise<void>, { ended }: Started): Promise<void> {
  const early = ended.then(({ code, stdout, stderr }) => {
    throw new Error(`the run ended with ${code} before it was interrupted: ${stdout}${stderr}`);
  });
  await Promise.race([awaited, early]);
}

/** A run that has made so many calls. */
async function startUntil(info: TestInfo, calls: number, given: readonly string[], more: GroundOptions) {
  const { behave = asItIs, ...others } = more;
  const { reached, take } = countdown(calls);
  const ground = await startGround(info, {
    ...others,
    behave: (passing) => {
      take();
      return behave(passing);
    },
  });
  const started = ground.start(...given);
  await unlessEnded(reached, started);
  return { ground, started };
}

/** An incomplete run was written that has made more than so many objects, and nothing of it is left at the target. */
function expectEndedCleanly(out: string, count: number): void {
  const run = readRun(out);
  expect(run).toMatchObject({ verdict: 'incomplete', problems: [] });
  expect(withVerdict(run, 'failed')).toEqual([]);
  expect(withVerdict(run, 'error')).toEqual([]);
  const made = run.created.filter(({ kind }) => kind !== 'signatory');
  expect(made.length).toBeGreaterThan(count);
  expect(made.filter(({ removed }) => removed !== true)).toEqual([]);
  expect(readdirSync(out).filter((name) => name.startsWith('unfinished'))).toEqual([]);
}

test('Ctrl+C in the middle of explore, behind npm run too, leaves a valid, incomplete run and nothing at the target; a call without an answer does not hold it up', async ({}, info) => {
  const out = info.outputPath('out');
  let isHeld = false;
  const { ground, started } = await startUntil(info, 60, ['explore', '--out', out], {
    npm: true,
    address: { deadlineMs: 600_000 },
    behave: (passing) => {
      if (isHeld || !passing.request.url.endsWith('/send')) return asItIs(passing);
      isHeld = true;
    },
  });
  await expect.poll(() => isHeld).toBe(true);
  // A terminal sends it to all of the group.
  process.kill(-(started.process.pid ?? 0), 'SIGINT');
  const { code, stdout } = await started.ended;
  await ground.close();
  expect(stdout).toContain('the run was interrupted');
  expect(code).toBe(2);
  expectEndedCleanly(out, 5);
});

test('removals without an answer are given up, and what they leave is known', async ({}, info) => {
  const restore = lowerLimits({ removingMs: 1 });
  const ground = await startGround(info, {
    behave: (passing) => (passing.request.method === 'DELETE' ? undefined : asItIs(passing)),
  });
  const profile = referenceProfile(ground.reference);
  const address = { baseUrl: ground.proxy.baseUrl, deadlineMs: 600_000 };
  const start = async () => ({ loaded: asLoaded({ ...profile, address }), close: ground.close });
  const created = await withSession(start, { runId: 'stubborn', flows: [] }, async (session) => {
    await session.shared('skeleton');
    await session.interrupt();
    return session.tenancy.cleanUp();
  });
  restore();
  expect(created).toContainEqual(expect.objectContaining({ kind: 'request', removed: false }));
});

/** Runs a command as it was printed. */
async function inShell(command: string, env: NodeJS.ProcessEnv) {
  const child = spawn('sh', ['-c', command], { cwd: root, env: { ...process.env, ...env } });
  let stdout = '';
  child.stdout.on('data', (text) => (stdout += text));
  const [status] = await once(child, 'close');
  return { status, stdout };
}

test('a second Ctrl+C ends at once, and the printed command finishes what the first one began', async ({}, info) => {
  const out = info.outputPath("of somebody's");
  const removing = countdown(1);
  let stubborn = true;
  const { ground, started } = await startUntil(info, 40, ['--only', 'skeleton', '--out', out], {
    behave: (passing) =>
      stubborn && passing.request.method === 'DELETE' ? removing.take() : asItIs(passing),
  });
  started.process.kill('SIGINT');
  await unlessEnded(removing.reached, started);
  // What follows within a moment counts as one with the first.
  const again = setInterval(() => started.process.kill('SIGINT'), 100);
  started.process.stderr?.once('data', () => clearInterval(again));
  const { code, stderr } = await started.ended;
  clearInterval(again);
  expect(code).toBe(2);
  const [, printed = ''] = /this removes it:\n {2}(.+)\n/.exec(stderr) ?? [];
  const [journal] = readdirSync(out).filter((name) => name.startsWith('unfinished'));
  expect(journal).toBeDefined();

  stubborn = false;
  const { status: cleaned, stdout } = await inShell(printed, ground.env);
  await ground.close();
  expect(stdout).toMatch(/^(\d+) of \1 objects? removed\n$/m);
  expect(cleaned).toBe(0);
  expect(readdirSync(out)).not.toContain(journal);
});

const losses = {
  'whose npm script alone was killed': ({ process: npm }: Started) => npm.kill('SIGKILL'),
  'whose terminal was closed': ({ process: npm }: Started) => process.kill(-(npm.pid ?? 0), 'SIGHUP'),
};
for (const [what, lose] of Object.entries(losses))
  test(`a run ${what} removes what it created and ends by itself`, async ({}, info) => {
    const out = info.outputPath('out');
    const { ground, started } = await startUntil(info, 25, ['--only', 'skeleton', '--out', out], {
      npm: true,
    });
    lose(started);
    // What it printed into is closed by the last one of those that it started.
    await started.ended;
    await ground.close();
    expectEndedCleanly(out, 1);
  });

test('a target that dies in the middle of a run ends it early', async ({}, info) => {
  const out = info.outputPath('out');
  let made = 0;
  const ground = await startGround(info, {
    behave: async ({ request, forward, reply, reset }) => {
      // There is something to remove by then.
      if (made >= 3) return reset();
      const answer = await forward();
      if (/\/requests\?/i.test(request.url) && answer.status < 300) made += 1;
      reply(answer);
    },
  });
  const { code } = await ground.cli('--only', 'upload,skeleton', '--out', out);
  await ground.close().catch(() => undefined);
  const run = readRun(out);
  expect({ code, verdict: run.verdict }).toEqual({ code: 2, verdict: 'incomplete' });
  expect(withVerdict(run, 'failed')).toEqual([]);
  expect(withVerdict(run, 'error')).toEqual([]);
  expect(withVerdict(run, 'passed').length).toBeGreaterThan(0);
  expect(run.warnings).toEqual([
    expect.stringContaining('were not removed'),
    expect.stringContaining('were not removed'),
  ]);
  // Early: what was left to call was not called any more.
  expect(run.exchanges.some(({ failure }) => failure?.code === 'NOT_SENT')).toBe(true);
});

test('what a target still owed when it died is no failure, and none when the recording is judged again', async ({}, info) => {
  const out = info.outputPath('out');
  let isDead = false;
  const ground = await startGround(info, {
    service: { faults: ['events.process-completed/lost'] },
    behave: async ({ request, forward, reply, reset }) => {
      if (isDead) return reset();
      const answer = await forward();
      reply(answer);
      // The first request that is completed would be told of next.
      if (request.url.endsWith('/status') && String(answer.body).includes('completed')) isDead = true;
    },
    // What it still answers comes in time on a busy machine too.
    address: { deadlineMs: 5_000 },
    change: () => ({ callbacks: { grace: { arrivalMs: 5_000 } } }),
  });
  const [tape, again] = [info.outputPath('tape'), info.outputPath('again')];
  const only = ['--only', 'events.process-completed'];
  await ground.cli(...only, '--out', out, '--record', tape);
  expect(isDead).toBe(true);
  await ground.close();
  const { stderr } = await inProcess([...only, '--out', again, '--replay', tape]);
  expect(stderr).toBe('');
  for (const run of [out, again].map((folder) => readRun(folder))) {
    expect(withVerdict(run, 'failed')).toEqual([]);
    expect(withVerdict(run, 'could-not-run')).toContain('events.process-completed');
  }
});

test('a command that only reads files is ended by a signal while it reads one', async ({}, info) => {
  const pipe = info.outputPath('run.json');
  execFileSync('mkfifo', [pipe]);
  const started = start(['report', pipe]);
  // It is open as soon as the command reads it, which then waits for more.
  const written = await open(pipe, 'w');
  started.process.kill('SIGINT');
  expect(await started.ended).toMatchObject({ code: null });
  await written.close();
});

/** So long that a wait which goes on after the interrupt shows. */
const longMs = 240_000;
/** So short that a busy machine does not matter, and much shorter than that. */
const soonMs = 60_000;

test('events that are still to come are not waited for after an interrupt', async () => {
  const start = () =>
    changedReference({ dialect: { callbackDelayMs: 2 * longMs } }, ({ callbacks }) => ({
      callbacks: { ...callbacks, grace: { arrivalMs: longMs } },
    }));
  let interruptedMs = 0;
  await withSession(start, { runId: 'early', flows: eventFlows }, async (session) => {
    const signed = () =>
      session.recorder.exchanges.filter(({ template, response }) => {
        return template === 'calls.sign' && response?.status === 200;
      });
    session.startFlows();
    const evidence = session.evidence('events.all').catch((error: unknown) => error);
    await expect.poll(() => signed().length).toBe(eventFlows.length);
    interruptedMs = performance.now();
    await session.interrupt();
    await session.finish();
    await evidence;
    await session.observations();
  });
  expect(performance.now() - interruptedMs).toBeLessThan(soonMs);
  // A run that comes after it in this process reads what it is given.
  expect(hurry).toEqual({ on: false, payloadsMs: 0, mailsMs: 0, pdfsMs: 0 });
});
