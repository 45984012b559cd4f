/** Opens report pages in Chromium, as files, as people do, and asks axe-core about pages. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
  type TestInfo,
} from '@playwright/test';
import { chromiumPath } from '../../../harness/people/chromium.ts';
import { page as render } from '../../../reports/page/page.ts';
import { styleFile, styleSheet } from '../../../reports/page/shell.ts';
import type { Run } from '../../../reports/run/run.ts';

let started: Promise<Browser> | undefined;

/** The browser of this machine: one for all tests of a worker, which ends with it. */
export function browserOfTests(): Promise<Browser> {
  started ??= chromium.launch({
    executablePath: chromiumPath(chromium.executablePath()),
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

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds on a page against WCAG 2.2 AA and its best practices. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'] })",
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}
