/** Reads ids from a successful answer, where the contract or the profile says they stand. */
import type { Answer, FoundToken, Ids } from './call.ts';
import type { Exchange } from './exchange.ts';
import { headerValue } from './header.ts';
import { leaves, parseJson, valueAt } from './pointer.ts';
import type { IdPlace } from './profile/create-settings.ts';
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

/** The id at its place; without one, the first field whose name looks like it. */
export function idIn(
  { text, headers }: Pick<Answer, 'text' | 'headers'>,
  place: IdPlace | undefined,
  name: RegExp,
): string | undefined {
  const document = parseJson(text);
  const value =
    place === undefined
      ? leaves(document).find(({ pointer }) => name.test(pointer))?.value
      : place === 'text'
        ? text.trim()
        : typeof place === 'string'
          ? valueAt(document, place)
          : headerValue(headers, place.header.toLowerCase());
  return value === undefined || value === null || value === '' ? undefined : String(value);
}
