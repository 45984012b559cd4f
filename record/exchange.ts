/** Recorded exchanges as run.json carries them: one request and its response, redacted; the schema gives the types. */
import { type Static, Type } from '@sinclair/typebox';
import {
  count,
  type DeepReadonly,
  httpUrl,
  list,
  literals,
  object,
  operationId,
  optional,
  orNull,
  text,
  time,
} from './schema-parts.ts';

/** Names of files with large bodies, below the folder of run.json: the suite gives no others. */
const bodyFile = '^bodies/[0-9a-f]{32,64}\\.(bin|txt)$';
/** A method as in RFC 9110, without the characters that mean something to a shell. */
const method = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,31}$' });

export const headersSchema = list(
  Type.Tuple([text(), text()]),
  'Header fields in the order of the wire: name as spelled, value after redaction.',
);

export const bodySchema = object({
  mediaType: text('As declared by Content-Type; empty when none was.'),
  size: count('Bytes before redaction.'),
  sha256: text('Of the bytes before redaction, hexadecimal.'),
  text: optional(text()),
  base64: optional(text()),
  file: optional(
    Type.String({ pattern: bodyFile, description: 'Name of the file beside run.json with a large body.' }),
  ),
  documents: optional(
    list(
      object({
        size: count('Bytes.'),
        sha256: text('Hexadecimal.'),
        pages: orNull(count(), 'Number of pages; null when it cannot be opened.'),
      }),
      'The PDFs in a body that is not kept because it carries some.',
    ),
  ),
});

const failure = object({ code: text(), message: text() });

const violation = object(
  { requirement: text(), pointer: text(), message: text() },
  'Where an answer breaks the contract.',
);

const attempt = object({
  status: count('What it was answered with; 0 without an answer.'),
  because: literals(['not-taken', 'token', 'early', 'ended']),
  waitedMs: count('From its end to the next attempt.'),
});

/** `confirmation` is what earlier versions wrote for `cross-check`. */
const purposes = [
  'judged',
  'shared',
  'flow',
  'observation',
  'token',
  'template',
  'cross-check',
  'confirmation',
] as const;
/**
 * What a call was made for. `cross-check`: the same call once more, or one with another body, before there is a
 * verdict. Calls that confirm a failure at the end of the run keep the purpose of the first time, `judged` or `shared`.
 * Answers to `observation`, `token` and `template` calls are not held against the contract.
 */
export type Purpose = (typeof purposes)[number];

export const exchangeSchema = object({
  index: count('Position in the run, in which exchanges stand as they were first sent.'),
  operation: orNull(operationId),
  template: optional(text('Call template, for calls outside the contract.')),
  purpose: literals(purposes),
  check: optional(text('Requirement whose check made the call; absent for calls of the run itself.')),
  row: optional(text()),
  madeFor: optional(
    count('The exchange that created the signature request for which a call of the profile was made.'),
  ),
  request: object({ method, url: httpUrl, headers: headersSchema, body: orNull(bodySchema) }),
  response: orNull(
    object({ status: Type.Integer(), reason: text(), headers: headersSchema, body: orNull(bodySchema) }),
  ),
  failure: optional(failure),
  startedAt: time,
  durationMs: Type.Number({ minimum: 0 }),
  retries: list(text(), 'Why each earlier attempt was repeated.'),
  attempts: optional(list(attempt, 'The same as data, in the same order.')),
  violations: list(violation),
  curl: text('Sends the request again; the token stands as $TOKEN.'),
});

export const createdSchema = object({
  kind: literals(['document', 'request', 'signatory']),
  id: text(),
  exchange: count(),
  removed: optional(
    Type.Boolean({ description: 'Whether it was removed again at the end; absent when nothing was tried.' }),
  ),
  removalStatus: optional(
    count(
      'Status of the answer to a removal that was no success: 404 and 410 say that the target knows no such object, which may have gone before; 0: none came.',
    ),
  ),
  mark: optional(
    text(
      'HMAC of base URL, kind and id by a key of the user on this machine: `cleanup` removes what has it.',
    ),
  ),
});

/** A header field as it went over the wire: name as spelled, value after redaction. */
export type HeaderField = readonly [name: string, value: string];

/** A recorded body. It has one of `text`, `base64` (no text) and `file` (large), or none of them. */
export type RecordedBody = DeepReadonly<Static<typeof bodySchema>>;
/** What is kept of a PDF in a body in place of the PDF. */
export type RecordedDocument = NonNullable<RecordedBody['documents']>[number];
/** Why a call had no complete response: a code such as `ECONNREFUSED`, `DEADLINE`, `TOO_LARGE`, and a sentence. */
export type TransportFailure = DeepReadonly<Static<typeof failure>>;
/**
 * An attempt after which the call was repeated. `not-taken`: surely not processed, or broken off without any effect;
 * `token`: its access token had ended; `early`: the target may not have known a new id yet; `ended`: what was ended
 * still worked.
 */
