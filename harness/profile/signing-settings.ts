/** The parts `signing` and `outbox` of a target profile: how requests are sent, and how people act and are written to. */
import { type Static, Type } from '@sinclair/typebox';
import { CallTemplate, closed, milliseconds, named, placeOf } from './parts.ts';

const pattern = Type.String({ format: 'regex' });

export const Mailbox = Type.Object(
  {
    list: CallTemplate,
    messages: Type.Optional(
      placeOf('Leads to the list of messages in the answer; the answer itself by default.'),
    ),
    id: Type.Optional(
      placeOf('Leads from a message to its id, which `message` is called with as {messageId}.'),
    ),
    message: Type.Optional(CallTemplate),
    to: Type.Optional(
      placeOf('Leads from a message to the address or number that it went to; usual names are known.'),
    ),
    text: Type.Optional(
      placeOf(
        'Leads from a message to its text, where codes and links are looked for; usual names are known.',
      ),
    ),
  },
  {
    ...closed,
    description:
      'Where messages to {email} or {mobileNumber} are read, newest first or last: a list of whole messages, or a list and one call for each message. {requestId}, {signatoryId} and {name} are filled in too.',
  },
);

export const Outbox = Type.Object(
  {
    email: Type.Optional(Mailbox),
    sms: Type.Optional(Mailbox),
    link: Type.Optional(
      Type.String({
        ...pattern,
        description: 'Finds the link to the signing page in an e-mail: its first group, or all of it.',
      }),
    ),
    code: Type.Optional(
      Type.String({
        ...pattern,
        description: 'Finds a one-time password in a message: its first group, or all of it.',
      }),
    ),
    waitMs: Type.Optional(milliseconds('How long a message may take to arrive; 5000 by default.')),
  },
  { ...closed, description: 'How messages that the target sends to people are read.' },
);

const selector = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));

export const Page = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        description:
          'Address of the signing page, with {requestId}, {signatoryId} and {email}; the link in the e-mail by default.',
      }),
    ),
    ready: selector('Is there once the page can be used.'),
    requestOtp: selector('Makes the target send a one-time password.'),
    otp: selector('Takes a one-time password; several for several codes.'),
    accessCode: selector('Takes the AccessCode.'),
    submitCodes: selector('Sends the codes.'),
    sign: Type.String({ minLength: 1, description: 'Signs.' }),
    approve: selector('Approves.'),
    done: Type.String({ minLength: 1, description: 'Is there once the person has acted.' }),
    refused: selector('Is there when the person may not act, or not now, or a code was wrong.'),
    document: selector('Is there when the document can be looked at.'),
  },
  { ...closed, description: 'The signing page, as selectors of Playwright.' },
);

export const Signing = Type.Object(
  {
    driver: Type.Union(
      [Type.Literal('http'), Type.Literal('browser'), Type.Literal('manual'), Type.Literal('module')],
      {
        description:
          'How people act: calls.sign and calls.approve, the signing page, a person, a module of yours.',
      },
    ),
    send: Type.Optional(
      Type.Union(
        [
          Type.Literal('call'),
          Type.Literal('creation'),
          Type.Literal('first-signatory'),
          Type.Literal('last-signatory'),
          Type.Literal('delay'),
        ],
        {
          default: 'call',
          description:
            'What sends a type 0 request: calls.send, its creation, its first or its last signatory, or time.',
        },
      ),
    ),
    last: Type.Optional(
      Type.Object(
        {
          query: Type.Optional(named('Query parameters of that call.')),
          headers: Type.Optional(named('Header fields of that call.')),
        },
        {
          ...closed,
          description:
            'With send "last-signatory": what tells the target that the signatory who is being added is the last one.',
        },
      ),
    ),
    delayMs: Type.Optional(
      milliseconds('With send "delay": how long after the last signatory the request is sent.'),
    ),
    readyMs: Type.Optional(
      milliseconds('How long it may take until a signatory whose turn has come can act; 2000 by default.'),
    ),
    page: Type.Optional(Page),
    module: Type.Optional(
      Type.String({ description: 'A JavaScript or TypeScript module, relative to the profile.' }),
    ),
    requests: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Manual: requests that people are asked to sign; 3 by default.',
      }),
    ),
    timeoutMs: Type.Optional(milliseconds('Manual or module: how long people have; 600000 by default.')),
  },
  {
    ...closed,
    description: 'How requests are sent and signed; without it events and signing cannot be checked.',
  },
);

/** Requests that people are asked to sign unless the profile says otherwise. */
export const defaultRequests = 3;

export type SigningSettings = Static<typeof Signing>;
export type PageSettings = Static<typeof Page>;
export type OutboxSettings = Static<typeof Outbox>;
export type MailboxSettings = Static<typeof Mailbox>;
