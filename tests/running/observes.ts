/** Marks a test that judges nothing: it sends what the document is silent about and records what comes. */
import type { TestDetails } from '@playwright/test';

const tags = {
  always: ['@observation'],
  /** Begins early, since it waits for what may yet become visible. */
  patient: ['@observation', '@patient'],
  /** Only when a run was asked to explore. */
  explore: ['@observation', '@explore'],
} as const;

/** Passed to `test()` as its details. */
export function observes(when: keyof typeof tags = 'always'): TestDetails {
  return { tag: [...tags[when]] };
}
