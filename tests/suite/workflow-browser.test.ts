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

// One that is seen, and one that is done.
for (const fault of ['signing.signer-views/no-document', 'otp.gates-signing/not-demanded']) {
  test(`${fault} is seen on the signing page`, async ({}, info) => {
    const [requirement = ''] = fault.split('/');
    // A browser takes its time: only the flows that could show it.
    const telling = flows.filter(({ proves }) => proves.some((id) => id === requirement));
    const found = await verdicts(fault, info.outputPath('out'), byBrowser, {}, telling);
    expect(withVerdict(found, 'failed')).toEqual([requirement]);
  });
}
