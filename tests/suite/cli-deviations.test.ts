/** A service that changes between runs of the command line: failures are accepted, confirmed, rechecked and pruned, and drift is told. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { baselineOf, baselineText } from '../../reports/accepted/baseline.ts';
import type { Run } from '../../reports/run/run.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { cli, type Ended } from './cli-spawn.ts';
import { requirementOf } from './reports-sample.ts';
import { asItIs, type Behaviour, reshaped } from './services/proxy.ts';
import { type Ground, startGround } from './services/tenant-ground.ts';

const id = 'skeleton.title-required';
const only = ['--only', `${id},upload.pdf`];

/** From now on the service behaves so. */
let behaves: Behaviour;
let ground: Ground;
/** Runs the checks; the result lies in the folder `out` of the test's output. */
let run: (out: string, ...given: readonly string[]) => Promise<Ended & { run: Run }>;

test.beforeEach(async ({}, info) => {
  behaves = asItIs;
  ground = await startGround(info, { behave: (passing) => behaves(passing) });
  run = async (out, ...given) => {
    const folder = info.outputPath(out);
    const ended = await ground.cli('--out', folder, ...given);
    return { ...ended, run: readRun(folder) };
  };
});

test.afterEach(() => ground.close());

/** Creates requests that have no Title, the first so many times. */
function withoutTitle(times = Number.POSITIVE_INFINITY): Behaviour {
  let left = times;
  return async (passing) => {
    const { request, reply } = passing;
    const isCreation = request.url.includes('type=0') && request.method === 'POST';
    if (!isCreation || request.body.includes('"Title"') || left <= 0) return asItIs(passing);
    left -= 1;
    reply({
      status: 201,
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.from(JSON.stringify({ requestId: `without-title-${left}` })),
    });
  };
}

test('a failure is drafted, accepted, mended, rechecked, stale and pruned', async ({}, info) => {
  behaves = withoutTitle();
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

  behaves = asItIs;
  const rechecked = await run('rechecked', '--recheck', info.outputPath('failed'));
  expect(rechecked.code).toBe(0);
  expect(rechecked.run).toMatchObject({
    scope: 'partial',
    selection: [id],
    recheck: { fixed: [id], still: [] },
  });
  expect(rechecked.stdout).toMatch(/RECHECK of the run of .*\n {2}fixed +skeleton\.title-required/);

  const stale = await run('stale', ...only, '--deviations', file);
  expect(stale.code).toBe(1);
  expect(stale.stdout).toMatch(/deviations\.yaml:\d+: skeleton\.title-required passes now: remove the entry/);
  const pruned = await cli('deviations', 'prune', info.outputPath('stale'), '--file', file);
  expect(pruned).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(file, 'utf8')).toMatch(/^# yaml-language-server[\s\S]*\ndeviations: \[\]\n$/);
});

test('a check that disagrees with itself is accepted where it is listed as flaky', async ({}, info) => {
  const file = info.outputPath('deviations.yaml');
  writeFileSync(file, `flaky:\n  - { requirement: ${id}, owner: team, until: 2999-12-31, rate: 0.5 }\n`);
  behaves = withoutTitle(1);
  const listed = await run('listed', ...only, '--deviations', file);
  expect(listed.code).toBe(0);
  expect(requirementOf(listed.run, id)).toMatchObject({
    verdict: 'failed',
    deviation: { status: 'accepted', flaky: { rate: 0.5, failed: 0, attempts: 2 } },
  });
  expect(listed.stdout).toContain('flaky: failed 0 of 2 further attempts, permitted rate 0.5');
});

test('run --baseline tells a drifted status', async ({}, info) => {
  const selection = ['--only', 'skeleton.created'];
  const before = await run('before', ...selection);
  const baseline = info.outputPath('before.json');
  writeFileSync(baseline, baselineText(baselineOf(before.run)));
  behaves = reshaped((answer, { url }) =>
    url.includes('type=0') && answer.status < 300 ? { ...answer, status: 202 } : answer,
  );
  const drifted = await run('drifted', ...selection, '--baseline', baseline);
  expect(drifted.stdout).toMatch(/warns {2}skeleton\.success-status {2}status: 20\d → 202/);
  expect([drifted.code, drifted.run.verdict]).toEqual([0, 'partial']);
});
