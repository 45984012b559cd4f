/** The id of a run can be told from codes and from the id of another run. */
import { expect, test } from '@playwright/test';
import { findCode } from '../../harness/people/messages/find-code.ts';
import { newRunId } from '../../harness/running/run-id.ts';

test('a run id is never taken for a one-time password, and no two are alike', () => {
  const ids = Array.from({ length: 1_000 }, newRunId);
  for (const id of ids)
    expect(findCode([`Conformance ${id} wants your signature`], undefined)).toBeUndefined();
  expect(new Set(ids).size).toBe(ids.length);
});
