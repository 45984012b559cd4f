/** Which checks a fault is put before: all that could see it, and a spread of others. */
import { createHash } from 'node:crypto';
import { type RequirementId, requirement } from '../../../openapi/requirements/catalogue.ts';
import { type FaultId, faults } from '../../../reference/faults.ts';
import type { LoadedCheck } from '../../running/load-checks.ts';

/** One check in so many of those that have nothing to do with the fault. */
const spread = 6;

/**
 * The checks of the requirement that the fault violates, of its operation, of its area and of its file, and one in
 * six of the others: always the same ones for a fault, and others for the next one. Checks that are judged from
 * flows come together, since the flows cost the same for one of them as for all.
 */
export function selectionFor(fault: FaultId, checks: readonly LoadedCheck[]): readonly LoadedCheck[] {
  const { requirement: own, alsoRed } = faults[fault];
  const entry = requirement(own as RequirementId);
  const named = new Set([own, ...Object.keys(alsoRed)]);
  const near = ({ ids }: LoadedCheck) =>
    ids.some((id) => {
      const other = requirement(id);
      return (
        named.has(id) ||
        other.area === entry.area ||
        (other.operation !== null && other.operation === entry.operation && !isOfFlows(id))
      );
    });
  const start = createHash('sha256').update(fault).digest().readUInt16BE();
  const drawn = (place: number) => (start + place) % spread === 0;
  const withFlows = isOfFlows(own) || drawn(0);
  return checks.filter((check, index) => {
    const [first] = check.ids;
    if (first !== undefined && isOfFlows(first)) return withFlows;
    return near(check) || drawn(index);
  });
}

/** Whether a requirement is judged from flows. */
export function isOfFlows(id: string): boolean {
  const entry = requirement(id as RequirementId);
  return 'check' in entry && entry.check.startsWith('workflow-');
}
