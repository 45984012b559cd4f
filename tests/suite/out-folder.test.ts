/** What becomes of a run whose folder fills up, goes away, is replaced or becomes read-only while it is under way. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type TestInfo, test } from '@playwright/test';
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
