/** Two runs into one folder: the second is refused while the first is there, and not by what it left when it was killed. */
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { lockFolder } from '../../harness/session/folder-lock.ts';
import { startHost } from '../../harness/session/host.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { startGround } from './services/tenant-ground.ts';

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
