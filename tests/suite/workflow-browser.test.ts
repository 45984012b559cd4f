/** The workflow through the signing page: the same requirements, proved by a browser instead of calls. */
import { expect, test } from '@playwright/test';
import { flows } from '../flows/all.ts';
import { onReferencePage } from './signing-selectors.ts';
import { verdicts, withVerdict, workflow } from './workflow.ts';

const byBrowser = () => ({ signing: onReferencePage });

test('every requirement of the workflow passes through the signing page', async ({}, info) => {
  const found = await verdicts(null, info.outputPath('out'), byBrowser);
  expect(withVerdict(found, 'passed')).toEqual(workflow.map(({ id }) => id));
});

test('a page that does not ask for codes is blamed for that alone', async ({}, info) => {
  // A browser takes its time: only the flows that could show it.
  const telling = flows.filter(({ proves }) => proves.some((id) => id === 'otp.gates-signing'));
  const fault = 'otp.gates-signing/not-demanded';
  const found = await verdicts(fault, info.outputPath('out'), byBrowser, {}, telling.slice(0, 1));
  expect(withVerdict(found, 'failed')).toEqual(['otp.gates-signing']);
});
