/** Says in words what flows showed; nothing reads them back. */
import { counted } from './counted.ts';
import { type Shown, shortAnswer } from './exchange-text.ts';
import type { Because } from './finding.ts';
import type {
  EventSeen,
  FlowExcuse,
  FlowExpected,
  FlowOutcome,
  FlowSeen,
  Loss,
  Person,
  Place,
} from './flow-finding.ts';

/** `signatory 2 (approver, order 1)`. */
export function personText({ signatory, role, order }: Person): string {
  return `signatory ${signatory + 1} (${role === 'cc' ? 'CC' : role}, order ${order})`;
}

/** `event 2 of signatory 1 (delivery 4)`. */
function eventText({ code, signatory, delivery }: EventSeen): string {
  const person = signatory === undefined ? '' : ` of signatory ${signatory + 1}`;
  return `event ${code}${person}${delivery === undefined ? '' : ` (delivery ${delivery})`}`;
}

const list = (events: readonly EventSeen[] = []) => events.map(eventText).join(', ');
const names = (people: readonly Person[] = []) => people.map(personText).join(', ');
function placeText({ of, person }: Place): string {
  if (!person) return 'a completed document';
  const whats = {
    page: 'the signing page of',
    'e-mail': 'the e-mail to',
    copy: 'the final copy of',
  } as const;
  return `${of === 'documents' ? 'a completed document of' : whats[of]} ${personText(person)}`;
}
const channelText = { email: 'e-mail', sms: 'SMS' } as const;

/** Numbers of events as a subject: `event 1`, `events 1, 2 and 3`. */
const eventsText = (codes: readonly number[] = []) =>
  `event${codes.length > 1 ? 's' : ''} ${codes.join(', ').replace(/, (\d+)$/, ' and $1')}`;

const answered = (exchange: Shown | undefined) => (exchange ? `: ${shortAnswer({ exchange })}` : '');

function unsignedText({ document, although }: NonNullable<FlowSeen['unsigned']>): string {
  const why = {
    'no-pdf': 'not as a PDF',
    stamps: 'stamps were placed in it',
    another: 'calls.completedDocuments gives another',
  } as const;
  return `document ${document + 1} of the request is there as it was uploaded, and ${why[although]}`;
}

type Otherwise = {
  readonly [Is in FlowExpected['is']]: (
    of: Extract<FlowExpected, { readonly is: Is }>,
    seen: FlowSeen,
    answer: Shown | undefined,
  ) => string;
};

