/**
 * A second correct service, as unlike the reference as the interface document allows: raw uploads, tokens and
 * errors as plain text, ids of digits, 201 where no status is stated, 415 and 422 where the document is silent,
 * strict about unknown fields and empty strings. It shares no code with the reference service.
 */
import http from 'node:http';
import { listening } from './loopback.ts';

/** Deliberate violations. */
export interface Flaws {
  /** Endpoint 4 takes calls without an access token. */
  readonly createsWithoutToken?: boolean;
}

export interface PlainService {
  readonly baseUrl: string;
  readonly token: string;
  readonly expiredToken: string;
  close(): Promise<void>;
}

const token = 'plain-service-access-token-4711';
const expiredToken = 'plain-service-expired-token-0815';
const prefix = '/sandbox/v1';

/** Thrown by rules; the message is the whole body. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export async function startPlainService(flaws: Flaws = {}): Promise<PlainService> {
  const documents = new Set<string>();
  const requests = new Set<string>();
  let counter = 70_000_000;
  const nextId = () => {
    counter += 7;
    return String(counter);
  };

  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      try {
        const [status, type, text] = route(request, Buffer.concat(chunks));
        response.writeHead(status, { 'Content-Type': type }).end(text);
      } catch (error) {
        const status = error instanceof Refusal ? error.status : 500;
        response.writeHead(status, { 'Content-Type': 'text/plain' }).end((error as Error).message);
      }
    });
  });

  function route(request: http.IncomingMessage, body: Buffer): [number, string, string] {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const type = searchParams.get('type');
    const signatories = new RegExp(`^${prefix}/_apis/sign/api/v2/requests/([^/]+)/signatories$`).exec(
      pathname,
    );
    const creation = pathname === `${prefix}/_apis/sign/api/v2/requests` && type === '0';
    authorize(request.headers.authorization, creation && flaws.createsWithoutToken === true);
    if (request.method === 'POST' && pathname === `${prefix}/_apis/sign/thumbs/api/Requests/document`) {
      return upload(request, body);
    }
    if (request.method === 'POST' && signatories)
      return addSignatory(signatories[1] ?? '', json(request, body));
    if (request.method === 'POST' && creation) return create(json(request, body));
    const stamped = pathname === `${prefix}/_apis/sign/api/Requests` || pathname === `${prefix}/api/Requests`;
    if (request.method === 'POST' && stamped && type === '3') return createStamped(json(request, body));
    throw new Refusal(405, 'there is nothing here');
  }

  function authorize(header: string | undefined, lenient: boolean): void {
    if (header === `Bearer ${token}`) return;
    if (header === `Bearer ${expiredToken}`) throw new Refusal(401, 'Access token is expired');
    if (lenient && !header?.startsWith('Bearer ')) return;
    throw new Refusal(401, 'Invalid access token');
  }

  function upload(request: http.IncomingMessage, body: Buffer): [number, string, string] {
    if (request.headers['content-type']?.startsWith('multipart/'))
      throw new Refusal(415, 'send the file itself');
    const head = body.subarray(0, 4).toString('latin1');
    const known =
      head === '%PDF' || head === '\xd0\xcf\x11\xe0' || (head === 'PK\x03\x04' && body.includes('word/'));
    if (!known) throw new Refusal(422, 'neither PDF nor DOC nor DOCX');
    const id = nextId();
    documents.add(id);
    return [201, 'text/plain', id];
  }

  function json(request: http.IncomingMessage, body: Buffer): Record<string, unknown> {
    if (request.headers['content-type'] !== 'application/json')
      throw new Refusal(415, 'application/json only');
    let value: unknown;
    try {
      value = JSON.parse(body.toString('utf8'));
    } catch {
      throw new Refusal(400, 'Bad Request: not JSON');
    }
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      throw new Refusal(422, 'no object');
    return value as Record<string, unknown>;
  }

  function create(body: Record<string, unknown>): [number, string, string] {
    shape(
      body,
      { Title: text, Message: text, Documents: tokens, AuditDetails: audit },
      {
        CallbackUrl: text,
        CallbackTypes: codes,
        CompletedDocumentsAttached: flag,
        Connections: list,
      },
    );
    findDocuments(body.Documents as string[]);
    const requestId = nextId();
    requests.add(requestId);
    return [201, 'application/json', JSON.stringify({ requestId, state: 'draft' })];
  }

  function addSignatory(requestId: string, body: Record<string, unknown>): [number, string, string] {
    if (!requests.has(requestId)) throw new Refusal(404, 'Request ID not found');
    shape(
      body,
      { Email: text, Name: text, Order: positive, SignatoryType: oneOf(1, 2, 3) },
      {
        PrivateMessage: text,
        Color: text,
        OTP: otp,
      },
    );
    return [201, 'application/vnd.plain+json', JSON.stringify({ requestId, signatoryId: nextId() })];
  }

  function createStamped(body: Record<string, unknown>): [number, string, string] {
    shape(body, { Title: text, Message: text, Documents: tokens, Signatories: list }, {});
    for (const signatory of body.Signatories as Record<string, unknown>[]) {
      shape(
        signatory,
        {
          Email: text,
          Name: text,
          Order: positive,
          signatoryType: oneOf(1, 2, 3),
          OTP: stringOtp,
          AutoStamps: stamps,
        },
        { PrivateMessage: text, Color: text },
      );
    }
    findDocuments(body.Documents as string[]);
    return [200, 'text/plain', ''];
  }

  function findDocuments(given: readonly string[]): void {
    if (!given.every((id) => documents.has(id))) throw new Refusal(404, 'Document Token Not Found');
  }

  const { baseUrl, close } = await listening(server);
  return {
    baseUrl: baseUrl + prefix,
    token,
    expiredToken,
    close,
  };
}

type Rule = (value: unknown) => void;
type Rules = Readonly<Record<string, Rule>>;

/** Missing fields are 400, everything else that is wrong is 422, fields without a rule included. */
function shape(body: Record<string, unknown>, required: Rules, optional: Rules): void {
  for (const name of Object.keys(required)) {
    if (!(name in body)) throw new Refusal(400, `Bad Request: ${name} is missing`);
  }
  for (const [name, value] of Object.entries(body)) {
    const rule = required[name] ?? optional[name];
    if (!rule) throw new Refusal(422, `${name} is not known`);
    rule(value);
  }
}

