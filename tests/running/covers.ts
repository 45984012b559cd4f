/** Says which requirements a test covers; they become its tags. */
import type { TestDetails } from '@playwright/test';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';

/** Passed to `test()` as its details. An id that is not in the catalogue does not compile. */
export function covers(...ids: readonly [RequirementId, ...RequirementId[]]): TestDetails {
  return { tag: ids.map((id) => `@${id}` as const) };
}
