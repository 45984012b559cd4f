/**
 * Playwright's configuration of the dialect runs: each row is a project whose worker starts its own service.
 * ESIGN_DIALECTS names rows by a regular expression, ESIGN_DIALECTS_ALL takes them all; else those of every day.
 */
import { defineConfig } from '@playwright/test';
import { dialectRows, everyDay } from './tests/dialects-rows.ts';

const { ESIGN_DIALECTS: wanted, ESIGN_DIALECTS_ALL: all, ESIGN_DIALECTS_OUT: file } = process.env;
const rows = wanted || all ? dialectRows : everyDay;

export default defineConfig<object, { dialect: string }>({
  testDir: 'tests/conformance',
  testMatch: /\.spec\.ts$/,
  outputDir: 'test-results/dialects',
  workers: 2,
  timeout: 120_000,
  reporter: [['./tests/dialects-reporter.ts', { file }]],
  projects: rows
    .filter(({ name }) => new RegExp(wanted ?? '').test(name))
    // All files of a row meet one service: a second worker would start another one.
    .map(({ name }) => ({ name, workers: 1, use: { dialect: name } })),
});
