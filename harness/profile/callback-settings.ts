/** The part `callbacks` of a target profile: where callbacks go, how they are read, what proves their origin. */
import { type Static, Type } from '@sinclair/typebox';
import { AuthenticitySettings } from './authenticity-settings.ts';
import { closed, placeOf } from './parts.ts';

const milliseconds = (description: string) => Type.Integer({ minimum: 0, maximum: 3_600_000, description });
/** A text that is one of a few; a schema with `enum`, whose message names them all. */
const oneOf = <const Name extends string>(
  names: readonly Name[],
  options: { default?: Name; description?: string } = {},
) => Type.Unsafe<Name>({ type: 'string', enum: [...names], ...options });
const code = Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3), Type.Literal('other')]);

const Time = Type.Object(
  {
    at: placeOf('Where the time stands.'),
    format: Type.Optional(
      oneOf(['auto', 'text', 'unix'], {
        default: 'auto',
        description: 'text: ISO 8601 or an HTTP date; unix: a number since 1970.',
      }),
    ),
    unit: Type.Optional(
      oneOf(['s', 'ms', 'us', 'ns'], {
        description: 'Unit of a unix time; told by its size when absent.',
      }),
    ),
  },
  { ...closed, description: "The event's own time." },
);

const Decoding = Type.Partial(
  Type.Object({
    format: oneOf(['auto', 'json', 'xml', 'form', 'multipart', 'text'], {
      default: 'auto',
      description: 'By Content-Type and first bytes when auto.',
    }),
    list: placeOf('Leads to the list of events, where there is one.'),
    event: placeOf('Where the code or name of the event stands.'),
    codes: Type.Record(Type.String(), code, {
      description:
        'Event code for each name or number that the target sends; other: an event that the interface document does not know.',
    }),
    requestId: placeOf('Where the id of the request stands.'),
    signatory: Type.Partial(
      Type.Object({
        id: placeOf('Where the signatoryId stands.'),
        email: placeOf('Where the e-mail address of the signatory stands.'),
        name: placeOf('Where the name of the signatory stands.'),
      }),
      { ...closed, description: 'What tells who has signed; one of them is enough.' },
    ),
    time: Time,
  }),
  {
    ...closed,
    description:
      'How a delivery is read. What is not given is looked for. list leads to the list of events where one delivery carries several; other pointers begin at the event.',
  },
);

const Attachments = Type.Object(
  {
    as: oneOf(['base64', 'data-url', 'part', 'url'], {
      description: 'base64 or a data: URL in a field, a part of a multipart body, or a URL to fetch.',
    }),
    list: Type.Optional(
      placeOf(
        'Leads to the list of attachments, to a single one, or to a mapping of file names to contents.',
      ),
    ),
    content: Type.Optional(placeOf('Leads from an item to its content.')),
    name: Type.Optional(placeOf('Leads from an item to its file name.')),
  },
  {
    ...closed,
    description:
      'How the signed PDFs are attached: list leads to a list or a single item, content and name start at an item.',
  },
);

const Limits = Type.Partial(
  Type.Object({
    bodyBytes: Type.Integer({ minimum: 1024, description: 'Bytes of one body; 64 MiB by default.' }),
    headerBytes: Type.Integer({
      minimum: 1024,
      maximum: 1_048_576,
      description: 'Bytes of all header fields of one delivery; 16 KiB by default.',
    }),
    deliveriesPerCheck: Type.Integer({
      minimum: 1,
      description: 'Deliveries to one address; 200 by default.',
    }),
    deliveries: Type.Integer({ minimum: 1, description: 'Deliveries of the run; 20000 by default.' }),
    bytes: Type.Integer({ minimum: 1024, description: 'Bytes of all bodies together; 1 GiB by default.' }),
    arrivalMs: milliseconds('How long one delivery may take to arrive; 60000 by default.'),
    connections: Type.Integer({
      minimum: 1,
      description: 'Connections at the same time; 1000 by default.',
    }),
    held: Type.Integer({
      minimum: 1,
      description: 'Deliveries that wait for their request id to be known; 200 by default.',
    }),
    heldMs: milliseconds('How long a delivery waits until its request id is known; 60000 by default.'),
  }),
  { ...closed, description: 'What the listener takes at most; more is refused and reported.' },
);

export const CallbackSettings = Type.Partial(
  Type.Object({
    listen: Type.Partial(
      Type.Object({
        host: Type.String({ minLength: 1, description: '127.0.0.1 by default.' }),
        port: Type.Integer({ minimum: 0, maximum: 65_535, description: '0, any free port, by default.' }),
      }),
      { ...closed, description: 'Address on this machine at which callbacks are taken.' },
    ),
    publicUrl: Type.String({
      pattern: '^https?://[^?#]+$',
      description: 'URL by which the target reaches the listener, through a tunnel or an ingress of yours.',
    }),
    placeholderUrl: Type.String({
      pattern: '^(https?://|/)',
      description:
        'A CallbackUrl that the target takes and that disturbs nobody, for creations whose callbacks nobody waits for; below the base URL when it begins with a slash. Without it a refusal of CallbackUrl may only mean that the target cannot reach it.',
    }),
    correlate: Type.Union(
      [
        Type.Literal('path'),
        Type.Literal('request-id'),
        Type.Object(
          {
            query: Type.String({
              pattern: '^[A-Za-z0-9_.~-]+$',
              description: 'Name of the query parameter.',
            }),
          },
          closed,
        ),
      ],
      {
        default: 'path',
        description:
          'How a delivery finds its check: a path of its own, a query value of its own, or the request id on one fixed URL.',
      },
    ),
    limits: Limits,
    decoding: Decoding,
    attachments: Attachments,
    authenticity: AuthenticitySettings,
    deliveryId: placeOf('What a repeated delivery has in common.'),
    requestReceived: oneOf(['creation', 'sending', 'completion'], {
      default: 'completion',
      description: 'By when event 1 (request received) has been sent.',
    }),
    signatoryCompletedRoles: Type.Array(oneOf(['signer', 'approver']), {
      minItems: 1,
      description: 'Roles for whom event 2 is sent; when absent, an approver may or may not be among them.',
    }),
    grace: Type.Partial(
      Type.Object({
        arrivalMs: milliseconds(
          'How long after its cause an event may arrive, or after the one before it; 10000 by default.',
        ),
        silenceMs: milliseconds('How long nothing must arrive where nothing is due; 1000 by default.'),
      }),
      { ...closed, description: 'How long is waited for events.' },
    ),
  }),
  { ...closed, description: 'Callbacks of the target, whose shape the interface document leaves open.' },
);

export type CallbackSettings = Static<typeof CallbackSettings>;
export type AttachmentSettings = NonNullable<CallbackSettings['attachments']>;

/** Times after which an event is missing, and after which silence is believed. */
export const graceDefaults = { arrivalMs: 10_000, silenceMs: 1_000 } as const;
