/** What the body of a check is handed: the session of the run, and the operations of the interface. */
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { RunFacts } from '../target/run-facts.ts';
import type { Check } from './check.ts';
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
import type { Session } from './session.ts';

export type CheckParts = ReturnType<typeof partsOf>;

/** All parts of one check. */
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
    evidence: new FlowEvidenceJudge(run.session, run.check),
  };
}