const otherwise: Otherwise = {
  events: ({ codes, people, all }) =>
    [
      all ? `CallbackTypes is [0], and ${eventsText(codes)}` : `event ${codes} is subscribed to and`,
      `did not arrive${people ? ` for ${names(people)}, who completed` : ''}`,
    ].join(' '),
  'only-events': ({ codes }, { events }) => `CallbackTypes is [${codes}], and ${list(events)} arrived`,
  'none-for-cc': (_, { events }) => `${list(events)} arrived, for a CC`,
  'no-callback': (_, { events }) => `the request has no CallbackUrl, and ${list(events)} arrived`,
  'none-in-vain': () => 'a callback came to a CallbackUrl that only refused creations named',
  'callback-url': (_, { delivery, target, how }) => {
    const which = delivery === undefined ? 'a delivery' : `delivery ${delivery}`;
    return target === undefined
      ? `${which}, which names this request, went to the CallbackUrl of another one`
      : `${which} went to ${target}: ${how}`;
  },
  'after-act': ({ person }, { events, earlyMs, how }) => {
    if (how !== undefined) return `${list(events)} ${how}`;
    if (!person) return `${list(events)} arrived before anybody acted`;
    const who = personText(person);
    if (earlyMs === undefined) return `${list(events)} arrived, and ${who} has not completed`;
    return `${list(events)} arrived ${earlyMs > 0 ? `${earlyMs} ms ` : ''}before ${who} acted`;
  },
  sequence: (_, { events: [one, other] = [] }) =>
    `${one ? eventText(one) : ''} came after ${other ? eventText(other) : ''}`,
  documents: ({ count }, { events, cut, foreign, missing, short, unsigned }) => {
    const final = `the final callback, ${list(events)},`;
    if (unsigned) return `${final} carries no signed PDF: ${unsignedText(unsigned)}`;
    if (foreign) return `${final} carries a document of another request`;
    if (short) {
      const { marker, pages, most, order } = short;
      return order
        ? `the ${pages} pages of ${marker} come as ${order.join(', ')} in the PDFs of ${final.slice(0, -1)}`
        : `of ${pages} pages of ${marker} no PDF of ${final} has more than ${most}`;
    }
    if (cut !== undefined) return `${cut} of ${final} is not whole`;
    if (missing)
      return `${final} shows ${missing.length} of ${count} documents in none of its PDFs: ${missing.join(', ')}`;
    return `CompletedDocumentsAttached is true, and ${final} carries no PDF`;
  },
  'no-documents': (_, { events }) =>
    `CompletedDocumentsAttached is false, and ${list(events)} carries a PDF with an uploaded document`,
  can: ({ person, act }, { how }) => `${personText(person)} could not ${act}${how ? `: ${how}` : ''}`,
  kept: ({ person, act }) =>
    `${personText(person)} could ${act} once more, and whoever comes next still cannot act`,
  cannot: ({ person, act, why }) => `${personText(person)}, ${why}, could ${act}`,
  'no-otp': ({ person }) => `${personText(person)} had to enter an OTP`,
  added: ({ person }, { how }) => `${personText(person)} was refused ${how}`,
  created: ({ codes }) =>
    `a creation with CallbackTypes ${JSON.stringify(codes)} was refused, and accepted with [0]`,
  sent: (_, __, answer) => `the request is not sent${answered(answer)}`,
  initiated: ({ type }, _, answer) =>
    `beside other requests one of type ${type} was not answered with 200${answered(answer)}`,
  completes: ({ despite }) =>
    ({
      cc: 'the request completes without a CC, and does not complete with one',
      refused: 'the request does not complete after additions to it were refused, and others complete',
      unheard: 'the request, which has no CallbackUrl, does not complete, and others complete',
    })[despite],
  shows: ({ what, places }, { foreign, lacks }) => {
    if (lacks !== undefined)
      return `${places.map(placeText)} does not show document ${lacks + 1} of the request`;
    if (foreign) return `${places.map(placeText)} shows a document of another request`;
    return places.length > 1
      ? `neither ${places.map(placeText).join(' nor ')} shows ${what}`
      : `${places.map(placeText)} does not show ${what}`;
  },
  hides: ({ to, places }, { how = '' }) =>
    `${places.map(placeText).join(' and ')} tells the PrivateMessage to ${to.map(personText).join(' or ')} ${how}`.trimEnd(),
  refused: ({ call }, _, answer) => `${call} was not refused${answered(answer)}`,
  'written-to': ({ person }, { how = 'was not written to' }) => `${personText(person)} ${how}`,
  'not-written-to': ({ call }) => `${call} was refused, and its signatory was written to`,
  code: ({ channel }) => `no code came by ${channelText[channel]}`,
  copy: (_, { foreign, lacks, unsigned, cut, short }) => {
    if (cut) return `the final copy of the CC, ${cut}, is a PDF that is not whole`;
    if (foreign) return 'the final copy of the CC holds a document of another request';
    if (lacks !== undefined) return `the final copy of the CC lacks document ${lacks + 1} of the request`;
    if (unsigned) return `the final copy of the CC: ${unsignedText(unsigned)}`;
    if (short?.order)
      return `the ${short.pages} pages of ${short.marker} come as ${short.order.join(', ')} in the final copy of the CC`;
    if (short) return `of ${short.pages} pages of ${short.marker} the final copy of the CC has ${short.most}`;
    return 'the CC did not receive the final copy, as a file or a link';
  },
  'color-unseen': ({ color }, { how }) =>
    `the Color ${color} of a signatory is ${how} in the completed document`,
  stamps: (_, { how }) => `${how}`,
};

/** What was seen instead of what was expected, as a sentence without a full stop. */
export function flowText({ expected, seen = {} }: FlowOutcome, answer?: Shown): string {
  const tell = otherwise[expected.is] as (of: FlowExpected, seen: FlowSeen, answer?: Shown) => string;
  return tell(expected, seen, answer);
}

function lossText(loss: Loss): string {
  switch (loss.of) {
    case 'refused':
      return `${counted(loss.count, 'delivery was', 'deliveries were')} refused or broken off`;
    case 'shared':
      return `${counted(loss.count, 'delivery to the shared URL was', 'deliveries to the shared URL were')} refused`;
    case 'connections':
      return `${counted(loss.count, 'connection to the listener was', 'connections to the listener were')} dropped or broken off meanwhile (callbacks.limits.connections)`;
    case 'astray':
      return `${counted(loss.count, 'delivery', 'deliveries')} about the request went to the CallbackUrl of another one`;
    case 'gone':
      return 'the target stopped answering in the middle of the run';
    case 'forgotten':
      return 'the target knows no request any more that it had created: was it started anew without its memory?';
    case 'unrecorded':
      return 'not all calls are in the recording, whose run did something else: was it made by another version of the suite?';
    case 'forged':
      return loss.what;
    case 'unread':
      return `delivery ${loss.delivery} could not be read: ${loss.what}`;
  }
}

