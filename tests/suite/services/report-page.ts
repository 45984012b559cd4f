/** Opens report pages in Chromium, as files, as people do, and asks axe-core about pages. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  expect,
  type Page,
  type TestInfo,
  type ViewportSize,
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

/** Pages that no test uses at the moment, by what cannot be changed about them: a new one takes half a second of the processor. */
const idle = new Map<string, Page>();

/** Opens a page that nothing stands in yet, and empties it afterwards for the next test. */
export async function withPage(
  url: string,
  use: (page: Page) => Promise<void>,
  {
    viewport = { width: 1280, height: 720 },
    colorScheme = 'light',
    ...fixed
  }: Omit<BrowserContextOptions, 'viewport'> & { readonly viewport?: ViewportSize } = {},
): Promise<void> {
  const kind = JSON.stringify(fixed);
  const page = idle.get(kind) ?? (await (await browserOfTests()).newPage(fixed));
  idle.delete(kind);
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, media: null });
  try {
    await page.goto(url);
    await use(page);
  } catch (error) {
    await page.close();
    throw error;
  }
  await page.goto('about:blank');
  idle.set(kind, page);
}

/** Unfolds everything. */
export function unfold(page: Page): Promise<void> {
  return page.locator('details').evaluateAll((all) => {
    for (const each of all) each.setAttribute('open', '');
  });
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Fails where something overflows, or axe finds something: on a phone and on a wide screen, in both colors. */
export async function expectGoodLooks(page: Page): Promise<void> {
  for (const [width, colorScheme] of [
    [360, 'light'],
    [1600, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await violationsOf(page), colorScheme).toEqual([]);
  }
}

/** What axe-core finds on a page against WCAG 2.2 AA and its best practices. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'] })",
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}
