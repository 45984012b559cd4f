/** Runs the flows against the reference service without Playwright's checks, and tells their verdicts. */

import type { Profile } from '../../harness/profile/schema.ts';
import { RunSession } from '../../harness/running/run-session.ts';
import { checked, isJudgedByFlows, type RequirementId } from '../../openapi/requirements/catalogue.ts';
import { CouldNotRun } from '../../record/errors.ts';
import { type Verdict, worst } from '../../record/verdict.ts';
import { flows } from '../flows/all.ts';
import { startReferenceTarget } from '../running/reference-target.ts';

/** The requirements that flows judge. */
export const workflow = checked.filter(isJudgedByFlows);

/**
 * Verdicts of all of them against the reference, with one fault or none, and with parts of its profile and of its
 * dialect changed. What the chosen flows say nothing of could not run.
 */
export async function verdicts(
  fault: string | null,
  folder: string,
  change: (profile: Profile) => Partial<Profile> = () => ({}),
  dialect: NonNullable<Parameters<typeof startReferenceTarget>[0]>['dialect'] = {},
  chosen = flows,
): Promise<Map<RequirementId, Verdict>> {
  const target = await startReferenceTarget({ dialect, ...(fault === null ? {} : { faults: [fault] }) });
  const { profile } = target.loaded;
  const session = new RunSession(
    { ...target.loaded, profile: { ...profile, ...change(profile) } },
    { out: folder, seed: 1, concurrency: 8, explore: false, manual: true },
    { runId: 'faults', callbackUrl: 'http://127.0.0.1:9/', flows: chosen, profileDir: folder },
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

export function withVerdict(found: Map<RequirementId, Verdict>, wanted: Verdict): RequirementId[] {
  return [...found].filter(([, verdict]) => verdict === wanted).map(([id]) => id);
}
