/** Findings in a few words. */
import { type Place, placeName } from '../untrusted/place.ts';

/** Where a token or an id stands: `at /documentToken`, `as plain text`. */
export function placeInWords(place: Place): string {
  if (place === 'auto') return 'at a place that is looked for';
  if (place === 'text') return 'as plain text';
  const pointer = typeof place === 'string' ? place : place.pointer;
  return pointer === '' ? 'as a JSON string' : `${pointer === undefined ? 'in' : 'at'} ${placeName(place)}`;
}
