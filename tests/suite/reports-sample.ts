/** Runs, records and results made by hand, for the tests of the reports. */
import { join } from 'node:path';
import { gaps } from '../../openapi/gaps/register.ts';
import {
  type CatalogueEntry,
  catalogue,
  checked,
  type RequirementId,
} from '../../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../../record/check-result.ts';
import type { Exchange } from '../../record/exchange.ts';
import { writeWhole } from '../../record/files.ts';
import type { Cause, Finding } from '../../record/finding.ts';
import type { Verdict } from '../../record/verdict.ts';
import { assemble, type Material } from '../../reports/assembling/assemble.ts';
import { emptyRecord, type RunRecord } from '../../reports/assembling/record.ts';
import type { Run } from '../../reports/run/run.ts';
import { runText } from '../../reports/run/run-file.ts';

const startedAt = '2026-01-02T03:04:05.678Z';

/** A body as it is recorded: JSON unless it is said to be something else. */
export const bodyOf = (text: string, mediaType = 'application/json') => {
  return { mediaType, size: text.length, sha256: 'a1', text };
};

/** A refused addition of a signatory, with whatever differs. */
export function exchange(index: number, differing: Partial<Exchange> = {}): Exchange {
  return {
    index,
    operation: 'addSignatory',
    purpose: 'judged',
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:1/_apis/sign/api/v2/requests/r-1/signatories',
      headers: [['Content-Type', 'application/json']],
      body: bodyOf('{"Order":"1"}'),
    },
    response: {
      status: 200,
      reason: 'OK',
      headers: [['Content-Type', 'application/json']],
      body: bodyOf('{}'),
    },
    startedAt,
    durationMs: 12,
    retries: [],
    violations: [],
    curl: 'curl -X POST \'http://127.0.0.1:1/_apis/sign/api/v2/requests/r-1/signatories\' -H "Authorization: Bearer $TOKEN"',
    ...differing,
  };
}

export function record(differing: Partial<RunRecord> = {}): RunRecord {
  return {
    target: { name: 'sample', baseUrl: 'http://127.0.0.1:1', profileHash: 'c3' },
    seed: 1,
    startedAt,
    ...emptyRecord,
    ...differing,
  };
}

/** A callback that arrived at once, with whatever differs. */
export function delivery(
  id: string,
  differing: Partial<Run['deliveries'][number]> = {},
): Run['deliveries'][number] {
  return {
    id,
    receivedAt: { start: startedAt, end: startedAt },
    method: 'POST',
    url: 'http://127.0.0.1:9/callback',
    headers: [],
    body: null,
    answered: 200,
    ...differing,
  };
}

/** A result without rows. */
export function result(
  id: RequirementId,
  verdict: Verdict,
  differing: Partial<CheckResult> = {},
): CheckResult {
  return { id, title: `checks ${id}`, verdict, durationMs: 5, rows: [], ...differing };
}

/**
 * A failed result with one row.
 * @param twin index of the accepted call
 */
export function failure(id: RequirementId, index: number, twin?: number): CheckResult {
  const row = { title: 'OTP without MobileNumber', message: 'expected 400 · received 200 {}' };
  const finding: Finding = {
    requirement: id,
    row: row.title,
    verdict: 'failed',
    expected: { is: 'status', status: 400 },
    received: { exchange: index, answer: 'accepted' },
    ...(twin === undefined ? {} : { twin }),
    decisive: { in: 'status' },
    evidence: { exchanges: [index] },
  };
  return result(id, 'failed', { rows: [{ ...row, verdict: 'failed', exchanges: [index], finding }] });
}

/** A result with one row that could not run, with its cause as data and in words. */
export function stopped(
  id: RequirementId,
  cause: Cause,
  message = `of ${id}`,
  differing: Partial<Finding> = {},
): CheckResult {
  const row = { title: 'a row', verdict: 'could-not-run', exchanges: [], message } as const;
  const evidence = { exchanges: [] };
  const finding = { requirement: id, row: row.title, verdict: row.verdict, cause, evidence, ...differing };
  return result(id, row.verdict, { message, rows: [{ ...row, finding }] });
}

/** Results for every entry with a check: passed, but for those that are given. */
export function results(...given: readonly CheckResult[]): CheckResult[] {
  const others = checked.filter(({ id }) => !given.some((each) => each.id === id));
  return [...others.map(({ id }) => result(id, 'passed')), ...given];
}

/** The run that comes of a material in which everything has passed, with whatever differs. */
export function run(differing: Partial<Material> = {}): Run {
  return assemble({
    catalogue,
    gaps,
    suite: { name: 'esign-conformance', version: '0.1.0' },
    contract: { version: '0.1.0' },
    record: record(),
    results: results(),
    strict: false,
    durationMs: 1234,
    interrupted: false,
    problems: [],
    ...differing,
  });
}

/** The requirement of a run with this id. */
export function requirementOf(given: Run, id: RequirementId): Run['requirements'][number] {
  const found = given.requirements.find((each) => each.id === id);
  if (!found) throw new Error(`the run has no requirement ${id}`);
  return found;
}

/** Ids of the requirements of a run with a verdict. */
export function withVerdict({ requirements }: Run, verdict: Verdict): string[] {
  return requirements.filter((each) => each.verdict === verdict).map(({ id }) => id);
}

/** The first entry of the catalogue that fits. */
export function entryWith(fits: (entry: CatalogueEntry) => boolean): CatalogueEntry {
  const found = catalogue.find(fits);
  if (!found) throw new Error('the catalogue has no such entry');
  return found;
}

/** Leaves a run in a folder, as a run does. */
export function writeRun(folder: string, given: Run): void {
  writeWhole(join(folder, 'run.json'), runText(given));
}
