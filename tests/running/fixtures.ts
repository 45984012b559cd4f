/** What the files of the checks import: `test()`, which hands them `CheckParts`, and how work on several is joined. */
import { collector, type TestFunction } from './collected.ts';

/** Playwright's `test()` itself, so that it sees who calls it, unless the checks are collected. */
export const test: TestFunction = collector() ?? (await import('./playwright-test.ts')).test;

/** Does the work for all, each to its end, and throws what the first that failed threw. */
export async function everyOne<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const ends = await Promise.allSettled(all.map(work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
