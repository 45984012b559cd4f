/** Playwright's configuration: the checks are the project `conformance`, the suite's own tests `suite`. */
import { defineConfig } from '@playwright/test';
import { runOptions, startedByCommandLine } from './harness/run-options.ts';

const options = runOptions();

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 2,
  timeout: 120_000,
  globalSetup: './tests/global-setup.ts',
  forbidOnly: true,
  reporter: [
    ...(startedByCommandLine() ? [] : [['list'] as const]),
    ['./reports/collect.ts', { out: options.out, only: options.only, strict: options.strict }],
  ],
  projects: [
    { name: 'conformance', testDir: 'tests/conformance', testMatch: /\.spec\.[tj]s$/ },
    { name: 'suite', testDir: 'tests/suite', testMatch: /\.test\.ts$/ },
  ],
});
