/** Gets a token whose lifetime has passed: from the profile, or by the call that it describes. */
import { CouldNotRun, callFailed } from '../../../record/errors.ts';
import { parseJson } from '../../../record/json.ts';
import type { CallTemplate } from '../../profile/parts.ts';
import type { Profile } from '../../profile/schema.ts';
import { isSuccess, namesEnd, tellsEnd, type Variables } from '../../profile/template.ts';
import { hasExpired } from '../../profile/token-file.ts';
import { isObject, leavesOf } from '../../untrusted/payload/tree.ts';
import { readText, type Scope } from '../../untrusted/place.ts';
import type { Answer } from '../call.ts';
import type { AccessTokens } from './tokens.ts';

/** How many texts of the answer are kept secret: enough for an access, a refresh and an id token, and a few more. */
const mostTokens = 10;

/**
 * @param call makes the call `expireToken`, and shows `learn` its answer before it is recorded
 * @param register keeps the token out of every record
 * @returns undefined when the profile has no way to such a token
 * @throws CouldNotRun when its way gave no token
 */
export async function expiredToken(
  tokens: AccessTokens,
  template: CallTemplate | undefined,
  call: (template: CallTemplate, variables: Variables, learn: (answer: Scope) => void) => Promise<Answer>,
  register: (token: string) => void,
): Promise<string | undefined> {
  if (tokens.expired) return tokens.expired;
  if (!template) return undefined;
  const token = await tokens.spare();
  if (token === undefined && JSON.stringify(template).includes('{token}'))
    throw new CouldNotRun('calls.expireToken would end the one access token that auth.kind static has');
  let found = token;
  let another = false;
  const answer = await call(template, { token }, (shown) => {
    if (template.result !== undefined) found = readText(template.result, shown);
    else {
      const others = leavesOf(shown.root).flatMap(({ path, value }) =>
        isToken(path.at(-1), value) && value !== token ? [value] : [],
      );
      another = others.length > 0;
      for (const each of others.slice(0, mostTokens)) register(each);
    }
    if (found !== undefined) register(found);
  });
  if (!isSuccess(template, answer)) throw callFailed('calls.expireToken did not succeed', answer);
  // The answer brought another token, so nothing shows that the token which was passed has ended.
  if (another)
    throw new CouldNotRun('calls.expireToken answers with a token; say in its result where it stands');
  if (found) return found;
  throw callFailed('calls.expireToken gave no token', answer);
}

/** What shows that a token has expired: the target gives it as such, a call or the token itself says so, or the profile alone. */
export type ExpiredBy = 'target' | 'call' | 'profile';

export function expiredBy({ auth, calls }: Pick<Profile, 'auth' | 'calls'>): ExpiredBy {
  if (auth.expiredToken !== undefined) return saysExpired(auth.expiredToken) ? 'call' : 'profile';
  const { expireToken: call } = calls ?? {};
  // A call that reads can give an expired token, and end none.
  if (call?.result !== undefined && namesEnd(call)) return 'target';
  return call && tellsEnd(call) ? 'call' : 'profile';
}

/** Whether a JSON Web Token says that its time is over (`exp`, RFC 7519, 4.1.4). */
function saysExpired(token: string): boolean {
  const claims = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return isObject(claims) && typeof claims.exp === 'number' && hasExpired({ expiresAt: claims.exp * 1000 });
}

/** Whether a leaf of an answer looks like an access token. */
function isToken(key: string | undefined, value: unknown): value is string {
  return /token|jwt/i.test(key ?? '') && typeof value === 'string' && value.length >= 16;
}
