/** Where the parts meet: the session of the run, the check under way, and the operations a check may use. */
import { test as base } from '@playwright/test';
import { hostAddress } from '../harness/host.ts';
import { remoteSession } from '../harness/remote-session.ts';
import type { RunFacts } from '../harness/run-facts.ts';
import { startedByCommandLine } from '../harness/run-options.ts';
import type { Session } from '../harness/session.ts';
import { Check } from './check.ts';
import { FlowEvidenceJudge } from './flow-evidence.ts';
import {
  profiledCreation,
  signatoryAddition,
  skeletonCreation,
  stampedCreation,
  unversionedCreation,
  uploading,
} from './kinds.ts';
import { Operation } from './operations.ts';
import { traced } from './traced.ts';

type OperationOf<Kind> = Kind extends ConstructorParameters<typeof Operation<infer Given, infer Input>>[0]
  ? Operation<Given, Input>
  : never;

interface CheckFixtures {
  check: Check;
  upload: OperationOf<typeof uploading>;
  skeleton: OperationOf<typeof skeletonCreation>;
  signatory: OperationOf<typeof signatoryAddition>;
  stamping: OperationOf<typeof stampedCreation>;
  unversioned: OperationOf<typeof unversionedCreation>;
  /** Endpoint 2 with each type whose body is known. */
  creations: readonly OperationOf<typeof unversionedCreation>[];
  /** What the flows of the run say about the requirement. */
  evidence: FlowEvidenceJudge;
  session: Session;
  facts: RunFacts;
}

interface WorkerFixtures {
  /** A fault of the reference service, which the worker starts for itself; empty: the target of the run. */
  fault: string;
  /** A dialect of the reference service, which the worker starts for itself; empty: none. */
  dialect: string;
  host: Session;
  run: RunFacts;
}

export const test = base.extend<CheckFixtures, WorkerFixtures>({
  fault: ['', { option: true, scope: 'worker' }],
  dialect: ['', { option: true, scope: 'worker' }],
  host: [
    async ({ fault, dialect }, use) => {
      // Source maps for every stack that Playwright takes cost more than the checks: nobody sees them here.
      if (unwatched(fault + dialect)) Object.assign(Error, { prepareStackTrace: undefined });
      // Loaded only here: a run against a target has no use for the reference service.
      if (fault !== '') await (await import('./local-session.ts')).withFault(fault, use);
      else if (dialect !== '') await (await import('./dialects-session.ts')).withDialect(dialect, use);
      else await use(remoteSession(hostAddress()));
    },
    { scope: 'worker' },
  ],
  run: [async ({ host }, use) => use(await host.facts()), { scope: 'worker' }],
  facts: async ({ run }, use) => use(run),
  session: async ({ host, fault, dialect }, use) => use(unwatched(fault + dialect) ? host : traced(host)),
  check: [
    async ({ run, fault, dialect }, use, info) => {
      const check = new Check(info, unwatched(fault + dialect));
      info.skip(info.tags.includes('@explore') && !run.explore, 'only with --explore');
      info.skip(info.tags.includes('@observation') && run.smoke, 'not in production');
      const reasons = check.ids.map((id) => run.notApplicable[id]);
      const [reason] = reasons;
      if (reason !== undefined && reasons.every((each) => each !== undefined)) {
        check.skip(reason);
        await check.conclude();
        info.skip(true, reason);
      }
      await use(check);
      await check.conclude();
    },
    { auto: true },
  ],
  upload: async ({ session, facts, check }, use) => use(new Operation(uploading, { session, facts, check })),
  skeleton: async ({ session, facts, check }, use) =>
    use(new Operation(skeletonCreation, { session, facts, check })),
  signatory: async ({ session, facts, check }, use) =>
    use(new Operation(signatoryAddition, { session, facts, check })),
  stamping: async ({ session, facts, check }, use) =>
    use(new Operation(stampedCreation, { session, facts, check })),
  unversioned: async ({ session, facts, check }, use) =>
    use(new Operation(unversionedCreation, { session, facts, check })),
  evidence: async ({ session, check }, use) => use(new FlowEvidenceJudge(session, check)),
  creations: async ({ session, facts, check }, use) => {
    const kinds = [
      profiledCreation('template', facts),
      profiledCreation('fixed', facts),
      unversionedCreation,
    ];
    await use(kinds.flatMap((kind) => (kind ? [new Operation(kind, { session, facts, check })] : [])));
  },
});

/** Whether nobody looks at Playwright's own reports: in a run of the command line, and in one of many faults. */
function unwatched(own: string): boolean {
  return startedByCommandLine() || own !== '';
}

/** Does the work for all, each to its end, and throws what the first that failed threw. */
export async function everyOne<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const ends = await Promise.allSettled(all.map(work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
