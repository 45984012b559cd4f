/** Playwright's configuration of the dialect runs: each row is a project whose worker starts its own reference. */
import { defineConfig } from '@playwright/test';
import { dialectRows } from './tests/dialects-rows.ts';

const wanted = new RegExp(process.env.ESIGN_DIALECTS ?? '');

export default defineConfig<object, { dialect: string }>({
  testDir: 'tests/conformance',
  testMatch: /\.spec\.ts$/,
  outputDir: 'test-results',
  workers: 2,
  timeout: 60_000,
  reporter: [['./tests/dialects-reporter.ts']],
  projects: dialectRows
    .filter(({ name }) => wanted.test(name))
    // All files of a row meet one service: a second worker would start another one.
    .map(({ name }) => ({ name, workers: 1, use: { dialect: name } })),
});
