/** The part `callbacks` of a target profile: where callbacks go, how they are read, and how their origin is proved. */
import { type Static, Type } from '@sinclair/typebox';
import { eventCode } from '../../record/flow-finding.ts';
import {
  atLeast,
  count,
  literals,
  mapping,
  nonEmpty,
  object,
  optional,
  text,
} from '../../record/schema-parts.ts';
import { aPlace, milliseconds, secretText } from './parts.ts';

/** The value of `kind`, which names the proof of origin. */
const kind = <const Kind extends string>(value: Kind, description: string) =>
  Type.Literal(value, { description });
const secret = secretText('Refer to a variable of the environment.');
const toleranceS = count('How far the signed time may be from that of arrival.');

const Hmac = mapping(
  {
    kind: kind('hmac', 'A signature over the delivery by HMAC (RFC 2104).'),
    header: nonEmpty('Header field that carries the signature.'),
    secret,
    secretEncoding: literals(
      ['utf8', 'hex', 'base64'],
      'How the bytes of the key are written in secret.',
      'utf8',
    ),
    algorithm: literals(['sha1', 'sha256', 'sha384', 'sha512'], 'Hash function of the signature.', 'sha256'),
    encoding: literals(
      ['hex', 'base64', 'base64url'],
      'How the bytes of the signature are written in the header.',
      'hex',
    ),
    prefix: text('Stands before the signature, such as "sha256="; it may be missing.'),
    fields: mapping(
      {
        separator: Type.String({ minLength: 1, default: ',', description: 'Stands between two fields.' }),
        signature: nonEmpty('Name of the field with the signature: v1.'),
        timestamp: nonEmpty('Name of that with the time: t.'),
      },
      'For a header of named fields such as "t=1700000000,v1=ab…".',
      ['signature'],
    ),
    timestampHeader: nonEmpty('Header field that carries the signed time.'),
    signedPayload: Type.String({
      default: '{body}',
      description: 'What is signed: {body}, {timestamp}, {url}, {target}, {method}, {header:Name}.',
    }),
    toleranceS,
  },
  undefined,
  ['kind', 'header', 'secret'],
);

export const AuthenticitySettings = Type.Union(
  [
    object({ kind: kind('none', 'Nothing proves it.') }),
    object({
      kind: kind('query', 'A secret in the query of CallbackUrl.'),
      parameter: nonEmpty('Name of the query parameter.'),
      secret,
    }),
    object({
      kind: kind('header', 'A secret in a header field.'),
      header: nonEmpty('Name of the header field.'),
      secret,
    }),
    object({
      kind: kind('basic', 'User name and secret by HTTP Basic authentication (RFC 7617).'),
      user: nonEmpty('User name of the target at the callback address.'),
      secret,
    }),
    object({ kind: kind('bearer', 'A secret as bearer token in Authorization.'), secret }),
    Hmac,
    object({
      kind: kind('standard-webhooks', 'A signature by Standard Webhooks.'),
      secret,
      toleranceS: optional(toleranceS),
    }),
  ],
  { description: 'What proves that a callback comes from the target.' },
);

export type AuthenticitySettings = Static<typeof AuthenticitySettings>;
export type HmacSettings = Static<typeof Hmac>;

/** Query parameters that CallbackUrl has to carry: the secret, where it is the proof of origin. */
export function queryProof(settings: AuthenticitySettings | undefined): Record<string, string> {
  return settings?.kind === 'query' ? { [settings.parameter]: settings.secret } : {};
}

const upToAnHour = (description: string) => milliseconds(description, 3_600_000);
/** A schema for one of a few texts, by `enum`, so that a message about it names them all. */
const oneOf = <const Name extends string>(
  names: readonly Name[],
  options: { default?: Name; description?: string } = {},
) => Type.Unsafe<Name>({ type: 'string', enum: [...names], ...options });

const Time = mapping(
  {
    at: aPlace('Where the time stands.'),
    format: oneOf(['auto', 'text', 'unix'], {
      default: 'auto',
      description: 'text: ISO 8601 or an HTTP date; unix: a number since 1970.',
    }),
    unit: oneOf(['s', 'ms', 'us', 'ns'], {
      description: 'Unit of a unix time; told by its size when absent.',
    }),
  },
  "The event's own time.",
  ['at'],
);

const Decoding = mapping(
  {
    format: oneOf(['auto', 'json', 'xml', 'form', 'multipart', 'text'], {
      default: 'auto',
      description: 'By Content-Type and first bytes when auto.',
    }),
    list: aPlace('Leads to the list of events, where there is one.'),
    event: aPlace('Where the code or name of the event stands.'),
    codes: Type.Record(text(), eventCode, {
      description:
        'Event code for each name or number that the target sends; other: an event that the interface document does not know, or a message that is none, known by a word in it or the name of a field.',
    }),
    requestId: aPlace('Where the id of the request stands.'),
    signatory: mapping(
      {
        id: aPlace('Where the signatoryId stands.'),
        email: aPlace('Where the e-mail address of the signatory stands.'),
        name: aPlace('Where the name of the signatory stands.'),
      },
      'What tells who has signed; one of them is enough.',
    ),
    time: Time,
  },
  'How a delivery is read. What is not given is looked for. list leads to the list of events where one delivery carries several; other pointers begin at the event.',
);

