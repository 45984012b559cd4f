/** One mailbox of the profile: lists what is there for a person, and fetches whole messages once. */

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

/** What is there for a person now, newest first, and what went wrong where not all of it could be read. */
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
  /** Whether one was JSON: then a text in the place of a list, as gateways send it, is no message, nor is a page one. */
  const isData = { list: false, message: false };

  /** As many as there is room for: a mailbox may have new ones with each look, as large as an answer may be. */
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

  /** The newest that may be for the person: of a list of everybody's, those that name somebody else are left out. */
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

  /** As the profile says to whom it went, or as its fields tell. */
  const isOf = (tree: unknown, task: SigningTask) =>
    isFor(
      settings.to === undefined ? tree : { to: at(settings.to, tree) },
      channel,
      addressOf(task, channel),
    );

  /** Whether somebody else's were there: then a list that is to name the person may be one of everybody's. */
  let listsOthers = false;

  /** Whether new messages push older ones out of the list: then what is not there may have been. */
  let forgets = false;
  /** What was listed so far: for each person, or for everybody. */
  const listedOnce = new Map<string, Set<string>>();
  let remembered = 0;
  function remember(whose: string, entries: readonly Entry[]): void {
    // Without ids an entry that tells how old it is counts as another one with each look.
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

  /** Whether a list without times was seen to grow at its end; until then the newest is taken to stand first. */
  let appends = false;
  const ends = new Map<string, readonly [first: string, last: string]>();
  function learnOrder(task: SigningTask, entries: readonly Entry[]): void {
    const [first, last] = [entries[0], entries.at(-1)].map((each) => each && keyOf(each));
    if (first === undefined || last === undefined) return;
    const before = ends.get(addressOf(task, channel));
    if (before && (first === before[0]) !== (last === before[1])) appends = first === before[0];
    ends.set(addressOf(task, channel), [first, last]);
  }

  /** Some leave the field out where nothing is attached. */
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
      // Of a list by the request others are in it all the same.
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

/** Of what is longer than ids are, its hash: keys are kept. */
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
  // A page of text is one message, where lists are not known to be data; XML without a word is an empty list.
  if (tree === undefined && list === undefined) {
    if (isWordless(text)) return [];
    return messages === undefined && !isData ? [{ tree: text, id: undefined }] : none;
  }
  // Some servers leave an empty list out, or write null for it.
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
  // Only patterns need a bound, which costs a thread.
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

/** By their times where all tell one and they differ, else as they are listed, or the other way round. */
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
