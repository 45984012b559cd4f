/** Loads the checks without Playwright: their files call `test()`, and the calls are collected. */
import { readdirSync } from 'node:fs';
import type { TestDetails } from '@playwright/test';
import type { CheckParts } from '../harness/judging/parts.ts';
import { isRequirementId, type RequirementId } from '../openapi/requirements/catalogue.ts';

/** A collected check, with the requirements that it judges; an observation judges none. */
export interface LoadedCheck {
  readonly title: string;
  readonly tags: readonly string[];
  readonly ids: readonly RequirementId[];
  readonly body: (parts: CheckParts) => Promise<void>;
}

const folder = new URL('../tests/conformance/', import.meta.url);

/** All checks and observations, in the order of their files. */
export async function loadChecks(): Promise<readonly LoadedCheck[]> {
  // Switches collecting on, before the first file imports the fixtures.
  list ??= [];
  // In the published package the files are compiled.
  const files = readdirSync(folder).filter((name) => /\.spec\.[tj]s$/.test(name));
  for (const file of files.sort()) await import(new URL(file, folder).href);
  return list;
}

export async function loadJudgingChecks(): Promise<readonly LoadedCheck[]> {
  return (await loadChecks()).filter(({ ids }) => ids.length > 0);
}

export type TestFunction = (
  title: string,
  details: TestDetails,
  body: (parts: CheckParts) => Promise<void>,
) => void;

let list: LoadedCheck[] | null = null;

/** The replacement of Playwright's `test()` where checks are collected; otherwise `null`. */
export function collector(): TestFunction | null {
  const into = list;
  if (!into) return null;
  return (title, details, body) => {
    const tags = [details.tag ?? []].flat();
    into.push({ title, tags, body, ids: tags.map((tag) => tag.slice(1)).filter(isRequirementId) });
  };
}
