/** Reads a recorded delivery into what a sequence is judged from: origin, events, attached PDFs. */

import { isUtf8 } from 'node:buffer';
import { markerPattern, pageIn } from '../../generators/documents/document.ts';
import { type Delivery, type Message, messageOf } from '../../record/delivery.ts';
import type { Attachment, Decoded, Known } from '../../record/event.ts';
import { is2xx } from '../../record/exchange.ts';
import type { SeenAttachment, SeenDelivery, SeenEvent } from '../../record/facts.ts';
import type { CallbackSettings } from '../profile/callback-settings.ts';
import { codingsOf, uncoded } from '../untrusted/content-coding.ts';
import { limits } from '../untrusted/limits.ts';
import { markersIn, type PdfPage, readPdf, whyUnread } from '../untrusted/pdf/completed.ts';
import { cutAt } from '../untrusted/text.ts';
import { type Authenticity, originOf } from './authenticity.ts';
import { decode } from './decode.ts';

/** Gets a file that a callback links to; `null` when it cannot be had. */
export type FetchLink = (url: string) => Promise<Uint8Array | null>;

interface ReadingOptions {
  readonly settings: CallbackSettings;
  readonly known: Known;
  /** Markers to look for in attached PDFs. */
  readonly markers: readonly string[];
  /** Needed where the profile says that signed PDFs are attached as links. */
  readonly fetchLink?: FetchLink;
}

/** An attached file, with those of the markers that stand in it: none in what is no PDF that can be read. */
interface ReadFile {
  readonly name?: string;
  readonly bytes: Uint8Array;
  readonly markers: readonly string[];
}

/** A delivery as read, and the attached files with their bytes. */
export interface ReadDelivery {
  readonly seen: SeenDelivery;
  /** Attached files in the order of the events. */
  readonly files: readonly ReadFile[];
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** How many are being read in this process. */
let underWay = 0;

/** Ends once nothing is being read any more: what nobody waits for goes on otherwise, with the time of the next run. */
export async function allRead(): Promise<void> {
  while (underWay > 0) await turn();
}

/** Reads a delivery. Never rejects: whatever it contains, the result says what could be read and what not. */
export async function readDelivery(delivery: Delivery, options: ReadingOptions): Promise<ReadDelivery> {
  underWay += 1;
  try {
    return await readWhole(delivery, options);
  } catch (error) {
    // The trouble with one delivery is its own: the others are judged all the same.
    const problems = [`it cannot be read: ${(error as Error).message}`];
    return { files: [], seen: seenOf(delivery, [], problems) };
  } finally {
    underWay -= 1;
  }
}

async function readWhole(delivery: Delivery, options: ReadingOptions): Promise<ReadDelivery> {
  const { settings, known } = options;
  // Thousands may follow each other, in which nobody could end the run.
  await turn();
  const { message, origin } = await opened(delivery, settings);
  // What is forged is not read any further: its files could be as large and as strange as they like.
  const decoded: Decoded = origin.genuine
    ? decode(message, settings, known)
    : { readable: false, problems: [origin.message] };
  const files: ReadFile[] = [];
  const events: SeenEvent[] = [];
  for (const event of decoded.readable ? decoded.events : []) {
    const attachments: SeenAttachment[] = [];
    for (const attachment of event.attachments) {
      attachments.push(await readAttachment(attachment, options, files));
    }
    events.push({ ...event, attachments });
  }
  const seen = seenOf(delivery, events, decoded.problems);
  return { files, seen: origin.genuine ? seen : { ...seen, forged: origin.message } };
}

function seenOf(
  { index, started, arrived, finished, answered, target }: Delivery,
  events: readonly SeenEvent[],
  problems: readonly string[],
): SeenDelivery {
  return {
    index,
    at: { startMs: started.monotonicMs, endMs: finished.monotonicMs },
    arrivedMs: arrived.monotonicMs,
    accepted: answered.kind === 'status' && is2xx(answered),
    target,
    events,
    problems,
  };
}

/** A delivery with its bytes at hand, and what it proves of its origin. */
export interface Opened {
  /** Its body is without its content coding where that was undone, else as it was sent. */
  readonly message: Message & { readonly body: Buffer };
  readonly origin: Authenticity;
  /** `left`: the body is still in one, so that nothing that it says can be looked for; `none`: it is as it was meant. */
  readonly coding: 'none' | 'undone' | 'left';
}

/**
 * Reads a delivery, and undoes the content coding of what is genuine; one that cannot be undone is left to the
 * decoding, which says so.
 * @param undoes whether a coding is undone at all
 */
export async function opened(
  delivery: Delivery,
  settings: Pick<CallbackSettings, 'authenticity'>,
  undoes: boolean = true,
): Promise<Opened> {
  const sent = await messageOf(delivery);
  const { headers, body } = sent;
  // Signed is what was sent.
  const origin = originOf(sent, settings, delivery.arrived);
  const isNamed = codingsOf(headers).length > 0 && body.length > 0;
  if (isNamed && undoes && origin.genuine) {
    const plain = await uncoded(headers, body, limits.codedBytes.most).catch(() => body);
    if (plain !== body) return { message: { ...sent, body: plain }, origin, coding: 'undone' };
  }
  // Some gateways undo a coding and go on naming it.
  return { message: sent, origin, coding: isNamed && !isText(body) ? 'left' : 'none' };
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.some((byte) => byte < 0x20 && !/\s/.test(String.fromCharCode(byte)));
}

async function readAttachment(
  attachment: Attachment,
  { settings, markers, fetchLink }: ReadingOptions,
  files: ReadFile[],
): Promise<SeenAttachment> {
  const { most } = limits.fileNameCharacters;
  const name = attachment.name === undefined ? {} : { name: cutAt(attachment.name, most) };
  const { content } = attachment;
  const nothing = { ...name, hasText: false, markers: [] };
  if (content.kind === 'unreadable') return { ...nothing, state: 'unreadable', why: content.message };
  // A link counts as an attachment only where the profile says so.
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
    return { ...nothing, state, size, ...(why === undefined ? {} : { why }) };
  }
  return {
    ...name,
    state: reading.whole ? 'whole' : 'truncated',
    // Empty pages hide nothing.
    hasText: reading.text.trim() !== '' || reading.pages.every(isEmpty),
    markers: shown,
    ...(shown.length === 0 && reading.text.search(markerPattern) >= 0 ? { foreign: true } : {}),
    size,
    pages: reading.pageCount,
    shown: shown.map((marker) => reading.pages.filter((page) => mayShow(page, marker)).length),
    numbers: shown.map((marker) => reading.pages.map(({ text }) => pageIn(text, marker))),
  };
}

/** A page that is a picture, with words of the service on it perhaps, hides the marker. */
function mayShow({ text, boxes, width, height }: PdfPage, marker: string): boolean {
  const isPicture = boxes.some((box) => box.width * box.height >= (width * height) / 2);
  return isPicture || text.trim() === '' || markersIn({ text, metadata: '' }, [marker]).length > 0;
}

function isEmpty({ items, boxes, annotations }: PdfPage): boolean {
  return items.length + boxes.length + annotations.length === 0;
}

function stateOf(reason: string, bytes: Uint8Array): SeenAttachment['state'] {
  if (reason === 'truncated') return 'truncated';
  if (reason !== 'no-pdf') return 'unreadable';
  // An archive may hold the PDFs.
  const first = String.fromCharCode(...bytes.subarray(0, 2));
  return first === 'PK' || first === '\u001f\u008b' ? 'unreadable' : 'no-pdf';
}
