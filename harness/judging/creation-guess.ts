/** What of a refused creation or addition may rest on a guess of ours, so that the target is not to blame for it. */

import type { SharedCall } from '../../record/finding.ts';
import type { Profile } from '../profile/schema.ts';
import { isProduction } from '../profile/smoke.ts';
import type { Answer } from '../target/call.ts';
import type { Client } from '../target/client.ts';
import { callWithoutAccess, ownWords } from './excuses.ts';

const aboutMedia = /multipart|form-?data|content[- ]?type|media[- ]?type/i;
const aboutAddress = /e-?mail|domain|recipient/i;

/** The guess in words; `undefined` where the profile says all that the call is made of. */
export async function guessedCreation(
  name: SharedCall,
  { status, text }: Answer,
  profile: Profile,
  client: Pick<Client, 'call'>,
): Promise<string | undefined> {
  const { create, people } = profile;
  const stamped = name.startsWith('stamped');
  // A service may refuse addresses to which no mail can be sent, as invented ones are.
  const invented = (stamped || name === 'signatory') && people?.email === undefined;
  if (invented && aboutAddress.test(text) && (await speaksOfAddress(text, profile, client))) {
    return 'the profile names no addresses (people.email), and an invented one was used';
  }
  // How bodies of types 1 to 3 travel is not shown. A profile that speaks of these creations may still not say it.
  const travels = stamped || name === 'template' || name === 'fixed';
  const unsaid = create === undefined ? [400, 422].includes(status) : aboutMedia.test(text);
  return travels && create?.field === undefined && (status === 415 || unsaid)
    ? 'the profile does not say how the body travels (create.field), and plain JSON was tried'
    : undefined;
}

/** Whether that is what the refusal says of its own. */
async function speaksOfAddress(
  text: string,
  profile: Profile,
  client: Pick<Client, 'call'>,
): Promise<boolean> {
  // In production nothing is sent in order to be refused.
  if (isProduction(profile)) return true;
  const elsewhere = await client.call(callWithoutAccess);
  return aboutAddress.test(ownWords(text, elsewhere.status === 401 ? elsewhere.text : ''));
}
