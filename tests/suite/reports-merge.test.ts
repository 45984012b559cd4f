/** Merging the shards of a run. */
import { expect, test } from '@playwright/test';
import { report } from '../../bin/report.ts';
import { checked } from '../../openapi/requirements/catalogue.ts';
import { baselineOf } from '../../reports/accepted/baseline.ts';
import { merge } from '../../reports/assembling/merge.ts';
import type { Run } from '../../reports/run/run.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { summary } from '../../reports/texts/summary.ts';
import { terminalText } from '../../reports/texts/terminal.ts';
import { exchange, failure, record, requirementOf, results, run, writeRun } from './reports-sample.ts';

const half = Math.floor(checked.length / 2);
const ids = checked.map(({ id }) => id);
const observation = {
  gap: 'skeleton.success-status',
  key: 'status',
  value: '200',
  stability: 'stable',
} as const;

function shard(selection: readonly string[], differing: Parameters<typeof record>[0] = {}) {
  return run({
    selection,
    record: record({ exchanges: [exchange(0), exchange(1)], ...differing }),
    results: results(failure('otp.sms', 1, 0)).filter(({ id }) => selection.includes(id)),
  });
}

test('a run may list more than a call takes arguments', ({}, info) => {
  const many = 130_000;
  const created = { kind: 'request', id: 'r', exchange: 1 } as const;
  const { target, requirements, ...one } = shard(ids);
  const requirement = { ...requirements[0], reason: 'a\n'.repeat(many), checks: [], verdict: 'error' };
  const given = {
    ...one,
    target: { ...target, name: '` '.repeat(many) },
    requirements: [requirement, ...requirements.slice(1)],
    created: Array(many).fill(created),
  } as Run;
  const folder = info.outputPath('run');
  writeRun(folder, given);
  const read = readRun(folder);
  expect(merge([read, read]).created).toHaveLength(2 * many);
  expect(summary(read)).toContain('a');
  expect(terminalText(read, (_, text) => text)).toContain('a');
});

test('a run with a question that this version does not know is refused by its name', () => {
  const known = shard(ids);
  const strange = { ...known, gaps: [...known.gaps, { ...known.gaps[0], id: 'a.b' }] } as Run;
  expect(() => merge([known, strange])).toThrow('runs that answer a.b cannot be merged');
});

test('shards that cover everything make a full run with all exchanges', () => {
  const first = shard(ids.slice(0, half));
  const second = shard(ids.slice(half), {
    startedAt: '2026-01-02T03:04:06.678Z',
    exchanges: [exchange(0), exchange(1, { madeFor: 0 })],
    observations: [{ ...observation, exchanges: [1] }],
    created: [{ kind: 'request', id: 'r-2', exchange: 1 }],
  });
  const merged = merge([first, second]);
  expect(merged).toMatchObject({ scope: 'full', verdict: 'nonconformant', exitCode: 1, durationMs: 2234 });
  expect(merged.exchanges.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  expect(merged.exchanges.map(({ madeFor }) => madeFor)).toEqual([undefined, undefined, undefined, 2]);
  const [from] = ids.indexOf('otp.sms') < half ? [0] : [2];
  expect(requirementOf(merged, 'otp.sms').checks[0]?.rows[0]).toMatchObject({
    exchanges: [from + 1],
    finding: { received: { exchange: from + 1 }, twin: from, evidence: { exchanges: [from + 1] } },
  });
  expect(merged.created).toEqual([{ kind: 'request', id: 'r-2', exchange: 3 }]);
  const gap = merged.gaps.find(({ id }) => id === observation.gap);
  expect(gap?.observations[0]?.exchanges).toEqual([3]);
  expect(merged.counts.checks).toEqual({ expected: ids.length, reported: ids.length });
  const verdicts = ({ requirements }: Run) => requirements.map(({ id, verdict }) => `${id} ${verdict}`);
  expect(verdicts(merged)).toEqual(verdicts(run({ results: results(failure('otp.sms', 1, 0)) })));
});

test('what one shard saw break the contract fails the requirement that another one checked', () => {
  const violations = [{ requirement: ids.at(-1) ?? '', pointer: '', message: 'is empty' }];
  const first = shard(ids.slice(0, half), { exchanges: [exchange(0, { violations }), exchange(1)] });
  const merged = merge([first, shard(ids.slice(half))]);
  expect(requirementOf(merged, checked.at(-1)?.id ?? 'otp.sms').verdict).toBe('failed');
  expect(merge([merged, merged]).counts.requirements).toEqual(merged.counts.requirements);
});

test('with a baseline of its own the whole misses what no shard saw, and what changed there counts', () => {
  const seen = record({ exchanges: [exchange(0)], observations: [{ ...observation, exchanges: [0] }] });
  const baseline = baselineOf(run({ results: results(), record: seen }));
  const shards = [ids.slice(0, half), ids.slice(half)].map((selection) =>
    run({ selection, results: ofOnly(selection) }),
  ) as [Run, Run];
  const expected = { id: observation.gap, key: 'status', before: '200', after: '(absent)' };
  const merged = merge(shards, { baseline });
  expect(merged).toMatchObject({ verdict: 'conformant', drift: [{ ...expected, gating: false }] });
  const { suite, contract, target, startedAt } = baseline;
  expect(merged.baseline).toEqual({ suite, contract, target, startedAt });
  expect(() => merge([merged, merged])).toThrow('name it for the whole too (--baseline)');
  const strict = merge(shards, { baseline, drift: { strict: true } });
  expect(strict).toMatchObject({ exitCode: 1, drift: [{ ...expected, gating: true }] });
});

test('deviations that the whole is held against accept failures of any shard', () => {
  const entry = {
    requirement: 'otp.sms',
    reason: 'known',
    owner: 'us',
    until: '2027-01-01',
    line: 3,
    list: 'deviations' as const,
  };
  const deviations = { file: 'deviations.yaml', stale: 'fail' as const, entries: [entry] };
  const shards = [shard(ids.slice(0, half)), shard(ids.slice(half))] as [Run, Run];
  expect(merge(shards).exitCode).toBe(1);
  expect(merge(shards, { deviations })).toMatchObject({ verdict: 'conformant', exitCode: 0 });
  const stale = { ...deviations, entries: [{ ...entry, requirement: 'otp.email' }] };
  expect(merge(shards, { deviations: stale }).deviations?.entries[0]?.status).toBe('stale');
});

test('the command takes a baseline for shards, and for nothing else', async ({}, info) => {
  const [one, other, whole] = [ids.slice(0, half), ids.slice(half), undefined].map((selection, at) => {
    const folder = info.outputPath(String(at));
    const results = ofOnly(selection ?? ids);
    writeRun(folder, run(selection ? { selection, results } : { results }));
    return folder;
  }) as [string, string, string];
  const out = info.outputPath('merged');
  expect(await report([one, other], { out, baseline: whole })).toBe(0);
  expect(readRun(out)).toMatchObject({ scope: 'full', drift: [], baseline: { target: { name: 'sample' } } });
  await expect(report([whole], { baseline: whole })).rejects.toThrow('are for shards that are merged');
  await expect(report([one, other], { out, strictDrift: true })).rejects.toThrow(
    'of no use without --baseline',
  );
});

function ofOnly(selection: readonly string[]) {
  return results().filter(({ id }) => selection.includes(id));
}