function demand(holds: boolean): void {
  if (!holds) throw new Refusal(422, 'a value is not allowed');
}

const text: Rule = (value) => demand(typeof value === 'string' && value !== '');
const flag: Rule = (value) => demand(typeof value === 'boolean');
const list: Rule = (value) => demand(Array.isArray(value));
const positive: Rule = (value) => demand(Number.isInteger(value) && (value as number) > 0);
const number: Rule = (value) => demand(typeof value === 'number');
const oneOf =
  (...values: readonly unknown[]): Rule =>
  (value) =>
    demand(values.includes(value));
const tokens: Rule = (value) =>
  demand(Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string'));
const codes: Rule = (value) =>
  demand(Array.isArray(value) && value.every((item) => [0, 1, 2, 3].includes(item as number)));

function object(value: unknown): Record<string, unknown> {
  demand(value !== null && typeof value === 'object' && !Array.isArray(value));
  return value as Record<string, unknown>;
}

const audit: Rule = (value) =>
  shape(object(value), { AuthorType: oneOf(1), AuthorIPAddress: text, Device: text }, {});

const otp: Rule = (value) => otpShape(object(value), oneOf(1, 2, 3, 4));
const stringOtp: Rule = (value) => otpShape(object(value), oneOf('1', '2', '3', '4'));

function otpShape(value: Record<string, unknown>, type: Rule): void {
  const sms = [2, 4, '2', '4'].includes(value.Type as number);
  const valid = typeof value.MobileNumber === 'string' && /^\+[1-9][0-9]{7,14}$/.test(value.MobileNumber);
  if (value.IsRequired === true && sms && !valid) throw new Refusal(400, 'Bad Request: MobileNumber');
  if (!sms && 'MobileNumber' in value) throw new Refusal(422, 'MobileNumber is of no use here');
  shape(value, { IsRequired: flag, Type: type }, { AccessCode: text, MobileNumber: () => demand(valid) });
}

const stamps: Rule = (value) => {
  list(value);
  for (const stamp of value as unknown[]) {
    shape(
      object(stamp),
      {
        Identifier: text,
        Color: text,
        Order: positive,
        Offset: (offset) => shape(object(offset), { X_offset: number, Y_offset: number }, {}),
        StampSize: (size) => shape(object(size), { Height: number, Width: number }, {}),
        Type: oneOf('signature', 'text', 'email', 'date', 'initial'),
      },
      {},
    );
  }
};
