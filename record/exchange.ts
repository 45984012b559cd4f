/** Recorded exchanges as run.json carries them: one request and its response, redacted; the schema gives the types. */
import { type Static, Type } from '@sinclair/typebox';
import { closed, type DeepReadonly, httpUrl, literals, operationId } from './schema-parts.ts';

/** Names of files with large bodies, below the folder of run.json: the suite gives no others. */
const bodyFile = '^bodies/[0-9a-f]{32,64}\\.[a-z]{1,8}$';
/** As RFC 9110 has methods, without signs that a shell reads. */
const method = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,31}$' });

export const headersSchema = Type.Array(Type.Tuple([Type.String(), Type.String()]), {
  description: 'Header fields in the order of the wire: name as spelled, value after redaction.',
});

export const bodySchema = Type.Object(
  {
    mediaType: Type.String({ description: 'As declared by Content-Type; empty when none was.' }),
    size: Type.Integer({ minimum: 0, description: 'Bytes before redaction.' }),
    sha256: Type.String({ description: 'Of the bytes before redaction, hexadecimal.' }),
    text: Type.Optional(Type.String()),
    base64: Type.Optional(Type.String()),
    file: Type.Optional(
      Type.String({ pattern: bodyFile, description: 'Name of the file beside run.json with a large body.' }),
    ),
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
          closed,
        ),
        { description: 'The PDFs in a body that is not kept because it carries some.' },
      ),
    ),
  },
  closed,
);

const failure = Type.Object({ code: Type.String(), message: Type.String() }, closed);

const violation = Type.Object(
  { requirement: Type.String(), pointer: Type.String(), message: Type.String() },
  { ...closed, description: 'Where an answer breaks the contract.' },
);

const attempt = Type.Object(
  {
    status: Type.Integer({ minimum: 0, description: 'What it was answered with; 0 without an answer.' }),
    because: literals(['not-taken', 'token', 'early', 'ended'] as const),
    waitedMs: Type.Integer({ minimum: 0, description: 'From its end to the next attempt.' }),
  },
  closed,
);

const purposes = ['judged', 'shared', 'flow', 'observation', 'token', 'template', 'confirmation'] as const;
/** What a call was made for. Only `judged` and `shared` calls are validated against the contract. */
export type Purpose = (typeof purposes)[number];

export const exchangeSchema = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'Position in the run.' }),
    operation: Type.Union([operationId, Type.Null()]),
    template: Type.Optional(Type.String({ description: 'Call template, for calls outside the contract.' })),
    purpose: literals(purposes),
    check: Type.Optional(
      Type.String({
        description: 'Requirement whose check made the call; absent for calls of the run itself.',
      }),
    ),
    row: Type.Optional(Type.String()),
    request: Type.Object(
      {
        method,
        url: httpUrl,
        headers: headersSchema,
        body: Type.Union([bodySchema, Type.Null()]),
      },
      closed,
    ),
    response: Type.Union([
      Type.Object(
        {
          status: Type.Integer(),
          reason: Type.String(),
          headers: headersSchema,
          body: Type.Union([bodySchema, Type.Null()]),
        },
        closed,
      ),
      Type.Null(),
    ]),
    failure: Type.Optional(failure),
    startedAt: Type.String({ format: 'date-time' }),
    durationMs: Type.Number({ minimum: 0 }),
    retries: Type.Array(Type.String(), { description: 'Why each earlier attempt was repeated.' }),
    attempts: Type.Optional(Type.Array(attempt, { description: 'The same as data, in the same order.' })),
    violations: Type.Array(violation),
    curl: Type.String({ description: 'Sends the request again; the token stands as $TOKEN.' }),
  },
  closed,
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
    removalStatus: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Status of the answer to a removal that was no success: 404 and 410 say that the target knows no such object, which may have gone before; 0: none came.',
      }),
    ),
  },
  closed,
);

/** A header field as it went over the wire: name as spelled, value after redaction. */
export type HeaderField = readonly [name: string, value: string];

/** A recorded body. At most one of `text`, `base64` and `file` is there: as it is, when it is no text, or large. */
export type RecordedBody = DeepReadonly<Static<typeof bodySchema>>;
/** A PDF of which no more is kept. */
export type RecordedDocument = NonNullable<RecordedBody['documents']>[number];
/** Why a call had no complete response: a code such as `ECONNREFUSED`, `DEADLINE`, `TOO_LARGE`, and a sentence. */
export type TransportFailure = DeepReadonly<Static<typeof failure>>;
/**
 * An attempt that was repeated: it surely was `not-taken` up, or broke off and changes nothing; its access `token` had
 * ended; it named an id so new that the answer may have come too `early`; or what was `ended` still went on.
 */
export type Attempt = DeepReadonly<Static<typeof attempt>>;
/** A place in which an answer breaks the contract, with the requirement marked there and a JSON Pointer into the body. */
export type ContractViolation = DeepReadonly<Static<typeof violation>>;

/** One exchange. Times are ISO 8601 in UTC, durations in milliseconds; without a response, `failure` says why. */
export type Exchange = DeepReadonly<Static<typeof exchangeSchema>>;
/** An object that a call created at the target; `id` is empty where the answer shows none that could be read. */
export type Created = DeepReadonly<Static<typeof createdSchema>>;

/** Whether a text can be the name of a header field (a token of RFC 9110). */
export function isFieldName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
}
