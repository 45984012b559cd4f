/** The imports of the files of checks: `test()`, which gives a check its `CheckParts`, and a way to work on several things. */
import type { TestDetails } from '@playwright/test';
import type { RequirementId } from '../openapi/requirements/catalogue.ts';
import { collector, type TestFunction } from './load-checks.ts';

/** Playwright's own `test()`, so that failures point at the check; without Playwright, a function that collects checks. */
export const test: TestFunction = collector() ?? (await import('./playwright-test.ts')).test;

/** Does the work for each of them, all to the end; then throws the error of the first that failed. */
export async function everyOne<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const ends = await Promise.allSettled(all.map(work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** The details of `test()` for a check. An id that is not in the catalogue does not compile. */
export function covers(...ids: readonly [RequirementId, ...RequirementId[]]): TestDetails {
  return { tag: ids.map((id) => `@${id}` as const) };
}

/** The same for a check that waits for the flows of the run, while others make their calls. */
export const coversInFlows = (id: RequirementId): TestDetails => ({ tag: [`@${id}`, '@flows'] });

/**
 * The details for a test that judges nothing: it sends what the document is silent about and records the answers.
 * @param when `patient`: it begins early, since it waits for something to become visible; `explore`: only in runs with
 *   `--explore`
 */
export function observes(when?: 'patient' | 'explore'): TestDetails {
  return { tag: ['@observation', ...(when ? [`@${when}` as const] : [])] };
}
