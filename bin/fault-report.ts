/** Shows what came of one fault. */
import { faults } from '../reference/faults.ts';
import type { FaultResult } from '../tests/proof/faults/fault-result.ts';

export function describeFault({ fault, ran, red, couldNotRun }: FaultResult): string {
  if (fault === null) return '';
  const blocked = Object.entries(couldNotRun);
  const first = blocked[0];
  return [
    `${fault}: ${faults[fault].title}`,
    ...Object.entries(red).flatMap(([id, rows]) => [
      `  failed  ${id}`,
      ...rows.map(({ row, reason }) => `    ${row}: ${reason}`),
    ]),
    ...(first
      ? [
          `  could not run  ${blocked.map(([id]) => id).join(', ')}`,
          `    ${first[0]}: ${first[1].split('\n')[0]}`,
        ]
      : []),
    `  ${ran.length} checks run`,
    '',
  ].join('\n');
}
