/** Calls that make or spoil what requests rest on, as commands of fast-check: upload, create, invalidate. */
import fc from 'fast-check';
import { event } from '../../../openapi/codes.ts';
import { plainPdf } from '../../../reference/plain-pdf.ts';
import { skeletonBody } from '../../suite/reference-client.ts';
import { type Command, callers, command, mostly } from './command.ts';
import { accessReasons, type Caller, documentReasons } from './model.ts';
import { judge, madeUpId } from './world.ts';

interface Upload {
  readonly caller: Caller;
  readonly kind: 'pdf' | 'text';
}

export const upload = fc.record({ caller: callers, kind: mostly('pdf', 'text') }).map(uploadWith);

export function uploadWith(given: Upload): Command {
  return command('upload', given, async (model, world) => {
    const bytes = given.kind === 'pdf' ? plainPdf(['A document']) : Buffer.from('plain text');
    const reply = await world.client.upload(bytes, world.as(given.caller));
    const taken = judge('upload', reply, [
      ...accessReasons(given.caller, false),
      ...(given.kind === 'pdf' ? [] : (['refused'] as const)),
    ]);
    const token = String(reply.json.documentToken);
    if (taken && given.caller === 'owner') model.documents.push({ token, valid: true });
    return undefined;
  });
}

const subscriptions: readonly (readonly number[])[] = [
  [],
  [event.requestReceived],
  [event.signatoryCompleted, event.processCompleted],
  [event.requestReceived, event.signatoryCompleted, event.processCompleted],
];

/** What is wrong with a body, which mostly is nothing; a missing field is answered with 400. */
const flaws = ['unknown', 'empty', 'Title', 'Message', 'Documents', 'AuditDetails'] as const;

export const create = fc
  .record({
    caller: callers,
    /** Documents are used again and again: a token is good for several requests. */
    documents: fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 3 }),
    flaw: mostly('none', ...flaws),
    subscribed: fc.constantFrom(...subscriptions),
    /** Code 0 instead of all the others. */
    shorthand: fc.boolean(),
  })
  .map(createWith);

interface Creation {
  readonly caller: Caller;
  readonly documents: readonly number[];
  readonly flaw: 'none' | (typeof flaws)[number];
  readonly subscribed: readonly number[];
  readonly shorthand: boolean;
}

export function createWith(given: Creation): Command {
  return command('create', given, async (model, world) => {
    const { caller, flaw, subscribed } = given;
    const chosen = given.documents.flatMap((number) => model.documents.at(-1 - number) ?? []);
    const unknown = flaw === 'unknown' || chosen.length === 0;
    const tokens = [
      ...chosen.map(({ token }) => token),
      ...(unknown ? [madeUpId(given.documents[0] ?? 0)] : []),
    ];
    const callbacks = {
      CallbackUrl: `${world.client.reference.baseUrl}/_control/callbacks`,
      CallbackTypes: subscribed.length === 3 && given.shorthand ? [event.all] : subscribed,
    };
    const body: Record<string, unknown> = {
      ...skeletonBody(flaw === 'empty' ? [] : tokens),
      ...(subscribed.length > 0 ? callbacks : {}),
    };
    delete body[flaw];
    const reply = await world.client.create(body, world.as(caller));
    const isRead = flaw !== 'empty' && flaw !== 'Documents';
    const taken = judge('create', reply, [
      ...accessReasons(caller, true),
      ...(flaw === 'none' || flaw === 'unknown' ? [] : flaw === 'empty' ? (['refused'] as const) : [400]),
      ...(isRead ? documentReasons(chosen, caller) : []),
      ...(isRead && unknown ? [404] : []),
    ]);
    if (!taken) return undefined;
    const id = String(reply.json.requestId);
    if (model.requests.some((request) => request.id === id)) throw new Error(`requestId ${id} came twice`);
    const state = 'draft' as const;
    const request = { id, documents: chosen, subscribed, people: [], events: [], state, deleted: false };
    model.requests.push(request);
    return request;
  });
}

export const invalidate: fc.Arbitrary<Command> = fc
  .record({ caller: callers, document: fc.nat({ max: 4 }) })
  .map((given) =>
    command('invalidate', given, async (model, world) => {
      const document = model.documents.at(-1 - given.document);
      const target = `/_control/documents/${document?.token ?? madeUpId(given.document)}/invalidate`;
      const reply = await world.client.send('POST', target, undefined, world.as(given.caller));
      const known = document !== undefined && given.caller !== 'stranger';
      const reasons = [...accessReasons(given.caller, false), ...(known ? [] : (['refused'] as const))];
      if (judge('invalidate', reply, reasons) && document) document.valid = false;
      return undefined;
    }),
  );
