/** Marks a test that judges nothing: it sends what the document is silent about and records what comes. */
import type { TestDetails } from '@playwright/test';

/** Passed to `test()` as its details; `explore` tests run only when a run was asked to explore. */
export function observes(when: 'always' | 'explore' = 'always'): TestDetails {
  return { tag: when === 'explore' ? ['@observation', '@explore'] : ['@observation'] };
}
