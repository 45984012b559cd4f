/** Judges what a person is shown on the page and written in e-mails. */
import { markerPattern } from '../../generators/documents/document.ts';
import { role } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { Place } from '../../record/flow-finding.ts';
import type { PageView } from '../people/driver.ts';
import { decodeEntities } from '../untrusted/html.ts';
import { plain } from '../untrusted/text.ts';
import type { FlowScript } from './flow.ts';
import { judgeForeign, judgeWritten } from './judge-messages.ts';

/** The requirements that `judgeShown` judges, and further ones for requests of type 0. */
export const shownTo: readonly RequirementId[] = [
  'signing.signer-views',
  'signing.private-message',
  'signing.email-used',
  'signing.name-shown',
];
export const titled: readonly RequirementId[] = [
  'signing.title-shown',
  'signing.title-mailed',
  'signing.message-shown',
];

interface HowShown {
  readonly stamped?: true;
  readonly brief?: true;
  readonly beside?: number;
}

export const secretsOf = ({ people, privateMessageOf }: FlowScript) =>
  people.map((each) => privateMessageOf(each)).filter((each) => each !== '');

/**
 * Judges what a person is shown on the page and in e-mails. For people whose turn comes later, missing e-mails are
 * judged later, unless there is somebody to compare with. Title, Message and the document are stated to be shown to
 * signers only, and Title only for type 0.
 * @param how `beside` is somebody who has acted. With `brief`, only their PrivateMessage is judged, or Message if they have
 *   none, and the page is looked at only if no e-mail shows it.
 */
export async function judgeShown(flow: FlowScript, signatory: number, how: HowShown = {}): Promise<void> {
  const { stamped = false, brief = false } = how;
  const mails = await judgeMail(flow, signatory, how);
  const own = flow.privateMessageOf(signatory);
  const isTold = brief && mails?.some((text) => text.includes(plain(own || flow.message)));
  // A person who has not been asked yet may not have a page.
  const asked = signatory === 0 || mails === undefined || mails.length > 0;
  const page = asked && !isTold && flow.driverShows ? await judgePage(flow, signatory, stamped) : undefined;
  const person = flow.person(signatory);
  const seen = [
    { place: { of: 'page', person }, text: page?.text, source: page?.source },
    { place: { of: 'e-mail', person }, text: mails?.length ? mails.join(' ') : undefined, source: '' },
  ] as const;
  const unread = flow.unreadOf(signatory, 'email');
  const hidden = seen.flatMap(({ place, text }) =>
    text === undefined || (place.of === 'page' ? page?.isLocked : unread !== undefined) ? [place] : [],
  );
  const exchanges = page?.exchanges ?? [];
  const why = unread ?? (flow.driverShows ? undefined : 'calls.view of the profile would show the page');
  const judge = (requirement: RequirementId, wanted: string, what: string) => {
    const shown = seen.some(({ text }) => text?.includes(plain(wanted)));
    const expected = { is: 'shows', what, places: seen.map(({ place }) => place) } as const;
    if (shown || hidden.length === 0) {
      flow.judge(requirement, shown ? 'passed' : 'failed', { flow: { expected } }, exchanges);
    } else if (asked && !page?.isLocked) {
      const cause = { excuse: 'unread', because: { places: hidden, what: why } } as const;
      flow.judge(requirement, 'could-not-run', { flow: { expected }, cause }, exchanges);
    }
  };
  if (isSigner(flow, signatory) && !(brief && own)) judge('signing.message-shown', flow.message, 'Message');
  if (own) judge('signing.private-message', own, 'PrivateMessage to its signatory');
  for (const { place, text = '', source = '' } of seen)
    judgeForeign(flow, signatory, place, text, source, exchanges);
}

/** A person who has acted is shown nothing that is meant for others. What else their page shows by then is open. */
export async function judgeShownAgain(flow: FlowScript, signatory: number): Promise<void> {
  if (!flow.driverShows) return;
  const page = await flow.view(signatory, 0);
  if (page.kind !== 'seen') return;
  const place = { of: 'page', person: flow.person(signatory) } as const;
  const source = plain(decodeEntities(page.source ?? ''));
  const text = plain(page.text);
  if (isOwnPage(flow, signatory, text, page.exchanges))
    judgeForeign(flow, signatory, place, text, source, page.exchanges);
}

const isSigner = (flow: FlowScript, signatory: number): boolean => flow.task(signatory).role === role.signer;

/** Whether nobody has to act before a person, who is then asked together with the first one. */
const isFirst = (flow: FlowScript, signatory: number): boolean =>
  flow.people.every((each) => flow.task(each).order >= flow.task(signatory).order);

/** Judges that e-mail reaches whoever is asked first. Gives the texts to a signatory; undefined if none can be read. */
async function judgeMail(
  flow: FlowScript,
  signatory: number,
  { stamped, beside }: HowShown,
): Promise<readonly string[] | undefined> {
  if (!flow.reads('email')) return undefined;
  const to = { signatory, channel: 'email' } as const;
  const names = (mail: { text: string }) => plain(mail.text).includes(plain(flow.title));
  // A target may also write about something else, such as a new account. That e-mails of type 3 have the Title is not
  // stated.
  const mails = await flow.messages(signatory, 'email', stamped ? undefined : names);
  const written = mails.length > 0;
  const person = flow.person(signatory);
  if (signatory === 0 || written || beside !== undefined || isFirst(flow, signatory)) {
    const isLate = !written && beside !== undefined;
    const late = isLate ? { signatory, beside, before: await flow.messages(beside, 'email') } : undefined;
    judgeWritten(flow, signatory, written, late);
  }
  if (written && !stamped) {
    const expected = { is: 'shows', what: 'Title', places: [{ of: 'e-mail', person }] } as const;
    flow.judgeMessage('signing.title-mailed', to, mails.some(names), expected);
  }
  return mails.map(({ text }) => plain(text));
}

