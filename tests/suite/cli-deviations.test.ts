/** Known failures through the command line: accepted, stale, pruned, flaky, confirmed and rechecked. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { main } from '../../bin/main.ts';
import { type KnownService, startKnownService, withoutTitle } from './cli-known-service.ts';
import { requirementOf } from './reports-sample.ts';

const id = 'skeleton.title-required';
const only = ['--only', `${id},upload.pdf`];

// A slow machine takes a minute for the runs of one test.
test.describe.configure({ timeout: 300_000 });

/** A command that starts no process: its exit code, and what it complains about. */
async function inProcess(...given: readonly string[]): Promise<readonly [code: number, words: string]> {
  const words: string[] = [];
  const code = await main(['node', 'esign-conformance', ...given], (text) => words.push(text));
  return [code, words.join('')];
}

let service: KnownService;

test.beforeEach(async ({}, info) => {
  service = await startKnownService(info);
});

test.afterEach(() => service.close());

test('a failure is drafted, accepted, mended, rechecked, stale and pruned', async ({}, info) => {
  service.behave(withoutTitle());
  const failed = await service.run('failed', ...only);
  expect(failed.code).toBe(1);
  expect(failed.stdout).toContain(`asking again about what failed: ${id}`);
  expect(failed.stdout).toContain('asked again at the end of the run: failed again');
  // The second attempt made calls of its own.
  const [check] = requirementOf(failed.run, id).checks;
  const first = check?.rows.flatMap(({ exchanges }) => exchanges) ?? [];
  const second = check?.confirmation?.attempts[0]?.rows.flatMap(({ exchanges }) => exchanges) ?? [];
  expect(Math.max(...first)).toBeLessThan(Math.min(...second));

  const file = info.outputPath('deviations.yaml');
  expect(await inProcess('deviations', 'draft', info.outputPath('failed'), '--out', file)).toEqual([0, '']);
  const [code, words] = await inProcess('--deviations', file, ...only);
  expect(code).toBe(3);
  expect(words).toMatch(/deviations\.yaml:\d+: deviations\[0\]\.owner is not filled in/);
  const draftText = readFileSync(file, 'utf8');
  writeFileSync(file, draftText.replace('owner:', 'owner: team').replace('until:', 'until: 2999-12-31'));

  const accepted = await service.run('accepted', ...only, '--deviations', file, '--no-confirm');
  expect({ code: accepted.code, stderr: accepted.stderr }).toEqual({ code: 0, stderr: '' });
  expect(accepted.stdout).toMatch(
    /ACCEPTED DEVIATIONS\nskeleton\.title-required .*\n {2}accepted until 2999/,
  );

  service.behave((passing) => passing.forward().then(passing.reply));
  const rechecked = await service.run('rechecked', '--recheck', info.outputPath('failed'));
  expect(rechecked.code).toBe(0);
  expect(rechecked.run).toMatchObject({
    scope: 'partial',
    selection: [id],
    recheck: { fixed: [id], still: [] },
  });
  expect(rechecked.stdout).toMatch(/RECHECK of the run of .*\n {2}fixed +skeleton\.title-required/);

  const stale = await service.run('stale', ...only, '--deviations', file);
  expect(stale.code).toBe(1);
  expect(stale.stdout).toMatch(/deviations\.yaml:\d+: skeleton\.title-required passes now: remove the entry/);
  expect(await inProcess('deviations', 'prune', info.outputPath('stale'), '--file', file)).toEqual([0, '']);
  expect(readFileSync(file, 'utf8')).toMatch(/^# yaml-language-server[\s\S]*\ndeviations: \[\]\n$/);
});

test('a check that disagrees with itself stays failed, unless it is listed as flaky', async ({}, info) => {
  service.behave(withoutTitle(1));
  const failed = await service.run('unsteady', ...only);
  expect(failed.code).toBe(1);
  expect(failed.stdout).toContain('asked again at the end of the run: passed this time');
  const file = info.outputPath('deviations.yaml');
  writeFileSync(file, `flaky:\n  - { requirement: ${id}, owner: team, until: 2999-12-31, rate: 0.5 }\n`);
  service.behave(withoutTitle(1));
  const listed = await service.run('listed', ...only, '--deviations', file);
  expect(listed.code).toBe(0);
  expect(requirementOf(listed.run, id)).toMatchObject({
    verdict: 'failed',
    deviation: { status: 'accepted', flaky: { rate: 0.5, failed: 0, attempts: 2 } },
  });
  expect(listed.stdout).toContain('flaky: failed 0 of 2 further attempts, permitted rate 0.5');
});
