/** Exploring a target: nobody is blamed wrongly, and what only combinations show is found, shortened and told. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { plannedOf } from '../../harness/exploring/means.ts';
import { callsMost } from '../../harness/exploring/shrink.ts';
import { lengthOf, type Sequence } from '../../record/sequence.ts';
import type { CombinedFaultId } from '../../reference/faults/combined.ts';
import type { FaultId } from '../../reference/faults.ts';
import { exploredLines, exploredSummary } from '../../reports/texts/explored.ts';
import { startReferenceTarget } from '../../running/reference-target.ts';
import { exploreDialect, exploreFault } from '../proof/exploring/run-explored.ts';
import { withSession } from '../proof/session.ts';
import { act, approver, cc, of, refused, send, signer, twice } from './exploring-steps.ts';
import { startGround } from './services/tenant-ground.ts';

test('a thorough run goes on from what the flows bring about, to the same end each time', async () => {
  const given = { seed: 3, steps: 40, thorough: true };
  const [one, other] = [await exploreFault(null, given), await exploreFault(null, given)];
  const { fixed = 0, seen, of } = one.explored.situations;
  expect([fixed > 300, seen > fixed, of > seen, one.red]).toEqual([true, true, true, []]);
  expect(other.explored.situations).toEqual(one.explored.situations);
  expect(exploredSummary(one.explored)).toContain(
    `pairs of situations: ${fixed} of ${of} in the fixed flows`,
  );
});

test('whatever is done in whatever order, the reference service does as the model says', async () => {
  const seed = 11;
  const { explored, red, calls } = await exploreFault(null, { seed, steps: 60 });
  expect(red).toEqual([]);
  const { loaded, close } = await startReferenceTarget();
  await close();
  const people = { driver: { shows: true, enter: true }, outbox: { reads: () => true } };
  const basis = { profile: loaded.profile, facts: { notApplicable: {} }, ...people };
  // As a dry run says it.
  expect(Math.abs(plannedOf(basis, seed, 60).calls / calls - 1)).toBeLessThan(0.25);
  expect(explored.stories).toEqual([]);
  expect(explored.blocked).toBe(0);
  expect(explored.situations.seen).toBeGreaterThan(500);
});

/** The shortest sequences that showed them. */
const shown: readonly (readonly [FaultId | CombinedFaultId, Sequence])[] = [
  ['signing.lower-order-first/turn-lost', of([signer(1), signer(2)], send, act(0), act(0), act(1))],
  [
    'signing.approver-cannot-sign/three-documents',
    {
      ...of([approver(1), signer(2)], send, act(0, { as: 'sign' })),
      documents: ['page', 'page', 'page'],
    },
  ],
  [
    'events.process-completed/docx-alone',
    { ...of([signer(1)], send, act(0)), documents: ['docx', 'docx'], subscription: [3] },
  ],
  [
    'events.process-completed/docx-with-approver',
    { ...of([approver(1)], send, act(0)), documents: ['docx'], subscription: [3] },
  ],
  [
    'otp.gates-signing/auto-stamping',
    { ...of([signer(1, 1)], send, act(0, { code: 'none' })), stamped: true },
  ],
  [
    'signatory.deleted-request/accepted',
    of([signer(1)], { do: 'delete' }, { do: 'add', role: 'signer', order: 1 }),
  ],
  ['signatory.token-invalid/accepted', of([signer(1)], refused('an unknown access token'))],
];

test('what a sequence shows is found in it', async () => {
  // Side by side: most of their time is waiting.
  const found = await Promise.all(
    shown.map(async ([fault, sequence]) => {
      const { explored, red } = await exploreFault(fault, { seed: 1, steps: 1, arrivalMs: 5_000, sequence });
      return { fault, red, lengths: explored.stories.map(({ length }) => length) };
    }),
  );
  expect(found).toEqual(
    shown.map(([fault, sequence]) => {
      return { fault, red: [fault.slice(0, fault.indexOf('/'))], lengths: [lengthOf(sequence)] };
    }),
  );
});

/** Sequences by which a compliant service was blamed once. */
const unjust: readonly (readonly [because: string, row: string, Sequence])[] = [
  [
    'whose requests are sent with their first signatory, who may be a CC',
    'sandbox-parts',
    of([cc, approver(3), signer(1)], send, act(1), act(2), act(1)),
  ],
  [
    'that writes to a person a moment after their turn has come',
    'hiding-7',
    of([signer(1), approver(2)], send, act(0), twice(1)),
  ],
];

for (const [because, row, sequence] of unjust) {
  test(`a service is not blamed ${because}`, async () => {
    const { explored, red } = await exploreDialect(row, { seed: 1, steps: 1, sequence });
    expect([red, explored.blocked]).toEqual([[], 0]);
  });
}

test('a drawn sequence finds a fault, and gets shorter', async () => {
  // It shows before another sequence has proved that people can sign at all.
  const fault = 'signing.lower-order-first/turn-lost';
  const { explored, red } = await exploreFault(fault, { seed: 12, steps: 80 });
  expect(red).toEqual(['signing.lower-order-first']);
  const [story] = explored.stories;
  expect(story?.confirmed).toBe(true);
  expect(story?.length).toBeLessThanOrEqual(8);
  expect(story?.firstLength).toBeGreaterThan(story?.length ?? 0);
  expect(story?.calls).toBeLessThanOrEqual(callsMost);
});

test('where nobody can be let sign, it says what it made, and its page begins with it', async ({}, info) => {
  const ground = await startGround(info, { change: () => ({ signing: undefined, outbox: undefined }) });
  const out = info.outputPath('out');
  const { stdout } = await ground.cli('explore', '--steps', '12', '--out', out);
  await ground.close();
  expect(stdout).toMatch(
    / steps were made; nobody can be let sign, so they are creations and additions alone\)/,
  );
  const sections = readFileSync(join(out, 'index.html'), 'utf8').match(/(?<=<h2 id=")[^"]+/g);
  expect(sections?.slice(0, 2)).toEqual(['explored', 'operation-createSkeletonRequest']);
});

test('where sequences cannot go on, it says why, and counts as seen what came about before', async () => {
  const start = async () => {
    const target = await startReferenceTarget();
    const { profile } = target.loaded;
    const sign = { ...profile.calls?.sign, method: 'POST', url: '/nowhere' } as const;
    const calls = { ...profile.calls, sign };
    return { ...target, loaded: { ...target.loaded, profile: { ...profile, calls, outbox: undefined } } };
  };
  const lines = await withSession(start, { runId: 'stuck', flows: [] }, async (session) => {
    const stop = new AbortController().signal;
    const { explored } = await session.explore({ seed: 1, steps: 60, atOnce: 8, stop });
    expect(explored.situations.seen / explored.situations.of).toBeLessThan(0.2);
    return exploredLines({ explored, exchanges: session.recorder.exchanges });
  });
  expect(lines).toEqual([
    expect.stringContaining(' of them not to their end'),
    expect.stringMatching(/^\d+ sequences ended early: .* could not sign: calls\.sign was answered with 404/),
  ]);
});
