/** The parts `signing` and `outbox` of a target profile: how requests are sent, and how people act and are written to. */
import { type Static, Type } from '@sinclair/typebox';
import { atLeast, filled, literals, object, optional, text } from '../../record/schema-parts.ts';
import { callThat, milliseconds, named, placeOf } from './parts.ts';

const pattern = Type.String({ format: 'regex' });

export const Mailbox = object(
  {
    list: callThat('Lists the messages to a person.'),
    messages: optional(placeOf('Leads to the list of messages in the answer; the answer itself by default.')),
    id: optional(placeOf('Leads from a message to its id, which `message` is called with as {messageId}.')),
    message: optional(callThat('Gives one message of the list: {messageId}.')),
    to: optional(
      placeOf('Leads from a message to the address or number that it went to; usual names are known.'),
    ),
    text: optional(
      placeOf(
        'Leads from a message to its text, where codes and links are looked for; usual names are known.',
      ),
    ),
  },
  'A list of whole messages, or a list and one call for each message.',
);

/** A mailbox, which stands in the profile's `$defs`. */
const mailboxOf = (description: string) =>
  Type.Unsafe<Static<typeof Mailbox>>({ $ref: '#/$defs/mailbox', description });

export const Outbox = object(
  {
    email: optional(
      mailboxOf(
        'Where e-mails to {email} are read, newest first or last: a list of whole messages, or a list and one call for each message. {requestId}, {signatoryId} and {name} are filled in too.',
      ),
    ),
    sms: optional(mailboxOf('Where SMS messages to {mobileNumber} are read, in the same ways.')),
    link: optional(
      Type.String({
        ...pattern,
        description:
          'Finds the link to the signing page in an e-mail: its first group, or all of it. A part of the address is enough; a group that is no address is its {token}, unless the pattern itself has that word.',
      }),
    ),
    code: optional(
      Type.String({
        ...pattern,
        description: 'Finds a one-time password in a message: its first group, or all of it.',
      }),
    ),
    waitMs: optional(milliseconds('How long a message may take to arrive; 5000 by default.')),
  },
  'How messages that the target sends to people are read.',
);

const selector = (description: string) => optional(filled(description));

export const Page = object(
  {
    url: optional(
      text(
        'Address of the signing page, with {requestId}, {signatoryId} and {email}; the link in the e-mail by default.',
      ),
    ),
    ready: selector('Is there once the page can be used.'),
    requestOtp: selector('Makes the target send a one-time password.'),
    otp: selector('Takes a one-time password; several for several codes.'),
    accessCode: selector('Takes the AccessCode.'),
    submitCodes: selector('Sends the codes.'),
    sign: filled('Signs.'),
    approve: selector('Approves.'),
    done: filled('Is there once the person has acted.'),
    refused: selector('Is there when the person may not act, or not now, or a code was wrong.'),
    document: selector('Is there when the document can be looked at.'),
  },
  'The signing page, as selectors of Playwright.',
);

export const Signing = object(
  {
    driver: literals(
      ['http', 'browser', 'manual', 'module'],
      'How people act: calls.sign and calls.approve, the signing page, a person, a module of yours.',
    ),
    send: optional(
      literals(
        ['call', 'creation', 'first-signatory', 'last-signatory', 'delay'],
        'What sends a type 0 request: calls.send, its creation, its first or its last signatory, or time.',
        'call',
      ),
    ),
    last: optional(
      object(
        {
          query: optional(named('Query parameters of that call.')),
          headers: optional(named('Header fields of that call.')),
        },
        'With send "last-signatory": what tells the target that the signatory who is being added is the last one.',
      ),
    ),
    delayMs: optional(
      milliseconds('With send "delay": how long after the last signatory the request is sent.'),
    ),
    readyMs: optional(
      milliseconds('How long it may take until a signatory whose turn has come can act; 2000 by default.'),
    ),
    page: optional(Page),
    module: optional(text('A JavaScript or TypeScript module, relative to the profile.')),
    requests: optional(atLeast(1, 'Manual: requests that people are asked to sign; 3 by default.')),
    timeoutMs: optional(milliseconds('Manual or module: how long people have; 600000 by default.')),
  },
  'How requests are sent and signed; without it events and signing cannot be checked.',
);

/** Requests that people are asked to sign unless the profile says otherwise. */
export const defaultRequests = 3;

export type SigningSettings = Static<typeof Signing>;
export type PageSettings = Static<typeof Page>;
export type OutboxSettings = Static<typeof Outbox>;
export type MailboxSettings = Static<typeof Mailbox>;
