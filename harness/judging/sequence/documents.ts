/** Judges what is attached: the signed PDFs to the final callback when asked for, and none when not. */
import { event, role } from '../../../openapi/codes.ts';
import type { Facts, Occurrence, Plan, SeenAttachment } from '../../../record/facts.ts';
import { begunBy, due, of, subscribed } from './expected.ts';
import { judgementOf, named, personOf, type SequenceJudgement } from './judgement.ts';
import { processCompletedLast } from './succession.ts';

type Rule = (facts: Facts) => SequenceJudgement | undefined;

const isPdf = ({ state }: SeenAttachment): boolean => state === 'whole' || state === 'truncated';

/** Event 3 carries every uploaded PDF, whole. Which callback is the final one without it is not shown. */
export const documentsAttached: Rule = (facts) => {
  const { plan, actions, lost } = facts;
  const code = event.processCompleted;
  if (plan.attachments !== true || !due(plan, actions).includes(code)) return;
  const { passed, failed, unreadable } = judgementOf('events.documents-attached');
  const finals = of(facts, code);
  if (finals.length === 0) return unreadable('event 3 did not arrive');
  const early = processCompletedLast(facts);
  if (early?.verdict === 'failed') return unreadable(`nothing was completed: ${early.message}`, finals);
  const attachments = finals.flatMap(({ event: { attachments } }) => attachments);
  const whole = attachments.filter(({ state }) => state === 'whole');
  const missing = plan.documents.filter((marker) => !whole.some(({ markers }) => markers.includes(marker)));
  const short = missing.length === 0 ? withoutPages(whole, plan) : undefined;
  if (short) return failed(short, finals);
  if (missing.length === 0 && whole.length > 0) {
    return passed(
      `the final callback carries ${whole.length} PDFs with all ${plan.documents.length} documents`,
      finals,
    );
  }
  const cut = attachments.find(({ state }) => state === 'truncated');
  if (cut) return failed(`${nameOf(cut)} of the final callback is not whole`, finals);
  const why = hidden(finals) ?? unapproved(facts, finals) ?? lost;
  if (why) return unreadable(`the documents could not be traced: ${why}`, finals);
  if (whole.length === 0)
    return failed('CompletedDocumentsAttached is true, and the final callback carries no PDF', finals);
  return failed(
    `${missing.length} of ${plan.documents.length} documents are in none of the attached PDFs: ${missing.join(', ')}`,
    finals,
  );
};

/** The document of which each attached PDF has too few pages; several documents may be one file, and say so more than once. */
function withoutPages(
  whole: readonly SeenAttachment[],
  { documents, pages: given = [] }: Pick<Plan, 'documents' | 'pages'>,
): string | undefined {
  for (const [index, marker] of documents.entries()) {
    const found = whole
      .filter(({ markers }) => markers.includes(marker))
      .map(({ pages = Number.POSITIVE_INFINITY }) => pages);
    const [most, wanted] = [Math.max(...found), given[index] ?? 0];
    if (most < wanted) return `of ${wanted} pages of ${marker} no attached PDF has more than ${most}`;
  }
  return undefined;
}

/** Whether the last approval was still to come: then there may have been nothing to attach yet. */
function unapproved({ plan, actions }: Facts, finals: readonly Occurrence[]): string | undefined {
  const index = plan.signatories.findIndex((person, at) => {
    const action = begunBy(actions, at);
    return (
      person.role === role.approver &&
      finals.every(({ delivery }) => !action || delivery.arrivedMs < action.at.startMs)
    );
  });
  return index < 0 ? undefined : `event 3 arrived before ${personOf(plan, index)} acted`;
}

/** Why a document may be there although its marker is not found. */
function hidden(finals: readonly Occurrence[]): string | undefined {
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

/** With CompletedDocumentsAttached false no callback carries a signed PDF; what its absence means is not shown. */
export const documentsNotAttached: Rule = (facts) => {
  const { plan, actions, occurrences, clouded } = facts;
  if (plan.attachments !== false) return;
  const { passed, failed, unreadable } = judgementOf('events.documents-not-attached');
  const carrying = occurrences.filter(({ event: { attachments } }) => attachments.some(showsDocument));
  if (carrying.length > 0) {
    return failed(
      `CompletedDocumentsAttached is false, and ${carrying.map(named).join(', ')} carries a PDF with an uploaded document`,
      carrying,
    );
  }
  if (
    !subscribed(plan).includes(event.processCompleted) ||
    !due(plan, actions).includes(event.processCompleted)
  )
    return;
  const finals = of(facts, event.processCompleted);
  if (finals.length === 0) return unreadable('event 3 did not arrive');
  const why = clouded ?? doubtful(finals);
  return why ? unreadable(why, finals) : passed('the final callback carries none of the documents', finals);
};

/** Another PDF, such as an audit trail, is none of the signed ones of which the document speaks. */
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

function whyNot({ why }: SeenAttachment): string {
  return why === undefined ? '' : `: ${why}`;
}

function nameOf({ name }: SeenAttachment): string {
  return name === undefined ? 'an attachment' : `the attachment ${JSON.stringify(name)}`;
}
