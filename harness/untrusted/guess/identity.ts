/** Guesses from a payload of unknown shape which request it is about, who completed, when, and which delivery it is. */
import type { Message } from '../../../record/delivery.ts';
import type { CallbackEvent, KnownRequests, SignatoryKey } from '../../../record/event.ts';
import { headerOf } from '../../../record/exchange.ts';
import { type Leaf, plainKey, pointerOf } from '../payload/tree.ts';
import { timeOf } from '../payload/when.ts';
import { inShort, percentDecoded, scalarText } from '../text.ts';
import {
  actorKeys,
  deliveryHeaders,
  deliveryKeys,
  isNearRoot,
  keyOf,
  keysOfOthers,
  parentOf,
  requestKeys,
  requestParents,
  timeKeys,
} from './keys.ts';

/** A value that was found; or why it cannot be told; or nothing. */
export type Guess<Value> =
  | { readonly value: Value }
  | { readonly unread: string; readonly several?: boolean }
  | undefined;

/** Shorter ids occur by chance: they count only where a key says that an id stands there. */
const longId = 8;

/** The request id: a known one anywhere in the payload, else any value under a key for it. */
export function guessRequestId(leaves: readonly Leaf[], known: KnownRequests): Guess<string> {
  const keyed = leaves.filter(
    (leaf) =>
      requestKeys.includes(keyOf(leaf)) || (keyOf(leaf) === 'id' && requestParents.includes(parentOf(leaf))),
  );
  const long = known.requestIds.filter(({ length }) => length >= longId);
  for (const standing of [
    () => equalTo(keyed, known.requestIds),
    () => equalTo(leaves, long),
    () => insideOf(leaves, long),
  ]) {
    const ids = standing();
    const [first] = ids;
    if (ids.length === 1 && first !== undefined) return { value: first };
    if (ids.length > 1) return { unread: `it names ${ids.length} requests of this run` };
  }
  const [other] = keyed.flatMap(({ value }) => scalarText(value) ?? []);
  return other === undefined ? undefined : { value: other };
}

/** The known request id that stands in `value` in another form, else `value`. */
export function knownRequestId(value: string, { requestIds }: KnownRequests): string {
  if (requestIds.includes(value)) return value;
  const [id = value, ...more] = equalTo([{ value }], requestIds);
  return more.length === 0 ? id : value;
}

/** The ids that are equal to a whole value. A set keeps it linear: not each leaf is compared with each id. */
function equalTo(leaves: readonly Pick<Leaf, 'value'>[], ids: readonly string[]): readonly string[] {
  const texts = new Set(leaves.flatMap(({ value }) => formsOf(scalarText(value)?.toLowerCase() ?? '')));
  return ids.filter((id) => texts.has(id.toLowerCase()));
}

/** An id as it stands, without the braces of a GUID, and without the percent-encoding of a URL. */
function formsOf(text: string): readonly string[] {
  const bare = text.replace(/^\{(.*)\}$/s, '$1');
  return [text, bare, percentDecoded(bare)];
}

/** The ids that occur in longer texts, such as URLs, as whole words. */
function insideOf(leaves: readonly Leaf[], ids: readonly string[]): readonly string[] {
  const texts = leaves.flatMap(({ value }) =>
    typeof value === 'string' && value.length < 10_000 ? [value] : [],
  );
  const known = new Set(ids);
  const words = new Set<string>();
  for (const text of texts)
    for (const [word] of text.matchAll(/[\w-]{8,}/g)) if (known.has(word)) words.add(word);
  // An id that contains other characters is not one word, and is searched in each text.
  return ids.filter((id) => words.has(id) || (/[^\w-]/.test(id) && texts.some((text) => standsIn(text, id))));
}

function standsIn(text: string, id: string): boolean {
  const at = text.indexOf(id);
  return at >= 0 && !/[\w-]/.test(`${text[at - 1] ?? ''}${text[at + id.length] ?? ''}`);
}

