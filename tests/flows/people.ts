/** Flows about roles, order and what people are shown and written. */

import { markerPattern, mediaType } from '../../generators/documents/document.ts';
import {
  type FlowDefinition,
  type FlowPlan,
  type FlowScript,
  withoutEffect,
} from '../../harness/flows/flow.ts';
import type { Act, OutboxMessage } from '../../harness/people/driver.ts';
import { readPdf } from '../../harness/untrusted/pdf/completed.ts';
import { event, otpType, role } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';

const everyCode = [event.requestReceived, event.signatoryCompleted, event.processCompleted];

/** White space folded, so that line breaks of a page or a mail do not matter. */
const plain = (text: string) => text.replaceAll(/\s+/g, ' ').toLowerCase();

const secretOf = (who: string) => `For ${who} alone: please mind the second paragraph.`;

const ofSequence: Pick<FlowDefinition, 'documents' | 'subscription' | 'attached' | 'tracked' | 'proves'> = {
  documents: ['page'],
  subscription: everyCode,
  attached: false,
  tracked: true,
  proves: [
    'signing.lower-order-first',
    'events.signatory-completed',
    'events.process-completed-last',
    'events.received-before-signatures',
    'events.request-received-first',
    'events.signatures-before-completed',
    'events.signatory-completed-after-action',
    'events.documents-not-attached',
  ],
};

const notYet = 'whose turn has not come';

/** Added in another sequence than they sign in. */
export const inSequence: FlowDefinition = {
  ...ofSequence,
  name: 'three signers one after the other',
  signatories: [
    { role: role.signer, order: 2 },
    { role: role.signer, order: 3 },
    { role: role.signer, order: 1 },
  ],
  parts: [
    {
      ...ofSequence,
      name: 'two signers one after the other',
      signatories: [
        { role: role.signer, order: 1 },
        { role: role.signer, order: 2 },
      ],
      script: async (flow) => {
        await flow.send();
        await flow.mayNot(1, 'sign', 'none', 'signing.lower-order-first', notYet);
        await flow.acts(0, 'signing.lower-order-first');
        await flow.acts(1, 'signing.lower-order-first');
      },
    },
  ],
  script: async (flow) => {
    await flow.send();
    await flow.mayNot(0, 'sign', 'none', 'signing.lower-order-first', notYet);
    await flow.lull();
    await flow.acts(2, 'signing.lower-order-first');
    // The order holds at each step, not only at the first.
    await flow.mayNot(1, 'sign', 'none', 'signing.lower-order-first', notYet);
    await flow.lull();
    await flow.acts(0, 'signing.lower-order-first');
    await flow.lull();
    await flow.acts(1, 'signing.lower-order-first');
  },
};

/** What is refused leaves nobody behind whom the request waits for. */
export const refusedInVain: FlowDefinition = {
  name: 'one signer, after calls that are refused',
  signatories: [{ role: role.signer, order: 1 }],
  refused: [
    { operation: 'createSkeletonRequest', what: 'a creation without Title', change: { Title: undefined } },
    { operation: 'createSkeletonRequest', what: 'a creation without a token', authorization: 'absent' },
    { operation: 'createStampedRequest', what: 'auto stamping without a token', authorization: 'absent' },
    {
      operation: 'addSignatory',
      what: 'an addition without MobileNumber',
      change: { OTP: { IsRequired: true, Type: otpType.sms } },
    },
    { operation: 'addSignatory', what: 'an addition without Name', change: { Name: undefined } },
    { operation: 'addSignatory', what: 'an addition without a token', authorization: 'absent' },
  ],
  documents: ['page'],
  subscription: [event.processCompleted],
  proves: Object.values(withoutEffect),
  script: async (flow) => {
    await flow.send();
    await flow.acts(0);
  },
};

/** Signers in parallel, each with a message of their own, the last one first; with a CC, who is told none of them. */
function parallelFlow(name: string, signers: number, cc: boolean): FlowDefinition {
  const ccs = cc ? [{ role: role.cc, order: 1, privateMessage: secretOf('the CC') }] : [];
  const all = Array.from({ length: signers }, (_, index) => index);
  return {
    name,
    signatories: [
      ...all.map((index) => ({
        role: role.signer,
        order: 1,
        privateMessage: secretOf(`number ${index + 1}`),
      })),
      ...ccs,
    ],
    documents: ['page'],
    subscription: everyCode,
    proves: [
      'signing.parallel',
      'events.process-completed-last',
      'signing.title-shown',
      'signing.message-shown',
      'signing.name-shown',
      'signing.private-message',
      'signing.signer-views',
      'signing.email-used',
      'signing.title-mailed',
      ...(cc ? (['signing.cc-receives-copy'] as const) : []),
    ],
    script: async (flow) => {
      await flow.send();
      for (const index of all) await judgeShown(flow, index);
      for (const index of all.toReversed()) {
        await flow.acts(index, index > 0 ? 'signing.parallel' : undefined);
        if (index > 0) {
          const message = `${flow.nameOf(index)}, added later than others of Order 1, could sign before them`;
          flow.judge('signing.parallel', 'passed', message);
        }
      }
      flow.judgeCompleted('signing.private-message', tellsNone(secretsOf(flow)), 'if-there');
      if (!flow.reads('email')) return;
      if (cc) await judgeCopy(flow, signers);
      for (const index of flow.people) await judgeLetters(flow, index);
    },
  };
}

