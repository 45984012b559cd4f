/** Reads the events of a delivery: as the profile says, and by careful guessing where it says nothing. */
import { type Message, queryNames } from '../../record/delivery.ts';
import type { CallbackEvent, Decoded, KnownRequests, SignatoryKey, Unread } from '../../record/event.ts';
import type { CallbackSettings } from '../profile/callback-settings.ts';
import { guessAttachments, linkIn } from '../untrusted/guess/attachments.ts';
import { type FoundEventCode, foundEventCode, guessCode, otherCode } from '../untrusted/guess/event-code.ts';
import {
  type Guess,
  guessDeliveryId,
  guessRequestId,
  guessSignatory,
  guessTime,
  knownRequestId,
} from '../untrusted/guess/identity.ts';
import { limits } from '../untrusted/limits.ts';
import { parsePayload, timed } from '../untrusted/payload/parse.ts';
import { isObject, type Leaf, leavesOf, plainKey, pointerOf } from '../untrusted/payload/tree.ts';
import { timeOf } from '../untrusted/payload/when.ts';
import { nodeAt, type Place, placeName, read, readText, type Scope } from '../untrusted/place.ts';
import { inShort, textOf } from '../untrusted/text.ts';
import { attachmentsAt } from './attachments.ts';

export type DecodeSettings = Pick<CallbackSettings, 'decoding' | 'attachments' | 'deliveryId'>;

/** Reads a delivery. Never throws: what cannot be read is said in the result. */
export function decode(message: Message, settings: DecodeSettings, known: KnownRequests): Decoded {
  try {
    return timed(message.body, () => decoded(message, settings, known));
  } catch (error) {
    // Trouble with one delivery, which a stranger may have sent, must not stop the others.
    return { readable: false, problems: [`it cannot be read: ${(error as Error).message}`] };
  }
}

function decoded(message: Message, settings: DecodeSettings, known: KnownRequests): Decoded {
  const target = withoutOwn(message.target, known.callbackUrl ?? '');
  const payload = parsePayload({ ...message, target }, settings.decoding?.format);
  if (!payload.parsed) return { readable: false, problems: [payload.problem] };
  const root = payload.tree;
  const scope = (item: unknown): Scope => ({
    item,
    root,
    headers: message.headers,
    target: message.target,
    text: () => textOf(message.headers, message.body),
  });
  const found = itemsOf(root, settings, message, scope(root));
  if (typeof found === 'string') return { readable: false, problems: [found] };
  const { items, list } = found;
  // Fields beside the list hold for all events in it.
  const shared =
    list === undefined
      ? []
      : leavesOf(root)
          .filter(({ path }) => !isWithin(pointerOf(path), list))
          .slice(0, Math.min(limits.sharedLeaves.most, limits.leaves.most / items.length));
  const results = items.slice(0, limits.events.most).map((item) => {
    const { base, above } = payload.format === 'xml' ? unwrapped(item) : { base: item, above: [] };
    const leaves = leavesOf(base);
    const code = codeOfEvent(settings, scope(item), message, leaves, above);
    if (!code.found) return code.problem;
    return eventOf(code, settings, scope(item), message, leaves, shared, known);
  });
  const events = results.filter((result) => typeof result !== 'string');
  const problems = results.filter((result) => typeof result === 'string');
  // A service may try out the URL by a call that says nothing. It is about no event, not even in its query, and about
  // no request.
  const at = settings.decoding?.event;
  const isNamed = at !== undefined && items.some((item) => read(at, scope(item)) !== undefined);
  const isAboutNothing = isProbe(message, target, root) && !isNamed && !guessRequestId(leavesOf(root), known);
  if (events.length === 0 && isAboutNothing) return { readable: true, events: [], problems: [] };
  return events.length > 0 || items.length === 0
    ? { readable: true, events, problems }
    : { readable: false, problems: [...new Set(problems)] };
}

/** Which of the request ids a delivery names; for the URL that all addresses share. */
export function identify(
  message: Message,
  settings: DecodeSettings,
  requestIds: readonly string[],
): string | undefined {
  const read = decode(message, settings, { requestIds, signatories: [] });
  const named = read.readable ? read.events.flatMap(({ requestId }) => requestId ?? []) : [];
  const payload = parsePayload(message, settings.decoding?.format);
  // A delivery that cannot be decoded still belongs to the request that it names somewhere.
  const anywhere = guessRequestId(
    leavesOf({ target: message.target, payload: payload.parsed ? payload.tree : undefined }),
    { requestIds, signatories: [] },
  );
  const candidates = [...named, ...(anywhere && 'value' in anywhere ? [anywhere.value] : [])];
  return candidates.find((id) => requestIds.includes(id));
}

