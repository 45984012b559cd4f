/** Finds in a payload of unknown shape which request it is about, who completed, when, and which delivery it is. */
import type { Message } from '../../../record/delivery.ts';
import type { CallbackEvent, Known, SignatoryKey } from '../../../record/event.ts';
import { headerOf } from '../../../record/exchange.ts';
import { type Leaf, plain, pointerOf } from '../payload/tree.ts';
import { timeOf } from '../payload/when.ts';
import {
  actorKeys,
  deliveryHeaders,
  deliveryKeys,
  isNearRoot,
  keyOf,
  others,
  parentOf,
  requestKeys,
  requestParents,
  timeKeys,
} from './keys.ts';

/** A value that was found, nothing, or something that cannot be told. */
export type Guess<Value> =
  | { readonly value: Value }
  | { readonly unread: string; readonly several?: boolean }
  | undefined;

/** Shorter ids occur by chance: they count only where a key says that an id stands there. */
const longId = 8;

/** The request id: a known one anywhere, else whatever stands under a key for it. */
export function guessRequestId(leaves: readonly Leaf[], known: Known): Guess<string> {
  const keyed = leaves.filter(
    (leaf) =>
      requestKeys.includes(keyOf(leaf)) || (keyOf(leaf) === 'id' && requestParents.includes(parentOf(leaf))),
  );
  for (const [places, fits] of [
    [keyed, isEqual],
    [leaves, isLongAndEqual],
    [leaves, isLongAndInside],
  ] as const) {
    const ids = known.requestIds.filter((id) => places.some(({ value }) => fits(value, id)));
    const [first] = ids;
    if (ids.length === 1 && first !== undefined) return { value: first };
    if (ids.length > 1) return { unread: `it names ${ids.length} requests of this run` };
  }
  const [other] = keyed.flatMap(({ value }) => textOf(value) ?? []);
  return other === undefined ? undefined : { value: other };
}

function isEqual(value: unknown, id: string): boolean {
  return textOf(value)?.toLowerCase() === id.toLowerCase();
}

function isLongAndEqual(value: unknown, id: string): boolean {
  return id.length >= longId && isEqual(value, id);
}

/** Whether an id stands in a longer text, such as a URL, with nothing that could belong to it around it. */
function isLongAndInside(value: unknown, id: string): boolean {
  const text = typeof value === 'string' && value.length < 10_000 ? value : '';
  const at = id.length >= longId ? text.indexOf(id) : -1;
  return at >= 0 && !/[\w-]/.test(`${text[at - 1] ?? ''}${text[at + id.length] ?? ''}`);
}

/** The signatory whom an event is about: the only known one that the payload speaks of. */
export function guessSignatory(
  leaves: readonly Leaf[],
  known: Known,
): Guess<CallbackEvent['signatory'] & {}> {
  const matches = leaves.flatMap((leaf) => {
    if (leaf.path.some((key) => others.test(plain(key)))) return [];
    const match = matchOf(leaf, known);
    return match ? [{ leaf, ...match }] : [];
  });
  const about = matches.filter(({ leaf }) => leaf.path.some((key) => actorKeys.includes(plain(key))));
  const outside = (all: typeof matches) => all.filter(({ leaf }) => leaf.lists === 0);
  // A list of signatories may hold all, or those who are done: it tells nothing unless there is only one.
  const groups = [outside(about), outside(matches), known.signatories.length === 1 ? matches : []];
  for (const group of groups) {
    const [first] = group;
    if (!first) continue;
    if (group.every(({ who }) => who === first.who)) return { value: { by: first.by, value: first.value } };
    return { unread: `it names several signatories; ${sayWhich}`, several: true };
  }
  if (matches.length > 0) return { unread: `it only lists signatories; ${sayWhich}`, several: true };
  const unknown = leaves.find((leaf) => actorKeys.includes(keyOf(leaf)) && leaf.lists === 0);
  if (!unknown) return { unread: 'it names no signatory' };
  const value = JSON.stringify(unknown.value).slice(0, 60);
  return { unread: `${value} at ${pointerOf(unknown.path)} is none of the signatories` };
}

const sayWhich = 'say in callbacks.decoding.signatory which one completed';

function matchOf(leaf: Leaf, known: Known): { by: SignatoryKey; value: string; who: number } | undefined {
  const text = textOf(leaf.value)?.toLowerCase();
  if (!text) return undefined;
  const people = known.signatories;
  for (const by of ['id', 'email', 'name'] as const) {
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

/** The event's own time: not one of the request or of a document, which every event of it would share. */
export function guessTime(leaves: readonly Leaf[]): Guess<CallbackEvent['time'] & {}> {
  for (const key of timeKeys) {
    const leaf = leaves.find((each) => keyOf(each) === key && each.lists === 0 && isNearRoot(each));
    const ms = leaf && timeOf(leaf.value);
    if (leaf && ms !== undefined) return { value: { ms, at: pointerOf(leaf.path) } };
  }
  return undefined;
}

/** What tells a repeated delivery from another one of the same event. */
export function guessDeliveryId(leaves: readonly Leaf[], message: Message): Guess<string> {
  for (const header of deliveryHeaders) {
    const value = headerOf(message.headers, header);
    if (value) return { value };
  }
  // CloudEvents calls it `id`, and says of itself that it is one.
  const isCloudEvent = leaves.some((leaf) => leaf.path.length === 1 && keyOf(leaf) === 'specversion');
  for (const key of isCloudEvent ? ['id'] : deliveryKeys) {
    const leaf = leaves.find((each) => keyOf(each) === key && each.lists === 0 && isNearRoot(each));
    const text = leaf && textOf(leaf.value);
    // One digit is an event code rather than an identity.
    if (text && !/^[0-9]$/.test(text)) return { value: text };
  }
  return undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : undefined;
}