/** What an excuse says, besides what was expected and seen. */
export type ExcuseText = (
  because: Because,
  seen: { readonly outcome: string; readonly exchange: Shown | undefined },
) => string;

/** Why a failure does not count. A document that was not found may stand elsewhere than the profile says. */
const unprovedBecause = (requirement = '') =>
  requirement === 'signing.signer-views'
    ? 'nobody was shown one at all, and nothing is found at its address: is calls.viewDocument right?'
    : `${requirement} was proved nowhere`;

export const flowExcuseTexts: Readonly<Record<FlowExcuse, ExcuseText>> = {
  unseen: ({ codes, people, loss }) => {
    const why = loss ? lossText(loss) : '';
    const whose = people ? ` for ${names(people)}` : '';
    return codes ? `${eventsText(codes)} not seen${whose}, but ${why}` : why;
  },
  'nothing-arrived': ({ urls = [], loss }) => {
    const reach =
      urls.length > 0
        ? `nothing shows that the target can reach ${urls}: name an address of this machine that it can (callbacks.publicUrl), or wait longer (callbacks.grace.arrivalMs)`
        : '';
    const why = loss ? lossText(loss) : reach;
    return `no callback arrived at all${why ? `: ${why}` : ''}`;
  },
  'not-arrived': ({ codes }) => `${eventsText(codes)} did not arrive`,
  nameless: ({ codes, people, events, what }) => {
    if (people) return `whether event ${codes} arrived for ${names(people)} cannot be told: ${what}`;
    return events ? `${list(events)} arrived without saying who completed` : `${what}`;
  },
  'unknown-request': ({ delivery }, { outcome }) =>
    delivery === undefined
      ? 'callbacks arrived that name no known request'
      : `${outcome}; but delivery ${delivery} names a request that this run did not create`,
  'explicit-codes-too': () => 'nothing arrived, neither with CallbackTypes [0] nor with each code named',
  'unread-file': ({ what }) => `the documents could not be traced: ${what}`,
  unread: ({ places = [], what }, { outcome }) =>
    places.length > 0
      ? `${places.map(placeText).join(' and ')} cannot be read${what ? `: ${what}` : ''}`
      : (what ?? outcome),
  'unread-messages': ({ what }, { outcome }) => `${what}: ${outcome}`,
  'not-asked-for': (_, { outcome }) =>
    `${outcome}, and nobody could ask for one (calls.requestOtp, signing.page.requestOtp)`,
  'no-direct-link': () =>
    'no link in the e-mails to the CC leads straight to a PDF: whether one gives the copy is not seen',
  'no-documents': ({ what }) => `there are no completed documents to look at: ${what}`,
  'before-approval': ({ people }) =>
    `the documents could not be traced: event 3 arrived before ${names(people)} acted`,
  'unknown-outcome': ({ people, what }) =>
    what ? `${names(people)}: ${what}` : `whether ${names(people)} completed is not known`,
  unattended: (_, { outcome }) => `${outcome}; but nobody listened for callbacks between the two runs`,
  'sent-early': (_, { outcome }) =>
    `${outcome}; but in a request that was not sent yet a signer could act, too: it is sent with its creation or its first signatory, and signing.send of the profile says otherwise`,
  overtaken: ({ what }, { outcome }) =>
    `${outcome}; but callbacks of this target come ${what} after what was done last, and mostly in sequence: one may have overtaken the other`,
  follows: ({ requirement, what }, { outcome }) =>
    `${what ?? outcome}; that follows from ${requirement}, which is violated`,
  unproved: ({ requirement, what = unprovedBecause(requirement) }, { outcome }) => `${outcome}; but ${what}`,
  unsent: () =>
    'nothing shows that any request was sent to its signatories: nobody could act, nothing was mailed and no event came. Where the profile says wrongly how requests are sent, mend signing.send',
  'call-failed': ({ what }, { exchange }) => `${what}${answered(exchange)}`,
  'refused-url': (_, { exchange }) =>
    `requests are taken without a CallbackUrl and refused with it${answered(exchange)}; name a URL that the target takes (callbacks.publicUrl)`,
  'same-id': () => 'requests that were created one after the other have the same requestId',
  stuck: (_, { outcome }) => outcome,
  misread: (_, { outcome }) =>
    `${outcome}; does the call send what the target wants (url, headers, body), does its result lead to what says that it was done, and does signing.page fit each step of the page?`,
  undecided: () =>
    'what would decide it did not happen, and no call failed: index.html shows its flow step by step; look there whether the calls and mailboxes of the profile do what their keys say',
};