/** Judges that the page shows Title and Name, and to signers the documents. */
async function judgePage(flow: FlowScript, signatory: number, stamped: boolean) {
  // A flow without documents of its own has the first document of the run, which other flows look at.
  const seen = await flow.view(signatory, flow.documents.length > 0 ? undefined : 0);
  const exchanges = (seen.kind === 'seen' && seen.ofPage) || seen.exchanges;
  const places: Place[] = [{ of: 'page', person: flow.person(signatory) }];
  const { name, otp } = flow.task(signatory);
  const text = seen.kind === 'seen' ? plain(seen.text) : '';
  const shows = (wanted: string) => text.includes(plain(wanted));
  // A page that is filled by a script, or of another media type, shows nothing of the request.
  const told = [flow.title, flow.message, ...secretsOf(flow)].some(shows);
  const readable = told || shows(name);
  const isLocked = otp !== undefined && !(told && seen.kind === 'seen' && seen.document);
  const nothing = readable
    ? 'it shows a name alone; something may come first, such as to agree, behind which a signing module gets'
    : 'nothing of the request is on it; a script may fill it in';
  const why = seen.kind === 'unknown' ? seen.reason : nothing;
  const judge = (requirement: RequirementId, wanted: string, what: string, isRead: boolean) => {
    const holds = shows(wanted);
    if (isLocked && !holds && seen.kind === 'seen') return;
    const outcome = { expected: { is: 'shows', what, places } } as const;
    if (isRead) flow.judge(requirement, holds ? 'passed' : 'failed', { flow: outcome }, exchanges);
    else {
      const cause = { excuse: 'unread', because: { places, what: why } } as const;
      flow.judge(requirement, 'could-not-run', { flow: outcome, cause }, exchanges);
    }
  };
  if (!isOwnPage(flow, signatory, text, exchanges))
    return { text: undefined, source: '', exchanges, isLocked: true };
  const signs = isSigner(flow, signatory);
  if (!stamped && signs) judge('signing.title-shown', flow.title, 'Title', told);
  judge('signing.name-shown', name, 'Name', readable);
  // A person who has to enter a code may be shown the document only after it.
  if (signs && otp === undefined) judgeDocuments(flow, seen, places);
  const source = seen.kind === 'seen' ? plain(decodeEntities(seen.source ?? '')) : '';
  return { text: told ? text : undefined, source, exchanges, isLocked };
}

/** Judges that a page does not show Name and PrivateMessage of another person, and neither of the one it should show. */
function isOwnPage(flow: FlowScript, signatory: number, text: string, exchanges: readonly number[]): boolean {
  const shows = (wanted: string) => text.includes(plain(wanted));
  const isOf = (each: number) => {
    const secret = flow.privateMessageOf(each);
    return secret !== '' && shows(secret) && shows(flow.task(each).name);
  };
  const own = flow.privateMessageOf(signatory);
  const isOwn = shows(flow.task(signatory).name) || (own !== '' && shows(own));
  if (isOwn || !flow.people.some(isOf)) return true;
  const expected = { is: 'written-to', person: flow.person(signatory) } as const;
  const how = 'was sent a link to the page of somebody else';
  flow.judge('signing.email-used', 'failed', { flow: { expected, seen: { how } } }, exchanges);
  return false;
}

/** Judges that the documents of the request are shown: all of them, if that can be told, and no others in their place. */
function judgeDocuments(flow: FlowScript, seen: PageView, places: Place[]): void {
  const requirement = 'signing.signer-views';
  const { exchanges } = seen;
  const expected = { is: 'shows', what: 'the document', places } as const;
  if (seen.kind === 'unknown' || seen.document === undefined) {
    const what = seen.kind === 'seen' ? seen.documentUnread : seen.reason;
    const cause = { excuse: 'unread', because: { places, what } } as const;
    if (what !== undefined)
      flow.judge(requirement, 'could-not-run', { flow: { expected }, cause }, exchanges);
    return;
  }
  const { document, documentText: shown = '', all = false, notFound } = seen;
  const assumes = notFound ? requirement : undefined;
  flow.judge(requirement, document ? 'passed' : 'failed', { flow: { expected } }, exchanges, assumes);
  const isShown = ({ marker }: { readonly marker: string }) => shown.includes(marker);
  const lacks = flow.documents.findIndex((each) => !isShown(each));
  const foreign = flow.documents.length > 0 && !flow.documents.some(isShown);
  if (shown.search(markerPattern) < 0 || !(foreign || (all && lacks >= 0))) return;
  const outcome = { expected, seen: foreign ? { foreign } : { lacks } } as const;
  flow.judge(requirement, 'failed', { flow: outcome }, exchanges);
}
