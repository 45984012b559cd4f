/** How most sequences begin: a request with some people, which was sent or not. Everything legal. */
import fc from 'fast-check';
import type { Command } from './command.ts';
import { createWith, uploadWith } from './creation.ts';
import { addWith, people, sendWith } from './steps.ts';

const caller = 'owner' as const;

export const beginning: fc.Arbitrary<readonly Command[]> = fc
  .record({
    people: fc.array(people, { maxLength: 4 }),
    subscribed: fc.constantFrom([], [1, 2, 3]),
    sent: fc.boolean(),
  })
  .map(({ people: some, subscribed, sent }) => [
    uploadWith({ caller, kind: 'pdf' }),
    createWith({ caller, documents: [0], flaw: 'none', subscribed, shorthand: true }),
    ...some.map((person) => addWith({ caller, request: 0, broken: 'nothing', ...person })),
    ...(sent ? [sendWith({ caller, request: 0 }, true)] : []),
  ]);
