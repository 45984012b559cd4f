/** The parts `signing` and `outbox` of a target profile: how requests are sent, how people act, and how messages reach them. */
import { type Static, Type } from '@sinclair/typebox';
import { atLeast, literals, mapping, nonEmpty, text } from '../../record/schema-parts.ts';
import { aPlace, callThat, milliseconds, textsByName } from './parts.ts';

const pattern = Type.String({ format: 'regex' });

export const Mailbox = mapping(
  {
    list: callThat('Lists the messages to a person.'),
    messages: aPlace('Leads to the list of messages in the answer; the answer itself by default.'),
    id: aPlace('Leads from a message to its id, which `message` is called with as {messageId}.'),
    message: callThat('Gives one message of the list: {messageId}.'),
    to: aPlace('Leads from a message to the address or number that it went to; usual names are known.'),
    text: aPlace(
      'Leads from a message to its text, where codes and links are looked for; usual names are known.',
    ),
  },
  'A list of whole messages, or a list and one call for each message.',
  ['list'],
);

/** A mailbox, in the profile's `$defs`. */
const mailboxOf = (description: string) =>
  Type.Unsafe<Static<typeof Mailbox>>({ $ref: '#/$defs/mailbox', description });

/** How long the run waits for a message where the profile says nothing. */
export const defaultWaitMs = 5_000;

export const OutboxSettings = mapping(
  {
    email: mailboxOf(
      'Where e-mails to {email} are read, newest first or last: a list of whole messages, or a list and one call for each message. {requestId}, {signatoryId} and {name} are filled in too.',
    ),
    sms: mailboxOf('Where SMS messages to {mobileNumber} are read, in the same ways.'),
    link: Type.String({
      ...pattern,
      description:
        'Finds the link to the signing page in an e-mail: its first group, or all of it. A part of the address is enough; a group that is no address is its {token}, unless the pattern itself has that word.',
    }),
    code: Type.String({
      ...pattern,
      description: 'Finds a one-time password in a message: its first group, or all of it.',
    }),
    waitMs: milliseconds(
      `How long a message may take to arrive; ${defaultWaitMs} by default. Below 1000 nothing is blamed that does not come.`,
    ),
  },
  'How messages that the target sends to people are read.',
);

const Page = mapping(
  {
    url: text(
      'Address of the signing page, with {requestId}, {signatoryId} and {email}; the link in the e-mail by default.',
    ),
    ready: nonEmpty('Is there once the page can be used.'),
    requestOtp: nonEmpty('Makes the target send a one-time password.'),
    otp: nonEmpty('Takes a one-time password; several for several codes.'),
    accessCode: nonEmpty('Takes the AccessCode.'),
    submitCodes: nonEmpty('Sends the codes.'),
    sign: nonEmpty('Signs.'),
    approve: nonEmpty('Approves.'),
    done: nonEmpty('Is there once the person has acted.'),
    refused: nonEmpty('Is there when the person may not act, or not now, or a code was wrong.'),
    document: nonEmpty('Is there when the document can be looked at.'),
  },
  'The signing page, as selectors of Playwright.',
  ['sign', 'done'],
);

/** How long the run waits for people, and how many requests it asks them to sign, where the profile says nothing. */
export const signingDefaults = { readyMs: 2_000, timeoutMs: 600_000, requests: 3 } as const;

export const Signing = mapping(
  {
    driver: literals(
      ['http', 'browser', 'manual', 'module'],
      'How people act: calls.sign and calls.approve, the signing page, a person, a module of yours.',
    ),
    send: literals(
      ['call', 'creation', 'first-signatory', 'last-signatory', 'delay'],
      'What sends a type 0 request: calls.send, its creation, its first or its last signatory, or time.',
      'call',
    ),
    last: mapping(
      {
        query: textsByName('Query parameters of that call.'),
        headers: textsByName('Header fields of that call.'),
      },
      'With send "last-signatory": what tells the target that the signatory who is being added is the last one.',
    ),
    delayMs: milliseconds('With send "delay": how long after the last signatory the request is sent.'),
    readyMs: milliseconds(
      `How long it may take until a signatory whose turn has come can act; ${signingDefaults.readyMs} by default.`,
    ),
    page: Page,
    module: text('A JavaScript or TypeScript module, relative to the profile.'),
    requests: atLeast(
      1,
      `Manual: requests that people are asked to sign; ${signingDefaults.requests} by default.`,
    ),
    timeoutMs: milliseconds(
      `Manual or module: how long people have; ${signingDefaults.timeoutMs} by default.`,
    ),
  },
  'How requests are sent and signed; without it events and signing cannot be checked.',
  ['driver'],
);

export type SigningSettings = Static<typeof Signing>;
export type PageSettings = Static<typeof Page>;
export type OutboxSettings = Static<typeof OutboxSettings>;
export type MailboxSettings = Static<typeof Mailbox>;
