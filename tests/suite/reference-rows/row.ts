/** Rows of calls to endpoints 1 to 5, with what the interface document makes of them. */
import { path } from '../../../openapi/codes.ts';
import {
  changed,
  type ReferenceClient,
  type Reply,
  signatoryBody,
  skeletonBody,
  stampedBody,
} from '../reference-client.ts';

/** What a row shares with others of its round. */
export interface Round {
  readonly client: ReferenceClient;
  readonly document: string;
  readonly second: string;
  readonly requestId: string;
}

export interface ReferenceRow {
  /** The requirement that the row is about. */
  readonly requirement: string;
  readonly title: string;
  /** What comes of it: a status, with more behind it where the document says more. */
  readonly expected: string;
  readonly call: (round: Round) => Promise<string>;
}

export const status = ({ status: code }: Reply) => String(code);
export type Kind = 'skeleton' | 'signatory' | 'stamping';

function bodyOf(kind: Kind, { document }: Round): unknown {
  if (kind === 'skeleton') return skeletonBody([document]);
  return kind === 'signatory' ? signatoryBody : stampedBody([document]);
}

export async function send(
  kind: Kind,
  round: Round,
  body: unknown,
  sending = {},
  requestId?: string,
): Promise<Reply> {
  const { client } = round;
  if (kind === 'skeleton') return client.create(body, sending);
  if (kind === 'stamping') return client.json('POST', `${path.autoStamping}?type=3`, body, sending);
  return client.add(requestId ?? (await client.request()), body, sending);
}

/** A row that changes one place of a valid body. */
export function edit(
  kind: Kind,
  requirement: string,
  expected: string,
  pointer: string,
  value: unknown | ((round: Round) => unknown),
): ReferenceRow {
  const shown = value === undefined ? 'absent' : typeof value === 'function' ? '…' : JSON.stringify(value);
  return {
    requirement,
    title: `${requirement}: ${pointer} ${shown}`,
    expected,
    call: async (round) => {
      const given: unknown = typeof value === 'function' ? value(round) : value;
      return status(await send(kind, round, changed(bodyOf(kind, round), pointer, given)));
    },
  };
}

export function row(
  requirement: string,
  title: string,
  expected: string,
  call: (round: Round) => Promise<string>,
): ReferenceRow {
  return { requirement, title: `${requirement}: ${title}`, expected, call };
}

export const tokens = (
  area: string,
  call: (round: Round, sending: object) => Promise<Reply>,
): ReferenceRow[] => {
  const one = (what: string, title: string, authorization: (round: Round) => string | null) =>
    row(`${area}.token-${what}`, title, '401', async (round) =>
      status(await call(round, { authorization: authorization(round) })),
    );
  return [
    one('missing', 'no header', () => null),
    one('missing', 'empty header', () => ''),
    one('missing', 'scheme only', () => 'Bearer'),
    one('missing', 'other scheme', () => 'Basic dXNlcjpwYXNz'),
    one('invalid', 'invalid', ({ client }) => `Bearer ${client.reference.tokens.invalid}`),
    one('expired', 'expired', ({ client }) => `Bearer ${client.reference.tokens.expired}`),
  ];
};

export const malformed = (kind: 'skeleton' | 'signatory'): ReferenceRow[] => {
  const one = (requirement: string, title: string, raw: string) =>
    row(`${kind}.${requirement}`, title, '400', async (round) =>
      status(await send(kind, round, raw, {}, round.requestId)),
    );
  return [
    one('malformed', 'no JSON', 'This is a sentence.'),
    one('malformed', 'cut', '{"Title": "A'),
    one('malformed', 'empty', ''),
    one('body-object', 'array', '[]'),
    one('body-object', 'string', '"text"'),
    one('body-object', 'number', '7'),
    one('body-object', 'null', 'null'),
    row(`${kind}.content-type`, 'text/plain', '400', async (round) => {
      const sending = { contentType: 'text/plain' };
      return status(await send(kind, round, bodyOf(kind, round), sending, round.requestId));
    }),
  ];
};

/** Each required field missing, null and of another type. */
export const fields = (
  kind: 'skeleton' | 'signatory',
  names: Readonly<Record<string, string>>,
  other: (name: string) => unknown = () => ({ unexpected: true }),
): ReferenceRow[] =>
  Object.entries(names).flatMap(([name, slug]) => [
    edit(kind, `${slug}-required`, '400', `/${name}`, undefined),
    edit(kind, `${slug}-type`, '400', `/${name}`, null),
    edit(kind, `${slug}-type`, '400', `/${name}`, other(name)),
  ]);
