/** Reads what the target sent to people, from the mailboxes that the profile names. */
import type { CallTemplate } from '../profile/parts.ts';
import { defaultWaitMs, type OutboxSettings } from '../profile/signing-settings.ts';
import type { Variables } from '../profile/template.ts';
import { askUntil, askWhile, type Pace, sparing } from '../target/budgets/pause.ts';
import { addressOf, type Channel, type SigningTask } from './driver.ts';
import { findBeside, findCode } from './messages/find-code.ts';
import { drawnIn, findLink, tokenOf } from './messages/find-link.ts';
import { Mailbox } from './messages/mailbox.ts';
import type { ReadMessage } from './messages/message.ts';
import { type MakeCall, uses } from './template-call.ts';

export interface OutboxReader {
  reads(channel: Channel): boolean;
  /** Whether any message of this channel was read: until then the profile may name the wrong mailbox. */
  hasRead(channel: Channel): boolean;
  /** Whether messages that were there are gone, so that others may have come: looks once more at the first that were read. */
  hasLost(channel: Channel): Promise<boolean>;
  /** All messages to the person, newest first; waits, bounded, until `until` holds for one. Empty if none came. */
  messages(
    task: SigningTask,
    channel: Channel,
    until: (message: ReadMessage) => boolean,
    how?: Pace,
  ): Promise<readonly ReadMessage[]>;
  /** The messages to the person that the last look saw. Does not look. */
  seen(task: SigningTask, channel: Channel): readonly ReadMessage[];
  /**
   * The first link to the signing page in a message of the person, or undefined.
   * @param seen with `seen`, a link that was found in an earlier look is given without another look
   */
  link(task: SigningTask, seen?: 'seen'): Promise<string | undefined>;
  /**
   * The newest one-time password in a message of that channel, not one of `known`, or undefined.
   * @param seen as for links; with `seen alone` there is no other look
   */
  code(
    task: SigningTask,
    channel: Channel,
    known?: readonly string[],
    seen?: 'seen' | 'seen alone',
  ): Promise<string | undefined>;
  readonly waitMs: number;
  /** The profile's pattern for links; its group may be the token in a link. */
  readonly linkPattern?: RegExp;
  /** Keys of the messages that are there: what comes later is new. Does not wait, unless one is `awaited`. */
  known(task: SigningTask, channel: Channel, awaited?: 'awaited'): Promise<ReadonlySet<string>>;
  /**
   * The newest one-time password in a message that is not among `known`. When no such message comes in time, the newest
   * one in the known messages: a target may send a code only once, and a sandbox may always use the same.
   */
  newCode(task: SigningTask, channel: Channel, known: ReadonlySet<string>): Promise<NewCode | undefined>;
  /** What went wrong when the channel was last read for the person; undefined when all of it could be read. */
  problem(task: SigningTask, channel: Channel): string | undefined;
}

/** A code; whether it is the only one that came (of several, another may be the person's); and whether it surely is a code. */
interface NewCode {
  readonly code: string;
  readonly only: boolean;
  readonly sure: boolean;
}

interface SeenCode {
  readonly code: string;
  /** The message says that it is a code. */
  readonly told: boolean;
  /** It is sure enough that no other message is waited for. */
  readonly sure: boolean;
  readonly key: string;
}

/** Shorter parts of a link are words of a path. */
const shortestToken = 12;

/**
 * An outbox by the settings of a profile.
 * @param learned is called with each code and the token of each link that is found, to keep them out of the record
 * @param withhold is told which answers have messages to others
 */
