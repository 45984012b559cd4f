/** One mailbox of the profile: lists the messages for a person, and fetches each whole message once. */

import { isPage } from '../../../record/exchange.ts';
import { sha256Of } from '../../../record/hash.ts';
import { parseJson } from '../../../record/json.ts';
import type { CallTemplate } from '../../profile/parts.ts';
import type { MailboxSettings } from '../../profile/signing-settings.ts';
import { fold, shownText } from '../../untrusted/html.ts';
import { limits } from '../../untrusted/limits.ts';
import { openedMails, whyUnopened } from '../../untrusted/mail.ts';
import { inOneGo } from '../../untrusted/pattern.ts';
import { isObject } from '../../untrusted/payload/tree.ts';
import { nodeAt, type Place, readText, scopeOf } from '../../untrusted/place.ts';
import { addressOf, type Channel, type SigningTask } from '../driver.ts';
import {
  meaningOf,
  type TemplateAnswer,
  type TemplateCall,
  toldAnswer,
  uses,
  variablesOf,
} from '../template-call.ts';
import { isFor, type ReadMessage, readMessage, timeOf } from './message.ts';

/** The messages for a person that are there now, newest first; and the problem where not all could be read. */
export interface Look {
  readonly messages: readonly ReadMessage[];
  readonly problem?: string;
}

export interface Mailbox {
  look(task: SigningTask): Promise<Look>;
}

interface Entry {
  readonly tree: unknown;
  readonly id: string | undefined;
}

interface Candidate {
  /** Whether the list itself names the person; undefined where it does not tell. */
  readonly listed: boolean | undefined;
  readonly entry: Entry;
}

