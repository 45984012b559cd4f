/** Mistakes of the suite itself: they blame no target. */
import { validateRequest } from '../../openapi/contract.ts';
import type { Call } from './call.ts';

/** A message of the suite itself that breaks the contract although it was not meant to. */
export class SuiteError extends Error {
  override readonly name = 'SuiteError';
}

/** @throws SuiteError when the body of a call that is meant to be valid breaks the contract */
export function assertValid(call: Call): void {
  // Types 1 and 2 have no body in the contract.
  if (!('json' in call.body) || (call.operation === 'createRequest' && call.type !== 3)) return;
  const problems = validateRequest(call.operation, call.body.json);
  if (problems.length === 0) return;
  const told = problems.map((problem) => `${problem.pointer || 'the body'} ${problem.message}`).join('; ');
  throw new SuiteError(`the suite would send a body that its own contract does not allow: ${told}`);
}
