/** Judges the messages to the people of a flow: each gets their own, nobody those meant for others, and a CC the final copy. */
import { markersShown, mediaType } from '../../generators/documents/document.ts';
import { role } from '../../openapi/codes.ts';
import type { Cause } from '../../record/finding.ts';
import type { FlowSeen, Place } from '../../record/flow-finding.ts';
import { pagesIn, showsForeign } from '../callbacks/reading.ts';
import { withoutPages } from '../judging/sequence/documents.ts';
import { channelsOf } from '../people/codes.ts';
import type { ReadMessage } from '../people/messages/message.ts';
import { decodeEntities, readHtml } from '../untrusted/html.ts';
import { readPdf } from '../untrusted/pdf/completed.ts';
import { plain, textAs } from '../untrusted/text.ts';
import type { FlowScript } from './flow.ts';
import type { FlowRun } from './flow-run.ts';

/** Nobody is shown the PrivateMessage of somebody else, not even in the source of a page or an e-mail. */
export function judgeForeign(
  flow: FlowScript,
  signatory: number,
  place: Place,
  text: string,
  source = '',
  exchanges: readonly number[] = [],
): void {
  const toldIn = (where: string) =>
    flow.people.find((index) => {
      const secret = plain(flow.privateMessageOf(index));
      return index !== signatory && secret !== '' && where.includes(secret);
    });
  const read = toldIn(text);
  const foreign = read ?? toldIn(source);
  if (foreign === undefined) return;
  const expected = { is: 'hides', to: [flow.person(foreign)], places: [place] } as const;
  const seen = read === undefined ? { how: 'in its source' } : {};
  flow.judge('signing.private-message', 'failed', { flow: { expected, seen } }, exchanges);
}

/** As `judgeForeign`, of e-mails. */
function judgeForeignIn(flow: FlowScript, signatory: number, mails: readonly ReadMessage[]): void {
  const place = { of: 'e-mail', person: flow.person(signatory) } as const;
  for (const { text, leaves } of mails)
    judgeForeign(flow, signatory, place, plain(text), plain(decodeEntities(leaves.join(' '))));
}

/**
 * Waits for the invitation before an act: some services write a moment after a turn has come, and not to people who
 * have acted by then.
 * @returns whether the person was written to by now
 */
export async function letInvite(flow: FlowScript, signatory: number): Promise<boolean> {
  return flow.reads('email') && (await flow.messages(signatory, 'email')).length > 0;
}

/** Somebody had got no e-mail when they acted. A slow one may still come; one about the end is no invitation. */
export interface Late {
  readonly signatory: number;
  /** Another person, who had acted by then, and the e-mails to them. */
  readonly beside: number;
  readonly before: readonly ReadMessage[];
}

/** As `letInvite`. If no e-mail came, gives the person as late, and somebody who has acted to compare them with. */
export async function lateOne(
  flow: FlowScript,
  signatory: number,
  beside: number,
): Promise<Late | undefined> {
  if (!flow.reads('email') || (await letInvite(flow, signatory))) return undefined;
  return { signatory, beside, before: await flow.messages(beside, 'email') };
}

/** Judges that somebody was written to, now or by the end: an e-mail with a link, in other words than those about the end. */
export function judgeWritten(flow: FlowScript, signatory: number, holds: boolean, late?: Late): void {
  const isAmong = async (mails: readonly ReadMessage[]) => {
    const linked = mails.filter(({ links }) => links.length > 0);
    const atEnd = late && linked.length > 0 ? await wordsOfEnd(flow, late) : [];
    const asking = linked.filter((mail) => !atEnd.includes(wordsOf(flow, signatory, mail)));
    return (await withoutCopies(flow, asking)).length > 0;
  };
  const expected = { is: 'written-to', person: flow.person(signatory) } as const;
  flow.judgeMessage('signing.email-used', { signatory, channel: 'email' }, holds, expected, isAmong);
}

/** Judges the e-mails at the end: each signer and approver got one, and nobody what was meant for somebody else. */
export async function judgeLetters(flow: FlowScript, people: readonly number[], late?: Late): Promise<void> {
  const atEnd = late ? await wordsOfEnd(flow, late) : [];
  for (const signatory of people) {
    const mails = await flow.messages(signatory, 'email');
    if (flow.task(signatory).role !== role.cc) {
      const isLate = late?.signatory === signatory;
      const asking = mails.filter((mail) => !atEnd.includes(wordsOf(flow, signatory, mail)));
      const letters = isLate ? await withoutCopies(flow, asking) : mails;
      judgeWritten(flow, signatory, letters.length > 0, isLate ? late : undefined);
    }
    judgeForeignIn(flow, signatory, mails);
  }
}

