/** Where in a recorded answer an id stands, so that a script can pick it out of another answer of the same kind. */
import type { Exchange } from '../../record/exchange.ts';

/**
 * `key`: the text or number under this key of a JSON body, the `nth` one of that name, from 1. `whole`: the body
 * itself, without quotation marks and blanks around it. `header`: what follows `before` in its value.
 */
export type Place =
  | { readonly kind: 'key'; readonly key: string; readonly nth: number }
  | { readonly kind: 'whole' }
  | { readonly kind: 'header'; readonly name: string; readonly before: string };

/** The place of an id; `null` where it stands at none that a script could find again. */
export function placeOf(id: string, response: Exchange['response']): Place | null {
  if (!response || id === '') return null;
  const text = response.body?.text ?? '';
  const value = /"([^"\\]+)"\s*:\s*(?:"((?:[^"\\]|\\.)*)"|(\d+))/g;
  const seen = new Map<string, number>();
  for (const [, key = '', quoted = '', number] of text.matchAll(value)) {
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    if ((number ?? quoted.replaceAll('\\/', '/')) === id) return { kind: 'key', key, nth };
  }
  if (text.trim().replace(/^"(.*)"$/s, '$1') === id) return { kind: 'whole' };
  for (const [name, carried] of response.headers) {
    if (carried.endsWith(id)) {
      return { kind: 'header', name, before: carried.slice(0, carried.length - id.length) };
    }
  }
  return null;
}
