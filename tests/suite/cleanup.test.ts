/** What a run leaves at its target is known: after a kill, with damaged files, and when the target says that it is not there. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { keyFileOf } from '../../harness/flows/resuming/waiting-file.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import type { Recording } from '../../harness/replaying/recording.ts';
import type { Answer } from '../../harness/target/call.ts';
import { cleanUp } from '../../harness/target/cleanup.ts';
import { CouldNotRun } from '../../record/errors.ts';
import { writeWhole } from '../../record/files.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { referenceProfile } from '../../running/reference-target.ts';
import { cli } from './cli-spawn.ts';
import { instead } from './services/proxy.ts';
import { startGround } from './services/tenant-ground.ts';

test('after a kill the cleanup knows what was made, and names what was under way', async ({}, info) => {
  const out = info.outputPath('out');
  const made: string[] = [];
  const unanswered: string[] = [];
  let tell = () => {};
  const stalled = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const ground = await startGround(info, {
    behave: async ({ index, request, forward, reply }) => {
      const answer = await forward();
      // A request or a document.
      const creation = request.method === 'POST' && /\/requests\?|\/document$/i.test(request.url);
      if (creation && answer.status < 300) made.push(request.url);
      if (!creation || index < 40) reply(answer);
      else unanswered.push(request.url);
      if (unanswered.length === 3) tell();
    },
  });
  const started = ground.start('--only', 'skeleton', '--out', out);
  await stalled;
  started.process.kill('SIGKILL');
  await started.ended;
  // With an id other accounts of this machine could tell the listener of events.
  for (const name of readdirSync(out).filter((each) => each.startsWith('unfinished-')))
    expect(statSync(join(out, name)).mode & 0o077, name).toBe(0);
  const { code, stdout } = await ground.cli('cleanup', out);
  const [, removed, all] = /^(\d+) of (\d+) objects removed$/m.exec(stdout) ?? [];
  expect(Number(all)).toBeGreaterThanOrEqual(made.length);
  expect(Number(removed)).toBeGreaterThan(5);
  const named = stdout.split('\n').filter((line) => /^ {2}(request|document) "\w/.test(line));
  expect(named).toHaveLength(Number(all) - Number(removed));
  expect(named.length).toBeGreaterThanOrEqual(unanswered.length);
  expect(code).toBe(2);
  // What is left to do stands there until somebody has done it.
  const again = await ground.cli('cleanup', out);
  await ground.close();
  expect(again.stdout).toContain(`0 of ${named.length} objects removed`);
  expect(again.stdout).toContain(String(named[0]));
});

test('what the target does not know is not called removed', async ({}, info) => {
  const out = info.outputPath('out');
  let statuses: readonly number[] = Array(9).fill(404);
  let deleted = 0;
  const ground = await startGround(info, {
    behave: instead(({ method }) => {
      const status = method === 'DELETE' ? statuses[deleted++] : undefined;
      return status === undefined ? undefined : { status };
    }),
  });
  const only = ['--only', 'skeleton.connections,skeleton.callback-url', '--out', out];
  await ground.cli(...only);
  // The call for it may be wrong, since nothing shows that it is right.
  const run = readRun(out);
  expect(run.warnings).toContainEqual(
    expect.stringMatching(/^3 of 3 signature requests were not removed: .*404/),
  );
  const requests = run.created.filter(({ kind }) => kind === 'request');
  expect(requests).toMatchObject(Array(3).fill({ removed: false, removalStatus: 404 }));
  const cleaned = await ground.cli('cleanup', out);
  expect(cleaned).toMatchObject({ code: 2, stdout: expect.stringContaining('0 of ') });

  // One is gone, and another one cannot be removed: what is said of the former is no reason for the latter.
  deleted = 0;
  statuses = [404, 403];
  await ground.cli(...only);
  expect(readRun(out).warnings).toEqual([
    expect.stringMatching(/^1 of 3 signature requests were not removed: .*403/),
  ]);

  deleted = 0;
  statuses = [404];
  await ground.cli(...only);
  const { warnings, created } = readRun(out);
  expect(warnings).toEqual([]);
  const removed = created.flatMap((each) => (each.kind === 'request' ? [each.removed] : []));
  expect(removed.sort()).toEqual([false, true, true]);
  expect(await ground.cli('cleanup', out)).toMatchObject({ code: 0, stdout: 'nothing is left to remove\n' });
  await ground.close();
});

test('a damaged file names itself and keeps nothing else from being cleaned up', async ({}, info) => {
  const out = info.outputPath('out');
  const ground = await startGround(info);
  const { baseUrl } = ground.proxy;
  const journal = (name: string, ...lines: readonly unknown[]) =>
    writeFileSync(
      join(out, `unfinished-${name}.jsonl`),
      lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    );
  const removable = await ground.cli('--only', 'skeleton.connections', '--out', out);
  expect(removable.code).toBe(0);
  writeFileSync(join(out, 'run.json'), '{"schemaVersion":');
  const object = { kind: 'request', id: 'gone' };
  journal('whole', { baseUrl }, object, '{"kind":"requ');
  journal('headless', 'no JSON', object);
  journal('foreign', { baseUrl }, { kind: 'account', id: 'a' }, { ...object, id: 7 }, '');
  journal('holed', { baseUrl }, '\0\0\0', object, '');
  mkdirSync(join(out, 'unfinished-folder.jsonl'));
  journal('other', { baseUrl: 'https://other.example' }, object);
  const { code, stdout, stderr } = await ground.cli('cleanup', out, '--of-others');
  expect(code).toBe(3);
  expect(stdout.match(/^0 of 1 object removed$/gm)).toHaveLength(2);
  expect(stderr).toMatch(
    /unfinished-headless\.jsonl:1: is no JSON \(and 1 more\): it is damaged.*"Conformance headless"/,
  );
  expect(stderr).toMatch(/unfinished-foreign\.jsonl:2: is none of the lines of such a file \(and 1 more\)/);
  expect(stderr).toMatch(/unfinished-folder\.jsonl: /);
  expect(stderr).toMatch(/unfinished-holed\.jsonl:2: is no JSON: it is damaged/);
  expect(stderr).toMatch(/unfinished-other\.jsonl: that run was against https:\/\/other\.example/);
  expect(stderr).toMatch(/run\.json:1: is no JSON/);
  expect(stderr).not.toContain('unfinished-whole');

  const next = await ground.cli('--only', 'skeleton.connections', '--out', out);
  await ground.close();
  expect(next.code).toBe(0);
  expect(next.stderr).toMatch(/warning: .*unfinished-holed\.jsonl:2: is no JSON/);
  expect(readdirSync(out).filter((name) => name.startsWith('unfinished'))).toHaveLength(6);
});

test('what others list is removed where that is said, told beforehand, and no id leads to another path', async ({}, info) => {
  const out = info.outputPath('out');
  mkdirSync(out);
  const ground = await startGround(info);
  const { baseUrl, calls } = ground.proxy;
  const ids = ['..', '.', '../../accounts', 'a/../b', '..\\b', 'a/b', 'a?b#c', '...', '%2e%2e'];
  const lines = [{ baseUrl }, ...ids.map((id) => ({ kind: 'request', id }))];
  const file = join(out, 'unfinished-bcdfghjk.jsonl');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const refused = await ground.cli('cleanup', out);
  expect(refused.stderr).toContain(
    `cleanup ${file}: nothing shows that a run of yours on this machine created 9`,
  );
  expect([refused.code, calls]).toEqual([3, []]);
  const { code, stdout } = await ground.cli('cleanup', out, '--of-others');
  await ground.close();
  expect(code).toBe(2);
  expect(stdout).toContain(`${file}: 9 objects to be removed at ${baseUrl}\n`);
  expect(stdout).toMatch(/calls\.deleteRequest: ".*" would lead to another path/);
  const paths = ['a%2Fb', 'a%3Fb%23c', '...', '%252e%252e'];
  const called = calls.map(({ method, url }) => `${method} ${url}`).sort();
  expect(called).toEqual(paths.map((path) => `DELETE /_control/requests/${path}`).sort());
});

test('a replay has created nothing, and leaves alone what the run with its id does', async ({}, info) => {
  const [tape, out] = [info.outputPath('tape'), info.outputPath('out')];
  const ground = await startGround(info);
  const only = ['--only', 'upload.pdf', '--out', out];
  await ground.cli(...only, '--record', tape);
  // The recording of a stranger: it may list any object of the target, and name a run that waits for its people.
  const file = join(tape, 'recording.json');
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as Recording;
  const calls = recorded.calls.filter(({ about }) => about.template === undefined);
  const profile = { ...recorded.profile, signing: { driver: 'manual' } };
  writeFileSync(file, JSON.stringify({ ...recorded, calls, profile }));
  const key = keyFileOf(recorded.runId);
  writeWhole(key, 'of the run');
  const before = ground.proxy.calls.length;
  await cli(...only, '--replay', tape);
  expect(readFileSync(key, 'utf8')).toBe('of the run');
  const left = readRun(out).created;
  expect(left.length).toBeGreaterThan(0);
  expect(left.filter((each) => each.removed || each.mark)).toEqual([]);
  const cleaned = await ground.cli('cleanup', out);
  await ground.close();
  expect(cleaned.stderr).toContain('nothing shows that a run of yours on this machine created');
  expect([cleaned.code, ground.proxy.calls.length]).toEqual([3, before]);
});

test('what the profile had no call for is told, and removed once it has one', async ({}, info) => {
  const out = info.outputPath('out');
  const ground = await startGround(info, {
    change: ({ calls = {} }) => ({ calls: { ...calls, deleteRequest: undefined } }),
  });
  const { stdout: told } = await ground.cli('--only', 'skeleton.connections', '--out', out);
  expect(told).toMatch(/ · 2 signature requests, 2 left there · /);
  const without = await ground.cli('cleanup', out);
  expect([without.code, without.stdout]).toEqual([
    0,
    'nothing was removed: for 2 signature requests the profile has no call (calls.deleteRequest)\n',
  ]);
  const said = JSON.parse(readFileSync(ground.target, 'utf8')) as Profile;
  const deleteRequest = referenceProfile(ground.reference).calls?.deleteRequest;
  writeFileSync(ground.target, JSON.stringify({ ...said, calls: { ...said.calls, deleteRequest } }));
  const withIt = await ground.cli('cleanup', out);
  await ground.close();
  expect(withIt.stdout).toContain('2 of 2 objects removed');
});

test('a removal that cannot be tried again is told, and holds no other one up', async () => {
  const profile = { calls: { deleteRequest: { method: 'DELETE', url: '/{requestId}' } } };
  const created = ['lost', 'last'].map((id) => ({ kind: 'request' as const, id, exchange: 0 }));
  const asked = new Set<string>();
  const { failures } = await cleanUp(
    profile as object as Profile,
    created,
    async (_, __, { requestId = '' }) => {
      if (asked.has(requestId)) throw new CouldNotRun('the login has expired');
      asked.add(requestId);
      return { status: 0, exchange: { failure: { code: 'ECONNRESET' } } } as Answer;
    },
  );
  expect(failures).toEqual([
    '2 of 2 signature requests were not removed: calls.deleteRequest: the login has expired',
  ]);
});