/** The signatory whom an event is about: the only known one that the payload names. */
export function guessSignatory(
  leaves: readonly Leaf[],
  known: KnownRequests,
): Guess<CallbackEvent['signatory'] & {}> {
  const named = new Set(
    known.signatories.flatMap((person) => keys.flatMap((by) => person[by]?.toLowerCase() ?? [])),
  );
  const matches = leaves.flatMap((leaf) => {
    const isNamed = named.has(scalarText(leaf.value)?.toLowerCase() ?? '');
    if (!isNamed || leaf.path.some((key) => keysOfOthers.test(plainKey(key)))) return [];
    const match = matchOf(leaf, known);
    return match ? [{ leaf, ...match }] : [];
  });
  const about = matches.filter(({ leaf }) => leaf.path.some((key) => actorKeys.includes(plainKey(key))));
  const outside = (all: typeof matches) => all.filter(({ leaf }) => leaf.lists === 0);
  // A list of signatories may hold all of them, or those who have completed, so it proves something only with one signatory.
  const groups = [outside(about), outside(matches), known.signatories.length === 1 ? matches : []];
  for (const group of groups) {
    const [first] = group;
    if (!first) continue;
    if (group.every(({ who }) => who === first.who)) return { value: { by: first.by, value: first.value } };
    return { unread: `it names several signatories; ${sayWhich}`, several: true };
  }
  if (matches.length > 0) return { unread: `it only lists signatories; ${sayWhich}`, several: true };
  for (const leaf of leaves.filter(
    (leaf) => leaf.lists === 0 && leaf.path.some((key) => actorKeys.includes(plainKey(key))),
  )) {
    const stranger = matchOf(leaf, { ...known, signatories: known.strangers ?? [] });
    if (stranger && stranger.by !== 'name') return { value: { by: stranger.by, value: stranger.value } };
  }
  const unknown = leaves.find((leaf) => actorKeys.includes(keyOf(leaf)) && leaf.lists === 0);
  if (!unknown) return { unread: 'it names no signatory' };
  const value = inShort(JSON.stringify(unknown.value), 60);
  return { unread: `${value} at ${pointerOf(unknown.path)} is none of the signatories` };
}

const keys = ['id', 'email', 'name'] as const;

const sayWhich = 'say in callbacks.decoding.signatory which one completed';

function matchOf(
  leaf: Leaf,
  known: KnownRequests,
): { by: SignatoryKey; value: string; who: number } | undefined {
  const text = scalarText(leaf.value)?.toLowerCase();
  if (!text) return undefined;
  const people = known.signatories;
  for (const by of keys) {
    const fitting = people.flatMap((person, who) =>
      person[by]?.toLowerCase() === text ? [{ person, who }] : [],
    );
    const [only] = fitting;
    if (fitting.length !== 1 || !only) continue;
    const value = only.person[by] ?? '';
    const idKey = keyOf(leaf) !== 'id' || actorKeys.includes(parentOf(leaf));
    if (by === 'id' && value.length < longId && !(idKey && keyOf(leaf).endsWith('id'))) continue;
    return { by, value, who: only.who };
  }
  return undefined;
}

/** The time of the event itself: times of the request or of a document are the same for all of its events. */
export function guessTime(leaves: readonly Leaf[]): Guess<CallbackEvent['time'] & {}> {
  for (const leaf of topmost(leaves, timeKeys)) {
    const ms = timeOf(leaf.value);
    if (ms !== undefined) return { value: { ms, at: pointerOf(leaf.path) } };
  }
  return undefined;
}

/** The id of the delivery: a repeated delivery has the same one, another delivery of the event does not. */
export function guessDeliveryId(leaves: readonly Leaf[], message: Message): Guess<string> {
  for (const header of deliveryHeaders) {
    const value = headerOf(message.headers, header);
    if (value) return { value };
  }
  // In CloudEvents the key is `id`; `specversion` shows that the payload is one.
  const isCloudEvent = leaves.some((leaf) => leaf.path.length === 1 && keyOf(leaf) === 'specversion');
  for (const { value } of topmost(leaves, isCloudEvent ? ['id'] : deliveryKeys)) {
    const text = scalarText(value);
    // A single digit is an event code and no id.
    if (text && !/^[0-9]$/.test(text)) return { value: text };
  }
  return undefined;
}

/** For each key, in order, the first leaf outside of lists and close to the root. */
function topmost(leaves: readonly Leaf[], keys: readonly string[]): readonly Leaf[] {
  const near = leaves.filter((leaf) => leaf.lists === 0 && keys.includes(keyOf(leaf)) && isNearRoot(leaf));
  return keys.flatMap((key) => near.find((leaf) => keyOf(leaf) === key) ?? []);
}
