/** How the checks are started: Playwright's command, its configuration and the project of the checks. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Arguments for Node that run the checks; options of Playwright are put behind them. */
export function playwrightTest(...given: readonly string[]): string[] {
  const command = createRequire(import.meta.url).resolve('@playwright/test/cli');
  const source = fileURLToPath(new URL('../playwright.config.ts', import.meta.url));
  const config = existsSync(source) ? source : source.replace(/ts$/, 'js');
  return [command, 'test', `--config=${config}`, '--project=conformance', ...given];
}

/** The `--grep` of Playwright that takes the tests with one of these tags, and none whose tag only begins so. */
export function grepOf(ids: readonly string[]): string {
  return `@(?:${ids.map((id) => id.replaceAll('.', '\\.')).join('|')})(?=\\s|$)`;
}
