/** What becomes of the folder of a run: it fills up, goes away, is replaced or becomes read-only meanwhile, or a second run wants it, which is refused while the first is there. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type TestInfo, test } from '@playwright/test';
import { lockFolder } from '../../harness/session/folder-lock.ts';
import { startHost } from '../../harness/session/host.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { type Ended, inProcess } from './cli-spawn.ts';
import { withVerdict } from './reports-sample.ts';
import { startGround } from './services/tenant-ground.ts';

const failing = fileURLToPath(new URL('./cli-files-fail.mjs', import.meta.url));
const only = ['--only', 'skeleton.connections,upload.pdf,skeleton.title-required'];

/** A run whose proxy does something to the folder of the run when the first signature request is created. */
async function runWith(
  info: TestInfo,
  { env = {}, meanwhile }: { env?: Record<string, string>; meanwhile?: (folder: string) => void },
) {
  const out = info.outputPath('out');
  let done = false;
  const removed: string[] = [];
  const created: string[] = [];
  const ground = await startGround(info, {
    env: {
      ...env,
      ...(env.WRITES_FAIL ? { WRITES_FAIL_BELOW: out, NODE_OPTIONS: `--import ${failing}` } : {}),
    },
    behave: async ({ request, forward, reply }) => {
      const creates = request.method === 'POST' && /\/requests\?/i.test(request.url ?? '');
      if (creates && !done) {
        done = true;
        meanwhile?.(out);
      }
      const answer = await forward();
      if (creates && answer.status < 300) created.push(request.url ?? '');
      if (request.method === 'DELETE' && answer.status < 300) removed.push(request.url ?? '');
      reply(answer);
    },
  });
  const given = [...only, '--out', out];
  // What breaks the writing of files is loaded into a process of its own.
  const ended = await (env.WRITES_FAIL ? ground.start(...given).ended : ground.cli(...given));
  await ground.close();
  return { out, created, removed, ended };
}

function expectVerdicts({ code, stdout, stderr }: Ended): void {
  expect(code).toBe(4);
  expect(stdout).toMatch(/^error: 3 of 3 applicable musts passed/m);
  expect(stdout + stderr).not.toContain('mistake of the suite');
}

test('a full disk keeps the verdicts on the terminal, and nothing at the target', async ({}, info) => {
  const run = await runWith(info, { env: { WRITES_FAIL: 'ENOSPC', WRITES_FAIL_FROM: 'unfinished' } });
  expectVerdicts(run.ended);
  expect(run.ended.stdout).toContain('(ENOSPC; no space is left on the disk: make room there');
  expect(run.ended.stdout).toContain('nothing could be written to');
  expect(run.created.length).toBeGreaterThan(0);
  expect(run.removed.length).toBeGreaterThanOrEqual(run.created.length);
});

test('a folder that is taken away is made again, and bodies that went with it are named', async ({}, info) => {
  const { out, ended } = await runWith(info, {
    meanwhile: (folder) => {
      const bodies = readdirSync(join(folder, 'bodies')).map((name) => join(folder, 'bodies', name));
      expect(bodies.length).toBeGreaterThan(0);
      // Somebody else on this machine would read ids and addresses in them.
      for (const body of bodies) expect(statSync(body).mode & 0o077).toBe(0);
      rmSync(folder, { recursive: true });
    },
  });
  expectVerdicts(ended);
  const run = readRun(out);
  expect(run).toMatchObject({ verdict: 'error', exitCode: 4 });
  expect(run.problems.join()).toMatch(/^large bodies: .* gone from .*out/);
  expect(withVerdict(run, 'passed').length).toBe(3);
  expect(readdirSync(out).filter((name) => name.startsWith('unfinished'))).toEqual([]);
});

test('a report whose place is taken is named; a list of what was created that is a link by now is written anew', async ({}, info) => {
  const other = info.outputPath('other');
  writeFileSync(other, 'of the user');
  const { out, ended } = await runWith(info, {
    meanwhile: (folder) => {
      mkdirSync(join(folder, 'index.html'));
      const [name = ''] = readdirSync(folder).filter((each) => each.startsWith('unfinished'));
      rmSync(join(folder, name));
      symlinkSync(other, join(folder, name));
    },
  });
  expect(readFileSync(other, 'utf8')).toBe('of the user');
  expectVerdicts(ended);
  expect(ended.stdout).toContain('index.html: cannot be written');
  expect(ended.stdout).toContain('(EISDIR; a folder stands in the place of the file');
  expect(readRun(out).problems).toEqual([expect.stringContaining('EISDIR')]);
  expect(readFileSync(join(out, 'summary.md'), 'utf8')).toContain('EISDIR');
});