export const inParallel: FlowDefinition = {
  ...parallelFlow('three signers and a CC, the last one first', 3, true),
  parts: [parallelFlow('two signers in parallel, the last one first', 2, false)],
};

/** The PrivateMessage of each person of a flow. */
const secretsOf = ({ people, privateMessageOf }: FlowScript) => people.map((each) => privateMessageOf(each));

/** What a signer is shown on the page and written in e-mails; whether a later one is asked too shows later. */
async function judgeShown(flow: FlowScript, signatory: number): Promise<void> {
  const mails = await judgeMail(flow, signatory);
  // Who has not been asked yet may not have a page.
  const asked = signatory === 0 || mails === undefined || mails.length > 0;
  const page = asked && flow.driverShows ? await judgePage(flow, signatory) : undefined;
  const who = flow.nameOf(signatory);
  const seen = [
    { where: `the signing page of ${who}`, text: page?.text },
    { where: `the e-mail to ${who}`, text: mails?.length ? mails.join(' ') : undefined },
  ];
  const places = seen.flatMap(({ where, text }) => (text === undefined ? [] : { where, text }));
  const judge = (requirement: RequirementId, wanted: string, what: string) => {
    const shown = places.find(({ text }) => text.includes(plain(wanted)));
    const exchanges = page?.exchanges ?? [];
    if (shown) flow.judge(requirement, 'passed', `${shown.where} shows ${what}`, exchanges);
    else if (places.length === seen.length) {
      const message = `neither ${seen.map(({ where }) => where).join(' nor ')} shows ${what}`;
      flow.judge(requirement, 'failed', message, exchanges);
    } else if (asked) {
      const hidden = seen.filter(({ text }) => text === undefined).map(({ where }) => where);
      const message = `${what} may be on what cannot be read: ${hidden.join(', ')}`;
      flow.judge(requirement, 'could-not-run', message, exchanges);
    }
  };
  judge('signing.message-shown', flow.message, 'Message');
  judge('signing.private-message', flow.privateMessageOf(signatory), 'PrivateMessage to its signatory');
  for (const { where, text } of places) judgeForeign(flow, signatory, where, text, page?.exchanges);
}

/** Nobody is told the PrivateMessage of somebody else. */
function judgeForeign(
  flow: FlowScript,
  signatory: number,
  where: string,
  text: string,
  exchanges: readonly number[] = [],
): void {
  const foreign = flow.people.find((index) => {
    const secret = plain(flow.privateMessageOf(index));
    return index !== signatory && secret !== '' && text.includes(secret);
  });
  if (foreign === undefined) return;
  const message = `${where} tells the PrivateMessage to ${flow.nameOf(foreign)}`;
  flow.judge('signing.private-message', 'failed', message, exchanges);
}

/** When all is over: each signer was written to, and nobody was told what was meant for somebody else. */
async function judgeLetters(flow: FlowScript, signatory: number): Promise<void> {
  const mails = await flow.messages(signatory, 'email');
  const who = flow.nameOf(signatory);
  if (flow.task(signatory).role === role.signer) {
    const message = `${who}, who has signed, was ${mails.length > 0 ? '' : 'never '}written to`;
    flow.judgeMessage('signing.email-used', { signatory, channel: 'email' }, mails.length > 0, message);
  }
  for (const { text } of mails) judgeForeign(flow, signatory, `an e-mail to ${who}`, plain(text));
}

/** Judges that none of the messages is written in a document. */
function tellsNone(messages: readonly string[]) {
  return async (files: readonly Uint8Array[]): Promise<string | null> => {
    for (const file of files) {
      const reading = await readPdf(file);
      const told = reading.readable && messages.find((each) => plain(reading.text).includes(plain(each)));
      if (told) return `a completed document tells the PrivateMessage ${JSON.stringify(told)}`;
    }
    return null;
  };
}

/**
 * The first signatory has been written to, under their own address. Gives the texts of the e-mails to a signatory;
 * undefined where none can be read.
 */
