/** JSON Schema of recorded exchanges, deliveries and created objects, as run.json carries them. */
import { type Static, Type } from '@sinclair/typebox';
import { type DeepReadonly, literals, operationId } from './schema-parts.ts';
import { verdicts } from './verdict.ts';

const headers = Type.Array(Type.Tuple([Type.String(), Type.String()]), {
  description: 'Header fields in the order of the wire: name as spelled, value after redaction.',
});

const body = Type.Object(
  {
    mediaType: Type.String({ description: 'As declared by Content-Type; empty when none was.' }),
    size: Type.Integer({ minimum: 0, description: 'Bytes before redaction.' }),
    sha256: Type.String({ description: 'Of the bytes before redaction, hexadecimal.' }),
    text: Type.Optional(Type.String()),
    base64: Type.Optional(Type.String()),
    file: Type.Optional(Type.String({ description: 'Name of the file beside run.json with a large body.' })),
    documents: Type.Optional(
      Type.Array(
        Type.Object(
          {
            size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
            sha256: Type.String({ description: 'Hexadecimal.' }),
            pages: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
              description: 'Number of pages; null when it cannot be opened.',
            }),
          },
          { additionalProperties: false },
        ),
        { description: 'The PDFs in a body that is not kept because it carries some.' },
      ),
    ),
  },
  { additionalProperties: false },
);

const failure = Type.Object({ code: Type.String(), message: Type.String() }, { additionalProperties: false });

const violation = Type.Object(
  { requirement: Type.String(), pointer: Type.String(), message: Type.String() },
  { additionalProperties: false, description: 'Where an answer breaks the contract.' },
);

export const exchangeSchema = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'Position in the run.' }),
    operation: Type.Union([operationId, Type.Null()]),
    template: Type.Optional(Type.String({ description: 'Call template, for calls outside the contract.' })),
    purpose: literals([
      'judged',
      'shared',
      'flow',
      'observation',
      'token',
      'template',
      'confirmation',
    ] as const),
    check: Type.Optional(Type.String()),
    row: Type.Optional(Type.String()),
    request: Type.Object(
      {
        method: Type.String(),
        url: Type.String(),
        headers,
        body: Type.Union([body, Type.Null()]),
      },
      { additionalProperties: false },
    ),
    response: Type.Union([
      Type.Object(
        {
          status: Type.Integer(),
          reason: Type.String(),
          headers,
          body: Type.Union([body, Type.Null()]),
        },
        { additionalProperties: false },
      ),
      Type.Null(),
    ]),
    failure: Type.Optional(failure),
    startedAt: Type.String({ format: 'date-time' }),
    durationMs: Type.Number({ minimum: 0 }),
    retries: Type.Array(Type.String(), { description: 'Why each earlier attempt was repeated.' }),
    violations: Type.Array(violation),
    curl: Type.String({ description: 'Sends the request again; the token stands as $TOKEN.' }),
  },
  { additionalProperties: false },
);

export const deliverySchema = Type.Object(
  {
    id: Type.String(),
    check: Type.Optional(Type.String()),
    event: Type.Optional(Type.Integer({ description: 'Event code, when the payload could be read.' })),
    receivedAt: Type.Object(
      { start: Type.String({ format: 'date-time' }), end: Type.String({ format: 'date-time' }) },
      { additionalProperties: false, description: 'First and last byte.' },
    ),
    method: Type.String(),
    url: Type.String(),
    headers,
    body: Type.Union([body, Type.Null()]),
    answered: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Status of our answer; null when the connection was reset instead.',
    }),
  },
  { additionalProperties: false },
);

export const createdSchema = Type.Object(
  {
    kind: literals(['document', 'request', 'signatory'] as const),
    id: Type.String(),
    exchange: Type.Integer({ minimum: 0 }),
    removed: Type.Optional(
      Type.Boolean({
        description: 'Whether it was removed again at the end; absent when nothing was tried.',
      }),
    ),
  },
  { additionalProperties: false },
);

const attachedFile = Type.Object(
  {
    name: Type.Optional(Type.String()),
    state: literals(['whole', 'truncated', 'unreadable', 'no-pdf', 'link'] as const),
    size: Type.Optional(Type.Integer({ minimum: 0, description: 'In bytes.' })),
    pages: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  { additionalProperties: false },
);

export const timelineSchema = Type.Array(
  Type.Object(
    {
      at: Type.String({ format: 'date-time' }),
      until: Type.Optional(Type.String({ format: 'date-time' })),
      kind: literals(['action', 'delivery', 'allowed'] as const, 'allowed: from then on an event may come.'),
      flow: Type.Optional(Type.String({ description: 'Signature request that it is about.' })),
      title: Type.String(),
      delivery: Type.Optional(Type.String({ description: 'Id of the delivery.' })),
      attached: Type.Optional(Type.Array(attachedFile, { description: 'Files that the delivery brought.' })),
      verdict: Type.Optional(literals(verdicts)),
      message: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
);

export type Exchange = DeepReadonly<Static<typeof exchangeSchema>>;
export type Delivery = DeepReadonly<Static<typeof deliverySchema>>;
export type Created = DeepReadonly<Static<typeof createdSchema>>;
export type TimelineEntry = DeepReadonly<Static<typeof timelineSchema>>[number];
