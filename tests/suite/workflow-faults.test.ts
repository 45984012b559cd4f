/** Every fault of events, signing and completed documents turns its own requirement red, and no other. */
import { expect, test } from '@playwright/test';
import { CouldNotRun } from '../../harness/could-not-run.ts';
import { RunSession } from '../../harness/run-session.ts';
import { checked, isRequirementId, type RequirementId } from '../../openapi/requirements/catalogue.ts';
import { faults } from '../../reference/faults.ts';
import { type Verdict, worst } from '../../reports/verdict.ts';
import { flows } from '../flows/all.ts';
import { startReferenceTarget } from '../reference-target.ts';

/** The requirements that flows judge. */
const workflow = checked.filter((entry) => 'check' in entry && entry.check.startsWith('workflow-'));

/** Verdicts of all of them against the reference with one fault. */
async function verdicts(fault: string | null, folder: string): Promise<Map<RequirementId, Verdict>> {
  const target = await startReferenceTarget(fault === null ? {} : { faults: [fault] });
  const session = new RunSession(
    target.loaded,
    { out: folder, seed: 1, concurrency: 8, explore: false, manual: true },
    { runId: 'faults', callbackUrl: 'http://127.0.0.1:9/', flows, profileDir: folder },
  );
  try {
    const found = await Promise.all(
      workflow.map(async ({ id }): Promise<[RequirementId, Verdict]> => {
        const { rows } = await session.evidence(id);
        return [id, rows.length === 0 ? 'could-not-run' : worst(rows.map(({ verdict }) => verdict))];
      }),
    );
    return new Map(found);
  } catch (error) {
    if (!(error instanceof CouldNotRun)) throw error;
    return new Map(workflow.map(({ id }) => [id, 'could-not-run']));
  } finally {
    await session.close();
    await target.close();
  }
}

function withVerdict(found: Map<RequirementId, Verdict>, wanted: Verdict): RequirementId[] {
  return [...found].filter(([, verdict]) => verdict === wanted).map(([id]) => id);
}

test('without a fault every one of them passes', async ({}, info) => {
  const found = await verdicts(null, info.outputPath('out'));
  expect(withVerdict(found, 'passed')).toEqual(workflow.map(({ id }) => id));
});

test('each has a fault', () => {
  const proved = new Set(Object.keys(faults).map((fault) => fault.split('/')[0]));
  expect(workflow.map(({ id }) => id).filter((id) => !proved.has(id))).toEqual([]);
});

for (const fault of Object.keys(faults)) {
  const [requirement = ''] = fault.split('/');
  if (!isRequirementId(requirement) || !workflow.some(({ id }) => id === requirement)) continue;
  test(`${fault} fails exactly ${requirement}`, async ({}, info) => {
    const found = await verdicts(fault, info.outputPath('out'));
    expect(withVerdict(found, 'failed')).toEqual([requirement]);
  });
}
