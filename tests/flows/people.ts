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
    'events.request-received-first',
    'events.signatory-completed-after-action',
    'events.documents-not-attached',
  ],
  script: async (flow) => {
    await flow.send();
    await flow.mayNot(1, 'sign', 'none', 'signing.lower-order-first', 'whose turn has not come');
    await flow.acts(0);
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
    await judgeMail(flow);
    await judgePages(flow);
    await flow.acts(1, 'signing.parallel');
    flow.judge('signing.parallel', 'passed', 'the second of two with Order 1 signed first');
    await flow.acts(0);
  },
};

/** Both have been written to, under their own address. */
async function judgeMail(flow: FlowScript): Promise<void> {
  if (!flow.reads('email')) return;
  const to = { signatory: 0, channel: 'email' } as const;
  const names = (mail: { text: string }) => plain(mail.text).includes(plain(flow.title));
  // A target may write about something else too, a new account say.
  const mails = await flow.messages(0, 'email', names);
  const written = mails.length > 0;
  flow.judgeMessage(
    'signing.email-used',
    to,
    written,
    `${flow.nameOf(0)} was ${written ? '' : 'not '}written to`,
  );
  if (!written) return;
  const named = mails.some(names);
  flow.judgeMessage(
    'signing.title-mailed',
    to,
    named,
    `the e-mail ${named ? 'names' : 'does not name'} Title`,
  );
}

/** Each page shows what is for everybody, and of the private messages only its own. */
async function judgePages(flow: FlowScript): Promise<void> {
  if (!flow.driverShows) return;
  const first = await flow.view(0);
  const shows = (page: { text: string }, text: string) => plain(page.text).includes(plain(text));
  const judge = (requirement: Parameters<FlowScript['judge']>[0], holds: boolean, what: string) =>
    flow.judge(
      requirement,
      holds ? 'passed' : 'failed',
      `the signing page ${holds ? 'shows' : 'does not show'} ${what}`,
      first.exchanges,
    );
  judge('signing.title-shown', shows(first, flow.title), 'Title');
  judge('signing.message-shown', shows(first, flow.message), 'Message');
  judge('signing.name-shown', shows(first, flow.task(0).name), 'Name');
  judge('signing.private-message', shows(first, secretOf('the first')), 'PrivateMessage to its signatory');
  if (shows(first, secretOf('the second'))) {
    flow.judge(
      'signing.private-message',
      'failed',
      'the page of one signatory shows the PrivateMessage of another',
      first.exchanges,
    );
  }
  if (first.document !== undefined) judge('signing.signer-views', first.document, 'the document');
}

export const mixedRoles: FlowDefinition = {
  name: 'approver, signer and CC, two documents attached',
  // All at the same time: what order means is put to the test by other flows.
  signatories: [
    { role: role.approver, order: 1 },
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
    await flow.mayNot(0, 'sign', 'none', 'signing.approver-cannot-sign', 'who may only approve');
    await flow.acts(0);
    await flow.mayNot(2, 'sign', 'none', 'signing.cc-cannot-act', 'who receives a copy only');
    await flow.acts(1);
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
