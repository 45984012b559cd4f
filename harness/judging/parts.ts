/** What the body of a check is handed: the session of the run, and the operations of the interface. */
import { isJudgedByFlows, type RequirementId, requirement } from '../../openapi/requirements/catalogue.ts';
import { CouldNotRun, ifCouldNotRun } from '../../record/errors.ts';
import type { Judged } from './case.ts';
import type { Check, RowContext } from './check.ts';
import {
  profiledCreation,
  signatoryAddition,
  skeletonCreation,
  stampedCreation,
  unversionedCreation,
  uploading,
} from './kinds.ts';
import { Operation } from './operations.ts';
import type { FlowRow, RunFacts, Session } from './session.ts';

export type CheckParts = ReturnType<typeof partsOf>;

export function partsOf(run: { session: Session; facts: RunFacts; check: Check }) {
  const unversioned = new Operation(unversionedCreation, run);
  const offers = (id: RequirementId) => run.facts.notApplicable[id] === undefined;
  const profiled = [
    offers('create.template-200') ? profiledCreation('template', run.facts) : null,
    offers('create.fixed-200') ? profiledCreation('fixed', run.facts) : null,
  ];
  return {
    ...run,
    upload: new Operation(uploading, run),
    skeleton: new Operation(skeletonCreation, run),
    signatory: new Operation(signatoryAddition, run),
    stamping: new Operation(stampedCreation, run),
    unversioned,
    /** Endpoint 2 with each type whose body is known. */
    creations: [...profiled, offers('create.stamping-200') ? unversionedCreation : null].flatMap((kind) =>
      kind ? [new Operation(kind, run)] : [],
    ),
    /** What the flows of the run say about the requirement. */
    evidence: evidenceOf(run.session, run.check),
  };
}

/** Turns what the flows of a run say about the requirement of a check into its rows. */
export function evidenceOf(session: Session, check: Check) {
  const [id] = check.ids;
  return {
    /** Whether flows that ran anyway saw a violation of a requirement that the profile calls not applicable. */
    async isViolated(): Promise<boolean> {
      // Checks of other requirements do not wait for flows.
      if (id === undefined || !isJudgedByFlows(requirement(id))) return false;
      const { rows } = await session.evidence(id, true).catch(ifCouldNotRun(() => ({ rows: [] })));
      return rows.some(({ verdict }) => verdict === 'failed');
    },
    /** No flow violates the requirement, and at least one fulfils it. */
    async holds(): Promise<void> {
      if (!id) throw new Error('a check without a requirement has no evidence');
      const { rows } = await check.prepare(async () => {
        const evidence = await session.evidence(id);
        check.showTimeline(evidence.timeline);
        if (evidence.rows.length > 0) return evidence;
        throw new CouldNotRun(
          'no flow puts it to the test: allow more signatories or requests (limits.signatories, signing.requests)',
        );
      });
      await check.rows(rows, saidByFlow);
    },
    /** No flow violates the requirement, which has a check of its own as well. */
    async isKept(): Promise<void> {
      if (!id) throw new Error('a check without a requirement has no evidence');
      const { rows } = await check.prepare(() => session.evidence(id));
      if (rows.length > 0) await check.rows(rows, saidByFlow);
      else check.skip('no request from upload to completion tells more about it');
    },
  };
}

/** What a flow says, as a row of a check. */
export async function saidByFlow(
  { verdict, found, message = '', exchanges, deliveries }: FlowRow,
  context: RowContext,
): Promise<Judged> {
  context.exchanges.push(...exchanges);
  context.deliveries.push(...deliveries.map(String));
  return { verdict, found, answers: [], said: message };
}
