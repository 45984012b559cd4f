/** Flows about roles, order and what people are shown and written. */
import type { FlowDefinition, FlowScript } from '../../harness/flows/flow.ts';
import { event, role } from '../../openapi/codes.ts';

const everyCode = [event.requestReceived, event.signatoryCompleted, event.processCompleted];

/** White space folded, so that line breaks of a page or a mail do not matter. */
const plain = (text: string) => text.replaceAll(/\s+/g, ' ').toLowerCase();

const secretOf = (who: string) => `For ${who} alone: please mind the second paragraph.`;

export const inSequence: FlowDefinition = {
  name: 'two signers one after the other',
  signatories: [
    { role: role.signer, order: 1, privateMessage: secretOf('the first') },
    { role: role.signer, order: 2, privateMessage: secretOf('the second') },
  ],
  documents: 1,
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
  script: async (flow) => {
    await flow.send();
    await flow.mayNot(1, 'sign', 'none', 'signing.lower-order-first', 'whose turn has not come');
    await flow.lull();
    await flow.acts(0);
    await flow.lull();
    await flow.acts(1);
  },
};

export const inParallel: FlowDefinition = {
  name: 'two signers in parallel, the last one first',
  signatories: [
    { role: role.signer, order: 1, privateMessage: secretOf('the first') },
    { role: role.signer, order: 1, privateMessage: secretOf('the second') },
  ],
  documents: 1,
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
  ],
  script: async (flow) => {
    await flow.send();
    await judgeMail(flow, 0);
    await judgePage(flow, 0);
    // Whether the second one is asked at the same time shows when they act.
    if (await judgeMail(flow, 1)) await judgePage(flow, 1);
    await flow.acts(1, 'signing.parallel');
    flow.judge('signing.parallel', 'passed', 'the second of two with Order 1 signed first');
    await flow.acts(0);
  },
};

/** The PrivateMessage of each of the two. */
const secrets = ['the first', 'the second'].map(secretOf);

/**
 * The first signatory has been written to, under their own address, and who was is told no secret of the other one.
 * Gives whether they were, as far as that can be seen.
 */
async function judgeMail(flow: FlowScript, signatory: number): Promise<boolean> {
  if (!flow.reads('email')) return true;
  const to = { signatory, channel: 'email' } as const;
  const names = (mail: { text: string }) => plain(mail.text).includes(plain(flow.title));
  // A target may write about something else too, a new account say.
  const mails = await flow.messages(signatory, 'email', names);
  const written = mails.length > 0;
  const who = flow.nameOf(signatory);
  if (signatory === 0 || written) {
    flow.judgeMessage('signing.email-used', to, written, `${who} was ${written ? '' : 'not '}written to`);
  }
  if (!written) return false;
  const named = mails.some(names);
  const mail = `the e-mail to ${who}`;
  flow.judgeMessage('signing.title-mailed', to, named, `${mail} ${named ? 'names' : 'does not name'} Title`);
  const foreign = secrets.filter((_, index) => index !== signatory);
  if (mails.some(({ text }) => foreign.some((secret) => plain(text).includes(plain(secret))))) {
    flow.judge('signing.private-message', 'failed', `${mail} tells the PrivateMessage of the other one`);
  }
  return true;
}

/** The page shows what is for everybody, and of the private messages only its own. */
async function judgePage(flow: FlowScript, signatory: number): Promise<void> {
  if (!flow.driverShows) return;
  const seen = await flow.view(signatory);
  const shows = (text: string) => plain(seen.text).includes(plain(text));
  const page = `the signing page of ${flow.nameOf(signatory)}`;
  const judge = (requirement: Parameters<FlowScript['judge']>[0], holds: boolean, what: string) =>
    flow.judge(
      requirement,
      holds ? 'passed' : 'failed',
      `${page} ${holds ? 'shows' : 'does not show'} ${what}`,
      seen.exchanges,
    );
  judge('signing.title-shown', shows(flow.title), 'Title');
  judge('signing.message-shown', shows(flow.message), 'Message');
  judge('signing.name-shown', shows(flow.task(signatory).name), 'Name');
  for (const [index, secret] of secrets.entries()) {
    if (index === signatory) {
      judge('signing.private-message', shows(secret), 'PrivateMessage to its signatory');
    } else if (shows(secret)) {
      const message = `${page} shows the PrivateMessage of another`;
      flow.judge('signing.private-message', 'failed', message, seen.exchanges);
    }
  }
  if (seen.document !== undefined) judge('signing.signer-views', seen.document, 'the document');
}

export const mixedRoles: FlowDefinition = {
  name: 'approver, signer and CC, two documents attached',
  signatories: [
    { role: role.approver, order: 2 },
    { role: role.signer, order: 1 },
    { role: role.cc, order: 1 },
  ],
  documents: 2,
  subscription: everyCode,
  attached: true,
  proves: [
    'signing.approver-cannot-sign',
    'signing.approver-approves',
    'signing.cc-cannot-act',
    'signing.cc-receives-copy',
    'events.none-for-cc',
    'events.documents-attached',
    'events.process-completed',
  ],
  script: async (flow) => {
    await flow.send();
    await flow.mayNot(0, 'approve', 'none', 'signing.lower-order-first', 'whose turn has not come');
    await flow.mayNot(2, 'sign', 'none', 'signing.cc-cannot-act', 'who receives a copy only');
    await flow.acts(1);
    // At their turn, so that a refusal is one for the role.
    await flow.mayNot(0, 'sign', 'none', 'signing.approver-cannot-sign', 'who may only approve');
    await flow.acts(0);
    if (!flow.reads('email')) return;
    const copy = (message: { attachments: readonly string[]; text: string }) =>
      message.attachments.length > 0 || /https?:\/\//.test(message.text);
    const messages = await flow.messages(2, 'email', copy);
    const received = messages.some(copy);
    flow.judgeMessage(
      'signing.cc-receives-copy',
      { signatory: 2, channel: 'email' },
      received,
      `the CC ${received ? 'received' : 'did not receive'} the final copy, as a file or a link`,
    );
    const attached = messages.some(({ attachments }) => attachments.length > 0);
    if (received) flow.observe('signing.cc-copy', 'the copy comes', attached ? 'as a file' : 'as a link');
  },
};

export const peopleFlows: readonly FlowDefinition[] = [inSequence, inParallel, mixedRoles];
