/** Loads the checks without Playwright, and runs one of them in a session. */
import { readdirSync } from 'node:fs';
import type { RunFacts } from '../../harness/run-facts.ts';
import type { Session } from '../../harness/session.ts';
import { isRequirementId, type RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../../reports/check-result.ts';
import { Check } from '../check.ts';
import { type CollectedCheck, collectChecks } from '../collected.ts';
import { partsOf } from '../parts.ts';

/** A check that judges, with the requirements that it covers. */
export interface JudgingCheck extends CollectedCheck {
  readonly ids: readonly RequirementId[];
}

const folder = new URL('../conformance/', import.meta.url);

/** All checks that judge, in the order of their files. Observations judge nothing. */
export async function loadChecks(): Promise<readonly JudgingCheck[]> {
  const collected = collectChecks();
  const files = readdirSync(folder).filter((name) => name.endsWith('.spec.ts'));
  for (const file of files.sort()) await import(new URL(file, folder).href);
  return collected.flatMap((check) => {
    const ids = check.tags.map((tag) => tag.slice(1)).filter(isRequirementId);
    return ids.length > 0 ? [{ ...check, ids }] : [];
  });
}

/** What one check reports; an error of the suite itself is one of its results. */
export async function runCheck(
  { title, tags, ids, body }: JudgingCheck,
  session: Session,
  facts: RunFacts,
): Promise<readonly CheckResult[]> {
  const handed: CheckResult[] = [];
  const errors: unknown[] = [];
  const check = new Check(
    {
      title,
      tags: [...tags],
      errors,
      fail: () => {},
      setTimeout: () => {},
      attach: async (_, { body: results } = {}) => {
        handed.push(...(JSON.parse(String(results)) as CheckResult[]));
      },
    },
    false,
  );
  const reason = check.notApplicable(facts);
  if (reason === undefined) {
    try {
      await body(partsOf({ session, facts, check }));
    } catch (error) {
      errors.push(error);
    }
  } else {
    check.skip(reason);
  }
  await check.conclude();
  if (handed.length > 0) return handed;
  const message = errors.length > 0 ? String(errors[0]) : 'the check reported nothing';
  return ids.map((id) => ({ id, title, verdict: 'error', message, durationMs: 0, rows: [] }));
}
