/** The part that the tiny services share: a server that tells endpoints apart. All rules are each service's own. */
import http from 'node:http';
import { listening } from '../../../suite/services/loopback.ts';

export interface Asked {
  readonly endpoint: 'upload' | 'skeleton' | 'signatory' | 'stamping' | 'unversioned';
  /** The query parameter `type`. */
  readonly type: string | null;
  /** The requestId in the path of endpoint 5, decoded. */
  readonly requestId: string;
  readonly authorization: string;
  readonly contentType: string;
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Told {
  readonly status: number;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Tokens {
  readonly token: string;
  readonly expiredToken: string;
}

export interface ForeignService extends Tokens {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** A call that the document does not show, as a vendor's page has it. */
export interface Other {
  /** Method and path below the base, with the query parameter `action` where there is one: `POST /sim/1`. */
  readonly what: string;
  readonly query: URLSearchParams;
  readonly authorization: string;
  readonly body: string;
}

/** Thrown where a rule is broken. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function json(status: number, value: unknown, headers: Told['headers'] = {}): Told {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

/** Refuses calls without the token, in the words of the service. */
export function authorizing(tokens: Tokens, expired: string, invalid: string) {
  return ({ authorization }: Pick<Asked, 'authorization'>): void => {
    if (authorization === `Bearer ${tokens.token}`) return;
    throw new Refused(401, authorization.endsWith(tokens.expiredToken) ? expired : invalid);
  };
}

const places: readonly [Asked['endpoint'], RegExp][] = [
  ['upload', /\/_apis\/sign\/thumbs\/api\/Requests\/document$/],
  ['signatory', /\/_apis\/sign\/api\/v2\/requests\/([^/]+)\/signatories$/],
  ['skeleton', /\/_apis\/sign\/api\/v2\/requests$/],
  ['stamping', /\/_apis\/sign\/api\/Requests$/],
  ['unversioned', /\/api\/Requests$/],
];

/**
 * @param base the path before all paths
 * @param answer answers calls of documented endpoints
 * @param refuse makes the answer to what was thrown, and to calls of unknown paths
 */
export async function serveForeign(
  base: string,
  tokens: Tokens,
  answer: (asked: Asked) => Told | Promise<Told>,
  refuse: (refused: Refused, endpoint: Asked['endpoint'] | null) => Told,
  other: (call: Other) => Told | undefined,
): Promise<ForeignService> {
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = Buffer.concat(chunks);
      const asked = askedOf(request, body, base);
      let told: Told;
      try {
        const shown = asked ? await answer(asked) : other(otherOf(request, body.toString('utf8'), base));
        if (!shown) throw new Refused(404, 'Not Found');
        told = shown;
      } catch (error) {
        const refused = error instanceof Refused ? error : new Refused(500, String(error));
        told = refuse(refused, asked?.endpoint ?? null);
      }
      response.writeHead(told.status, { ...told.headers }).end(told.body);
    });
  });
  const { baseUrl, close } = await listening(server);
  return { ...tokens, baseUrl: baseUrl + base, close };
}

function otherOf({ method, url, headers }: http.IncomingMessage, body: string, base: string): Other {
  const { pathname, searchParams: query } = new URL(url ?? '', 'http://localhost');
  const action = query.get('action');
  const path = decodeURIComponent(pathname.slice(base.length));
  const what = `${method} ${path}${action === null ? '' : `?${action}`}`;
  return { what, query, authorization: headers.authorization ?? '', body };
}

function askedOf(request: http.IncomingMessage, body: Buffer, base: string): Asked | null {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://localhost');
  for (const [endpoint, pattern] of places) {
    const found = pattern.exec(pathname);
    if (!found || !pathname.startsWith(base) || request.method !== 'POST') continue;
    const { authorization = '', 'content-type': contentType = '' } = request.headers;
    const requestId = decodeURIComponent(found[1] ?? '');
    const { headers } = request;
    return { endpoint, type: query.get('type'), requestId, authorization, contentType, query, headers, body };
  }
  return null;
}

/**
 * Refuses files other than PDF, DOC and DOCX, by their first bytes, a DOCX also by the files in it.
 * @param other the words about other files
 */
export function asDocument(file: Buffer, status: number, other: string): Buffer {
  const head = file.subarray(0, 4).toString('latin1');
  const known =
    head === '%PDF' ||
    (head === '\xd0\xcf\x11\xe0' && file.includes('W\0o\0r\0d\0')) ||
    // Some readers open no DOCX without this part, though it may be left out where it is empty.
    (head === 'PK\x03\x04' && file.includes('word/_rels/document.xml.rels'));
  if (!known) throw new Refused(status, other);
  return file;
}

/** The document in a field of a multipart form. */
export async function documentIn(asked: Asked, field: string, other: string): Promise<Buffer> {
  const form = await new Response(new Uint8Array(asked.body), {
    headers: { 'Content-Type': asked.contentType },
  })
    .formData()
    .catch(() => new FormData());
  const file = form.get(field);
  if (!(file instanceof File)) throw new Refused(400, `Bad Request: no file in ${field}`);
  return asDocument(Buffer.from(await file.arrayBuffer()), 415, other);
}
