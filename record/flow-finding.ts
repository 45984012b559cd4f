/** What a flow was to show and what it showed instead, as data: who may do what, what reaches people, which callbacks come. */
import { type Static, Type } from '@sinclair/typebox';
import { role } from '../openapi/codes.ts';
import { count, type DeepReadonly, list, literals, object, optional, text } from './schema-parts.ts';

const person = object({
  signatory: count('Position in the plan of the flow, from 0.'),
  role: literals(Object.keys(role) as (keyof typeof role)[]),
  order: Type.Integer(),
});
export type Person = Static<typeof person>;

/** The code of an event, or that of one which the document does not have. */
export const eventCode = Type.Union([
  Type.Literal(1),
  Type.Literal(2),
  Type.Literal(3),
  Type.Literal('other'),
]);
const codes = list(Type.Integer());
const act = literals(['sign', 'approve']);
const delivery = count('Number of the delivery.');
/** Without a delivery: the event came in an earlier run, which this one continues. */
const seenEvent = object({
  code: eventCode,
  signatory: optional(count('Position in the plan.')),
  delivery: optional(delivery),
});
export type EventSeen = Static<typeof seenEvent>;

const place = object({ of: literals(['page', 'e-mail', 'copy', 'documents']), person: optional(person) });
export type Place = Static<typeof place>;

/** An outcome: its name and its facts. */
const kind = <Is extends string, Facts extends Parameters<typeof Type.Object>[0]>(is: Is, facts: Facts) =>
  object({ is: Type.Literal(is), ...facts });

/** What every compliant service does in a flow. */
const expected = Type.Union([
  // Callbacks with these codes come, event 2 for each of the people; `all`: CallbackTypes is [0].
  kind('events', { codes, people: optional(list(person)), all: optional(Type.Literal(true)) }),
  kind('only-events', { codes }),
  kind('none-for-cc', {}),
  kind('no-callback', {}), // A request without a CallbackUrl gets none.
  kind('none-in-vain', {}), // A CallbackUrl that only refused creations name gets none.
  kind('callback-url', {}), // Callbacks go to the CallbackUrl as given.
  kind('after-act', { person: optional(person) }), // Events come only after the person, or anybody, has acted.
  kind('sequence', { codes }), // Events come in this sequence.
  kind('documents', { count: Type.Integer() }), // The final callback carries the signed PDFs.
  kind('no-documents', {}),
  kind('can', { person, act }),
  kind('kept', { person, act }), // An act that was answered as done is done.
  kind('cannot', { person, act, why: text() }),
  kind('no-otp', { person }), // The person needs no code.
  kind('added', { person }), // The person is added beside the others.
  kind('created', { codes }), // A request with these CallbackTypes is created, where one with [0] is.
  kind('sent', {}),
  kind('initiated', { type: Type.Integer() }),
  kind('completes', { despite: literals(['cc', 'refused', 'unheard']) }), // A request completes with a CC, after refused additions, or without CallbackUrl.
  kind('shows', { what: text(), places: list(place) }),
  kind('hides', { to: list(person), places: list(place) }), // Nobody sees the PrivateMessage of somebody else.
  kind('refused', { call: text() }),
  kind('written-to', { person }), // A person who takes part gets an e-mail.
  kind('not-written-to', { call: text() }), // The signatory whom a refused call names gets no e-mail.
  kind('code', { channel: literals(['email', 'sms']) }),
  kind('copy', {}), // A CC receives the final copy.
  kind('color-unseen', { color: text() }), // The completed documents do not show the color.
  kind('stamps', {}), // The completed documents show the stamps as they were given.
]);
export type FlowExpected = DeepReadonly<Static<typeof expected>>;

