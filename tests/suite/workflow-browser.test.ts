/** The workflow through the signing page: the same requirements, proved by a browser instead of calls. */
import { expect, test } from '@playwright/test';
import { onReferencePage } from './signing-selectors.ts';
import { verdicts, withVerdict, workflow } from './workflow.ts';

const byBrowser = () => ({ signing: onReferencePage });

test('every requirement of the workflow passes through the signing page', async ({}, info) => {
  const found = await verdicts(null, info.outputPath('out'), byBrowser);
  expect(withVerdict(found, 'passed')).toEqual(workflow.map(({ id }) => id));
});