export function createMailbox(channel: Channel, settings: MailboxSettings, call: TemplateCall): Mailbox {
  /** Messages that were fetched, the oldest first, with their length. */
  const wholes = new Map<string, { readonly tree: unknown; readonly length: number }>();
  let held = 0;
  const name = `outbox.${channel}`;
  /** Whether a list, or a message, was JSON before: then a text or a page in its place, as gateways send them, is none. */
  const isData = { list: false, message: false };

  /** Keeps a fetched message and drops the oldest beyond the limit: each look may bring new ones, as large as an answer. */
  function keep(id: string, tree: unknown, { length }: string): void {
    // Two looks may have fetched it at the same time.
    held += length - (wholes.get(id)?.length ?? 0);
    wholes.set(id, { tree, length });
    for (const [old, each] of wholes) {
      if (held <= limits.mailboxCharacters.most) return;
      wholes.delete(old);
      held -= each.length;
    }
  }

  /** The whole message; a text that says why it could not be fetched. */
  async function whole(template: CallTemplate, task: SigningTask, id: string) {
    const known = wholes.get(id);
    if (known !== undefined) return known;
    const answer = await call(template, { ...variables(task), messageId: id }, `${name}.message`);
    // A message that is not there yet is asked for again with the next look.
    if (meaningOf(answer, template) !== 'accepted') return toldAnswer(`${name}.message`, answer);
    const data = parseJson(answer.text);
    if (data === undefined && isData.message && isPage(answer.text))
      return toldAnswer(`${name}.message`, answer);
    isData.message ||= data !== undefined;
    const tree = await openedMails(data ?? answer.text);
    keep(id, tree, answer.text);
    return { tree };
  }

  /** The message, when it is for the person; a text that says why it could not be read. */
  async function opened(
    task: SigningTask,
    { listed, entry }: Candidate,
  ): Promise<ReadMessage | string | undefined> {
    const { tree, id } = entry;
    const fetched = settings.message && id ? await whole(settings.message, task, id) : { tree };
    if (typeof fetched === 'string') return fetched;
    const unopened = whyUnopened();
    if (unopened) return unopened;
    const complete = fetched.tree;
    const text = settings.text === undefined ? undefined : at(settings.text, complete);
    const message = {
      ...readMessage(channel, keyOf({ id, tree }), tree, complete),
      ...(typeof text === 'string' ? { contents: [fold(shownText(text))] } : {}),
    };
    const fits = listed ?? isOf(complete, task) ?? (narrowed || mentions(message, addressOf(task, channel)));
    return fits ? message : undefined;
  }

  /** The newest messages that may be for the person, without those that name somebody else. */
  async function candidates(task: SigningTask, entries: readonly Entry[]): Promise<readonly Candidate[]> {
    const found: Candidate[] = [];
    for (const entry of newestFirst(entries, appends)) {
      const tree = await openedMails(entry.tree);
      const listed = isOf(tree, task);
      listsOthers ||= listed === false;
      if (listed !== false) found.push({ listed, entry: { ...entry, tree } });
      if (found.length > limits.messages.most) break;
    }
    return found;
  }

  /** Whether a message is for the person: by the field that the profile names, else by the usual ones. */
  const isOf = (tree: unknown, task: SigningTask) =>
    isFor(
      settings.to === undefined ? tree : { to: at(settings.to, tree) },
      channel,
      addressOf(task, channel),
    );

  /** Whether messages to others were listed: then a list that is asked for one person may hold those of everybody. */
  let listsOthers = false;

  /** Whether new messages push older ones out of the list: then a message that is missing may have been there. */
  let forgets = false;
  /** Keys of the messages listed so far, for each person, or for everybody where the list is not narrowed. */
  const listedOnce = new Map<string, Set<string>>();
  let remembered = 0;
  function remember(whose: string, entries: readonly Entry[]): void {
    // Without ids, an entry that tells its age would look like a new one each time.
    if (forgets || (narrowed && entries.some(({ id }) => id === undefined))) return;
    const known = listedOnce.get(whose) ?? new Set();
    const keys = new Set(entries.map(keyOf));
    const brought = [...keys].filter((key) => !known.has(key));
    remembered += brought.length;
    forgets = brought.length > 0 && [...known].some((key) => !keys.has(key));
    forgets ||= remembered > limits.listed.most;
    listedOnce.set(whose, new Set([...known, ...brought]));
    if (forgets) listedOnce.clear();
  }

  /** Whether the list was seen to grow at its end. Until then the newest is assumed first, where messages have no times. */
  let appends = false;
  const ends = new Map<string, readonly [first: string, last: string]>();
  function learnOrder(task: SigningTask, entries: readonly Entry[]): void {
    const [first, last] = [entries[0], entries.at(-1)].map((each) => each && keyOf(each));
    if (first === undefined || last === undefined) return;
    const before = ends.get(addressOf(task, channel));
    if (before && (first === before[0]) !== (last === before[1])) appends = first === before[0];
    ends.set(addressOf(task, channel), [first, last]);
  }

  /** Whether any message had a field for files: some mailboxes leave it out where nothing is attached. */
  let tellsOfFiles = false;

  const byAddress = ['email', 'mobileNumber'].some((variable) => uses(settings.list, variable));
  const narrowed = byAddress || ['requestId', 'signatoryId'].some((each) => uses(settings.list, each));

  return {
    async look(task) {
      const answer = await call(settings.list, variables(task), `${name}.list`);
      if (meaningOf(answer, settings.list) !== 'accepted') {
        return { messages: [], problem: toldAnswer(`${name}.list`, answer) };
      }
      const entries = entriesOf(answer, settings, isData.list, (tree) => isOf(tree, task) !== undefined);
      isData.list ||= parseJson(answer.text) !== undefined;
      if (typeof entries === 'string') return { messages: [], problem: `${name}.list ${entries}` };
      remember(narrowed ? addressOf(task, channel) : '', entries);
      learnOrder(task, entries);
      const mine = await candidates(task, entries);
      const found: Awaited<ReturnType<typeof opened>>[] = [];
      let characters = 0;
      for (let from = 0; from < Math.min(mine.length, limits.messages.most); from += openedAtOnce) {
        if (characters > limits.mailboxCharacters.most) {
          found.push(
            `${name}: the newest messages have more than ${limits.mailboxCharacters.most} characters`,
          );
          break;
        }
        const some = mine.slice(from, from + openedAtOnce).map((each) => opened(task, each));
        for (const each of await Promise.all(some)) {
          found.push(each);
          if (typeof each === 'object') characters += lengthOf(each);
        }
      }
      const read = found.filter((each) => typeof each === 'object');
      tellsOfFiles ||= read.some((message) => message.tellsOfFiles);
      const messages = read.map((message) => ({ ...message, tellsOfFiles }));
      const unread = found.find((each) => typeof each === 'string');
      const glimpsed =
        channel === 'email' && !settings.text && read.length > 0 && read.every(({ isGlimpse }) => isGlimpse);
      // A list that is narrowed by the request, and not by the address, holds messages to others anyway.
      const partial = narrowed
        ? byAddress && forgets && listsOthers
        : forgets || mine.length > limits.messages.most;
      const problem =
        unread ??
        (glimpsed
          ? `${name}.list tells no more than how messages begin; ${name}.message is to give one as a whole, and ${name}.id leads to {messageId}`
          : undefined) ??
        (partial
          ? `${name}.list gives the newest messages ${narrowed ? 'only, also those of others; let it give more, or those of one person' : `of everybody only; name the person in it, such as by {${channel === 'email' ? 'email' : 'mobileNumber'}}`}`
          : undefined);
      return problem === undefined ? { messages } : { messages, problem };
    },
  };
}