const Attachments = mapping(
  {
    as: oneOf(['base64', 'data-url', 'part', 'url'], {
      description: 'base64 or a data: URL in a field, a part of a multipart body, or a URL to fetch.',
    }),
    list: aPlace(
      'Leads to the list of attachments, to a single one, or to a mapping of file names to contents.',
    ),
    content: aPlace('Leads from an item to its content.'),
    name: aPlace('Leads from an item to its file name.'),
  },
  'How the signed PDFs are attached: list leads to a list or a single item, content and name start at an item.',
  ['as'],
);

/** Limits of the listener where the profile sets none; the schema below says what each one bounds. */
export const limitDefaults = {
  // Three documents of 16 MB in base64. Receivers of integrators lost files with lower limits.
  bodyBytes: 64 * 1024 * 1024,
  // The limit of common servers.
  headerBytes: 16 * 1024,
  // A check causes about ten events; a target that repeats each of them ten times still fits.
  deliveriesPerCheck: 200,
  // The limit of some hundred requests with `deliveriesPerCheck` each.
  deliveries: 20_000,
  bytes: 1024 * 1024 * 1024,
  // The time for 64 MiB over a line of 10 Mbit/s.
  arrivalMs: 60_000,
  connections: 1_000,
  // Held until the creation is answered, since event 1 may overtake that answer; the answer takes far less time.
  heldMs: 60_000,
  // Enough for all requests that a run creates at the same time, and for some foreign ones.
  held: 200,
} as const;

const MiB = 1024 * 1024;

const Limits = mapping(
  {
    bodyBytes: atLeast(1024, `Bytes of one body; ${limitDefaults.bodyBytes / MiB} MiB by default.`),
    headerBytes: Type.Integer({
      minimum: 1024,
      maximum: 1_048_576,
      description: `Bytes of all header fields of one delivery; ${limitDefaults.headerBytes / 1024} KiB by default.`,
    }),
    deliveriesPerCheck: atLeast(
      1,
      `Deliveries to one address; ${limitDefaults.deliveriesPerCheck} by default.`,
    ),
    deliveries: atLeast(1, `Deliveries of the run; ${limitDefaults.deliveries} by default.`),
    bytes: atLeast(1024, `Bytes of all bodies together; ${limitDefaults.bytes / 1024 / MiB} GiB by default.`),
    arrivalMs: upToAnHour(`How long one delivery may take to arrive; ${limitDefaults.arrivalMs} by default.`),
    connections: atLeast(1, `Connections at the same time; ${limitDefaults.connections} by default.`),
    held: atLeast(
      1,
      `Deliveries that wait for their request id to be known; ${limitDefaults.held} by default.`,
    ),
    heldMs: upToAnHour(
      `How long a delivery waits until its request id is known; ${limitDefaults.heldMs} by default.`,
    ),
  },
  'What the listener takes at most; more is refused and reported.',
);

/** How long an event is waited for before it counts as missing, and how long it must be quiet to count as silence. */
export const graceDefaults = { arrivalMs: 10_000, silenceMs: 1_000 } as const;

export const CallbackSettings = mapping(
  {
    listen: mapping(
      {
        host: nonEmpty('127.0.0.1 by default.'),
        port: Type.Integer({ minimum: 0, maximum: 65_535, description: '0, any free port, by default.' }),
      },
      'Address on this machine at which callbacks are taken.',
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
        object({
          query: Type.String({ pattern: '^[A-Za-z0-9_.~-]+$', description: 'Name of the query parameter.' }),
        }),
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
    deliveryId: aPlace('What a repeated delivery has in common.'),
    requestReceived: oneOf(['creation', 'sending', 'completion'], {
      default: 'completion',
      description: 'By when event 1 (request received) has been sent.',
    }),
    signatoryCompletedRoles: Type.Array(oneOf(['signer', 'approver']), {
      minItems: 1,
      description: 'Roles for whom event 2 is sent; when absent, an approver may or may not be among them.',
    }),
    grace: mapping(
      {
        arrivalMs: upToAnHour(
          `How long after its cause an event may arrive, or after the one before it; ${graceDefaults.arrivalMs} by default.`,
        ),
        silenceMs: upToAnHour(
          `How long nothing must arrive where nothing is due; ${graceDefaults.silenceMs} by default.`,
        ),
      },
      'How long is waited for events.',
    ),
  },
  'Callbacks of the target, whose shape the interface document leaves open.',
);

export type CallbackSettings = Static<typeof CallbackSettings>;
export type ListenerLimits = Readonly<Required<NonNullable<CallbackSettings['limits']>>>;
export type AttachmentSettings = NonNullable<CallbackSettings['attachments']>;
