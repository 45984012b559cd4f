/** Reads a value from the place that a profile names: event, whole payload, header field or query. */

import { headerOf, type Message, queryOf } from '../../record/delivery.ts';
import type { Place } from '../profile/callback-settings.ts';
import { valueAt } from '../untrusted/pointer.ts';

/** Where pointers begin. */
export interface Scope {
  readonly item: unknown;
  readonly root: unknown;
  readonly message: Message;
}

/** The value there; of an XML element with attributes its text. `undefined` when nothing is there. */
export function read(place: Place, { item, root, message }: Scope): unknown {
  if (typeof place === 'string') return textOfElement(valueAt(item, place));
  if ('root' in place) return textOfElement(valueAt(root, place.root));
  return 'header' in place ? headerOf(message.headers, place.header) : queryOf(message.target, place.query);
}

/** The value there as text; `undefined` when it is neither a text nor a number, or empty. */
export function readText(place: Place, scope: Scope): string | undefined {
  const value = read(place, scope);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? undefined : text;
}

/** How a message calls the place. */
export function placeName(place: Place): string {
  if (typeof place === 'string') return place === '' ? 'the event itself' : place;
  if ('root' in place) return `${place.root} of the payload`;
  return 'header' in place ? `header ${place.header}` : `query parameter ${place.query}`;
}

function textOfElement(value: unknown): unknown {
  const text = valueAt(value, '/#text');
  return text === undefined ? value : text;
}
