/** Judges attachments: the final callback carries the signed PDFs when they were asked for, and none when not. */
import { event, role } from '../../../openapi/codes.ts';
import type { Facts, Occurrence, Plan, SeenAttachment } from '../../../record/facts.ts';
import type { FlowSeen } from '../../../record/flow-finding.ts';
import { begunBy, due, occurrencesOf } from './expected.ts';
import { eventsOf, judgementOf, personOf, type SequenceRule } from './judgement.ts';

const isPdf = ({ state }: SeenAttachment): boolean => state === 'whole' || state === 'truncated';

/** Without signers there is no signed PDF. */
export const isSigned = ({ signatories }: Pick<Plan, 'signatories'>): boolean =>
  signatories.some((each) => each.role === role.signer);

/** Event 3 carries every uploaded PDF, whole. Which callback is the final one where no event 3 comes is not shown. */
export const documentsAttached: SequenceRule = (facts) => {
  const { plan, actions, lost } = facts;
  const code = event.processCompleted;
  if (plan.attachments !== true || !isSigned(plan) || !due(plan, actions).includes(code)) return;
  const expected = { is: 'documents', count: plan.documents.length } as const;
  const { passed, failed, excused, missed } = judgementOf('events.documents-attached', expected);
  const finals = occurrencesOf(facts, code);
  if (finals.length === 0) return missed(code, facts);
  const attachments = finals.flatMap(({ event: { attachments } }) => attachments);
  const whole = attachments.filter(({ state }) => state === 'whole');
  const missing = plan.documents.filter((marker) => !whole.some(({ markers }) => markers.includes(marker)));
  const events = eventsOf(finals);
  const short = missing.length === 0 ? (withoutPages(whole, plan) ?? tooFew(attachments, plan)) : undefined;
  const hidden = whyHidden(finals);
  if (short && hidden === undefined) return failed({ events, short }, finals);
  // A foreign document is reported only beside documents of the request. If all of these are missing, that is
  // reported instead.
  const foreign = missing.length < plan.documents.length && whole.some((each) => each.foreign);
  if (foreign) return failed({ events, foreign }, finals);
  if (missing.length === 0 && whole.length > 0 && !short) return passed(finals);
  const cut = attachments.find(({ state }) => state === 'truncated');
  if (cut) return failed({ events, cut: nameOf(cut) }, finals);
  if (hidden !== undefined) return excused('unread-file', { what: hidden }, finals);
  const people = unapproved(facts, finals);
  if (people.length > 0) return excused('before-approval', { people }, finals);
  if (lost) return excused('unseen', { loss: lost }, finals);
  return failed({ events, ...(whole.length > 0 ? { missing } : {}) }, finals);
};

/** The first document of which every PDF (several may be merged) shows too few pages, or pages out of order. */
export function withoutPages(
  whole: readonly Pick<SeenAttachment, 'markers' | 'pages' | 'shown' | 'numbers'>[],
  { documents, pages: given = [] }: Pick<Plan, 'documents' | 'pages'>,
): FlowSeen['short'] {
  for (const [index, marker] of documents.entries()) {
    const found = whole.filter(({ markers }) => markers.includes(marker));
    const counts = found.map(({ pages = Number.POSITIVE_INFINITY, shown, markers }) =>
      Math.min(pages, shown?.[markers.indexOf(marker)] ?? pages),
    );
    const most = Math.max(...counts);
    const wanted = given[index] ?? 0;
    if (most < wanted) return { marker, pages: wanted, most };
    const orders = found.map(({ markers, numbers }) => mixedUp(numbers?.[markers.indexOf(marker)], wanted));
    const [order] = orders;
    if (order && !orders.includes(undefined)) return { marker, pages: wanted, most, order };
  }
  return undefined;
}

