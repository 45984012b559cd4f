/** Random sequences of calls against the reference service beside a model of the interface document. */
import { expect, test } from '@playwright/test';
import { type ModelRun, runModel } from '../proof/model/run-model.ts';

const seed = 20_261_121;

/** What a run of the model fails with. */
async function failureOf(run: ModelRun): Promise<string> {
  try {
    await runModel(run);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('the model found nothing');
}

test('whatever is called in whatever order, the reference service does as the model says', async () => {
  const reached = await runModel({ sequences: 100, seed });
  // Sequences that are refused from their start would prove nothing.
  expect(reached.completed).toBeGreaterThan(10);
  expect(reached.sent).toBeGreaterThan(20);
  expect(reached.declined).toBeGreaterThan(5);
});

/** Faults that show only after several calls, with the words by which the model tells them. */
const found: readonly (readonly [fault: string, message: RegExp])[] = [
  ['signing.lower-order-first/ignored', /expected refused · received 200|"invited"/],
  ['signing.cc-cannot-act/signs', /sign: expected refused · received 200/],
  ['skeleton.invalidated-document/accepted', /create: expected 404 · received 200/],
  ['events.signatory-completed/first-only', /"events":/],
  ['otp.gates-signing/not-demanded', /sign: expected refused · received 200/],
];

for (const [fault, message] of found) {
  test(`the model finds ${fault}`, async () => {
    expect(await failureOf({ sequences: 300, seed, faults: [fault], unshrunk: true })).toMatch(message);
  });
}

test('a failing sequence shrinks, and is replayed by seed, path and commands', async () => {
  const faults = ['signatory.deleted-request/accepted'];
  const told = await failureOf({ sequences: 300, seed, faults });
  const path = /path: "([\d:]+)"/.exec(told)?.[1] ?? '';
  const replayPath = /replayPath="([^"]+)"/.exec(told)?.[1] ?? '';
  expect(told).toContain(`seed: ${seed}`);
  // Nothing is left but what it takes: the request is deleted, and somebody is added.
  expect(told.match(/\b(?:upload|create|invalidate|act|race) \{/g) ?? []).toHaveLength(2);
  expect(told).toMatch(/delete \{.*add \{/s);
  const again = await failureOf({ sequences: 300, seed, faults, path, replayPath });
  expect(again).toContain('Property failed after 1 tests');
  expect(again).toContain('add: expected 404 · received 200');
});