const seen = object(
  {
    events: optional(list(seenEvent)),
    delivery: optional(delivery),
    target: optional(text('Path and query to which the delivery went.')),
    earlyMs: optional(Type.Integer()),
    missing: optional(list(text(), 'Markers of documents.')),
    cut: optional(text('Name or place of a file that is not whole.')),
    short: optional(
      object({
        marker: text(),
        pages: Type.Integer(),
        most: Type.Integer(),
        order: optional(
          list(Type.Integer(), 'Its pages as they follow each other, where that is what is wrong.'),
        ),
      }),
    ),
    unsigned: optional(
      object(
        {
          document: count(),
          although: literals(
            ['no-pdf', 'stamps', 'another'] as const,
            'It is no PDF, stamps were placed in it, or the target hands out another one.',
          ),
        },
        'A document that is there as it was uploaded.',
      ),
    ),
    foreign: optional(Type.Literal(true, { description: 'A document of another request.' })),
    lacks: optional(count('Position of the document.')),
    how: optional(text('As the target or who looked at it says it.')),
  },
  'What came instead; nothing where it did not come.',
);
export type FlowSeen = DeepReadonly<Static<typeof seen>>;

export const flowOutcome = object({ expected, seen: optional(seen) });
export type FlowOutcome = DeepReadonly<Static<typeof flowOutcome>>;

/** Why callbacks may have been sent although they were not seen. */
const loss = Type.Union([
  object({
    of: literals([
      'refused', // Deliveries to the address of the request were turned away.
      'shared', // Deliveries to the address that all requests share were turned away.
      'connections', // Connections to the listener were dropped.
      'astray', // Deliveries went to the CallbackUrl of another request.
    ]),
    count: Type.Integer(),
  }),
  object({ of: Type.Literal('gone') }), // The target no longer answered when the run ended.
  object({ of: Type.Literal('forgotten') }), // The target knows no request of the flows any more.
  object({ of: Type.Literal('unrecorded') }), // A call of the flow was not in the recording.
  object({ of: Type.Literal('forged'), what: text() }), // The delivery is not believed to come from the target.
  object({ of: Type.Literal('unread'), delivery: Type.Integer(), what: text() }),
]);
export type Loss = DeepReadonly<Static<typeof loss>>;

/** The data that excuses in flows rest on. */
export const flowBecause = {
  codes: optional(codes),
  people: optional(list(person)),
  events: optional(list(seenEvent)),
  delivery: optional(delivery),
  loss: optional(loss),
  places: optional(list(place)),
  requirement: optional(text('Whose violation explains it.')),
};

/** Excuses of flows: why something that was seen, or not seen, proves nothing. */
export const flowExcuses = [
  'unseen', // The callback may have been sent all the same (`loss`).
  'nothing-arrived', // No callback at all; nothing shows that the target reaches the listener.
  'not-arrived', // The callback that would decide did not come.
  'nameless', // Callbacks name nobody, or no request of the run, or their events by exchanged codes.
  'unknown-request', // Callbacks name a request that the run did not create.
  'explicit-codes-too', // Codes that are named explicitly bring no callback either.
  'unread-file', // A file of the final callback that may hold the documents cannot be read.
  'unread', // A file, a page or an e-mail that may show it cannot be read.
  'unread-messages', // Messages cannot be read.
  'not-asked-for', // Nobody could ask for a code.
  'no-direct-link', // No link in the e-mails leads straight to a PDF; one may lead to a page that has the copy.
  'no-documents', // There are no completed documents to look at.
  'before-approval', // Somebody had still to approve.
  'unknown-outcome', // What came of an attempt is not known.
  'unattended', // Nobody listened between the runs.
  'sent-early', // Requests are sent before the profile sends them, so the person who was added first need not wait for others.
  'overtaken', // Callbacks need very different times, so one may overtake another.
  'follows', // The violation of another requirement explains it.
  'unproved', // What it assumes was shown nowhere.
  'unsent', // Nothing shows that the request was sent to anybody.
  'call-failed', // A call of the profile failed, or one that had to be refused was accepted.
  'refused-url', // The request was refused with its CallbackUrl, and accepted without.
  'same-id', // Two requests have the same id.
  'stuck', // The flow did not get that far, since somebody could not act.
  'misread', // As `stuck`, and the profile may name another call, or the call itself may not be understood.
  'undecided', // What would decide did not happen.
] as const;
export type FlowExcuse = (typeof flowExcuses)[number];
