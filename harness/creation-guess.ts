/** What of a refused creation or addition may rest on a guess of ours, so that the target is not to blame for it. */
import type { Answer } from './call.ts';
import type { Profile } from './profile/schema.ts';
import type { SharedCall } from './run-facts.ts';

/** The guess in words; `undefined` where the profile says all that the call is made of. */
export function guessedCreation(
  name: SharedCall,
  { status, text }: Answer,
  { create, people }: Profile,
): string | undefined {
  const stamped = name.startsWith('stamped');
  // A service may refuse addresses to which no mail can be sent, as invented ones are.
  const aboutAddress = /e-?mail|domain|recipient/i.test(text);
  if ((stamped || name === 'signatory') && people?.email === undefined && aboutAddress) {
    return 'the profile names no addresses (people.email), and an invented one was used';
  }
  // How bodies of types 1 to 3 travel is not shown; a profile that speaks of these creations says how.
  return stamped && create === undefined && [400, 415, 422].includes(status)
    ? 'the profile does not say how the body travels (create.field), and plain JSON was tried'
    : undefined;
}