export function createOutbox(
  settings: OutboxSettings,
  call: MakeCall,
  learned: (secret: string) => void = () => {},
  withhold?: (index: number) => void,
): OutboxReader {
  const waitMs = settings.waitMs ?? defaultWaitMs;
  const mailboxes = {
    email: settings.email && new Mailbox('email', settings.email, call, withhold),
    sms: settings.sms && new Mailbox('sms', settings.sms, call, withhold),
  };
  const linkPattern = settings.link === undefined ? undefined : new RegExp(settings.link, 'u');
  const codePattern = settings.code === undefined ? undefined : new RegExp(settings.code, 'u');
  const problems = new Map<string, string>();
  const links = new Map<string, string | undefined>();
  const looks = new Map<string, readonly ReadMessage[]>();
  /** By channel, whose messages were read first, and how many were there at most. */
  const read = new Map<
    Channel,
    { readonly task: SigningTask; readonly place: string; readonly most: number }
  >();

  async function look(task: SigningTask, channel: Channel): Promise<readonly ReadMessage[]> {
    const mailbox = mailboxes[channel];
    const place = `${channel} ${addressOf(task, channel)}`;
    const { messages, problem } = mailbox
      ? await mailbox.look(task)
      : { messages: [], problem: `the profile has no outbox.${channel}` };
    if (problem === undefined) problems.delete(place);
    else problems.set(place, problem);
    looks.set(place + task.requestId, messages);
    const first = read.get(channel) ?? { task, place, most: 0 };
    if (first.place === place && messages.length > first.most)
      read.set(channel, { ...first, most: messages.length });
    for (const { leaves } of messages) hide(findLink(leaves, task, linkPattern)?.url, task);
    if (channel === 'email') links.set(task.requestId + task.email, linkIn(messages, task));
    return messages;
  }

  const lastLook = (task: SigningTask, channel: Channel): readonly ReadMessage[] =>
    looks.get(`${channel} ${addressOf(task, channel)}${task.requestId}`) ?? [];

  /** The link that fits best in the messages; of several that fit equally, the one in the newest. */
  function linkIn(messages: readonly ReadMessage[], task: SigningTask): string | undefined {
    const leaves = messages.flatMap((message) => message.leaves);
    return findLink(leaves, task, linkPattern)?.url;
  }

  /** Keeps the parts of a link that may give access out of the record, but not ids and words, which other URLs have, too. */
  function hide(link: string | undefined, task: SigningTask): void {
    if (link === undefined) return;
    const known: readonly unknown[] = Object.values(task);
    for (const secret of new Set([tokenOf(link, linkPattern) ?? '', ...drawnIn(link)])) {
      if (secret.length >= shortestToken && !known.includes(secret)) learned(secret);
    }
  }

  /** How long messages are awaited: not at all where the channel has no mailbox. */
  const waitFor = (channel: Channel) => (mailboxes[channel] ? waitMs : 0);

  /** The codes of messages, in their order. */
  function codesIn(
    messages: readonly ReadMessage[],
    task: SigningTask,
    channel: Channel,
  ): readonly SeenCode[] {
    return messages.flatMap((message) => {
      const { contents, leaves, text, key } = message;
      const found = codePattern
        ? (findCode(contents, codePattern) ?? findBeside([text, ...leaves], codePattern))
        : findCode(contents, undefined);
      if (!found) return [];
      learned(found.code);
      // An invitation, which has a link, is no code message: digits in it may belong to a title.
      const sure = found.sure || channel === 'sms' || findLink(leaves, task, undefined) === undefined;
      return [{ code: found.code, told: found.sure, sure, key }];
    });
  }

  /** The newest code for which `fits` holds, and all that the last look saw. Waits for a sure code before it takes another. */
  async function newest(task: SigningTask, channel: Channel, fits: (seen: SeenCode) => boolean) {
    let seen: readonly SeenCode[] = [];
    const found = await askUntil(waitFor(channel), async () => {
      seen = codesIn(await look(task, channel), task, channel);
      return seen.find((each) => each.sure && fits(each));
    });
    return { code: (found ?? seen.find(fits))?.code, seen };
  }

  return {
    waitMs,
    linkPattern,

    reads: (channel) => mailboxes[channel] !== undefined,
    hasRead: (channel) => read.has(channel),
    async hasLost(channel) {
      const first = read.get(channel);
      return first !== undefined && (await look(first.task, channel)).length < first.most;
    },

    problem: (task, channel) => problems.get(`${channel} ${addressOf(task, channel)}`),

    messages(task, channel, until, how) {
      return askWhile(
        waitFor(channel),
        (found) => !found.some(until),
        () => look(task, channel),
        how,
      );
    },

    seen: lastLook,

    async link(task, seen) {
      const known = seen && links.get(task.requestId + task.email);
      return known ?? askUntil(waitFor('email'), async () => linkIn(await look(task, 'email'), task));
    },

    async code(task, channel, known = [], seen) {
      const fits = ({ code }: SeenCode) => !known.includes(code);
      const found = seen && codesIn(lastLook(task, channel), task, channel).find(fits);
      return seen === 'seen alone' ? found?.code : (found ?? (await newest(task, channel, fits))).code;
    },

    async known(task, channel, awaited) {
      const isNone = (found: readonly ReadMessage[]) => found.length === 0;
      const there = await askWhile(awaited ? waitMs : 0, isNone, () => look(task, channel), sparing);
      return new Set(there.map(({ key }) => key));
    },

    async newCode(task, channel, known) {
      const isNew = ({ key }: SeenCode) => !known.has(key);
      const { code: fresh, seen } = await newest(task, channel, isNew);
      const code = fresh ?? (known.size === 0 ? undefined : seen[0]?.code);
      const rivals = fresh === undefined ? seen : seen.filter(isNew);
      if (code === undefined) return undefined;
      const same = rivals.filter((each) => each.code === code);
      return { code, only: same.length === rivals.length, sure: same.some(({ told }) => told) };
    },
  };
}

/** `{link}` and its `{token}` from the e-mail, where one of the calls names them; or a text that says why there are none. */
export async function linkVariables(
  calls: CallTemplate | readonly (CallTemplate | undefined)[],
  task: SigningTask,
  outbox: OutboxReader,
  seen?: 'seen',
): Promise<Variables | string> {
  const named = ['link', 'token'].filter((each) => uses(calls, each));
  if (named.length === 0) return {};
  if (!outbox.reads('email'))
    return `{${named[0]}} comes from the link in the e-mail, and the profile has no outbox.email`;
  const link = await outbox.link(task, seen);
  const token = link === undefined ? undefined : tokenOf(link, outbox.linkPattern);
  if (link !== undefined && (token !== undefined || !named.includes('token')))
    return { link, token: token ?? '' };
  return whyNoLink(task, outbox);
}

/** Why no link was found, where e-mails can be read. */
export function whyNoLink(task: SigningTask, outbox: OutboxReader): string {
  const why =
    outbox.problem(task, 'email') ??
    'no message with one came in time (outbox.waitMs); outbox.link finds it by a pattern';
  return `no link was found: ${why}`;
}
