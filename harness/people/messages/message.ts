/** Reads one message out of whatever a mailbox answers: its text, its attached files, to whom and when. */
import { fold, shownText } from '../../untrusted/html.ts';
import { leavesOf, plainKey } from '../../untrusted/payload/tree.ts';
import { timeOf } from '../../untrusted/payload/when.ts';
import type { Channel } from '../driver.ts';
import { linksIn } from './find-link.ts';

export interface ReadMessage {
  readonly channel: Channel;
  /** Subject and body as text; markup removed. */
  readonly text: string;
  /** Names and media types of attached files. */
  readonly attachments: readonly string[];
  /** Whether the mailbox tells, of this or another message, whether files are attached. */
  readonly tellsOfFiles: boolean;
  /** Attached PDFs, where the mailbox gives their content. */
  readonly pdfs: readonly Uint8Array[];
  /** Web addresses in the message, without those of a footer. */
  readonly links: readonly string[];
  /** How many of its attached files are told with an address, which may be the same one. */
  readonly linkedFiles: number;
  /** A key that no other message of the mailbox has. */
  readonly key: string;
  /** The texts that a person reads, as far as their keys tell; without markup. */
  readonly contents: readonly string[];
  /** All its texts, with their markup. */
  readonly leaves: readonly string[];
  /** Whether the mailbox gives no more of the message than its subject or its beginning. */
  readonly isGlimpse: boolean;
}

const wholeKeys =
  'text body html plain plaintext content message raw textbody htmlbody bodytext bodyhtml bodyplain textcontent htmlcontent textasHtml'
    .toLowerCase()
    .split(' ');
const glimpseKeys = 'snippet preview intro excerpt summary teaser'.split(' ');
const contentKeys = new Set([...wholeKeys, ...glimpseKeys]);
const headings = new Set([...glimpseKeys, 'subject', 'title', 'headline']);
/** Least characters of a body in a field of another name: shorter texts may be an address or a name. */
const leastBody = 60;
const timeKey =
  /^(?:created|received|sent|date|time|timestamp|internaldate)(?:at|on|time|date|sent|created)?$/;
const recipientKey = /^(?:to|recipients?|rcptto|envelopeto|deliveredto|phone|phonenumber|mobilenumber)$/;
const fileKey = /^(?:attachments?|attachedfiles?|files)$/;

const keyOf = (path: readonly string[]) => plainKey(path.at(-1) ?? '');

/** Reads a message from its list entry and its whole form together; e-mails in both are parsed before. */
export function readMessage(
  channel: Channel,
  key: string,
  entry: unknown,
  whole: unknown = entry,
): ReadMessage {
  const told = leavesOf(whole).flatMap(({ path, value }) =>
    typeof value === 'string' ? [{ path, text: value }] : [],
  );
  const texts = told.filter(({ text }) => text.trim() !== '');
  const shown = texts.map(({ path, text }) => ({ path, text: fold(shownText(text)) }));
  const keyed = shown.map(({ path, text }) => ({ key: keyOf(path), text }));
  // An e-mail may be empty. But an empty body beside a preview, as in a list, was only left out.
  const begun = keyed.some(({ key }) => glimpseKeys.includes(key));
  const isEmpty = !begun && told.some(({ path }) => wholeKeys.includes(keyOf(path)));
  // The subject comes last: a number in it belongs to a request more often than to a code.
  const contents = [
    ...keyed.filter(({ key }) => contentKeys.has(key)),
    ...keyed.filter(({ key }) => key === 'subject'),
  ].map(textOf);
  const files = [attachedFiles(whole), attachedFiles(entry)].find((each) => each.length > 0);
  const pdfs = texts.flatMap(({ text }) => (isPdf(text) ? [Buffer.from(text, 'base64')] : []));
  return {
    channel,
    key,
    text: shown.map(textOf).join('\n'),
    attachments: files ?? pdfs.map(() => 'a file without a name (application/pdf)'),
    tellsOfFiles: pdfs.length > 0 || tellsOfFiles(whole) || tellsOfFiles(entry),
    pdfs,
    links: [...new Set(texts.flatMap(({ text }) => linksIn(text)))],
    linkedFiles: texts.filter(({ path, text }) => isInFiles(path) && linksIn(text).length > 0).length,
    contents: contents.length > 0 ? contents : shown.map(textOf),
    leaves: texts.map(textOf),
    isGlimpse:
      !isEmpty &&
      !keyed.some(
        ({ key, text }) => wholeKeys.includes(key) || (text.length >= leastBody && !headings.has(key)),
      ),
  };
}

