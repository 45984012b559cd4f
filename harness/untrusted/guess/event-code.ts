/** Finds the event code in a payload of unknown shape, and reads codes and names of events. */
import { event } from '../../../openapi/codes.ts';
import type { Message } from '../../../record/delivery.ts';
import type { SentCode } from '../../../record/event.ts';
import { headerOf } from '../../../record/exchange.ts';
import { type Leaf, plainKey, pointerOf } from '../payload/tree.ts';
import { inShort } from '../text.ts';
import { eventHeaders, eventKeys, isNearRoot, keyOf, parentOf } from './keys.ts';

export type EventCodes = Readonly<Record<string, SentCode | 'other'>>;
export type FoundEventCode =
  | { readonly found: true; readonly code: SentCode | 'other'; readonly name: string }
  | { readonly found: false; readonly problem: string };

const setting = 'callbacks.decoding.codes';

/** Names that clearly mean one event; "completed" alone could mean a signatory or the whole process. */
const names: readonly (readonly [RegExp, SentCode])[] = [
  [
    /((request|envelope|agreement|process|workflow|transaction)(was|is|has|been|fully)*(completed?|finished)|all(signatories|signers)?(completed|signed))$/,
    event.processCompleted,
  ],
  [
    /(signatory|signer|participant|recipient)(was|is|has)*(completed|signed|finished)((their)?signature)?$/,
    event.signatoryCompleted,
  ],
  [/(request|envelope|agreement)(was|is|has|been)*received$/, event.requestReceived],
];

/** The code that a value means; `undefined` when it means none. */
function codeOf(value: unknown, codes?: EventCodes): SentCode | 'other' | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  if (codes && Object.hasOwn(codes, text)) return codes[text];
  // A table in the profile is complete: guessing as well would bring back codes that it left out on purpose. One that
  // names only what is no event says nothing of events.
  if (codes && Object.values(codes).some((each) => each !== 'other')) return undefined;
  if (text === '1') return event.requestReceived;
  if (text === '2') return event.signatoryCompleted;
  if (text === '3') return event.processCompleted;
  const name = plainKey(text);
  return names.find(([pattern]) => pattern.test(name))?.[1];
}

/**
 * The code of one event, from its leaves or, where no leaf has one, from the header fields.
 * @param above the path from the event to what its leaves stand in, for the places that are named
 */
export function guessCode(
  leaves: readonly Leaf[],
  message: Message,
  codes?: EventCodes,
  above: readonly string[] = [],
): FoundEventCode {
  const at = ({ path }: Leaf) => pointerOf([...above, ...path]);
  const shown = (leaf: Leaf) => `${inShort(JSON.stringify(leaf.value), 60)} at ${at(leaf)}`;
  for (const keys of eventKeys) {
    const candidates = leaves.filter((leaf) => mayName(leaf, keys));
    const depth = Math.min(...candidates.filter((leaf) => codeOf(leaf.value, codes)).map(depthOf));
    const known = candidates.filter((leaf) => depthOf(leaf) === depth && codeOf(leaf.value, codes));
    const [first] = known;
    if (first) {
      const differing = known.find((leaf) => codeOf(leaf.value, codes) !== codeOf(first.value, codes));
      if (differing)
        return notFound(
          `${shown(first)} and ${shown(differing)} name different events; say which counts in callbacks.decoding.event`,
        );
      return foundEventCode(first.value, codes);
    }
    const [unknown] = candidates;
    if (unknown) return notFound(`the event ${shown(unknown)} is not known; name its code in ${setting}`);
  }
  for (const header of eventHeaders) {
    const value = headerOf(message.headers, header);
    if (value === undefined) continue;
    const named = foundEventCode(value, codes);
    if (named.found) return named;
    const sent = `the event "${inShort(value, 60)}" of the header ${header}`;
    return notFound(`${sent} is not known; name its code in ${setting}`);
  }
  const missing = 'no field names the event; say where it stands in callbacks.decoding.event';
  return otherCode(leaves, codes, (likely) => `${missing}${likely ? ` (${at(likely)}?)` : ''}`);
}

/**
 * The code of a message that names no event where events do, such as one that tries out the URL: a profile may call it
 * other by a word that stands anywhere in it.
 * @param problem what to say of another message, which may have a word for what it is
 */
export function otherCode(
  leaves: readonly Leaf[],
  codes: EventCodes = {},
  problem: (likely?: Leaf) => string,
): FoundEventCode {
  const [named] = leaves.flatMap(wordsOf).filter((word) => codeOf(word, codes) === 'other');
  if (named) return foundEventCode(named, codes);
  const [likely] = leaves.filter(isNameLike).toSorted((one, other) => depthOf(one) - depthOf(other));
  const word = likely
    ? String(likely.value)
    : leaves.flatMap(wordsOf).find((each) => typeof each === 'string');
  const hint = word ? `; where "${word}" is none of the three events, ${setting} calls it other` : '';
  return notFound(`${problem(likely)}${hint}`);
}

function mayName(leaf: Leaf, keys: readonly string[]): boolean {
  const key = keyOf(leaf);
  if (leaf.lists > 0 || !keys.includes(key)) return false;
  if (typeof leaf.value !== 'string' && typeof leaf.value !== 'number') return false;
  // Under this key, a number from 1 to 3 is an event code; a longer value is the id of a delivery.
  if (key === 'eventid') return /^[1-3]$/.test(String(leaf.value));
  // `Type` is also a key of OTP and of stamps, and `code` one of errors and countries, so they count only near the root.
  return eventKeys[0]?.includes(key) || isNearRoot(leaf) || parentOf(leaf) === '';
}

/** What a leaf may call the message: its value, or its name, as in `{"ping":true}`. */
const wordsOf = ({ value, path }: Leaf) => [value, path.at(-1)];

/** A word, as most services call their events. */
const isNameLike = ({ value }: Leaf) => typeof value === 'string' && /^[a-z][a-z._:-]{1,40}$/i.test(value);

/** The code of a value, and the value by which a profile knows it. */
export function foundEventCode(value: unknown, codes?: EventCodes): FoundEventCode {
  const code = codeOf(value, codes);
  return code ? { found: true, code, name: String(value).trim() } : notFound('no event');
}

const notFound = (problem: string): FoundEventCode => ({ found: false, problem });

const depthOf = (leaf: Leaf): number => leaf.path.length;
