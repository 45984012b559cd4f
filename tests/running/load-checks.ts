/** Loads the checks without Playwright. */
import { readdirSync } from 'node:fs';
import { isRequirementId, type RequirementId } from '../../openapi/requirements/catalogue.ts';
import { type CollectedCheck, collectChecks } from './collected.ts';

/** A check with the requirements that it judges; an observation judges none. */
export interface LoadedCheck extends CollectedCheck {
  readonly ids: readonly RequirementId[];
}

const folder = new URL('../conformance/', import.meta.url);

/** All checks and observations, in the order of their files. */
export async function loadChecks(): Promise<readonly LoadedCheck[]> {
  const collected = collectChecks();
  // In the package they are compiled.
  const files = readdirSync(folder).filter((name) => /\.spec\.[tj]s$/.test(name));
  for (const file of files.sort()) await import(new URL(file, folder).href);
  return collected.map((check) => ({
    ...check,
    ids: check.tags.map((tag) => tag.slice(1)).filter(isRequirementId),
  }));
}

/** Those that judge. */
export async function loadJudgingChecks(): Promise<readonly LoadedCheck[]> {
  return (await loadChecks()).filter(({ ids }) => ids.length > 0);
}
