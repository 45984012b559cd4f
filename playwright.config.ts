/** Playwright's configuration: the checks are the project `conformance`, the suite's own tests `suite`. */
import { defineConfig } from '@playwright/test';
import { roundOf } from './harness/round.ts';
import { runOptions, startedByCommandLine } from './harness/run-options.ts';

const options = runOptions();
const round = roundOf();
const complete = startedByCommandLine();

/** Ending of the suite's own modules: `ts` in the checkout, `js` in the published package. */
const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 1,
  timeout: 300_000,
  globalSetup: `./tests/global-setup.${ending}`,
  forbidOnly: true,
  reporter: round
    ? [[`./reports/confirm.${ending}`, { file: round.file }]]
    : [
        ...(complete ? [] : [['list'] as const]),
        [
          `./reports/collect.${ending}`,
          {
            out: options.out,
            only: options.only,
            strict: options.strict,
            seed: options.seed,
            complete,
            earlier: options,
          },
        ],
      ],
  projects: [
    { name: 'conformance', testDir: 'tests/conformance', testMatch: /\.spec\.[tj]s$/ },
    { name: 'suite', testDir: 'tests/suite', testMatch: /\.test\.ts$/ },
  ],
});
