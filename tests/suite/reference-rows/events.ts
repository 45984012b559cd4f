/** Rows about callbacks: which are sent, where to, in which order, and what they carry. */
import { markersIn, readPdf } from '../../../harness/untrusted/pdf/completed.ts';
import { event, role } from '../../../openapi/codes.ts';
import { cc, Flow, somebody } from '../reference-flow.ts';
import { jsonOf } from '../reference-receiver.ts';
import { type FlowRound, type FlowRow, flowRow } from './flow-row.ts';

const sequential = [somebody('first', { Order: 1 }), somebody('second', { Order: 2 })];

interface Told {
  /** Events in the order of their arrival, with the name of the person behind an event 2. */
  readonly events: readonly string[];
  readonly targets: readonly string[];
  readonly documents: readonly Buffer[] | null;
}

interface Play {
  readonly people?: readonly Record<string, unknown>[];
  readonly types?: readonly number[];
  readonly more?: Readonly<Record<string, unknown>>;
  readonly texts?: readonly string[];
}

/** Plays a request to its end; what was called back about it. */
async function told({ client, receiver }: FlowRound, play: Play = {}): Promise<Told> {
  const { people = sequential, types = [event.all], more = {}, texts = ['A document'] } = play;
  const Documents: string[] = [];
  for (const text of texts) Documents.push(await client.document(text));
  const CallbackUrl = `${receiver.baseUrl}/hooks/esign?secret=a%2Fb&c=d`;
  const flow = await Flow.create(client, people, { Documents, CallbackUrl, CallbackTypes: types, ...more });
  await flow.send();
  for (const { Email, SignatoryType } of people) {
    if (SignatoryType === role.signer) await flow.sign(String(Email).split('@')[0] ?? '');
  }
  const own = await settled(flow, receiver.received);
  const bodies = own.map(jsonOf);
  const last = bodies.find((body) => body.event === event.processCompleted);
  const files = last?.documents as readonly { readonly content: string }[] | undefined;
  const nameOf = (id: unknown) =>
    people.map(({ Email }) => String(Email).split('@')[0] ?? '').find((name) => flow.idOf(name) === id);
  return {
    events: bodies.map((body) => `${body.event}${body.signatoryId ? ` ${nameOf(body.signatoryId)}` : ''}`),
    targets: own.map(({ target }) => target),
    documents: files ? files.map(({ content }) => Buffer.from(content, 'base64')) : null,
  };
}

/** Waits until every callback of the request was answered; returns those that came, whatever their address. */
async function settled<Each extends { readonly body: Buffer }>(
  flow: Flow,
  received: readonly Each[],
): Promise<readonly Each[]> {
  for (;;) {
    const callbacks = (await flow.status()).json.callbacks as readonly { readonly state: string }[];
    if (callbacks.every(({ state }) => state !== 'pending')) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return received.filter(({ body }) => body.includes(flow.requestId));
}

const has = ({ events }: Told, ...wanted: readonly string[]) => wanted.every((each) => events.includes(each));
const attached = { CompletedDocumentsAttached: true } as const;

export const eventRows: readonly FlowRow[] = [
  flowRow('events.request-received', 'event 1 comes', async (round) =>
    has(await told(round, { types: [1] }), '1'),
  ),
  flowRow('events.signatory-completed', 'event 2 comes for each', async (round) => {
    const { events } = await told(round, { types: [2] });
    return events.filter((each) => each === '2 first').length === 1 && events.includes('2 second');
  }),
  flowRow('events.process-completed', 'event 3 comes', async (round) =>
    has(await told(round, { types: [3] }), '3'),
  ),
  flowRow('events.all', '0 stands for all', async (round) => {
    const [all, each] = [await told(round), await told(round, { types: [1, 2, 3] })];
    return has(all, ...new Set(each.events.map((one) => one)));
  }),
  flowRow('events.only-subscribed', 'nothing else comes', async (round) => {
    const { events } = await told(round, { types: [3] });
    return events.every((each) => each === '3');
  }),
  flowRow('events.to-callback-url', 'to the address as given', async (round) => {
    const { targets } = await told(round);
    return targets.every((target) => target === '/hooks/esign?secret=a%2Fb&c=d');
  }),
  flowRow('events.optional', 'without CallbackUrl nothing comes, and all works', async (round) => {
    await told(round, { types: [] });
    const flow = await Flow.create(round.client, [somebody('only')]);
    const works = (await flow.send()).status === 200;
    await flow.sign('only');
    return works && (await settled(flow, round.receiver.received)).length === 0;
  }),
  flowRow('events.signatory-completed-after-action', 'no event 2 before a signature', async (round) => {
    const { client, receiver } = round;
    const CallbackUrl = `${receiver.baseUrl}/hooks`;
    const flow = await Flow.create(client, sequential, { CallbackUrl, CallbackTypes: [2] });
    await flow.send();
    const callbacks = await settled(flow, receiver.received);
    return callbacks.every((each) => jsonOf(each).event !== event.signatoryCompleted);
  }),
  flowRow('events.process-completed-last', 'event 3 comes last', async (round) => {
    const { events } = await told(round, { types: [2, 3] });
    return !events.includes('3') || events.at(-1) === '3';
  }),
  flowRow('events.received-before-signatures', 'event 1 comes before event 2', async (round) => {
    const { events } = await told(round, { types: [1, 2] });
    return !events.includes('1') || events[0] === '1';
  }),
  flowRow('events.signatures-before-completed', 'event 3 comes after events 2', async (round) => {
    const { events } = await told(round, { types: [2, 3] });
    return !events.includes('3') || events.at(-1) === '3';
  }),
  flowRow('events.request-received-first', 'event 1 does not come after event 3', async (round) => {
    const { events } = await told(round, { types: [1, 3] });
    return !events.includes('1') || !events.includes('3') || events.indexOf('1') < events.indexOf('3');
  }),
  flowRow('events.none-for-cc', 'no event 2 for a CC', async (round) => {
    const { events } = await told(round, { people: [somebody('first'), somebody('reader', cc)] });
    return !events.includes('2 reader');
  }),
  flowRow('events.documents-attached', 'all documents, whole', async (round) => {
    const { documents, events } = await told(round, { more: attached, texts: ['MARK-ONE', 'MARK-TWO'] });
    if (!events.includes('3')) return true;
    const found = new Set<string>();
    for (const bytes of documents ?? []) {
      const reading = await readPdf(bytes);
      if (!reading.readable || !reading.whole) return false;
      for (const marker of markersIn(reading, ['MARK-ONE', 'MARK-TWO'])) found.add(marker);
    }
    return found.size === 2;
  }),
  flowRow('events.documents-not-attached', 'none unless asked for', async (round) => {
    const told3 = await told(round, { types: [3] });
    return told3.documents === null;
  }),
];
