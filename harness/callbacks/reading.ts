/** Reads a stored delivery: its origin, its events and its attached PDFs, from which sequences are judged. */
import { isUtf8 } from 'node:buffer';
import { setImmediate as turn } from 'node:timers/promises';
import { markerPattern, markersShown, pageIn } from '../../generators/documents/document.ts';
import { type Delivery, type Message, messageOf } from '../../record/delivery.ts';
import type { Attachment, Decoded, KnownRequests } from '../../record/event.ts';
import { is2xx } from '../../record/exchange.ts';
import type { SeenAttachment, SeenDelivery, SeenEvent } from '../../record/facts.ts';
import type { CallbackSettings } from '../profile/callback-settings.ts';
import { codingsOf, uncoded } from '../untrusted/content-coding.ts';
import { hurry } from '../untrusted/deadline.ts';
import { fold } from '../untrusted/html.ts';
import { limits } from '../untrusted/limits.ts';
import { uncodedMost } from '../untrusted/payload/parse.ts';
import { markersIn, type PdfContent, type PdfPage, readPdf, whyUnread } from '../untrusted/pdf/completed.ts';
import { inShort } from '../untrusted/text.ts';
import { type Authenticity, originOf } from './authenticity.ts';
import { decode } from './decode.ts';

/** Gets a file that a callback links to; `null` when it cannot be had. */
export type FetchLink = (url: string) => Promise<Uint8Array | null>;

interface ReadingOptions {
  readonly settings: CallbackSettings;
  readonly known: KnownRequests;
  /** Markers to look for in attached PDFs. */
  readonly markers: readonly string[];
  /** Needed where the profile says that signed PDFs are attached as links. */
  readonly fetchLink?: FetchLink;
}

/** An attached file, with the markers in it; none if it is no PDF that can be read. */
interface ReadFile {
  readonly name?: string;
  readonly bytes: Uint8Array;
  readonly markers: readonly string[];
}

/** A delivery as read, and the attached files with their bytes. */
export interface ReadDelivery {
  readonly seen: SeenDelivery;
  readonly files: readonly ReadFile[];
}

/** How many deliveries are being read in this process. */
let underWay = 0;

/** Resolves once no delivery is being read any more. Reading that nobody waits for would otherwise slow down the next run. */
export async function allRead(): Promise<void> {
  while (underWay > 0) await turn();
}

/** Reads a delivery. Never rejects: whatever it contains, the result says what could be read and what not. */
export async function readDelivery(delivery: Delivery, options: ReadingOptions): Promise<ReadDelivery> {
  underWay += 1;
  try {
    return await readWhole(delivery, options);
  } catch (error) {
    // Trouble with one delivery must not keep the others from being judged.
    const problems = [`it cannot be read: ${(error as Error).message}`];
    return { files: [], seen: seenOf(delivery, [], problems) };
  } finally {
    underWay -= 1;
  }
}

async function readWhole(delivery: Delivery, options: ReadingOptions): Promise<ReadDelivery> {
  const { settings, known } = options;
  // Thousands of deliveries may be read in a row; without a pause the run could not be interrupted.
  await turn();
  const { message, origin } = await openDelivery(delivery, settings);
  // A forged delivery is not read any further: its files may be large or harmful.
  const decoded: Decoded = origin.genuine
    ? decode(message, settings, known)
    : { readable: false, problems: [origin.message] };
  const files: ReadFile[] = [];
  const events: SeenEvent[] = [];
  for (const event of decoded.readable ? decoded.events : []) {
    const attachments: SeenAttachment[] = [];
    for (const attachment of event.attachments)
      attachments.push(await readAttachment(attachment, options, files));
    events.push({ ...event, attachments });
  }
  const seen = seenOf(delivery, events, decoded.problems);
  return { files, seen: origin.genuine ? seen : { ...seen, forged: origin.message } };
}

function seenOf(
  { index, started, arrived, finished, answered, target, method, body }: Delivery,
  events: readonly SeenEvent[],
  problems: readonly string[],
): SeenDelivery {
  return {
    index,
    at: { startMs: started.monotonicMs, endMs: finished.monotonicMs },
    arrivedMs: arrived.monotonicMs,
    accepted: answered.kind === 'status' && is2xx(answered),
    target,
    method,
    sha256: body.sha256,
    events,
    problems,
  };
}

export interface Opened {
  /** The message. Its content coding is undone if possible; otherwise the body is as it was sent. */
  readonly message: Message & { readonly body: Buffer };
  readonly origin: Authenticity;
  /** `left`: the body is still in a content coding, so its text cannot be searched; `none`: it had none. */
  readonly coding: 'none' | 'undone' | 'left';
}

/**
 * Reads the bytes of a delivery, and undoes the content coding of a genuine one. A coding that cannot be undone is left to
 * `decode`, which says so.
 * @param undoes whether codings are undone at all
 */