test('a run that reaches nothing takes the place of the report before it', async ({}, info) => {
  const out = info.outputPath('out');
  mkdirSync(out);
  for (const name of ['index.html', 'badge.svg', 'summary.md', 'junit.xml'])
    writeFileSync(join(out, name), 'conformant');
  const ground = await startGround(info);
  await ground.close();
  const { code } = await ground.cli('--out', out);
  expect(code).toBe(2);
  expect(readRun(out)).toMatchObject({ verdict: 'incomplete', scope: 'full' });
  for (const name of ['index.html', 'badge.svg', 'summary.md']) {
    const text = readFileSync(join(out, name), 'utf8');
    expect.soft(text, name).toContain('incomplete');
    expect.soft(text, name).not.toBe('conformant');
  }
});

test('a folder for temporary files that is not there ends a run before its first call', async ({}, info) => {
  const nowhere = info.outputPath('nowhere');
  const given = ['--only', 'skeleton.connections', '--out', info.outputPath('out')];
  const { code, stderr } = await inProcess(given, { TMPDIR: nowhere });
  expect(code).toBe(3);
  expect(stderr).toMatch(/TMPDIR .*nowhere: is no folder that can be written into/);
});

test('a second run is refused and names the first; a killed one blocks nothing', async ({}, info) => {
  const out = info.outputPath('out');
  let held = true;
  let tell = () => {};
  const reached = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const ground = await startGround(info, {
    behave: async ({ forward, reply }) => {
      tell();
      if (!held) reply(await forward());
    },
    address: { deadlineMs: 120_000 },
  });
  const given = ['--only', 'skeleton.connections', '--out', out];
  const first = ground.start(...given);
  await reached;
  const { runId } = JSON.parse(readFileSync(join(out, 'running.json'), 'utf8')) as { runId: string };
  const named = `run ${runId} (process ${first.process.pid}) is writing into this folder; wait for its end`;
  const calls = ground.proxy.calls.length;
  for (const second of [await ground.cli(...given), await ground.cli('cleanup', out)]) {
    expect.soft(second.code).toBe(3);
    expect.soft(second.stderr).toContain(named);
    expect.soft(second.stderr).not.toContain('An earlier run');
  }
  expect(ground.proxy.calls.length).toBe(calls);

  first.process.kill('SIGKILL');
  await first.ended;
  held = false;
  const third = await ground.cli(...given);
  await ground.close();
  expect(third.code).toBe(0);
  expect(readRun(out).verdict).toBe('partial');
  expect(readdirSync(out)).not.toContain('running.json');
});

test('what is no lock of a run that is there is taken over', async ({}, info) => {
  const folder = info.outputPath('out');
  const host = await startHost(() => Promise.reject(new Error('nobody asks')));
  const gone = await startHost(() => Promise.reject(new Error('nobody asks')));
  await gone.close();
  host.runId = 'here';
  const unlock = await lockFolder(folder, 'here', host.address);
  await expect(lockFolder(folder, 'other', gone.address)).rejects.toThrow('run here (process');
  unlock();
  const left = (runId: string, { url }: { readonly url: string }) => ({ runId, pid: 1, host: url });
  for (const text of [
    JSON.stringify(left('gone', gone.address)),
    // Another run has its port by now.
    JSON.stringify(left('gone', host.address)),
    JSON.stringify({ ...left('here', host.address), host: 'https://elsewhere.example' }),
    '{"runId":',
    '',
  ]) {
    writeFileSync(join(folder, 'running.json'), text);
    (await lockFolder(folder, 'next', host.address))();
    expect(readdirSync(folder)).toEqual([]);
  }
  // A link to nothing is no file, and nothing can be made in its place.
  symlinkSync(join(folder, 'nothing'), join(folder, 'running.json'));
  (await lockFolder(folder, 'next', host.address))();
  expect(readdirSync(folder)).toEqual([]);
  const begin = ['one', 'other', 'third'].map(async (name) => {
    const own = await startHost(() => Promise.reject(new Error('nobody asks')));
    own.runId = name;
    return { own, name };
  });
  const runs = await Promise.all(begin);
  writeFileSync(join(folder, 'running.json'), JSON.stringify(left('gone', gone.address)));
  const taken = await Promise.allSettled(runs.map(({ name, own }) => lockFolder(folder, name, own.address)));
  expect(taken.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(readdirSync(folder)).toEqual(['running.json']);
  for (const { own } of runs) await own.close();
  await host.close();
});