const namesTitle = (flow: FlowScript, { text }: ReadMessage) => plain(text).includes(plain(flow.title));

/**
 * Judges e-mails that were read for other reasons: for a code, for a link, or to see whether they came. An e-mail
 * asks somebody to act before they ask for a code, it names Title, and nobody is shown what was meant for somebody
 * else. Only violations are noted here.
 */
export function judgeSeenLetters(flow: FlowRun): void {
  const names = (mail: ReadMessage) => namesTitle(flow, mail);
  // If the flow stopped early, not everybody was added.
  for (const signatory of flow.people.filter((each) => flow.request.tasks[each])) {
    judgeForeignIn(flow, signatory, flow.lettersSeen(signatory));
    if (flow.attempts.of(signatory).isUnwritten) judgeWritten(flow, signatory, false);
    const person = flow.person(signatory);
    const mails = flow.lettersBefore(signatory);
    // A mailbox may have only the newest e-mail, which brought a code.
    const bringsCodes = channelsOf(flow.task(signatory)).includes('email');
    // That e-mails of type 3, or those to a CC, have the Title is not stated.
    const isDue = !bringsCodes && !flow.isStamped && person.role !== 'cc';
    if (!isDue || !mails.some(({ links }) => links.length > 0) || mails.some(names)) continue;
    const expected = { is: 'shows', what: 'Title', places: [{ of: 'e-mail', person }] } as const;
    const to = { signatory, channel: 'email' } as const;
    flow.judgeMessage('signing.title-mailed', to, false, expected, (late) => late.some(names));
  }
}

/** The words of e-mails to somebody who had acted, without words used before: they ask nobody to act. */
async function wordsOfEnd(flow: FlowScript, { beside, before }: Late): Promise<readonly string[]> {
  if (before.length === 0) return [];
  const isNew = ({ key }: ReadMessage) => before.every((mail) => mail.key !== key);
  const after = (await flow.messages(beside, 'email', isNew)).filter(isNew);
  const [known, found] = [before, after].map((mails) => mails.map((mail) => wordsOf(flow, beside, mail)));
  return found?.filter((words) => !known?.includes(words)) ?? [];
}

/** The words of an e-mail without those that differ from person to person: name, addresses, links and numbers. */
function wordsOf(flow: FlowScript, signatory: number, { contents }: ReadMessage): string {
  const text = plain(contents.join(' ')).replaceAll(plain(flow.task(signatory).name), '');
  return text
    .split(/\s/)
    .filter((word) => word !== '' && !/[\d@/]/.test(word))
    .join(' ');
}

/** E-mails without documents of the run, or with those that were uploaded: an invitation may carry what is to be signed. */
async function withoutCopies(
  flow: FlowScript,
  mails: readonly ReadMessage[],
): Promise<readonly ReadMessage[]> {
  const kept = await Promise.all(
    mails.map(async (mail) => {
      const pdfs = await pdfsOf(flow, [mail], mail.links.slice(0, linksMost));
      if (pdfs.length === 0) return mail.attachments.some(isFile) ? [] : [mail];
      const copies = pdfs.filter(isOfRun);
      const isUploaded = copies.every((copy) =>
        flow.documents.some(({ bytes }) => Buffer.compare(copy.bytes, bytes) === 0),
      );
      return isUploaded || (await flow.unsigned(copies)) ? [mail] : [];
    }),
  );
  return kept.flat();
}

/** Whether an attachment of that name, or media type, may be a document: logos and invitations to a calendar are none. */
const isFile = (name: string) => !/image\/|\.(?:png|jpe?g|gif|svg|ics|vcf|html?|txt)\b/i.test(name);

const unseenFiles =
  'the mailbox of the profile does not tell whether files are attached: outbox.email.message may lead to whole messages';

const linksMost = 5;

const carries = ({ attachments, links }: ReadMessage) => attachments.some(isFile) || links.length > 0;

