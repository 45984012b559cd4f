/** A correct service in trouble for a moment, end to end: the run recovers or is incomplete, and nobody is blamed. */
import { expect, test } from '@playwright/test';
import { readRun } from '../../reports/run-file.ts';
import { withVerdict } from './command.ts';
import type { Behaviour } from './services/proxy.ts';
import { runThrough } from './services/run-through.ts';

/** The run of a correct service behind a proxy that makes trouble: complete or not, it blames nobody. */
async function blameless(out: string, behave: Behaviour) {
  const { exitCode, stderr, run } = await runThrough(out, behave);
  // What is written is valid.
  expect(readRun(out)).toEqual(run);
  expect(withVerdict(run, 'failed')).toEqual([]);
  expect(withVerdict(run, 'error')).toEqual([]);
  expect({ problems: run.problems, stderr }).toEqual({ problems: [], stderr: '' });
  return { exitCode, run };
}

/** From the n-th call on, for a while. */
function during(from: number, ms: number): (index: number) => boolean {
  let until = 0;
  return (index) => {
    if (index === from) until = performance.now() + ms;
    return index >= from && performance.now() < until;
  };
}

test('errors for 300 ms at the start and in the middle, 503 and 429 are got over', async ({}, info) => {
  const atStart = during(0, 300);
  const later = during(90, 300);
  const { run, exitCode } = await blameless(info.outputPath('out'), async ({ index, forward, reply }) => {
    if (atStart(index) || later(index)) reply({ status: 500, body: Buffer.from('out of order') });
    else if (index % 40 === 30) reply({ status: 503, headers: { 'Retry-After': '0' } });
    else if (index % 40 === 35) reply({ status: 429 });
    else reply(await forward());
  });
  expect(withVerdict(run, 'could-not-run')).toEqual([]);
  expect({ exitCode, verdict: run.verdict }).toEqual({ exitCode: 0, verdict: 'conformant' });
  expect(run.counts.retries).toBeGreaterThan(0);
});

test('connections that break off, before an answer and within it, blame nobody', async ({}, info) => {
  const { run, exitCode } = await blameless(
    info.outputPath('out'),
    async ({ index, forward, reply, reset }) => {
      const answer = await forward();
      if (index % 30 === 7) reset();
      else if (index % 30 === 22) reset(answer);
      else reply(answer);
    },
  );
  expect(run.exchanges.filter(({ failure }) => failure).length).toBeGreaterThan(5);
  expect(withVerdict(run, 'passed').length).toBeGreaterThan(90);
  expect([0, 2]).toContain(exitCode);
});

test('calls that hang and answers that come late blame nobody', async ({}, info) => {
  const out = info.outputPath('out');
  const { run, exitCode } = await blameless(out, async ({ index, forward, reply }) => {
    if (index === 25) return;
    const answer = await forward();
    if (index % 10 === 3) setTimeout(() => reply(answer), 400);
    else reply(answer);
  });
  expect(run.exchanges.filter(({ failure }) => failure?.code === 'DEADLINE')).toHaveLength(1);
  expect([0, 2]).toContain(exitCode);
});

test('one call in ten that breaks off, by chance, blames nobody', async ({}, info) => {
  // A sequence of its own, the same each time (a linear congruential generator).
  let state = 12_345;
  const chance = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  const { run, exitCode } = await blameless(info.outputPath('out'), async ({ forward, reply, reset }) => {
    if (chance() < 0.1) reset();
    else reply(await forward());
  });
  expect(withVerdict(run, 'passed').length).toBeGreaterThan(80);
  expect([0, 2]).toContain(exitCode);
});

test('a service that goes away in the middle of a run leaves it incomplete, soon', async ({}, info) => {
  const started = performance.now();
  const { run, exitCode } = await blameless(
    info.outputPath('out'),
    async ({ index, forward, reply, reset }) => {
      if (index > 60) reset();
      else reply(await forward());
    },
  );
  expect({ exitCode, verdict: run.verdict }).toEqual({ exitCode: 2, verdict: 'incomplete' });
  expect(withVerdict(run, 'passed').length).toBeGreaterThan(5);
  expect(run.exchanges.some(({ failure }) => failure?.code === 'NOT_SENT')).toBe(true);
  expect(performance.now() - started).toBeLessThan(60_000);
});

test('a service that limits the rate is waited for, and every wait is reported', async ({}, info) => {
  let second = 0;
  let inSecond = 0;
  const { run, exitCode } = await blameless(info.outputPath('out'), async ({ forward, reply }) => {
    const now = Math.floor(performance.now() / 1_000);
    inSecond = now === second ? inSecond + 1 : 1;
    second = now;
    if (inSecond > 60) reply({ status: 429, headers: { 'Retry-After': '1' } });
    else reply(await forward());
  });
  expect(withVerdict(run, 'could-not-run')).toEqual([]);
  expect({ exitCode, verdict: run.verdict }).toEqual({ exitCode: 0, verdict: 'conformant' });
  expect(run.gaps.find(({ id }) => id === 'limits.rate')?.status).toBe('observed');
});
