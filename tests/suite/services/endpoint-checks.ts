/** Runs the checks of the endpoints in this process, with a profile as a file has it. */
import { expect } from '@playwright/test';
import { loadProfile } from '../../../harness/profile/load.ts';
import { runDefaults } from '../../../harness/profile/run-options.ts';
import { RunSession } from '../../../harness/running/run-session.ts';
import { isOfFlows } from '../../proof/faults/selection.ts';
import { loadJudgingChecks } from '../../running/load-checks.ts';
import { runCheck } from '../../running/run-checks.ts';

/** Requirements by verdict, each with the first reason. */
export interface EndpointVerdicts {
  readonly passed: readonly string[];
  /** What failed, could not run or broke, with the reason. */
  readonly others: readonly string[];
}

/** A busy machine is no fault of a target. */
const deadlineMs = 60_000;

/** @param env resolves the references of the profile */
export async function endpointChecks(
  target: string,
  env: NodeJS.ProcessEnv,
  out: string,
): Promise<EndpointVerdicts> {
  const loaded = loadProfile({ target }, env);
  if (!loaded) throw new Error('there is no profile');
  const { profile } = loaded;
  const session = new RunSession(
    { ...loaded, profile: { ...profile, address: { ...profile.address, deadlineMs } } },
    { ...runDefaults, out },
    { runId: 'drafted', callbackUrl: 'http://127.0.0.1:9/', flows: [], profileDir: out },
  );
  try {
    const facts = await session.facts();
    const checks = (await loadJudgingChecks()).filter(({ ids }) => !ids.some(isOfFlows));
    const results = (await Promise.all(checks.map((check) => runCheck(check, { session, facts })))).flat();
    const broken = session.recorder.exchanges.flatMap(({ violations }) =>
      violations.map(({ requirement, message }) => `${requirement} is broken: ${message}`),
    );
    const reason = ({ id, verdict, message, rows }: (typeof results)[number]) =>
      `${id} ${verdict}: ${message ?? rows.map((row) => `${row.title}: ${row.message}`).join('; ')}`;
    return {
      passed: results.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id),
      others: [
        ...results.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'not-applicable').map(reason),
        ...broken,
      ],
    };
  } finally {
    await session.close();
  }
}

/** A profile is good when every check that it makes applicable passes, and there are many of them. */
export async function expectAllPassed(target: string, env: NodeJS.ProcessEnv, out: string): Promise<void> {
  const { passed, others } = await endpointChecks(target, env, out);
  expect(others).toEqual([]);
  expect(passed.length).toBeGreaterThan(80);
}
