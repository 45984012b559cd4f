/** What a flow was to show and what it showed instead, as data: who may do what, what reaches people, which callbacks come. */
import { type Static, Type } from '@sinclair/typebox';
import { role } from '../openapi/codes.ts';
import { count, type DeepReadonly, list, literals, object, optional, text } from './schema-parts.ts';

const person = object({
  signatory: count('Position in the plan of the flow, from 0.'),
  role: literals(Object.keys(role) as (keyof typeof role)[]),
  order: Type.Integer(),
});
/** A signatory of a flow. */
export type Person = Static<typeof person>;

const code = Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3), Type.Literal('other')]);
const codes = list(Type.Integer());
const act = literals(['sign', 'approve']);
const delivery = count('Number of the delivery.');
/** Without a delivery: it came in the run that this one goes on with. */
const seenEvent = object({
  code,
  signatory: optional(count('Position in the plan.')),
  delivery: optional(delivery),
});
export type EventSeen = Static<typeof seenEvent>;

const place = object({ of: literals(['page', 'e-mail', 'copy', 'documents']), person: optional(person) });
export type Place = Static<typeof place>;

/** The kind with its facts. */
const kind = <Is extends string, Facts extends Parameters<typeof Type.Object>[0]>(is: Is, facts: Facts) =>
  object({ is: Type.Literal(is), ...facts });

/**
 * What every compliant service does in a flow:
 * - `events`: callbacks with these codes come, event 2 for each of the people; `all`: CallbackTypes is [0]
 * - `only-events`, `none-for-cc`, `no-callback`, `none-in-vain`: nothing else comes, for a CC, without a CallbackUrl, for
 *   a creation that was refused
 * - `callback-url`: they go to CallbackUrl as given
 * - `after-act`: they come when the person, or anybody, has acted; `sequence`: one before the other
 * - `documents`, `no-documents`: the final callback carries the signed PDFs, or no callback carries one
 * - `can`, `cannot`: the person may act, or may not; `no-otp`: nobody asks them for a code
 * - `sent`: the request can be sent; `completes`: also with a CC in it, or after additions that were refused
 * - `shows`, `hides`: a page or an e-mail shows something; none shows the PrivateMessage to somebody else
 * - `refused`: a call is refused
 * - `written-to`, `not-written-to`: who takes part gets an e-mail, whom a refused call names gets none
 * - `code`: a one-time password comes by the channel; `copy`: a CC receives the final copy
 * - `color-unseen`: the completed documents do not show the Color; `stamps`: they show the stamps as they were given
 */
const expected = Type.Union([
  kind('events', {
    codes,
    people: optional(list(person)),
    all: optional(Type.Literal(true)),
  }),
  kind('only-events', { codes }),
  kind('none-for-cc', {}),
  kind('no-callback', {}),
  kind('none-in-vain', {}),
  kind('callback-url', {}),
  kind('after-act', { person: optional(person) }),
  kind('sequence', { codes }),
  kind('documents', { count: Type.Integer() }),
  kind('no-documents', {}),
  kind('can', { person, act }),
  kind('cannot', { person, act, why: text() }),
  kind('no-otp', { person }),
  kind('sent', {}),
  kind('initiated', { type: Type.Integer() }),
  kind('completes', { despite: literals(['cc', 'refused']) }),
  kind('shows', { what: text(), places: list(place) }),
  kind('hides', { to: list(person), places: list(place) }),
  kind('refused', { call: text() }),
  kind('written-to', { person }),
  kind('not-written-to', { call: text() }),
  kind('code', { channel: literals(['email', 'sms']) }),
  kind('copy', {}),
  kind('color-unseen', { color: text() }),
  kind('stamps', {}),
]);
export type FlowExpected = DeepReadonly<Static<typeof expected>>;

const seen = object(
  {
    events: optional(list(seenEvent)),
    delivery: optional(delivery),
    target: optional(text('Path and query to which the delivery went.')),
    earlyMs: optional(Type.Integer()),
    missing: optional(list(text(), 'Markers of documents.')),
    cut: optional(text('Name of a file that is not whole.')),
    short: optional(object({ marker: text(), pages: Type.Integer(), most: Type.Integer() })),
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

const counted = ['refused', 'shared', 'connections', 'astray'] as const;

/**
 * Why something may have been sent although it was not seen:
 * - `refused`, `shared`: so many deliveries to the address of the request, or to that of all, were turned away
 * - `connections`: so many were dropped; `astray`: so many deliveries went to the CallbackUrl of another request
 * - `gone`: the target no longer answered when the run ended
 * - `forged`, `unread`: a delivery is not believed to come from the target, or could not be read, and why
 */
const loss = Type.Union([
  object({ of: literals(counted), count: Type.Integer() }),
  object({ of: Type.Literal('gone') }),
  object({ of: Type.Literal('forged'), what: text() }),
  object({ of: Type.Literal('unread'), delivery: Type.Integer(), what: text() }),
]);
export type Loss = DeepReadonly<Static<typeof loss>>;

/** What excuses in flows rest on. */
export const flowBecause = {
  codes: optional(codes),
  people: optional(list(person)),
  events: optional(list(seenEvent)),
  delivery: optional(delivery),
  loss: optional(loss),
  places: optional(list(place)),
  requirement: optional(text('Whose violation explains it.')),
};

/**
 * Why something proves nothing although a flow showed it, or not:
 * - `unseen`: it may have been sent all the same (`loss`)
 * - `nothing-arrived`: no callback at all; nothing shows that the target reaches the listener
 * - `not-arrived`: the callback did not come that would decide
 * - `nameless`: callbacks name nobody, or no request of the run
 * - `unknown-request`: callbacks name a request that the run did not create
 * - `explicit-codes-too`: explicit codes bring no more
 * - `unread-file`, `unread`: a file, a page or an e-mail may hold it, and cannot be read
 * - `unread-messages`: messages cannot be read
 * - `not-asked-for`: nobody could ask for a code
 * - `no-direct-link`: links in the e-mails lead to something else, behind which the copy may be
 * - `no-documents`: there are no completed documents to look at
 * - `before-approval`: somebody had still to approve
 * - `unknown-outcome`: what came of an attempt is not known
 * - `unattended`: nobody listened between the runs
 * - `follows`: the violation of another requirement explains it; `unproved`: what it assumes was shown nowhere
 * - `unsent`: nothing shows that the request was sent to anybody
 * - `call-failed`: a call of the profile did not do what it is for, or one that had to be refused was taken
 * - `refused-url`: the request was refused with its CallbackUrl, and taken without
 * - `same-id`: two requests have one id
 * - `stuck`: the flow did not get there, since somebody could not act
 * - `undecided`: what would decide did not happen
 */
export const flowExcuses = [
  'unseen',
  'nothing-arrived',
  'not-arrived',
  'nameless',
  'unknown-request',
  'explicit-codes-too',
  'unread-file',
  'unread',
  'unread-messages',
  'not-asked-for',
  'no-direct-link',
  'no-documents',
  'before-approval',
  'unknown-outcome',
  'unattended',
  'follows',
  'unproved',
  'unsent',
  'call-failed',
  'refused-url',
  'same-id',
  'stuck',
  'undecided',
] as const;
export type FlowExcuse = (typeof flowExcuses)[number];