/** The e-mails to a CC, and among them those that may bring the final copy. */
async function mailsToCc(flow: FlowScript, cc: number) {
  let mails = await flow.messages(cc, 'email', carries);
  // A CC may be told of the request beforehand, by a link to a page or with what is to be signed.
  const pdfsOfMail = (mail: ReadMessage) => pdfsOf(flow, [mail], mail.links.slice(0, linksMost));
  const others = await withoutCopies(flow, mails.filter(carries));
  const shown = await Promise.all(others.map(async (mail) => ({ mail, pdfs: await pdfsOfMail(mail) })));
  // PDFs that show none of the documents may be the copies of a DOCX.
  const told = shown.filter(({ pdfs }) => pdfs.length === 0 || pdfs.some(isOfRun));
  const isNoneOf = (some: typeof told) => (mail: ReadMessage) =>
    some.every((each) => each.mail.key !== mail.key);
  const mayBeCopy = (mail: ReadMessage) => carries(mail) && isNoneOf(told)(mail);
  if (told.length > 0 && !mails.some(mayBeCopy)) mails = await flow.messages(cc, 'email', mayBeCopy);
  // The copy may come in an e-mail that shows no PDF, beside one with what is to be signed.
  const unread = mails.filter(isNoneOf(told.filter(({ pdfs }) => pdfs.length > 0)));
  const likely = [mails.filter(mayBeCopy), unread].find((some) => some.length > 0);
  return { mails, among: likely ?? mails.filter(carries) };
}

const ofCopy = 'signing.cc-receives-copy';
const aCopy = { is: 'copy' } as const;

/** The final copy is a file, or a link that leads to one. A link to a page, behind which it may be, proves nothing. */
export async function judgeCopy(flow: FlowScript, cc: number): Promise<void> {
  const { mails, among } = await mailsToCc(flow, cc);
  // Anybody may write to people. If an e-mail that may be the copy names Title, others do not count; if none does, no
  // file is blamed.
  const titled = among.filter((mail) => namesTitle(flow, mail));
  const messages = titled.length > 0 ? titled : among;
  judgeForeignIn(flow, cc, mails);
  // These links were followed already.
  for (const { links: led } of mails.filter(carries))
    for (const link of led.slice(0, linksMost)) await judgeLedTo(flow, cc, link);
  const names = messages.flatMap(({ attachments }) => attachments.filter(isFile));
  const links = [...new Set(messages.flatMap((message) => message.links))];
  const pdfs = await pdfsOf(flow, messages, links.slice(0, linksMost));
  const attached = names.length > 0;
  const received = attached || pdfs.some((pdf) => isOfRun(pdf) || pdf.text === '');
  const cause = received ? undefined : whyNoCopyIsSeen(mails, links);
  if (cause) {
    flow.judge(ofCopy, 'could-not-run', { flow: { expected: aCopy }, cause });
    return;
  }
  const to = { signatory: cc, channel: 'email' } as const;
  flow.judgeMessage(ofCopy, to, received, aCopy, (late) => late.some(carries));
  if (received) flow.observe('signing.cc-copy', 'the copy comes', attached ? 'as a file' : 'as a link');
  const place = { of: 'copy', person: flow.person(cc) } as const;
  for (const { text } of pdfs) judgeForeign(flow, cc, place, plain(text));
  if (titled.length > 0) await judgeContent(flow, pdfs, isReadWhole(messages, names, links, pdfs));
}

/** What is wrong with the PDFs that came. Only those are looked into that surely show a document of the run. */
async function judgeContent(flow: FlowScript, pdfs: readonly CopiedPdf[], allRead: boolean): Promise<void> {
  const fails = (seen: FlowSeen) => flow.judge(ofCopy, 'failed', { flow: { expected: aCopy, seen } });
  if (pdfs.length > 0 && pdfs.every(({ cut }) => cut)) fails({ cut: 'behind a link' });
  const copies = pdfs.filter(isOfRun);
  if (copies.length === 0) return;
  const seen = await mistakesIn(flow, copies, allRead);
  if (Object.keys(seen).length > 0) fails(seen);
}

/** Whether everything that came could be read, so that what was not found is missing. */
function isReadWhole(
  messages: readonly ReadMessage[],
  names: readonly string[],
  links: readonly string[],
  pdfs: readonly CopiedPdf[],
): boolean {
  // A mailbox may keep only the names of files, and have links to them.
  const kept = pdfs.filter(({ linked }) => !linked);
  const read = names.length > 0 && kept.length > 0 ? kept : pdfs;
  // Several files may have the same link.
  const isLed = kept.length === 0 && messages.every((each) => each.linkedFiles === each.attachments.length);
  const due = names.length > 0 && !isLed ? names : links;
  return read.length >= due.length && read.every(({ whole, text }) => whole && text !== '');
}