async function judgeMail(flow: FlowScript, signatory: number): Promise<readonly string[] | undefined> {
  if (!flow.reads('email')) return undefined;
  const to = { signatory, channel: 'email' } as const;
  const names = (mail: { text: string }) => plain(mail.text).includes(plain(flow.title));
  // A target may write about something else too, a new account say.
  const mails = await flow.messages(signatory, 'email', names);
  const written = mails.length > 0;
  const who = flow.nameOf(signatory);
  if (signatory === 0 || written) {
    flow.judgeMessage('signing.email-used', to, written, `${who} was ${written ? '' : 'not '}written to`);
  }
  if (written) {
    const named = mails.some(names);
    const message = `the e-mail to ${who} ${named ? 'names' : 'does not name'} Title`;
    flow.judgeMessage('signing.title-mailed', to, named, message);
  }
  return mails.map(({ text }) => plain(text));
}

interface ShownPage {
  readonly text: string;
  readonly exchanges: readonly number[];
}

/** The page shows Title and Name, and a document. Gives its text; undefined where it cannot be read. */
async function judgePage(flow: FlowScript, signatory: number): Promise<ShownPage | undefined> {
  const seen = await flow.view(signatory);
  const { exchanges } = seen;
  const page = `the signing page of ${flow.nameOf(signatory)}`;
  const { name } = flow.task(signatory);
  const text = seen.kind === 'seen' ? plain(seen.text) : '';
  const shows = (wanted: string) => text.includes(plain(wanted));
  // A page that a script fills, or the answer to another question, shows nothing of the request.
  const readable = [flow.title, flow.message, name, ...secretsOf(flow)].some(shows);
  const why =
    seen.kind === 'unknown' ? seen.reason : 'nothing of the request is on it; a script may fill it in';
  const judge = (requirement: RequirementId, holds: boolean, what: string) => {
    const message = readable
      ? `${page} ${holds ? 'shows' : 'does not show'} ${what}`
      : `${page} cannot be read: ${why}`;
    flow.judge(requirement, readable ? (holds ? 'passed' : 'failed') : 'could-not-run', message, exchanges);
  };
  judge('signing.title-shown', shows(flow.title), 'Title');
  judge('signing.name-shown', shows(name), 'Name');
  if (seen.kind === 'unknown') judge('signing.signer-views', false, 'the document');
  else if (seen.document !== undefined) {
    const message = `${page} ${seen.document ? 'shows' : 'does not show'} the document`;
    flow.judge('signing.signer-views', seen.document ? 'passed' : 'failed', message, exchanges);
  }
  return readable ? { text, exchanges } : undefined;
}

/** Every role in turn, a CC and an approver between two signers; the CC acts in no way and is not waited for. */
function rolesFlow(approves: boolean, signers = 2): FlowDefinition {
  const [approver, signer, cc, later] = approves ? [0, 1, 2, 3] : [-1, 0, 1, 2];
  const others = signers > 1 ? 'approver and CC between signers' : 'approver, signer and CC';
  return {
    name: `${approves ? others : 'signer and CC'}, two documents attached`,
    signatories: [
      // Added first, and not the first to act.
      ...(approves ? [{ role: role.approver, order: 2 }] : []),
      { role: role.signer, order: 1 },
      { role: role.cc, order: 2 },
      ...(signers > 1 ? [{ role: role.signer, order: 3 }] : []),
    ],
    ...(signers > 1 ? { parts: [rolesFlow(approves, 1)] } : {}),
    documents: ['page', 'pages'],
    subscription: everyCode,
    attached: true,
    ...(approves
      ? { without: { requirement: 'signing.approver-approves', flow: rolesFlow(false, signers) } }
      : {}),
    proves: [
      ...(approves ? (['signing.approver-cannot-sign', 'signing.approver-approves'] as const) : []),
      ...(approves && signers > 1 ? (['signing.lower-order-first'] as const) : []),
      'signing.cc-cannot-act',
      'signing.cc-receives-copy',
      'events.none-for-cc',
      'events.documents-attached',
      'events.process-completed',
    ],
    script: async (flow) => {
      const onlyCopied = 'who receives a copy only';
      const ccCannot = (act: Act) => flow.mayNot(cc, act, 'none', 'signing.cc-cannot-act', onlyCopied);
      await flow.send();
      if (approves) await flow.mayNot(approver, 'approve', 'none', 'signing.lower-order-first', notYet);
      await ccCannot('sign');
      await flow.acts(signer);
      if (approves) {
        await ccCannot('approve');
        // At their turn, so that a refusal is one for the role.
        const why = 'who may only approve';
        await flow.mayNot(approver, 'sign', 'none', 'signing.approver-cannot-sign', why);
        if (signers > 1) await flow.mayNot(later, 'sign', 'none', 'signing.lower-order-first', notYet);
        await flow.acts(approver);
      }
      if (signers > 1) await flow.acts(later);
      if (flow.reads('email')) await judgeCopy(flow, cc);
    },
  };
}

