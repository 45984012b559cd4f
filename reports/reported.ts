/** What a Playwright test says about requirements: the results that it handed over, and what broke otherwise. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { isRequirementId, type RequirementId } from '../openapi/requirements/catalogue.ts';
import { attachmentName, type CheckResult, checkResultSchema } from '../record/check-result.ts';
import { mismatch } from '../record/own-files.ts';
import { worst } from '../record/verdict.ts';

/** Name of the project that holds the checks. */
const project = 'conformance';

/** Whether a test is a check. */
export function isOurs(test: TestCase): boolean {
  return test.parent.project()?.name === project;
}

/** The requirements that a test covers: its tags. */
export function covered(test: TestCase): RequirementId[] {
  return test.tags.map((tag) => tag.slice(1)).filter(isRequirementId);
}

/**
 * The results of a test; an error for each requirement that it covers and says nothing of.
 * @param complain told of results that have the wrong shape
 */
export function resultsOf(
  test: TestCase,
  result: TestResult,
  complain: (problem: string) => void,
): CheckResult[] {
  const handed = result.attachments
    .filter(({ name }) => name === attachmentName)
    .flatMap((attachment) => parse(attachment, complain));
  const broke = result.status === 'failed' || result.status === 'timedOut';
  const explained = worst(handed.map(({ verdict }) => verdict));
  const silent = covered(test).filter((id) => !handed.some((each) => each.id === id));
  const failure = (id: RequirementId): CheckResult => ({
    id,
    title: test.title,
    verdict: 'error',
    message: result.error ? words(result.error) : `the test ended as ${result.status} without a result`,
    durationMs: Math.round(result.duration),
    rows: [],
  });
  // A test that fails although every result it handed over is fine broke somewhere outside its rows.
  const unexplained = broke && (explained === 'passed' || explained === 'not-applicable');
  const additional = unexplained ? covered(test) : silent;
  return [...handed, ...additional.map(failure)];
}

function parse(
  attachment: TestResult['attachments'][number],
  complain: (problem: string) => void,
): CheckResult[] {
  const bytes = attachment.body ?? readFileSync(attachment.path ?? '');
  const value: unknown = JSON.parse(bytes.toString('utf8'));
  const results = Array.isArray(value) ? value : [value];
  return results.filter((result): result is CheckResult => {
    const wrong = mismatch(checkResultSchema, result);
    if (wrong) complain(`a check handed over a result of the wrong shape: ${wrong}`);
    return wrong === undefined;
  });
}

/** What Playwright says about an error, without colours and without the stack. */
export function words(error: TestError): string {
  const text = stripVTControlCharacters(error.message ?? error.value ?? 'an error without a message');
  const place = error.location
    ? ` (${relative(process.cwd(), error.location.file)}:${error.location.line})`
    : '';
  return `${text.trim()}${place}`;
}