function at(place: Place, message: unknown): unknown {
  return nodeAt(place, { item: message, root: message });
}

const variables = (task: SigningTask) => ({
  ...variablesOf(task),
  signatoryId: task.signatoryId ?? '',
});

function mentions({ text }: ReadMessage, address: string): boolean {
  return text.toLowerCase().includes(address.toLowerCase());
}

/** Messages that are opened at the same time: each may be as large as an answer. */
const openedAtOnce = 5;

const lengthOf = ({ leaves }: ReadMessage) => leaves.reduce((sum, { length }) => sum + length, 0);

/** The key of an entry. Long ones are hashed, since keys are kept. */
function keyOf({ id, tree }: Entry): string {
  const key = id ?? JSON.stringify(tree);
  return key.length <= 64 ? key : sha256Of(key);
}

/** The messages of a list, or what is wrong with it. */
function entriesOf(
  answer: Pick<TemplateAnswer, 'text' | 'headers'>,
  { messages, id }: MailboxSettings,
  isData: boolean,
  isMessage: (tree: unknown) => boolean,
): readonly Entry[] | string {
  const none = 'holds no list of messages; say where it is in `messages` beside it';
  const { text } = answer;
  const scope = scopeOf(answer);
  const tree = messages === undefined ? (parseJson(text) ?? inXml(scope.root)) : scope.root;
  const list = messages === undefined ? listIn(tree) : nodeAt(messages, scope);
  // A plain text is one message, unless lists were JSON before; XML without any text is an empty list.
  if (tree === undefined && list === undefined) {
    if (isWordless(text)) return [];
    return messages === undefined && !isData ? [{ tree: text, id: undefined }] : none;
  }
  // Some servers leave out an empty list, or write null for it.
  if (list === undefined || list === null) {
    const other = listIn(scope.root);
    return messages === undefined || (Array.isArray(other) && other.some(isMessage)) ? none : [];
  }
  // XML cannot tell a list of one from a single element.
  if (!Array.isArray(list) && !(isObject(list) && messages !== undefined)) return none;
  const { most } = limits.listed;
  if (Array.isArray(list) && list.length > most)
    return `lists more than ${most} messages; name the person in it, or how many it is to give`;
  const listed = () => [list].flat().map((entry: unknown) => ({ tree: entry, id: idOf(entry, id) }));
  // Only patterns need a time limit, which costs a thread.
  return typeof id === 'object' ? inOneGo(listed) : listed();
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
function newestFirst(entries: readonly Entry[], appends: boolean): readonly Entry[] {
  const listed = appends ? entries.toReversed() : entries;
  const timed = entries.map((entry) => ({ entry, at: timeOf(entry.tree) ?? Number.NaN }));
  if (timed.some(({ at }) => Number.isNaN(at))) return listed;
  const rising = timed.every(({ at }, index) => index === 0 || at >= (timed[index - 1]?.at ?? 0));
  const allEqual = timed.every(({ at }) => at === timed[0]?.at);
  if (allEqual) return listed;
  // Messages of the same second keep the direction of the list.
  if (rising) return entries.toReversed();
  return timed.toSorted((one, other) => other.at - one.at).map(({ entry }) => entry);
}
