/** A service that changes between runs of the command line: a failure is accepted, confirmed, rechecked and pruned, and drift is told. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { baselineOf, baselineText } from '../../reports/accepted/baseline.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { cli } from './cli-spawn.ts';
import { requirementOf } from './reports-sample.ts';
import { instead } from './services/proxy.ts';
import { startGround } from './services/tenant-ground.ts';

const id = 'skeleton.title-required';
const only = ['--only', `${id},upload.pdf`];

test('a failure is drafted, accepted, mended, rechecked, stale, told as drift and pruned', async ({}, info) => {
  let broken = true;
  const ground = await startGround(info, {
    behave: instead(({ method, url, body }, index) => {
      if (!broken || method !== 'POST' || !url.includes('type=0') || body.includes('"Title"'))
        return undefined;
      const created = Buffer.from(JSON.stringify({ requestId: `without-title-${index}` }));
      return { status: 201, headers: { 'Content-Type': 'application/json' }, body: created };
    }),
  });
  /** Runs the checks; the result lies in the folder `out` of the test's output. */
  const run = async (out: string, ...given: readonly string[]) => {
    const folder = info.outputPath(out);
    const ended = await ground.cli('--out', folder, ...given);
    return { ...ended, run: readRun(folder) };
  };

  const failed = await run('failed', ...only);
  expect(failed.code).toBe(1);
  expect(failed.stdout).toContain(`asking again about what failed: ${id}`);
  expect(failed.stdout).toContain('asked again at the end of the run: failed again');
  // The second attempt made calls of its own.
  const [check] = requirementOf(failed.run, id).checks;
  const first = check?.rows.flatMap(({ exchanges }) => exchanges) ?? [];
  const second = check?.confirmation?.attempts[0]?.rows.flatMap(({ exchanges }) => exchanges) ?? [];
  expect(Math.max(...first)).toBeLessThan(Math.min(...second));

  const file = info.outputPath('deviations.yaml');
  const drafted = await cli('deviations', 'draft', info.outputPath('failed'), '--out', file);
  expect(drafted).toMatchObject({ code: 0, stderr: '' });
  expect(await cli('--deviations', file, ...only)).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/deviations\.yaml:\d+: deviations\[0\]\.owner is not filled in/),
  });
  const draftText = readFileSync(file, 'utf8');
  writeFileSync(file, draftText.replace('owner:', 'owner: team').replace('until:', 'until: 2999-12-31'));

  const accepted = await run('accepted', ...only, '--deviations', file, '--no-confirm');
  expect({ code: accepted.code, stderr: accepted.stderr }).toEqual({ code: 0, stderr: '' });
  expect(accepted.stdout).toMatch(
    /ACCEPTED DEVIATIONS\nskeleton\.title-required .*\n {2}accepted until 2999/,
  );

  broken = false;
  const rechecked = await run('rechecked', '--recheck', info.outputPath('failed'));
  expect(rechecked.code).toBe(0);
  expect(rechecked.run).toMatchObject({
    scope: 'partial',
    selection: [id],
    recheck: { fixed: [id], still: [] },
  });
  expect(rechecked.stdout).toMatch(/RECHECK of the run of .*\n {2}fixed +skeleton\.title-required/);

  const baseline = info.outputPath('baseline.json');
  writeFileSync(baseline, baselineText(baselineOf(accepted.run)));
  const stale = await run('stale', ...only, '--deviations', file, '--baseline', baseline);
  expect(stale.code).toBe(1);
  expect(stale.stdout).toMatch(/warns {2}skeleton\.title-required: deviation → passed/);
  expect(stale.stdout).toMatch(/deviations\.yaml:\d+: skeleton\.title-required passes now: remove the entry/);
  await ground.close();
  const pruned = await cli('deviations', 'prune', info.outputPath('stale'), '--file', file);
  expect(pruned).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(file, 'utf8')).toMatch(/^# yaml-language-server[\s\S]*\ndeviations: \[\]\n$/);
});