/** Fewer pages than documents: each has one at least, also if it was converted, and its text cannot be told from others. */
function tooFew(attachments: readonly SeenAttachment[], { uploads = 0 }: Plan): FlowSeen['short'] {
  if (attachments.length === 0 || attachments.some(({ state }) => state !== 'whole')) return undefined;
  const most = attachments.reduce((sum, { pages = Number.POSITIVE_INFINITY }) => sum + pages, 0);
  return most < uploads ? { marker: `the ${uploads} documents`, pages: uploads, most } : undefined;
}

/** The page numbers of a document, if they are out of order: all can be read, and nowhere are they in sequence. */
function mixedUp(
  numbers: readonly (number | undefined)[] = [],
  wanted: number,
): readonly number[] | undefined {
  const first = numbers.findIndex((each) => each !== undefined);
  const neighbours = numbers.slice(first, first + wanted).filter((each) => each !== undefined);
  const next = numbers.reduce<number>((due, each) => (each === due ? due + 1 : due), 1);
  return first >= 0 && neighbours.length === wanted && next <= wanted ? neighbours : undefined;
}

/** Approvers who acted only after event 3 came: there may have been nothing to attach yet. */
function unapproved({ plan, actions }: Facts, finals: readonly Occurrence[]) {
  return plan.signatories.flatMap((person, index) => {
    const action = begunBy(actions, index);
    const isEarly = finals.every(({ delivery }) => !action || delivery.arrivedMs < action.at.startMs);
    return person.role === role.approver && isEarly ? [personOf(plan, index)] : [];
  });
}

/** Why a document may be in the files although its marker was not found. */
function whyHidden(finals: readonly Occurrence[]): string | undefined {
  for (const { event: final } of finals) {
    const unread = final.unread.find(({ field }) => field === 'attachments');
    if (unread) return unread.message;
    const opaque = final.attachments.find(({ state }) => state === 'unreadable' || state === 'link');
    if (opaque) return `${nameOf(opaque)} cannot be read${whyNot(opaque)}`;
    const picture = final.attachments.find(({ state, hasText }) => state === 'whole' && !hasText);
    if (picture) return `${nameOf(picture)} has no text`;
  }
  return undefined;
}

/** With CompletedDocumentsAttached false no callback carries a signed PDF; what leaving the field out means is not shown. */
export const documentsNotAttached: SequenceRule = (facts) => {
  const { plan, actions, occurrences, clouded } = facts;
  if (plan.attachments !== false) return;
  const { passed, failed, excused, missed } = judgementOf('events.documents-not-attached', {
    is: 'no-documents',
  });
  const carrying = occurrences.filter(({ event: { attachments } }) => attachments.some(showsDocument));
  if (carrying.length > 0) return failed({ events: eventsOf(carrying) }, carrying);
  const code = event.processCompleted;
  if (!due(plan, actions).includes(code)) return;
  const finals = occurrencesOf(facts, code);
  if (finals.length === 0) return missed(code, facts);
  if (clouded) return excused('unseen', { loss: clouded }, finals);
  const why = doubtful(finals);
  return why ? excused('unread-file', { what: why }, finals) : passed(finals);
};

/** Whether an attachment is one of the request's PDFs; any other PDF, such as an audit trail, is no signed one. */
function showsDocument(attachment: SeenAttachment): boolean {
  return isPdf(attachment) && attachment.markers.length > 0;
}

function doubtful(finals: readonly Occurrence[]): string | undefined {
  const attachments = finals.flatMap(({ event: { attachments } }) => attachments);
  const opaque = attachments.find(
    (each) => each.state === 'unreadable' || (isPdf(each) && (each.state === 'truncated' || !each.hasText)),
  );
  return opaque && `${nameOf(opaque)} of the final callback cannot be read${whyNot(opaque)}`;
}

const whyNot = ({ why }: SeenAttachment): string => (why === undefined ? '' : `: ${why}`);

function nameOf({ name }: SeenAttachment): string {
  return name === undefined ? 'an attachment' : `the attachment ${JSON.stringify(name)}`;
}
