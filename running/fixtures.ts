/** What the files of the checks import: `test()`, which hands them `CheckParts`, and how work on several is joined. */

import type { TestDetails } from '@playwright/test';
import type { RequirementId } from '../openapi/requirements/catalogue.ts';
import { collector, type TestFunction } from './load-checks.ts';

/** Playwright's `test()` itself, so that it sees who calls it, unless the checks are collected. */
export const test: TestFunction = collector() ?? (await import('./playwright-test.ts')).test;

/** Does the work for all, each to its end, and throws what the first that failed threw. */
export async function everyOne<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const ends = await Promise.allSettled(all.map(work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Passed to `test()` as its details. An id that is not in the catalogue does not compile. */
export function covers(...ids: readonly [RequirementId, ...RequirementId[]]): TestDetails {
  return { tag: ids.map((id) => `@${id}` as const) };
}

/**
 * The same for a test that judges nothing: it sends what the document is silent about and records what comes.
 * @param when `patient`: it begins early, since it waits for what may yet become visible; `explore`: only in a run that
 *   was asked to explore
 */
export function observes(when?: 'patient' | 'explore'): TestDetails {
  return { tag: ['@observation', ...(when ? [`@${when}` as const] : [])] };
}
