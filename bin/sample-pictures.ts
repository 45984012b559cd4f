/** Pictures of the reports for the documentation: wide and as on a phone. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from '@playwright/test';
import { chromiumPath } from '../harness/people/chromium.ts';

export interface Shown {
  /** File of a report in which this requirement failed. */
  readonly report: string;
  readonly requirement: string;
  readonly comparison: string;
  /** Address of a reference service at which something has happened. */
  readonly service: string;
}

const wide = { width: 1200, height: 800 };
const phone = { width: 360, height: 740 };

export async function takePictures(folder: string, shown: Shown): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const executablePath = chromiumPath(chromium.executablePath());
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  const take = async (
    name: string,
    viewport: typeof wide,
    file: string,
    prepare?: (page: Page) => unknown,
  ) => {
    const page = await browser.newPage({ viewport });
    await page.goto(file.startsWith('http') ? file : pathToFileURL(file).href);
    await prepare?.(page);
    await page.screenshot({ path: join(folder, name) });
    await page.close();
  };
  const atFailure = async (page: Page) => {
    await page.evaluate((id) => {
      location.hash = id;
    }, shown.requirement);
    await page.locator(`[id="${shown.requirement}"] .exchange`).first().waitFor();
  };
  try {
    await take('report.png', wide, shown.report);
    await take('failure.png', wide, shown.report, atFailure);
    await take('comparison.png', wide, shown.comparison);
    await take('phone.png', phone, shown.report);
    await take('serve.png', wide, shown.service);
  } finally {
    await browser.close();
  }
}
