/** Reads mail as it was sent (MIME), whole or in parts, wherever the answers of a mailbox hold it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import PostalMime, { decodeWords, type Email } from 'postal-mime';
import { sha256Of } from '../../record/hash.ts';
import { hurry } from './deadline.ts';
import { limits } from './limits.ts';
import { isObject, plainKey } from './payload/tree.ts';
import { exactTextOf } from './text.ts';

/**
 * The answer of a mailbox with its mails parsed: a text that is a whole mail, and an object with headers and a body of a
 * mail or a part of one, are replaced by their content. Encoded words are decoded. Never rejects: a mail that
 * is broken or exceeds the bounds stays as it came.
 */
export async function openedMails(tree: unknown): Promise<unknown> {
  if (typeof tree === 'string') {
    const text = unwrapped(tree);
    if (!isWholeMail(text)) return readable(text);
    const mail = await openMail(text);
    // A whole mail also shows that nothing is attached.
    return mail ? { attachments: [], ...mail } : text;
  }
  if (Array.isArray(tree)) return oneAfterOther(tree, openedMails);
  if (!isObject(tree)) return tree;
  // Waits a turn of the event loop, so that an interrupt is noticed.
  await nextTurn();
  const source = sourceOf(tree);
  // Only one key is taken as the body, even where several spellings of its name occur.
  const body = source && Object.keys(tree).find((key) => isBody(key, tree[key]));
  const mail = source && body ? await openMail(source) : undefined;
  const entries = await oneAfterOther(Object.entries(tree), async ([key, value]) => {
    return [key, (key === body ? mail : undefined) ?? (await openedMails(value))] as const;
  });
  return Object.fromEntries(entries);
}

function isBody(key: string, value: unknown): value is string {
  return typeof value === 'string' && plainKey(key) === 'body';
}

/** Makes one after the other, so that only one mail of the largest size is held at a time. */
async function oneAfterOther<Given, Made>(all: readonly Given[], make: (each: Given) => Promise<Made>) {
  const made: Made[] = [];
  for (const each of all) made.push(await make(each));
  return made;
}

/** Mails that were parsed, by the hash of their source, since a mailbox is read again and again. */
const known = new Map<string, { readonly mail: Promise<object | undefined>; readonly length: number }>();
let knownCharacters = 0;

/** Why no more mails are parsed, once all of them together have taken too long. */
export const whyUnopened = (): string | undefined =>
  hurry.mailsMs > limits.mailsMs.most ? 'opening the mails before took too long' : undefined;

let last: Promise<unknown> = Promise.resolve();

/**
 * The result of `work` on a mail, which blocks this thread. Mails are parsed one after the other, so that an interrupt and
 * callbacks get through in between. `undefined` when the run is to end, or all mails together have taken too long.
 */
function inTime<T>(work: () => T | Promise<T>): Promise<T | undefined> {
  const mine = last.then(async () => {
    await nextTurn();
    if (hurry.on || whyUnopened()) return undefined;
    const startMs = performance.now();
    try {
      return await work();
    } finally {
      hurry.mailsMs += performance.now() - startMs;
    }
  });
  last = mine.catch(() => undefined);
  return mine;
}

/** The content of a mail; `undefined` when it cannot be read in time. */
function openMail(source: string): Promise<object | undefined> {
  const beginning = beginningOf(source);
  const hash = sha256Of(beginning);
  const before = known.get(hash);
  if (before || hurry.on) return before?.mail ?? Promise.resolve(undefined);
  knownCharacters += beginning.length;
  for (const [oldest, { length }] of known) {
    if (knownCharacters <= 4 * limits.mailCharacters.most) break;
    known.delete(oldest);
    knownCharacters -= length;
  }
  const mail = inTime(() => parsed(beginning));
  known.set(hash, { mail, length: beginning.length });
  return mail;
}