/** Whether a field is there for attached files, an empty one too. */
function tellsOfFiles(tree: unknown): boolean {
  if (typeof tree !== 'object' || tree === null) return false;
  return Object.entries(tree).some(
    ([key, value]) => fileKey.test(plainKey(key).replace(/^has/, '')) || tellsOfFiles(value),
  );
}

const isInFiles = (path: readonly string[]) => path.some((part) => fileKey.test(plainKey(part)));

/** Base64 of "%PDF-". */
const isPdf = (text: string) => text.startsWith('JVBERi0');

const textOf = ({ text }: { readonly text: string }) => text;

const unnamed = 'a file without a name';

/** Most files that are told of only by a number. */
const mostCounted = 20;

/** One text for each file: its name, and its media type in brackets, as far as they are told. */
function attachedFiles(tree: unknown): string[] {
  const listed = new Map<string, ListedFile>();
  const disposed: string[] = [];
  for (const { path, value } of leavesOf(tree)) {
    const at = path.findIndex((part) => fileKey.test(plainKey(part)));
    if (at >= 0 && typeof value === 'string' && value !== '') {
      const place = path.slice(0, at + 2).join('/');
      const isBare = path.length === at + 2 && /^\d+$/.test(path[at + 1] ?? '');
      listed.set(place, { ...listed.get(place), ...toldOfFile(isBare ? 'name' : keyOf(path), value) });
    } else if (typeof value === 'string' && /^\s*attachment\b/i.test(value)) {
      const name = /filename\*?=(?:[\w-]+'[\w-]*')?"?([^";]+)/i.exec(value)?.[1];
      disposed.push(name?.trim() ?? unnamed);
    } else if (typeof value === 'number' && fileKey.test(keyOf(path))) {
      disposed.push(...Array<string>(Math.max(0, Math.min(Math.ceil(value), mostCounted))).fill(unnamed));
    }
  }
  const shown = [...listed.values()].map(({ name, urlName, mediaType }) => {
    const file = name ?? urlName ?? unnamed;
    return mediaType ? `${file} (${mediaType})` : file;
  });
  return shown.length > 0 ? shown : disposed;
}

interface ListedFile {
  readonly name?: string;
  /** The last part of the address. */
  readonly urlName?: string;
  readonly mediaType?: string;
}

/** What a field of an attached file tells of it. */
function toldOfFile(key: string, value: string): ListedFile {
  if (/^(?:file)?name$|^title$/.test(key)) return { name: value };
  if (/^(?:content|mime|media)?type$/.test(key)) return { mediaType: value };
  return key === 'url' ? { urlName: value.split(/[?#]/)[0]?.split('/').at(-1) } : {};
}

/** Milliseconds since 1970 at which the message was sent or received, where it tells. */
export function timeOfMessage(entry: unknown): number | undefined {
  for (const { path, value } of leavesOf(entry)) {
    if (path.length > 2 || !timeKey.test(keyOf(path))) continue;
    const ms = timeOf(value);
    if (ms !== undefined) return ms;
  }
  return undefined;
}

/**
 * Whether the message is for that address or number: `undefined` when it does not tell. Numbers are compared by
 * their last nine digits, since a prefix is written in several ways.
 */
export function isFor(tree: unknown, channel: Channel, address: string): boolean | undefined {
  const told = leavesOf(tree).flatMap(({ path, value }) => {
    if (typeof value !== 'string' || !path.some((part) => recipientKey.test(plainKey(part)))) return [];
    if (channel === 'sms') return value.match(/\+?[\d\s().-]{6,}/g) ?? [];
    return value.split(/[\s<>",;:()]+/).filter((word) => /.@./.test(word));
  });
  if (told.length === 0) return undefined;
  const form = channel === 'email' ? (text: string) => text.toLowerCase() : lastDigits;
  return told.some((each) => form(each) === form(address));
}

const lastDigits = (number: string): string => number.replaceAll(/\D/g, '').slice(-9);