/** Links that are followed at most. */
const linksMost = 5;

/** The final copy is a file, or a link that leads to one; a page behind which it may be shows neither. */
async function judgeCopy(flow: FlowScript, cc: number): Promise<void> {
  const requirement = 'signing.cc-receives-copy';
  const isFile = (name: string) => !/image\/|\.(?:png|jpe?g|gif|svg|ics|vcf|html?|txt)\b/i.test(name);
  const carries = ({ attachments, links }: OutboxMessage) => attachments.some(isFile) || links.length > 0;
  const messages = (await flow.messages(cc, 'email', carries)).filter(carries);
  const to = { signatory: cc, channel: 'email' } as const;
  const names = messages.flatMap(({ attachments }) => attachments.filter(isFile));
  const links = [...new Set(messages.flatMap((message) => message.links))];
  const pdfs = await pdfsOf(flow, messages, links.slice(0, linksMost));
  const [attached, linked] = [names.length > 0, pdfs.some(({ ours, text }) => ours || text === '')];
  if (!attached && !linked && links.length > 0) {
    const message =
      'no link in the e-mails to the CC leads straight to a PDF: whether one gives the copy is not seen';
    flow.judge(requirement, 'could-not-run', message);
    return;
  }
  const received = attached || linked;
  const words = `the CC ${received ? 'received' : 'did not receive'} the final copy, as a file or a link`;
  flow.judgeMessage(requirement, to, received, words);
  if (received) flow.observe('signing.cc-copy', 'the copy comes', attached ? 'as a file' : 'as a link');
  // Only what is surely a copy of a document of the run is looked into.
  const copies = pdfs.filter(({ text }) => text.search(markerPattern) >= 0);
  if (copies.length === 0) return;
  const allSeen = attached ? copies.length >= names.length : copies.length === links.length;
  const lacking = flow.documents.findIndex(
    ({ marker, mediaType: type }) =>
      type === mediaType.pdf && !copies.some(({ text }) => text.includes(marker)),
  );
  const wrong = copies.some(({ ours }) => !ours)
    ? 'holds a document of another request'
    : allSeen && lacking >= 0
      ? `lacks document ${lacking + 1} of the request`
      : await flow.unsigned(copies);
  if (wrong) flow.judge(requirement, 'failed', `the final copy of ${flow.nameOf(cc)}: it ${wrong}`);
  for (const { text } of copies) judgeForeign(flow, cc, `the final copy of ${flow.nameOf(cc)}`, plain(text));
}

/** A PDF that came to a person: its text, the markers of documents of the request in it, and whether there are any. */
interface CopiedPdf {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly markers: readonly string[];
  readonly ours: boolean;
}

/** The readable PDFs in messages, and behind their links. */
async function pdfsOf(
  flow: FlowScript,
  messages: readonly OutboxMessage[],
  links: readonly string[],
): Promise<readonly CopiedPdf[]> {
  const files = messages.flatMap(({ pdfs }) => pdfs);
  for (const link of links) files.push(...[await flow.follow(link)].filter((file) => file !== null));
  const read = await Promise.all(
    files.map(async (bytes) => {
      const reading = await readPdf(bytes);
      if (!reading.readable) return [];
      const markers = flow.documents
        .map(({ marker }) => marker)
        .filter((each) => reading.text.includes(each));
      return [{ bytes, text: reading.text.trim(), markers, ours: markers.length > 0 }];
    }),
  );
  return read.flat();
}

export const mixedRoles = rolesFlow(true);

const oneOfTwo: Omit<FlowPlan, 'name'> = {
  signatories: [{ role: role.signer, order: 1 }],
  documents: ['page'],
  subscription: everyCode,
  attached: true,
  proves: [
    'signing.signer-signs',
    'events.signatory-completed',
    'events.signatory-completed-after-action',
    'events.process-completed',
    'events.process-completed-last',
    'events.documents-attached',
  ],
};

/** One person, Title, file name and CallbackUrl, and two requests: who signs one of them has not signed the other. */
export const sideBySide: FlowDefinition = {
  ...oneOfTwo,
  name: 'two alike, the one signed first',
  neighbour: { ...oneOfTwo, name: 'two alike, the one signed last' },
  script: async (flow, neighbour) => {
    await flow.send();
    await neighbour.send();
    await flow.acts(0);
    await neighbour.lull();
    await neighbour.acts(0);
  },
};

export const peopleFlows: readonly FlowDefinition[] = [
  inSequence,
  inParallel,
  mixedRoles,
  refusedInVain,
  sideBySide,
];
