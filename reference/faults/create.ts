/** Faults of endpoint 2. */
import type { FaultEntries } from './fault.ts';

export const createFaults = {
  'create.template-200/refused': 'type=1 is refused',
  'create.template-200/201': 'type=1 is answered with 201',
  'create.fixed-200/refused': 'type=2 is refused',
  'create.fixed-200/201': 'type=2 is answered with 201',
  'create.stamping-200/refused': 'type=3 is refused on the path of endpoint 2',
  'create.stamping-200/201': 'type=3 is answered with 201 on the path of endpoint 2',
} as const satisfies FaultEntries;