function eventOf(
  { code, name }: FoundEventCode & { readonly found: true },
  settings: DecodeSettings,
  scope: Scope,
  message: Message,
  leaves: readonly Leaf[],
  shared: readonly Leaf[],
  known: KnownRequests,
): CallbackEvent {
  const unread: Unread[] = [];
  const take = <Value>(field: Unread['field'], guess: Guess<Value>): Value | undefined => {
    if (guess && 'unread' in guess) unread.push({ field, message: guess.unread, several: guess.several });
    const value = guess && 'value' in guess ? guess.value : undefined;
    return typeof value === 'string' && value.length > limits.idCharacters.most ? undefined : value;
  };
  const all = [...leaves, ...shared];
  const { requestId: idAt, time: timeAt, signatory: whoAt = {} } = settings.decoding ?? {};
  const { deliveryId: deliveryAt } = settings;
  const named = take(
    'requestId',
    idAt === undefined
      ? guessRequestId(all, known)
      : there(idAt, 'decoding.requestId', readText(idAt, scope)),
  );
  const requestId = named && knownRequestId(named, known);
  const signatory = code === 2 ? take('signatory', signatoryOf(whoAt, scope, leaves, known)) : undefined;
  const time = take('time', timeAt === undefined ? guessTime(leaves) : timeOfEvent(timeAt, scope));
  const deliveryId = take(
    'deliveryId',
    deliveryAt === undefined
      ? guessDeliveryId(leaves, message)
      : there(deliveryAt, 'deliveryId', readText(deliveryAt, scope)),
  );
  const files = settings.attachments
    ? attachmentsThere(settings.attachments, scope, all)
    : guessAttachments(all);
  if ('unread' in files && files.unread) unread.push({ field: 'attachments', message: files.unread });
  return {
    code,
    ...(settings.decoding?.codes ? { name } : {}),
    requestId,
    signatory,
    time,
    deliveryId,
    attachments: files.attachments,
    unread,
  };
}

/** The attachments at the place that the profile names. If no file is there, says that one stands elsewhere. */
function attachmentsThere(
  settings: NonNullable<DecodeSettings['attachments']>,
  scope: Scope,
  leaves: readonly Leaf[],
): ReturnType<typeof guessAttachments> {
  const attachments = attachmentsAt(settings, scope);
  if (attachments.some(mayBeFile)) return { attachments };
  const file = guessAttachments(leaves).attachments[0]?.at;
  // An empty list is a list, too: nothing is attached.
  const isLinked = settings.as === 'url' && !Array.isArray(nodeAt(settings.list ?? '', scope));
  const link = isLinked ? linkIn(leaves) : undefined;
  const elsewhere = (file && `a file stands at ${file}`) ?? (link && `a link stands at ${link}`);
  return elsewhere === undefined
    ? { attachments }
    : { attachments, unread: `${elsewhere}, and none where callbacks.attachments leads to` };
}

/** Shorter bytes are an id, or another text that happens to be base64. */
const mayBeFile = ({ content }: CallbackEvent['attachments'][number]): boolean =>
  content.kind !== 'bytes' || content.bytes.length >= 100;

/** The events of a payload and where their list stands, or why there are none. */
function itemsOf(
  root: unknown,
  settings: DecodeSettings,
  message: Message,
  scope: Scope,
): { items: readonly unknown[]; list?: string } | string {
  const list = settings.decoding?.list;
  if (list !== undefined) {
    const there = nodeAt(list, scope);
    if (there === undefined) {
      const missing = `nothing stands at ${placeName(list)} (callbacks.decoding.list)`;
      const whole = otherCode(leavesOf(root), settings.decoding?.codes, () => missing);
      return whole.found ? { items: [root] } : whole.problem;
    }
    const at = typeof list === 'string' ? list : (list.pointer ?? list.root);
    // XML cannot tell a list of one from a single element.
    return { items: [there].flat(), list: at };
  }
  if (Array.isArray(root)) return { items: root, list: '' };
  if (settings.decoding?.event !== undefined || !isObject(root)) return { items: [root] };
  if (guessCode(leavesOf(root), message, settings.decoding?.codes).found) return { items: [root] };
  const lists = Object.entries(root).filter(
    ([key, value]) => listKeys.test(plainKey(key)) && Array.isArray(value),
  );
  const [found] = lists.filter(([, value]) => (value as unknown[]).some(isObject));
  return found ? { items: found[1] as unknown[], list: pointerOf([found[0]]) } : { items: [root] };
}