export type Attempt = DeepReadonly<Static<typeof attempt>>;
/** A place in which an answer breaks the contract, with the requirement marked there and a JSON Pointer into the body. */
export type ContractViolation = DeepReadonly<Static<typeof violation>>;

/** One exchange. Times are ISO 8601 in UTC, durations in milliseconds; without a response, `failure` says why. */
export type Exchange = DeepReadonly<Static<typeof exchangeSchema>>;
/** An object that a call created at the target; `id` is empty where the answer shows none that could be read. */
export type Created = DeepReadonly<Static<typeof createdSchema>>;

export const is2xx = ({ status }: { readonly status: number }): boolean => status >= 200 && status < 300;

/** Whether a status blames the call. */
export const is4xx = ({ status }: { readonly status: number }): boolean => status >= 400 && status < 500;

const things = `(?:${[
  'documents?|files?|tokens?|signator(?:y|ies)|signers?|recipients?|participants?|people|persons?|items?|elements?|entries',
  'dokumente?|dateie?n?|unterzeichnern?|empfängern?|teilnehmern?|personen|fichiers?|signataires?|personnes?',
  'documentos?|archivos?|ficheiros?|firmantes?|signatários?|participantes?|person?as?|pessoas?|documenti|firmatari|persone',
].join('|')})`;
const atMost = [
  'at most|more than|maximum(?: length)?(?: of)?|max\\.?|limit(?: of)?|up to|only|exceeds?|between \\d+ and|1 to',
  'höchstens|maximal|mehr als|nur|au plus|plus de|au maximum|máximo(?: de)?|más de|mais de|al massimo|più di',
].join('|');
const few = `(?:${atMost}) (?:'?\\d+|one|two|three|a single|ein(?:e[nmr]?)?|zwei|drei|une?|deux|trois|uno?|dos|tres|uma?|dois|duas|três|due)`;
const most = new RegExp(
  `\\b(?:too many|${few}(?: \\w+)?) ${things}\\b|\\b${things}\\b[^".;{}\\n]{0,60}\\b${few}\\b|\\bsize must be between \\d+ and \\d`,
  'i',
);

/** Whether words, of some languages, say how many documents or people there may be at most. The document shows no maximum. */
export const tellsMaximum = (words = ''): boolean => most.test(words.slice(0, 2_000));

/** Whether a text can be the name of a header field (a token of RFC 9110). */
export const isFieldName = (text: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);

/** The first value of a header field, found without regard to case. */
export function headerOf(fields: readonly HeaderField[], name: string): string | undefined {
  const wanted = name.toLowerCase();
  return fields.find(([field]) => field.toLowerCase() === wanted)?.[1];
}

/** How many header fields are kept: each takes many times the memory of its text. */
export const headerFieldsMost = 200;

/** Header fields of Node's flat list, in which names and values take turns; no more than `headerFieldsMost`. */
export function fieldsOfRaw(raw: readonly string[]): HeaderField[] {
  const fields: HeaderField[] = [];
  const end = Math.min(raw.length, 2 * headerFieldsMost);
  for (let i = 0; i + 1 < end; i += 2) fields.push([raw[i] ?? '', raw[i + 1] ?? '']);
  return fields;
}

export const isPage = (text = ''): boolean => /^\s*<(!doctype html|html)/i.test(text);

/** As much of a page as is read for a message. */
const longestPage = 4_000;

/** What a web page says, for messages: its body without markup, or else its title, if either is near. Any other text as it is. */
export function saidIn(text: string): string {
  if (!isPage(text)) return text;
  const source = text.slice(0, longestPage);
  const [, title = ''] = /<title\b[^>]*>(.*?)<\/title>/is.exec(source) ?? [];
  const said = words(source.replaceAll(/<(head|style|script)\b.*?(?:<\/\1>|$)/gis, ' ')) || words(title);
  return said ? `the page "${said}"` : 'a page';
}

/** The usual named references; others stay as they are. */
const named = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }));

const words = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>?/g, ' ')
    .replaceAll(/&(?:#(\d{1,6})|#(x[\da-f]{1,5})|(\w{2,4}));/gi, (reference, decimal, hex, name) =>
      name ? (named.get(name) ?? reference) : String.fromCodePoint(Number(decimal ?? `0${hex}`)),
    )
    .replaceAll(/\s+/g, ' ')
    .trim();
