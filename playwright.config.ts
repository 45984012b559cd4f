/** Playwright's configuration: the checks are the project `conformance`, the suite's own tests `suite`. */
import { defineConfig } from '@playwright/test';
import { runOptions } from './harness/profile/run-options.ts';

const { out, strict, seed } = runOptions();

/** Ending of the suite's own modules: `ts` in the checkout, `js` in the published package. */
const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 1,
  timeout: 300_000,
  // A busy machine is no mistake: a test waits for what it asks about.
  expect: { timeout: 60_000 },
  globalSetup: `./running/global-setup.${ending}`,
  forbidOnly: true,
  reporter: [['list'], [`./reports/ending/collect.${ending}`, { out, strict, seed }]],
  projects: [
    // People take their time; whatever a check waits for has bounds of its own.
    { name: 'conformance', testDir: 'tests/conformance', testMatch: /\.spec\.[tj]s$/, timeout: 0 },
    { name: 'suite', testDir: 'tests/suite', testMatch: /\.test\.ts$/ },
  ],
});