export async function openDelivery(
  delivery: Delivery,
  settings: Pick<CallbackSettings, 'authenticity'>,
  undoes: boolean = true,
): Promise<Opened> {
  const sent = await messageOf(delivery);
  const { headers, body } = sent;
  // A signature is over the bytes that were sent, coded or not.
  const origin = originOf(sent, settings, delivery.arrived);
  const isNamed = codingsOf(headers).length > 0 && body.length > 0;
  if (isNamed && undoes && origin.genuine) {
    const startMs = performance.now();
    const plain = await uncoded(headers, body, uncodedMost()).catch(() => body);
    // A few bytes may become very many, in each of thousands of deliveries, and each is read several times.
    const isSmall = plain !== body && plain.length <= limits.smallBytes.most;
    if (!isSmall) hurry.payloadsMs += performance.now() - startMs;
    if (plain !== body) return { message: { ...sent, body: plain }, origin, coding: 'undone' };
  }
  // Some gateways undo a coding and leave the header that names it.
  return { message: sent, origin, coding: isNamed && !isText(body) ? 'left' : 'none' };
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.some((byte) => byte < 0x20 && !/\s/.test(String.fromCharCode(byte)));
}

async function readAttachment(
  attachment: Attachment,
  { settings, known, markers, fetchLink }: ReadingOptions,
  files: ReadFile[],
): Promise<SeenAttachment> {
  const { most } = limits.fileNameCharacters;
  const name = attachment.name === undefined ? {} : { name: inShort(attachment.name, most) };
  const { content } = attachment;
  const nothing = { ...name, hasText: false, markers: [] };
  if (content.kind === 'unreadable') return { ...nothing, state: 'unreadable', why: content.message };
  // A link counts as an attachment only where the profile says that PDFs are attached as links.
  const isMeant = settings.attachments?.as === 'url' && fetchLink;
  if (content.kind === 'link' && !isMeant) return { ...nothing, state: 'link' };
  const bytes = content.kind === 'link' ? await fetchLink?.(content.url) : content.bytes;
  if (!bytes) return { ...nothing, state: 'unreadable' };
  const reading = await readPdf(bytes);
  const shown = reading.readable ? markersIn(reading, markers) : [];
  files.push({ ...name, bytes, markers: shown });
  const size = bytes.length;
  if (!reading.readable) {
    const why = whyUnread(reading);
    const state = stateOf(reading.reason, bytes);
    return { ...nothing, state, size, why };
  }
  const { text } = reading;
  const isForeign = shown.length === 0 ? text.search(markerPattern) >= 0 : showsForeign(text, markers);
  return {
    ...name,
    state: reading.whole ? 'whole' : 'truncated',
    hasText: reading.pages.every((page) => !hides(page) || showsOne(page, shown)),
    markers: shown,
    foreign: isForeign || undefined,
    namesAll: shown.length === 0 ? namesAll(text, known) : undefined,
    size,
    ...pagesIn(reading, shown),
  };
}

function namesAll(text: string, { signatories }: KnownRequests): boolean {
  const told = fold(text);
  return signatories.every(({ name }) => name !== undefined && told.includes(fold(name)));
}

/** Whether a text shows a document of the run other than those with these markers. */
export function showsForeign(text: string, markers: readonly string[]): boolean {
  return [...markersShown(text)].some((each) => each !== undefined && !markers.includes(each));
}

/** How many pages a PDF has, and which of them belong to the documents with the markers. */
export function pagesIn({ pageCount, pages }: PdfContent, markers: readonly string[]) {
  return {
    pages: pageCount,
    shown: markers.map((marker) => pages.filter((page) => mayShow(page, marker)).length),
    numbers: markers.map((marker) => pages.map(({ text }) => pageIn(text, marker))),
  };
}

/** Whether a page shows the marker, or may show it in a picture, where it cannot be read. */
const mayShow = (page: PdfPage, marker: string) => hides(page) || showsOne(page, [marker]);

const showsOne = ({ text }: PdfPage, markers: readonly string[]) =>
  markersIn({ text, metadata: '' }, markers).length > 0;

/** Whether what stands on a page may be a picture. */
function hides(page: PdfPage): boolean {
  const { text, boxes, width, height } = page;
  const isPicture = boxes.some((box) => box.width * box.height >= (width * height) / 2);
  return isPicture || (text.trim() === '' && !isEmpty(page));
}

const isEmpty = ({ isPainted, annotations }: PdfPage) => !isPainted && annotations.length === 0;

function stateOf(reason: string, bytes: Uint8Array): SeenAttachment['state'] {
  if (reason === 'truncated') return 'truncated';
  if (reason !== 'no-pdf') return 'unreadable';
  // A ZIP or gzip archive may hold the PDFs.
  const first = String.fromCharCode(...bytes.subarray(0, 2));
  return first === 'PK' || first === '\u001f\u008b' ? 'unreadable' : 'no-pdf';
}