async function parsed(source: string): Promise<object | undefined> {
  try {
    const { subject, date, text, html, to, attachments } = await PostalMime.parse(source, {
      attachmentEncoding: 'arraybuffer',
      maxNestingDepth: limits.mailDepth.most,
      // Mails within mails count as files: parsing each costs as much as the whole.
      forceRfc822Attachments: true,
      maxHeadersSize: limits.mailHeaderBytes.most,
    });
    return {
      ...(subject === undefined ? {} : { subject }),
      ...(date === undefined ? {} : { date }),
      ...(to === undefined ? {} : { to: addressesOf(to) }),
      // A mail without any text has an empty one.
      ...(text === undefined && html !== undefined ? {} : { text: text ?? '' }),
      ...(html === undefined ? {} : { html }),
      ...(attachments.length === 0 ? {} : { attachments: attachments.map(fileOf) }),
    };
  } catch {
    // The source is no mail after all, or exceeds the bounds: its text is searched as it came.
    return undefined;
  }
}

function addressesOf(to: NonNullable<Email['to']>): string[] {
  return to.flatMap((each) => (each.group ? each.group : [each])).map(({ address }) => address);
}

function fileOf({ filename, mimeType }: Email['attachments'][number]) {
  return { ...(filename === null ? {} : { filename }), contentType: mimeType };
}

/** The part of a mail that is read. Its texts and the names of its files usually stand before the cut. */
function beginningOf(source: string): string {
  let end = -1;
  for (let lines = 0; lines < limits.mailLines.most; lines += 1) {
    end = source.indexOf('\n', end + 1);
    if (end < 0) return source.slice(0, limits.mailCharacters.most);
  }
  return source.slice(0, Math.min(end, limits.mailCharacters.most));
}

/** Whether a text begins with header fields, among them one that only mails have. */
function isWholeMail(text: string): boolean {
  if (!/^[A-Za-z-]{1,60}:/.test(text)) return false;
  const start = text.slice(0, 64 * 1024);
  const end = /\r?\n\r?\n/.exec(start)?.index ?? start.length;
  const fields = start.slice(0, end).split('\n');
  return (
    fields.every((line) => /^(?:[!-9;-~]{1,60}:|[ \t]|\r?$)/.test(line)) &&
    fields.some((line) => /^(?:mime-version|message-id|received|content-type):/i.test(line))
  );
}

/** The source of a mail, or a part of one, that a mailbox gives as an object with headers and a body. */
function sourceOf(part: Record<string, unknown>): string | undefined {
  const entries = Object.entries(part);
  const headers = entries.find(([key]) => plainKey(key) === 'headers')?.[1];
  const body = entries.find(([key, value]) => isBody(key, value))?.[1];
  if (body === undefined || !isObject(headers)) return undefined;
  const lines = Object.entries(headers).flatMap(([name, given]) =>
    [given].flat().flatMap((value: unknown) => {
      // A line break that the mailbox left in a value would begin another field.
      const line = `${name}: ${String(value)}`.replaceAll(/[\r\n]+/g, ' ');
      return /^content-(?:type|transfer-encoding|disposition): /i.test(line) ? [line] : [];
    }),
  );
  return lines.length === 0 ? undefined : `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** The decoded text where a mailbox gives base64 or base64url that holds a text with line breaks or blanks; else the text itself. */
function unwrapped(text: string): string {
  if (text.length < 24 || text.length > limits.mailCharacters.most || !/^[\w+/-]+={0,2}$/.test(text))
    return text;
  const inner = exactTextOf([], Buffer.from(text, 'base64'));
  // Ids and tokens may look like base64, but decode to no text with blanks; a PDF stays the file that it is.
  return inner !== null && /\s/.test(inner) && !/[^\P{C}\s]/u.test(inner) && !inner.startsWith('%PDF-')
    ? inner
    : text;
}

/** A text with its encoded words and, where it has soft line breaks, its quoted-printable undone. */
async function readable(text: string): Promise<string> {
  const start = text.length > limits.textCharacters.most ? text.slice(0, limits.textCharacters.most) : text;
  const words = start.includes('=?') ? ((await inTime(() => decodeWords(start))) ?? start) : start;
  // Texts that are not quoted-printable hardly ever have a soft line break.
  if (!/=\r?\n/.test(words)) return words;
  const part = `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${words}`;
  const read = (await openMail(part)) as { readonly text?: string } | undefined;
  return read?.text ?? words;
}
