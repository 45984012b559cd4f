/** Reads ids from a successful answer, where the contract or the profile says they stand. */

import type { Exchange } from '../../../record/exchange.ts';
import type { Profile } from '../../profile/schema.ts';
import { type Place, readText, scopeOf } from '../../untrusted/place.ts';
import { leaves, parseJson } from '../../untrusted/pointer.ts';
import type { Answer, FoundToken, Ids } from '../call.ts';

/** @param found what an answer to an upload holds in the place of the token */
export function idsOf(
  operation: Exchange['operation'],
  text: string,
  found: FoundToken | undefined,
  { tolerate }: Pick<Profile, 'tolerate'>,
): Ids {
  if (found && 'token' in found) return { documentToken: found.token };
  if (found && 'wrongType' in found && tolerate?.numericIds) return { documentToken: found.value };
  if (operation !== 'createSkeletonRequest' && operation !== 'addSignatory') return {};
  const body = parseJson(text);
  const read = (name: string): string | undefined => {
    const value = (body as Record<string, unknown> | null | undefined)?.[name];
    if (typeof value === 'string' && value !== '') return value;
    return typeof value === 'number' && tolerate?.numericIds ? String(value) : undefined;
  };
  const requestId = read('requestId');
  const signatoryId = read('signatoryId');
  return { ...(requestId ? { requestId } : {}), ...(signatoryId ? { signatoryId } : {}) };
}

/** How the documented answers name their ids, which a field beside them may resemble. */
const documentedName = /\/(requestId|signatoryId)$/;

/** The id at its place, `none` for no id at all; without one, the field that is named as the documented ones are, or whose name looks like it. */
export function idIn(
  answer: Pick<Answer, 'text' | 'headers'>,
  place: Place | undefined,
  name: RegExp,
): string | undefined {
  if (place === 'none') return undefined;
  const scope = scopeOf(answer);
  const alike = leaves(scope.root).filter(({ pointer }) => name.test(pointer));
  const found = place ?? (alike.find(({ pointer }) => documentedName.test(pointer)) ?? alike[0])?.pointer;
  return found === undefined ? undefined : readText(found, scope);
}

/** The id of the request in an answer to a creation of type 1, 2 or 3. */
export function requestIdIn(answer: Answer, place?: Place): string | undefined {
  return idIn(answer, place, /request_?id$/i);
}
