/** Findings in a few words. */
import type { IdPlace } from '../profile/create-settings.ts';
import type { TokenPlace } from '../profile/upload-settings.ts';

/** Where a token or an id stands: `at /documentToken`, `as plain text`. */
export function placeInWords(place: TokenPlace | IdPlace): string {
  if (place === 'auto') return 'at a place that is looked for';
  if (place === 'text') return 'as plain text';
  if (typeof place === 'string') return place === '' ? 'as a JSON string' : `at ${place}`;
  if ('header' in place) return `in the header ${place.header}`;
  return place.pointer === '' ? 'as a JSON string' : `at ${place.pointer}`;
}
