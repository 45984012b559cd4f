/** Opens report pages in Chromium, as files, as people do. */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
  type TestInfo,
} from '@playwright/test';
import { findBrowser } from '../../../bin/browser.mjs';
import { page as render } from '../../../reports/page/page.ts';
import type { Run } from '../../../reports/run.ts';
import { styleFile, styleSheet } from '../../../reports/shell.ts';

let started: Promise<Browser> | undefined;

/** The browser of this machine: one for all tests of a worker, which ends with it. */
export function browserOfTests(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH || findBrowser();
  started ??= chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    // As root there is no sandbox to have.
    chromiumSandbox: process.getuid?.() !== 0,
  });
  return started;
}

/** The URL of the page of a run, written into the folder of the test. */
export function pageOf(run: Run, info: TestInfo): string {
  const file = info.outputPath('index.html');
  writeFileSync(file, render(run));
  writeFileSync(info.outputPath(styleFile), styleSheet());
  return pathToFileURL(file).href;
}

/** Opens the page in a context of its own, and closes that afterwards. */
export async function withPage(
  url: string,
  use: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await (await browserOfTests()).newContext(options);
  try {
    const page = await context.newPage();
    await page.goto(url);
    await use(page);
  } finally {
    await context.close();
  }
}

/** Unfolds everything. */
export function unfold(page: Page): Promise<void> {
  return page.locator('details').evaluateAll((all) => {
    for (const each of all) each.setAttribute('open', '');
  });
}
