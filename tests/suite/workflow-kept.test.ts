/** What run.json keeps of events and completed documents: every timeline; of documents hash, size and pages. */
import { expect, test } from '@playwright/test';
import { readRun } from '../../reports/run-file.ts';
import { command, withVerdict } from './command.ts';

test('every check of events has its timeline, and of each completed document hash, size and pages are kept', async ({}, info) => {
  const out = info.outputPath('out');
  await command(['--only', 'events,signing,stamping.placed', '--out', out]);
  const run = readRun(out);
  expect(withVerdict(run, 'passed').length).toBeGreaterThan(20);
  const events = run.requirements.filter(({ id, checks }) => id.startsWith('events.') && checks.length > 0);
  expect(events.length).toBeGreaterThan(10);
  const told = events.map(({ id, checks }) => [
    id,
    checks.every(({ timeline = [] }) => timeline.some(({ kind }) => kind === 'action')),
    checks.some(({ timeline = [] }) => timeline.some(({ delivery }) => delivery !== undefined)),
  ]);
  // A request without CallbackUrl has nothing delivered: that is what is judged.
  expect(told).toEqual(events.map(({ id }) => [id, true, id !== 'events.optional']));
  const known = new Set(run.deliveries.map(({ id }) => id));
  const shown = events.flatMap(({ checks }) => checks.flatMap(({ timeline = [] }) => timeline));
  expect(shown.filter(({ delivery }) => delivery !== undefined && !known.has(delivery))).toEqual([]);

  const bodies = [...run.deliveries, ...run.exchanges.flatMap(({ response }) => response ?? [])]
    .flatMap(({ body }) => body ?? [])
    .filter(({ text }) => text?.startsWith('(not kept'));
  expect(bodies.length).toBeGreaterThan(2);
  for (const { documents = [] } of bodies) {
    expect(documents).not.toEqual([]);
    for (const { pages, size, sha256 } of documents) {
      expect([Number(pages) > 0, size > 500, /^[0-9a-f]{64}$/.test(sha256)]).toEqual([true, true, true]);
    }
  }
});
