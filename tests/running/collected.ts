/** Where the checks are put when it is not Playwright that runs them, but the command line or a proof. */
import type { TestDetails } from '@playwright/test';
import type { CheckParts } from '../../harness/judging/parts.ts';

/** How the file of a check hands it over. */
export type TestFunction = (
  title: string,
  details: TestDetails,
  body: (parts: CheckParts) => Promise<void>,
) => void;

/** A check as it was handed over. */
export interface CollectedCheck {
  readonly title: string;
  readonly tags: readonly string[];
  readonly body: (parts: CheckParts) => Promise<void>;
}

let list: CollectedCheck[] | null = null;

/** From now on `test()` of the fixtures collects, for the life of this process; to be called before they load. */
export function collectChecks(): readonly CollectedCheck[] {
  list ??= [];
  return list;
}

/** In place of Playwright's `test()` where checks are collected; otherwise `null`. */
export function collector(): TestFunction | null {
  const into = list;
  if (!into) return null;
  return (title, details, body) => {
    into.push({ title, tags: [details.tag ?? []].flat(), body });
  };
}
