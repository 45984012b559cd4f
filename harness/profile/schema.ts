/** The target profile: how a service fills the gaps of the interface document, as a schema and its type. */
import { type Static, Type } from '@sinclair/typebox';
import { CallbackSettings } from '../callbacks/settings.ts';
import { CallTemplate, closed, milliseconds, pointer, strings } from './parts.ts';
import { Outbox, Signing } from './signing-settings.ts';

const Address = Type.Object(
  {
    baseUrl: Type.String({ pattern: '^https?://', description: 'Base URL; may have a path.' }),
    ca: Type.Optional(Type.String({ description: 'File with the CA certificate (PEM) of the target.' })),
    headers: Type.Optional(strings),
    query: Type.Optional(strings),
    deadlineMs: Type.Optional(milliseconds('How long one call may take as a whole; 10000 by default.')),
    connectMs: Type.Optional(milliseconds('How long it may take to get connected; 4000 by default.')),
    maxResponseBytes: Type.Optional(
      Type.Integer({ minimum: 1024, description: 'A longer answer is cut off; 32 MiB by default.' }),
    ),
    perSecond: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'Calls a second at most.' })),
    inFlight: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 256, description: 'Calls at the same time at most.' }),
    ),
    visibleAfterMs: Type.Optional(
      milliseconds('How long a fresh id may be answered with 404; 2000 by default. Retries are reported.'),
    ),
  },
  closed,
);

const StaticToken = Type.Object(
  { kind: Type.Literal('static'), token: Type.String(), expiredToken: Type.Optional(Type.String()) },
  closed,
);

const ClientCredentials = Type.Object(
  {
    kind: Type.Literal('client-credentials'),
    tokenEndpoint: Type.String({ pattern: '^https?://' }),
    clientId: Type.String(),
    clientSecret: Type.String(),
    method: Type.Optional(
      Type.Union([Type.Literal('basic'), Type.Literal('body')], {
        default: 'basic',
        description: 'Where the client secret is sent: Authorization header or form body.',
      }),
    ),
    scope: Type.Optional(Type.String()),
    expiredToken: Type.Optional(Type.String({ description: 'An access token whose lifetime has passed.' })),
  },
  closed,
);

const Auth = Type.Union([StaticToken, ClientCredentials]);

const TokenPlace = Type.Union(
  [
    Type.Literal('auto'),
    Type.Literal('text'),
    Type.Object({ pointer }, closed),
    Type.Object({ header: Type.String() }, closed),
  ],
  {
    description:
      'Where the document token stands in the answer: a JSON Pointer (the empty one is a bare JSON string), plain text, or a header.',
  },
);

const Upload = Type.Object(
  {
    encoding: Type.Optional(
      Type.Union([Type.Literal('auto'), Type.Literal('multipart'), Type.Literal('raw')], { default: 'auto' }),
    ),
    field: Type.Optional(
      Type.String({ minLength: 1, description: 'Field of the multipart body; "file" by default.' }),
    ),
    fileName: Type.Optional(
      Type.Union(
        [Type.Object({ header: Type.String() }, closed), Type.Object({ query: Type.String() }, closed)],
        { description: 'Where the file name goes besides the multipart part.' },
      ),
    ),
    token: Type.Optional(TokenPlace),
  },
  closed,
);

const Creation = Type.Object(
  {
    body: Type.Unknown({
      description:
        'A body that the target takes as valid. {title}, {message}, {documentToken}, {email}, {name} and {mobileNumber} are filled in.',
    }),
  },
  closed,
);

const Create = Type.Object(
  {
    template: Type.Optional(Creation),
    fixed: Type.Optional(Creation),
    field: Type.Optional(
      Type.String({
        description: 'Multipart field that carries the JSON of types 1 to 3, for targets that want it so.',
      }),
    ),
  },
  { ...closed, description: 'Creation of types 1 and 2, whose bodies the interface document does not show.' },
);

const Calls = Type.Partial(
  Type.Object({
    deleteRequest: CallTemplate,
    invalidateDocument: CallTemplate,
    expireToken: CallTemplate,
    send: CallTemplate,
    stamps: CallTemplate,
    status: CallTemplate,
    sign: CallTemplate,
    approve: CallTemplate,
    requestOtp: CallTemplate,
    completedDocuments: CallTemplate,
    download: CallTemplate,
  }),
  { ...closed, description: 'Calls that the interface document speaks of but does not show.' },
);

const Limits = Type.Partial(
  Type.Object({
    signatories: Type.Integer({ minimum: 3, description: 'Signatories of one request; 10 by default.' }),
    documents: Type.Integer({ minimum: 1, description: 'Documents of one request; 2 by default.' }),
    documentUses: Type.Integer({
      minimum: 1,
      description: 'Requests in which one document token may be used.',
    }),
    requests: Type.Integer({
      minimum: 1,
      description: 'Signature requests that a run may create; 100 by default.',
    }),
  }),
  closed,
);

const People = Type.Partial(
  Type.Object({
    email: Type.String({
      pattern: '^[^@\\s]*\\{n\\}[^@\\s]*@[^@\\s]+$',
      description: 'Address of a person: {run} is the run id, {n} the number of the person.',
    }),
    mobileNumbers: Type.Array(Type.String({ pattern: '^\\+[0-9]{6,15}$' }), { minItems: 1 }),
  }),
  closed,
);

export const ProfileSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    extends: Type.Optional(
      Type.String({
        description: 'Another profile, relative to this one, whose keys stand where this one has none.',
      }),
    ),
    name: Type.Optional(Type.String({ minLength: 1, description: 'How reports call the target.' })),
    address: Address,
    auth: Auth,
    upload: Type.Optional(Upload),
    create: Type.Optional(Create),
    calls: Type.Optional(Calls),
    signing: Type.Optional(Signing),
    outbox: Type.Optional(Outbox),
    callbacks: Type.Optional(CallbackSettings),
    limits: Type.Optional(Limits),
    people: Type.Optional(People),
    tolerate: Type.Optional(
      Type.Partial(
        Type.Object({
          numericIds: Type.Boolean({
            description:
              'Go on with ids that are JSON numbers; the requirement that they are strings still fails.',
          }),
        }),
        closed,
      ),
    ),
    mustRun: Type.Optional(
      Type.Array(Type.String(), { description: 'Areas or requirement ids that must not be not-applicable.' }),
    ),
    notApplicable: Type.Optional(
      Type.Record(Type.String(), Type.String({ minLength: 1 }), {
        description:
          'Requirement ids that this target does not offer, each with the reason that the report quotes.',
      }),
    ),
  },
  {
    ...closed,
    $id: 'https://esign-conformance.example/profile.schema.json',
    title: 'esign-conformance target profile',
  },
);

export type Profile = Static<typeof ProfileSchema>;
export type AuthSettings = Static<typeof Auth>;
export type CallName = keyof Static<typeof Calls>;
export type TokenPlace = Static<typeof TokenPlace>;
