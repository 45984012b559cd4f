/** Finds what the fault runs leave unproved: requirements, checks and rows that no fault turns red. */
import { alsoShown, provable } from '../../../harness/flows/choose-flows.ts';
import { withNeighbours } from '../../../harness/flows/flow.ts';
import { catalogue } from '../../../openapi/requirements/catalogue.ts';
import { faults } from '../../../reference/faults.ts';
import { flows } from '../../flows/all.ts';
import type { FaultResult } from './fault-result.ts';
import { isOfFlows } from './selection.ts';

const firstOfTypes = 'another Type is tried in its place where it is refused';
const firstOfMany = 'it is the one beside whom the others are refused';

/** Rows that no fault can turn red, each with the reason. */
const unprovedRows: Readonly<Record<string, string>> = {
  'signatory.many / an approver with Order 1, every role in one request': firstOfMany,
  'signatory.role-approver / OTP {IsRequired: true, Type: 1}, no MobileNumber, of a later approver':
    firstOfTypes,
  'signatory.sequential-orders / signatory 1 of 4 with Order 1': firstOfMany,
  'signatory.parallel-orders / an approver with Order 1, every role at once': firstOfMany,
};

/**
 * Sentences about what is missing; none when every testable requirement has a fault, every row of every check is
 * turned red by one, and each flow says what it proves.
 * @param results the results of every fault, and of the service without one
 */
export function uncovered(results: readonly FaultResult[]): string[] {
  const faulted = new Set(Object.values(faults).map(({ requirement }) => requirement));
  const testable = catalogue.filter((entry) => 'check' in entry);
  const proved = new Set<string>();
  for (const { fault, red } of results) {
    if (fault === null) continue;
    const own = faults[fault].requirement;
    proved.add(own in red ? own : '');
    for (const { row } of red[own] ?? []) proved.add(`${own} / ${row}`);
  }
  const isOfFlow = (title: string) => withNeighbours(flows).some(({ name }) => name === title);
  const sound = results.find(({ fault }) => fault === null);
  const rows = Object.entries(sound?.rows ?? {}).flatMap(([id, titles]) =>
    isOfFlows(id) ? [] : titles.flatMap((title) => (isOfFlow(title) ? [] : [`${id} / ${title}`])),
  );
  const silent = Object.entries(sound?.rows ?? {}).flatMap(([id, titles]) =>
    withNeighbours(flows).flatMap((plan) => {
      const said =
        titles.includes(plan.name) && ![...provable(plan), ...alsoShown(plan)].some((each) => each === id);
      return said
        ? [`${id} is judged from the flow "${plan.name}", which does not say that it proves it`]
        : [];
    }),
  );
  return [
    ...silent,
    ...testable.filter(({ id }) => !faulted.has(id)).map(({ id }) => `${id} has no fault`),
    ...testable
      .filter(({ id }) => !proved.has(id))
      .map(({ id }) => `the check of ${id} is turned red by no fault`),
    ...rows
      .filter((row) => !proved.has(row) && !(row in unprovedRows))
      .map((row) => `this row is turned red by no fault: ${row}`),
    ...Object.keys(unprovedRows)
      .filter((row) => proved.has(row) || !rows.includes(row))
      .map((row) => `this row is excused for nothing: ${row}`),
  ];
}
