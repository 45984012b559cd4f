/** Reads the list of a mailbox: its entries, the newest of them, and what one list after the other shows about it. */
import { isPage } from '../../../record/exchange.ts';
import { sha256Of } from '../../../record/hash.ts';
import { parseJson, parseUntyped } from '../../../record/json.ts';
import type { MailboxSettings } from '../../profile/signing-settings.ts';
import { limits } from '../../untrusted/limits.ts';
import { inOneGo } from '../../untrusted/pattern.ts';
import { isObject } from '../../untrusted/payload/tree.ts';
import { nodeAt, type Place, readText, scopeOf } from '../../untrusted/place.ts';
import type { TemplateAnswer } from '../template-call.ts';
import { timeOfMessage } from './message.ts';

export interface Entry {
  readonly tree: unknown;
  readonly id: string | undefined;
}

/** The key of an entry. Long ones are hashed, since keys are kept. */
export function keyOfEntry({ id, tree }: Entry): string {
  const key = id ?? JSON.stringify(tree);
  return key.length <= 64 ? key : sha256Of(key);
}

/** What the lists of a mailbox have shown so far. */
export class ListHistory {
  /** New messages push older ones out of the list: a message that is missing may have been there. */
  forgets = false;
  /** The list was seen to grow at its end. Until then the newest is assumed first, where messages have no times. */
  appends = false;
  readonly #isNarrowed: boolean;
  /** Keys of the messages listed so far, by person, or for everybody where the list is not narrowed. */
  readonly #listed = new Map<string, Set<string>>();
  #count = 0;
  readonly #ends = new Map<string, readonly [first: string, last: string]>();

  /** @param isNarrowed whether a list is asked for one person or one request */
  constructor(isNarrowed: boolean) {
    this.#isNarrowed = isNarrowed;
  }

  note(address: string, entries: readonly Entry[]): void {
    this.#noteKeys(this.#isNarrowed ? address : '', entries);
    this.#noteOrder(address, entries);
  }

  #noteKeys(whose: string, entries: readonly Entry[]): void {
    // Without ids, an entry that tells its age would look like a new one each time.
    if (this.forgets || (this.#isNarrowed && entries.some(({ id }) => id === undefined))) return;
    const known = this.#listed.get(whose) ?? new Set();
    const keys = new Set(entries.map(keyOfEntry));
    const added = [...keys].filter((key) => !known.has(key));
    this.#count += added.length;
    const isPushedOut = added.length > 0 && [...known].some((key) => !keys.has(key));
    this.forgets = isPushedOut || this.#count > limits.listed.most;
    this.#listed.set(whose, new Set([...known, ...added]));
    if (this.forgets) this.#listed.clear();
  }

  #noteOrder(address: string, entries: readonly Entry[]): void {
    const [first, last] = [entries[0], entries.at(-1)].map((each) => each && keyOfEntry(each));
    if (first === undefined || last === undefined) return;
    const before = this.#ends.get(address);
    if (before && (first === before[0]) !== (last === before[1])) this.appends = first === before[0];
    this.#ends.set(address, [first, last]);
  }
}

/** The messages of a list, or what is wrong with it. */
export function entriesOf(
  answer: ListAnswer,
  { messages, id }: MailboxSettings,
  isData: boolean,
  isMessage: (tree: unknown) => boolean,
): readonly Entry[] | string {
  const { text } = answer;
  const list =
    messages === undefined ? likelyList(answer, isData) : listAt(messages, answer, isData, isMessage);
  // A plain text is one message, unless lists were JSON before.
  const isText = messages === undefined && !isData && list === undefined && parseJson(text) === undefined;
  if (isText) return [{ tree: text, id: undefined }];
  if (!Array.isArray(list)) return 'holds no list of messages; say where it is in `messages` beside it';
  const { most } = limits.listed;
  if (list.length > most)
    return `lists more than ${most} messages; name the person in it, or how many it is to give`;
  const listed = () => list.map((entry: unknown) => ({ tree: entry, id: idOf(entry, id) }));
  // Only patterns need a time limit, which costs a thread.
  return typeof id === 'object' ? inOneGo(listed) : listed();
}

type ListAnswer = Pick<TemplateAnswer, 'text' | 'headers'>;

/** The list of an answer where the profile does not say where it stands. XML without any text is an empty one. */
function likelyList(answer: ListAnswer, isData: boolean): unknown {
  const { text } = answer;
  const list = listIn(parseUntyped(text) ?? (isData ? undefined : inXml(scopeOf(answer).root)));
  return list === undefined && isWordless(text) ? [] : list;
}

function listAt(
  place: Place,
  answer: ListAnswer,
  isData: boolean,
  isMessage: (tree: unknown) => boolean,
): unknown {
  const { text } = answer;
  const scope = scopeOf(answer);
  const list = nodeAt(place, scope);
  // XML cannot tell a list of one from a single element. A place that ends with a number leads to one message of many.
  if (isObject(list)) return /\/\d+$/.test(String(place)) ? undefined : [list];
  if (list !== undefined && list !== null) return list;
  if (scope.root === undefined) return isWordless(text) ? [] : undefined;
  // Some servers leave out an empty list, or write null for it.
  const other = listIn(scope.root);
  const isStray = (isData || isPage(text)) && parseJson(text) === undefined;
  return isStray || (Array.isArray(other) && other.some(isMessage)) ? undefined : [];
}

const isWordless = (text: string) => !isPage(text) && text.replaceAll(/<[^<>]*>/g, '').trim() === '';

/** The elements within the root of XML, where they are of one name. */
function inXml(root: unknown): readonly unknown[] | undefined {
  const [inside, ...others] = isObject(root) ? Object.values(root) : [];
  if (!isObject(inside) || others.length > 0) return undefined;
  const lists = Object.values(inside)
    .map((each) => [each].flat())
    .filter((each) => each.every(isObject));
  return lists.length === 1 ? lists[0] : undefined;
}

/** The answer itself, or the only list in it. */
function listIn(tree: unknown): unknown {
  if (!isObject(tree)) return tree;
  const lists = Object.values(tree).filter(Array.isArray);
  return lists.length === 1 ? lists[0] : undefined;
}

const idPointers = ['/ID', '/id', '/_id', '/messageId', '/uid', '/sid'];

function idOf(entry: unknown, place: Place | undefined): string | undefined {
  const scope = { item: entry, root: entry };
  for (const each of place === undefined ? idPointers : [place]) {
    const id = readText(each, scope);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Sorted by their times where all have one and these differ, else as listed, or reversed where the list grows at its end. */
export function newestFirst(entries: readonly Entry[], appends: boolean): readonly Entry[] {
  const listed = appends ? entries.toReversed() : entries;
  const timed = entries.map((entry) => ({ entry, at: timeOfMessage(entry.tree) ?? Number.NaN }));
  if (timed.some(({ at }) => Number.isNaN(at))) return listed;
  const rising = timed.every(({ at }, index) => index === 0 || at >= (timed[index - 1]?.at ?? 0));
  const allEqual = timed.every(({ at }) => at === timed[0]?.at);
  if (allEqual) return listed;
  // Messages of the same second keep the direction of the list.
  if (rising) return entries.toReversed();
  return timed.toSorted((one, other) => other.at - one.at).map(({ entry }) => entry);
}
