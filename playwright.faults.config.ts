/** Playwright's configuration of the fault runs: each fault is a project whose worker starts its own reference. */
import { defineConfig } from '@playwright/test';
import { faults } from './reference/faults.ts';

const wanted = new RegExp(process.env.ESIGN_FAULTS ?? '');

/** Observations judge nothing; the faults of the workflow have a test of their own, which needs no Playwright run. */
const ignored = [/observations/, ...(process.env.ESIGN_FAULTS_FLOWS ? [] : [/workflow-/])];

export default defineConfig<object, { fault: string }>({
  testDir: 'tests/conformance',
  testMatch: /\.spec\.ts$/,
  outputDir: 'test-results',
  workers: 2,
  timeout: 60_000,
  reporter: [
    ['./tests/faults-reporter.ts', { file: process.env.ESIGN_FAULTS_OUT ?? 'reports/out-faults.json' }],
  ],
  projects: Object.keys(faults)
    .filter((fault) => wanted.test(fault))
    // Making the documents takes longer than all other checks together: only faults of uploads need them.
    .map((fault) => ({
      name: fault,
      use: { fault },
      testIgnore: [...ignored, ...(fault.startsWith('upload.') ? [] : [/upload\.spec/])],
    })),
});
