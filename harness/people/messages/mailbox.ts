/** One mailbox of the profile: lists the messages for a person, and fetches each whole message once. */
import { isPage } from '../../../record/exchange.ts';
import { parseJson, parseUntyped } from '../../../record/json.ts';
import type { CallTemplate } from '../../profile/parts.ts';
import type { MailboxSettings } from '../../profile/signing-settings.ts';
import { fold, shownText } from '../../untrusted/html.ts';
import { limits } from '../../untrusted/limits.ts';
import { openedMails, whyUnopened } from '../../untrusted/mail.ts';
import { nodeAt, type Place } from '../../untrusted/place.ts';
import { addressOf, type Channel, type SigningTask } from '../driver.ts';
import { type MakeCall, meaningOf, toldAnswer, uses, variablesOf } from '../template-call.ts';
import { type Entry, entriesOf, keyOfEntry, ListHistory, newestFirst } from './listing.ts';
import { isFor, type ReadMessage, readMessage } from './message.ts';

interface Candidate {
  /** Whether the list itself names the person; undefined where it does not tell. */
  readonly listed: boolean | undefined;
  readonly entry: Entry;
}

/** A message, and the exchange that gave it now; absent where it was known before. */
interface Fetched {
  readonly tree: unknown;
  readonly index?: number;
}

/** Messages that are opened at the same time: each may be as large as an answer. */
const openedAtOnce = 5;

export class Mailbox {
  readonly #channel: Channel;
  readonly #settings: MailboxSettings;
  readonly #call: MakeCall;
  readonly #withhold: (index: number) => void;
  readonly #name: string;
  readonly #fetched = new FetchedMessages();
  readonly #history: ListHistory;
  /** Whether a list is asked for one address, or at least for one request. */
  readonly #isByAddress: boolean;
  readonly #isNarrowed: boolean;
  /** Whether messages to others were listed: then a list that is asked for one person may hold those of everybody. */
  #listsOthers = false;
  /** Whether any message had a field for files: some mailboxes leave it out where nothing is attached. */
  #tellsOfFiles = false;
  /** Whether a list, or a message, was JSON before: a plain text or web page instead, as from a gateway, is none. */
  readonly #isData = { list: false, message: false };

  /** @param withhold is told which answers have messages that are not known to be of the person who was asked about */
  constructor(
    channel: Channel,
    settings: MailboxSettings,
    call: MakeCall,
    withhold: (index: number) => void = () => {},
  ) {
    const names = (variable: string) => uses(settings.list, variable);
    this.#channel = channel;
    this.#settings = settings;
    this.#call = call;
    this.#withhold = withhold;
    this.#name = `outbox.${channel}`;
    // SMS may be kept by person, whom an address names. E-mails are not kept by number: those are the SMS.
    this.#isByAddress = names('email') || (channel === 'sms' && names('mobileNumber'));
    this.#isNarrowed = this.#isByAddress || ['requestId', 'signatoryId'].some(names);
    this.#history = new ListHistory(this.#isNarrowed);
  }

