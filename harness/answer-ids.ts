/** Reads ids from a successful answer, where the contract or the profile says they stand. */
import type { FoundToken, Ids } from './call.ts';
import type { Exchange } from './exchange.ts';
import { parseJson } from './pointer.ts';
import type { Profile } from './profile/schema.ts';

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
