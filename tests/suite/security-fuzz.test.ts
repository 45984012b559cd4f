/** A thousand generated inputs for the reference service, the listener and the readers of foreign texts each; `npm run fuzz` takes ten times as many. */
import { expect, test } from '@playwright/test';
import { borders } from '../proof/fuzz/borders.ts';
import { fuzzBorders } from '../proof/fuzz/borders-fuzz.ts';
import { fuzzDocuments } from '../proof/fuzz/documents-fuzz.ts';
import { fuzzFiles } from '../proof/fuzz/files-fuzz.ts';
import { fuzzListener } from '../proof/fuzz/listener-fuzz.ts';
import { fuzzReference } from '../proof/fuzz/reference-fuzz.ts';

const seed = 20_261_121;

/** Logs, tables and caches grow a little with each input; one megabyte kept of each tenth would be a leak. */
const mostGrownBytes = 64 * 1024 * 1024;

test('the reference service takes 1,000 inputs without an error, a leak or growth', async () => {
  const { outcomes, grownBytes } = await fuzzReference({ inputs: 1_000, seed });
  // Inputs of which none is accepted, or all are, would prove little.
  expect(outcomes['200']).toBeGreaterThan(50);
  expect(outcomes['400']).toBeGreaterThan(100);
  expect(grownBytes).toBeLessThan(mostGrownBytes);
});

test('the listener takes 1,000 messages, tells the fate of each, and mixes none up', async () => {
  const { outcomes, grownBytes } = await fuzzListener({ inputs: 1_000, seed });
  expect(outcomes['200']).toBeGreaterThan(100);
  expect(outcomes['400']).toBeGreaterThan(20);
  expect(outcomes['404']).toBeGreaterThan(100);
  expect(grownBytes).toBeLessThan(mostGrownBytes);
});

test('whoever reads foreign texts takes 1,000 of them, at every border, without an error', async () => {
  const { outcomes, grownBytes } = await fuzzBorders({ inputs: 1_000, seed });
  for (const name of Object.keys(borders)) expect(outcomes[name], name).toBeGreaterThan(50);
  expect(grownBytes).toBeLessThan(mostGrownBytes);
});

test('files of ours that are spoiled are read, or refused by name', async () => {
  const { outcomes, grownBytes } = await fuzzFiles({ inputs: 1_000, seed });
  for (const name of ['run.json', 'baseline.json', 'deviations.yaml', 'recording.json', 'profile.yaml']) {
    expect(outcomes[`${name} read`], name).toBeGreaterThan(3);
    expect(outcomes[`${name} refused`], name).toBeGreaterThan(3);
  }
  expect(grownBytes).toBeLessThan(mostGrownBytes);
});

test('PDFs that are cut and flipped are refused, or signed and completed', async () => {
  const { outcomes, grownBytes } = await fuzzDocuments({ inputs: 12, seed });
  expect(outcomes.completed).toBeGreaterThan(2);
  expect(grownBytes).toBeLessThan(mostGrownBytes);
});