  async look(task: SigningTask) {
    const { entries, index } = await this.#list(task);
    if (typeof entries === 'string') return { messages: [], problem: entries };
    this.#history.note(addressOf(task, this.#channel), entries);
    const candidates = await this.#candidates(task, entries);
    const { read, problem: unread } = await this.#openAll(task, candidates);
    // Codes and links in messages that were not read are not known, so they could not be replaced in the record.
    if (read.length < entries.length) this.#withhold(index);
    this.#tellsOfFiles ||= read.some((message) => message.tellsOfFiles);
    const messages = read.map((message) => ({ ...message, tellsOfFiles: this.#tellsOfFiles }));
    const problem = unread ?? this.#whyBeginnings(read) ?? this.#whyNotAll(candidates);
    return problem === undefined ? { messages } : { messages, problem };
  }

  /** The entries of the list as it is now, or a text that says why there are none; and the exchange that gave it. */
  async #list(task: SigningTask) {
    const place = `${this.#name}.list`;
    const { list } = this.#settings;
    const answer = await this.#call(list, variables(task), place);
    const { index } = answer;
    if (meaningOf(answer, list) !== 'accepted') return { entries: toldAnswer(place, answer), index };
    const isMessage = (tree: unknown) => this.#isTo(tree, task) !== undefined;
    const entries = entriesOf(answer, this.#settings, this.#isData.list, isMessage);
    this.#isData.list ||= parseJson(answer.text) !== undefined;
    // What cannot be read as a list may still have the messages of others.
    if (typeof entries === 'string') this.#withhold(index);
    return { entries: typeof entries === 'string' ? `${place} ${entries}` : entries, index };
  }

  /** The newest messages that may be for the person, without those that name somebody else. */
  async #candidates(task: SigningTask, entries: readonly Entry[]): Promise<readonly Candidate[]> {
    const found: Candidate[] = [];
    for (const entry of newestFirst(entries, this.#history.appends)) {
      const tree = await openedMails(entry.tree);
      const listed = this.#isTo(tree, task);
      this.#listsOthers ||= listed === false;
      if (listed !== false) found.push({ listed, entry: { ...entry, tree } });
      if (found.length > limits.messages.most) break;
    }
    return found;
  }

  /** The messages of the person, as many as the limits allow, and the first problem that was met. */
  async #openAll(task: SigningTask, candidates: readonly Candidate[]) {
    const { most } = limits.mailboxCharacters;
    const read: ReadMessage[] = [];
    let problem: string | undefined;
    let characters = 0;
    for (let from = 0; from < Math.min(candidates.length, limits.messages.most); from += openedAtOnce) {
      if (characters > most) {
        problem ??= `${this.#name}: the newest messages have more than ${most} characters`;
        break;
      }
      const some = candidates.slice(from, from + openedAtOnce).map((each) => this.#open(task, each));
      for (const message of await Promise.all(some)) {
        if (typeof message === 'string') problem ??= message;
        else if (message) {
          read.push(message);
          characters += lengthOf(message);
        }
      }
    }
    return { read, problem };
  }

  /** The message, when it is for the person; a text that says why it could not be read. */
  async #open(task: SigningTask, { listed, entry }: Candidate): Promise<ReadMessage | string | undefined> {
    const { tree, id } = entry;
    const { message: template, text: place } = this.#settings;
    const fetched: Fetched | string = template && id ? await this.#fetch(template, task, id) : { tree };
    if (typeof fetched === 'string') return fetched;
    const unopened = whyUnopened();
    if (unopened && fetched.index !== undefined) this.#withhold(fetched.index);
    if (unopened) return unopened;
    const whole = fetched.tree;
    const text = place === undefined ? undefined : at(place, whole);
    const message = {
      ...readMessage(this.#channel, keyOfEntry(entry), tree, whole),
      ...(typeof text === 'string' ? { contents: [fold(shownText(text))] } : {}),
    };
    const isTheirs =
      listed ??
      this.#isTo(whole, task) ??
      (this.#isNarrowed || mentions(message, addressOf(task, this.#channel)));
    if (!isTheirs && fetched.index !== undefined) this.#withhold(fetched.index);
    return isTheirs ? message : undefined;
  }

  /** The whole message; a text that says why it could not be fetched. */
  async #fetch(template: CallTemplate, task: SigningTask, id: string): Promise<Fetched | string> {
    const known = this.#fetched.get(id);
    if (known !== undefined) return known;
    const place = `${this.#name}.message`;
    const answer = await this.#call(template, { ...variables(task), messageId: id }, place);
    // A message that is not there yet is asked for again with the next look.
    if (meaningOf(answer, template) !== 'accepted') return toldAnswer(place, answer);
    const data = parseUntyped(answer.text);
    if (data === undefined && this.#isData.message && isPage(answer.text)) return toldAnswer(place, answer);
    this.#isData.message ||= data !== undefined;
    const tree = await openedMails(data ?? answer.text);
    this.#fetched.keep(id, tree, answer.text.length);
    return { tree, index: answer.index };
  }

  /** Whether a message is to the person: by the field that the profile names, else by the usual ones. */
  #isTo(tree: unknown, task: SigningTask): boolean | undefined {
    const { to } = this.#settings;
    const fields = to === undefined ? tree : { to: at(to, tree) };
    return isFor(fields, this.#channel, addressOf(task, this.#channel));
  }

  #whyBeginnings(read: readonly ReadMessage[]): string | undefined {
    const name = this.#name;
    if (this.#channel !== 'email' || this.#settings.text || read.length === 0) return undefined;
    if (!read.every(({ isGlimpse }) => isGlimpse)) return undefined;
    return `${name}.list tells no more than how messages begin; ${name}.message is to give one as a whole, and ${name}.id leads to {messageId}`;
  }

  #whyNotAll({ length }: readonly Candidate[]): string | undefined {
    const list = `${this.#name}.list gives the newest messages`;
    const { forgets } = this.#history;
    const isMore = length > limits.messages.most;
    if (!this.#isNarrowed) {
      const variable = this.#channel === 'email' ? 'email' : 'mobileNumber';
      return forgets || isMore
        ? `${list} of everybody only; name the person in it, such as by {${variable}}`
        : undefined;
    }
    // Anybody may write to an address, as often as they like.
    if (isMore)
      return `${this.#name}.list gives more messages than the ${limits.messages.most} that are read`;
    // A list that is narrowed by the request, and not by the address, holds messages to others anyway.
    return this.#isByAddress && forgets && this.#listsOthers
      ? `${list} only, also those of others; let it give more, or those of one person`
      : undefined;
  }
}

/** Messages that were fetched. The oldest are dropped beyond the limit: each look may bring new ones, as large as an answer. */
class FetchedMessages {
  readonly #messages = new Map<string, { readonly tree: unknown; readonly length: number }>();
  #characters = 0;

  get(id: string) {
    return this.#messages.get(id);
  }

  keep(id: string, tree: unknown, length: number): void {
    // Two looks may have fetched it at the same time.
    this.#characters += length - (this.#messages.get(id)?.length ?? 0);
    this.#messages.set(id, { tree, length });
    for (const [old, each] of this.#messages) {
      if (this.#characters <= limits.mailboxCharacters.most) return;
      this.#messages.delete(old);
      this.#characters -= each.length;
    }
  }
}

const at = (place: Place, message: unknown): unknown => nodeAt(place, { item: message, root: message });

const variables = (task: SigningTask) => ({ ...variablesOf(task), signatoryId: task.signatoryId ?? '' });

function mentions({ text }: ReadMessage, address: string): boolean {
  return text.toLowerCase().includes(address.toLowerCase());
}

const lengthOf = ({ leaves }: ReadMessage) => leaves.reduce((sum, { length }) => sum + length, 0);
