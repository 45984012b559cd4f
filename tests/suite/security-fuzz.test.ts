/** A thousand generated inputs for the reference service, the listener and the readers of foreign texts each, the same ones each time; `npm run fuzz` takes ten thousand, and others. */
import { expect, test } from '@playwright/test';
import { borders } from '../proof/fuzz/borders.ts';
import { fuzzBorders } from '../proof/fuzz/borders-fuzz.ts';
import { fuzzDocuments } from '../proof/fuzz/documents-fuzz.ts';
import { fuzzFiles } from '../proof/fuzz/files-fuzz.ts';
import { fuzzListener } from '../proof/fuzz/listener-fuzz.ts';
import { fuzzReference } from '../proof/fuzz/reference-fuzz.ts';

const seed = 20_261_121;
const inputs = 1_000;

/** Logs, tables and caches grow a little with each input; one megabyte kept of each tenth would be a leak. */
const mostGrownBytes = 64 * 1024 * 1024;

test('the reference service takes a thousand inputs without an error, a leak or growth', async () => {
  const { outcomes, grownBytes } = await fuzzReference({ inputs, seed });
  // Inputs of which none is accepted, or all are, would prove little.
  expect(outcomes['200']).toBeGreaterThan(20);
  expect(outcomes['400']).toBeGreaterThan(40);
  expect(grownBytes).toBeLessThan(mostGrownBytes);
});

test('the listener takes a thousand messages, tells the fate of each, and mixes none up', async () => {
  const { outcomes, grownBytes } = await fuzzListener({ inputs, seed });
  expect(outcomes['200']).toBeGreaterThan(40);
  expect(outcomes['400']).toBeGreaterThan(8);
  expect(outcomes['404']).toBeGreaterThan(40);
  expect(grownBytes).toBeLessThan(mostGrownBytes);
});

test('whoever reads foreign texts takes a thousand of them at every border without an error', async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => warnings.push(message);
  process.on('warning', note);
  const { outcomes, grownBytes } = await fuzzBorders({ inputs, seed });
  process.off('warning', note);
  expect(warnings).toEqual([]);
  for (const name of Object.keys(borders)) expect(outcomes[name], name).toBeGreaterThan(800);
  expect(grownBytes).toBeLessThan(mostGrownBytes);
});

test('files of ours that are spoiled are read, or refused by name', async () => {
  const { outcomes, grownBytes } = await fuzzFiles({ inputs, seed });
  for (const name of ['run.json', 'baseline.json', 'deviations.yaml', 'recording.json', 'profile.yaml']) {
    expect(outcomes[`${name} read`], name).toBeGreaterThan(3);
    expect(outcomes[`${name} refused`], name).toBeGreaterThan(3);
  }
  expect(grownBytes).toBeLessThan(mostGrownBytes);
});

test('PDFs that are cut and flipped are refused, or signed and completed', async () => {
  const { outcomes, grownBytes } = await fuzzDocuments({ inputs: 6, seed });
  expect(outcomes.completed).toBeGreaterThan(1);
  expect(grownBytes).toBeLessThan(mostGrownBytes);
});