/** A CC's link may lead to a page, which shows them nothing that is meant for others. */
async function judgeLedTo(flow: FlowScript, cc: number, link: string): Promise<void> {
  const bytes = await flow.follow(link);
  if (!bytes || Buffer.from(bytes.subarray(0, 5)).toString() === '%PDF-') return;
  const page = textAs('text/html', bytes);
  const place = { of: 'page', person: flow.person(cc) } as const;
  judgeForeign(flow, cc, place, plain(readHtml(page).text), plain(decodeEntities(page)));
}

/** Why a copy may have come although none was seen. */
function whyNoCopyIsSeen(mails: readonly ReadMessage[], links: readonly string[]): Cause | undefined {
  if (links.length > 0) return { excuse: 'no-direct-link', because: {} };
  if (mails.length === 0 || mails.some(({ tellsOfFiles }) => tellsOfFiles)) return undefined;
  return { excuse: 'unread', because: { what: unseenFiles } };
}

async function mistakesIn(
  flow: FlowScript,
  copies: readonly CopiedPdf[],
  allRead: boolean,
): Promise<FlowSeen> {
  const lacking = flow.documents.findIndex(
    ({ marker, mediaType: type }) =>
      type === mediaType.pdf && !copies.some(({ markers }) => markers.includes(marker)),
  );
  const unsigned = await flow.unsigned(copies);
  const short = allRead ? await lessPages(flow, copies) : undefined;
  return {
    ...(copies.some(({ foreign }) => foreign) ? { foreign: true } : {}),
    ...(allRead && lacking >= 0 ? { lacks: lacking } : {}),
    ...(unsigned ? { unsigned } : {}),
    ...(short ? { short } : {}),
  };
}

/** The first uploaded PDF that copies show, but none of them with all its pages in sequence. */
async function lessPages(flow: FlowScript, copies: readonly CopiedPdf[]): Promise<FlowSeen['short']> {
  const shown = flow.documents.filter(
    ({ marker, mediaType: type }) =>
      type === mediaType.pdf && copies.some(({ markers }) => markers.includes(marker)),
  );
  const uploaded = await Promise.all(shown.map(({ bytes }) => readPdf(bytes)));
  const pages = uploaded.map((each) => (each.readable ? each.pageCount : 0));
  return withoutPages(copies, { documents: shown.map(({ marker }) => marker), pages });
}

/** A PDF that came to a person: its text, its pages, and the markers of the request's documents that it shows. */
interface CopiedPdf extends Partial<ReturnType<typeof pagesIn>> {
  readonly bytes: Uint8Array;
  readonly linked: boolean;
  readonly text: string;
  /** Whether every page could be read. */
  readonly whole: boolean;
  readonly markers: readonly string[];
  /** Whether it shows a document of the run that is not of this request, perhaps beside those that are. */
  readonly foreign: boolean;
  /** The file was fetched by a link and is not whole. Attachments do not count: a mailbox may keep only their beginning. */
  readonly cut: boolean;
}

/** Whether a PDF surely shows a document of the run. */
const isOfRun = ({ markers, foreign }: CopiedPdf) => markers.length > 0 || foreign;

/** The readable PDFs in messages, and behind their links. */
async function pdfsOf(
  flow: FlowScript,
  messages: readonly ReadMessage[],
  links: readonly string[],
): Promise<readonly CopiedPdf[]> {
  const files = messages.flatMap(({ pdfs }) => pdfs.map((bytes) => ({ bytes, linked: false })));
  for (const link of links) {
    const bytes = await flow.follow(link);
    if (bytes) files.push({ bytes, linked: true });
  }
  const read = await Promise.all(
    files.map(async ({ bytes, linked }) => {
      const reading = await readPdf(bytes);
      if (!reading.readable) {
        const cut = linked && reading.reason === 'truncated';
        return cut ? [{ bytes, linked, text: '', whole: false, markers: [], foreign: false, cut }] : [];
      }
      const shown = markersShown(reading.text);
      const uploaded = flow.documents.map(({ marker }) => marker);
      const markers = uploaded.filter((each) => shown.has(each));
      return [
        {
          bytes,
          linked,
          text: reading.text.trim(),
          whole: reading.whole,
          ...pagesIn(reading, markers),
          markers,
          foreign: showsForeign(reading.text, uploaded),
          cut: false,
        },
      ];
    }),
  );
  return read.flat();
}