const listKeys = /^(events|callbacks|notifications|data|items|messages)$/;

function codeOfEvent(
  { decoding }: DecodeSettings,
  scope: Scope,
  message: Message,
  leaves: readonly Leaf[],
  above: readonly string[],
): FoundEventCode {
  if (decoding?.event === undefined) return guessCode(leaves, message, decoding?.codes, above);
  const value = read(decoding.event, scope);
  const named = foundEventCode(value, decoding.codes);
  if (named.found) return named;
  const place = placeName(decoding.event);
  if (value === undefined)
    return otherCode(leaves, decoding.codes, () => `nothing stands at ${place} (callbacks.decoding.event)`);
  const unknown = `${inShort(JSON.stringify(value), 60)} at ${place} is no event that callbacks.decoding.event and codes know`;
  return { found: false, problem: unknown };
}

function signatoryOf(
  places: Partial<Record<SignatoryKey, Place>>,
  scope: Scope,
  leaves: readonly Leaf[],
  known: KnownRequests,
): Guess<CallbackEvent['signatory'] & {}> {
  const named = Object.entries(places) as [SignatoryKey, Place][];
  const [first] = named;
  if (!first) return guessSignatory(leaves, known);
  const [found] = named.flatMap(([by, place]) => {
    const value = readText(place, scope);
    return value === undefined ? [] : [{ by, value }];
  });
  return there(first[1], 'decoding.signatory', found);
}

function timeOfEvent(
  settings: NonNullable<NonNullable<DecodeSettings['decoding']>['time']>,
  scope: Scope,
): Guess<CallbackEvent['time'] & {}> {
  const { at } = settings;
  const ms = timeOf(read(at, scope), settings);
  return there(at, 'decoding.time', ms === undefined ? undefined : { ms, at: placeName(at) });
}

/** The value at the place that the profile names, or words that say that there is none. */
function there<Value>(place: Place, key: string, value: Value | undefined): Guess<Value> {
  if (value !== undefined) return { value };
  return { unread: `nothing that is one stands at ${placeName(place)} (callbacks.${key})` };
}

/** Whether a call says nothing: it has no body or, by another method than GET, an empty one, and no word elsewhere that may name an event. */
function isProbe({ method, headers, body }: Message, target: string, root: unknown): boolean {
  if (body.length === 0 && ['GET', 'HEAD', 'OPTIONS'].includes(method)) return true;
  const mayName = ([name, value]: Message['headers'][number]) =>
    !ofHttp.test(name) && /^(?:[a-z][\w.:-]*|\d{1,2})$/i.test(value);
  return (
    isObject(root) && leavesOf(root).length === 0 && queryNames(target).length === 0 && !headers.some(mayName)
  );
}

/** The target of a call without the query that CallbackUrl has, which says nothing of what the call is about. */
function withoutOwn(target: string, callbackUrl: string): string {
  const [path = ''] = target.split('?', 1);
  const query = new URLSearchParams(target.slice(path.length));
  for (const name of queryNames(callbackUrl)) query.delete(name);
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Header fields that say nothing of what a call is about. */
const ofHttp =
  /^(?:host|connection|keep-alive|te|via|pragma|priority|dnt|origin|upgrade.*|cache-control|transfer-encoding|(?:accept|content|sec|x-forwarded|cf)-.*|accept|user-agent)$/i;

/** The tree without the elements above it that hold only one other element, such as the root of an XML document. */
function unwrapped(tree: unknown): { readonly base: unknown; readonly above: readonly string[] } {
  let base = tree;
  const above: string[] = [];
  while (above.length < 8 && isObject(base)) {
    const elements = Object.entries(base).filter(([key]) => !key.startsWith('@'));
    const [only] = elements;
    if (elements.length !== 1 || !only || !isObject(only[1])) break;
    above.push(only[0]);
    base = only[1];
  }
  return { base, above };
}

function isWithin(pointer: string, list: string): boolean {
  return pointer === list || pointer.startsWith(`${list}/`);
}
