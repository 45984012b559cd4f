/** A service in trouble for a moment, at which the run recovers and nobody is blamed, and an answer without anything in it. */
import { expect, test } from '@playwright/test';
import { checked, type RequirementId } from '../../openapi/requirements/catalogue.ts';
import { checksThrough } from './services/checks-at.ts';
import type { Behaviour } from './services/proxy.ts';

/** A busy machine is no trouble. */
const unhurriedMs = 60_000;

/** The checks at a correct service behind a proxy that makes trouble: they blame nobody. */
async function blameless(behave: Behaviour, deadlineMs = unhurriedMs, ids?: readonly RequirementId[]) {
  const found = await checksThrough(behave, deadlineMs, ids);
  expect(found.blame).toEqual([]);
  expect(found.verdicts.error ?? []).toEqual([]);
  return found;
}

/** From the n-th call on, for a while. */
function during(from: number, ms: number): (index: number) => boolean {
  let until = 0;
  return (index) => {
    if (index === from) until = performance.now() + ms;
    return index >= from && performance.now() < until;
  };
}

test('errors for a while, 503 and 429, connections that break off, calls that hang and answers that come late', async () => {
  const atStart = during(0, 300);
  const later = during(150, 300);
  const { verdicts, exchanges } = await blameless(async ({ index, forward, reply, reset }) => {
    if (atStart(index) || later(index)) return reply({ status: 500, body: Buffer.from('out of order') });
    if (index % 40 === 30) return reply({ status: 503, headers: { 'Retry-After': '0' } });
    if (index % 40 === 35) return reply({ status: 429 });
    if (index === 25) return;
    const answer = await forward();
    if (index % 60 === 7) reset();
    else if (index % 60 === 42) reset(answer);
    else if (index % 10 === 3) setTimeout(() => reply(answer), 400);
    else reply(answer);
  }, 8_000);
  expect(exchanges.filter(({ response }) => response?.status === 500).length).toBeGreaterThan(0);
  const failures = exchanges.flatMap(({ failure }) => failure?.code ?? []);
  expect(failures).toContain('DEADLINE');
  expect(failures.length).toBeGreaterThan(5);
  expect((verdicts.passed ?? []).length).toBeGreaterThan(80);
});

test('a service that limits the rate is waited for, and every wait is reported', async () => {
  const some = checked.filter(({ area }) => area === 'upload' || area === 'otp').map(({ id }) => id);
  let taken = 0;
  let closedUntil = 0;
  const { verdicts, observations } = await blameless(
    async ({ forward, reply }) => {
      const now = performance.now();
      // The first call too many closes it for a second, however slowly they come.
      if (taken === 20) [taken, closedUntil] = [0, now + 1_000];
      if (now < closedUntil) return reply({ status: 429, headers: { 'Retry-After': '1' } });
      taken += 1;
      reply(await forward());
    },
    unhurriedMs,
    some,
  );
  expect(verdicts['could-not-run'] ?? []).toEqual([]);
  expect(observations.some(({ gap }) => gap === 'limits.rate')).toBe(true);
});

test('a service that answers a creation with 204 fails what its answer lacks, and nothing else', async () => {
  const { verdicts } = await checksThrough(async ({ request, forward, reply }) => {
    const answer = await forward();
    const created = request.url.includes('type=0') && answer.status === 201;
    reply(created ? { status: 204 } : answer);
  }, unhurriedMs);
  expect(verdicts.failed).toEqual(['skeleton.response-json']);
});
