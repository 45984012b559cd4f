/** Loads the checks without Playwright: they are collected as their files hand them over. */

import { readdirSync } from 'node:fs';
import type { TestDetails } from '@playwright/test';
import type { CheckParts } from '../harness/judging/parts.ts';
import { isRequirementId, type RequirementId } from '../openapi/requirements/catalogue.ts';

/** A check as it was handed over, with the requirements that it judges; an observation judges none. */
export interface LoadedCheck {
  readonly title: string;
  readonly tags: readonly string[];
  readonly ids: readonly RequirementId[];
  readonly body: (parts: CheckParts) => Promise<void>;
}

const folder = new URL('../tests/conformance/', import.meta.url);

/** All checks and observations, in the order of their files. */
export async function loadChecks(): Promise<readonly LoadedCheck[]> {
  // From now on: the fixtures are loaded with the first file.
  list ??= [];
  // In the package they are compiled.
  const files = readdirSync(folder).filter((name) => /\.spec\.[tj]s$/.test(name));
  for (const file of files.sort()) await import(new URL(file, folder).href);
  return list;
}

/** Those that judge. */
export async function loadJudgingChecks(): Promise<readonly LoadedCheck[]> {
  return (await loadChecks()).filter(({ ids }) => ids.length > 0);
}

/** How the file of a check hands it over. */
export type TestFunction = (
  title: string,
  details: TestDetails,
  body: (parts: CheckParts) => Promise<void>,
) => void;

/** What was collected in the life of this process; `null` where Playwright runs the checks. */
let list: LoadedCheck[] | null = null;

/** In place of Playwright's `test()` where checks are collected; otherwise `null`. */
export function collector(): TestFunction | null {
  const into = list;
  if (!into) return null;
  return (title, details, body) => {
    const tags = [details.tag ?? []].flat();
    into.push({ title, tags, body, ids: tags.map((tag) => tag.slice(1)).filter(isRequirementId) });
  };
}
