/** Stands between the suite and a service, hands everything on, and remembers what was said in confidence. */
import http from 'node:http';
import { listening } from './loopback.ts';

export interface Eavesdropper {
  readonly baseUrl: string;
  /** What followed the scheme in each Authorization header, as sent. */
  readonly credentials: ReadonlySet<string>;
  /** Every JSON value that was sent. */
  readonly bodies: readonly unknown[];
  /** Every JSON value that came back. */
  readonly answers: readonly unknown[];
  close(): Promise<void>;
}

/**
 * @param upstream base URL of the service, without a slash at its end
 * @param reflects whether each answer shows what was heard, in base64 and in hexadecimal digits
 * @param before what a call to a path waits for before it is handed on
 */
export async function startEavesdropper(
  upstream: string,
  { reflects = false, before }: { reflects?: boolean; before?: (url: string) => Promise<void> } = {},
): Promise<Eavesdropper> {
  const credentials = new Set<string>();
  const bodies: unknown[] = [];
  const answers: unknown[] = [];
  /** The first Authorization of each scheme. */
  const seen = new Map<string, string>();

  // A connection that is kept may be closed at the other end in the moment in which it is used again.
  const agent = new http.Agent({ keepAlive: false });
  const server = http.createServer(async (request, response) => {
    const { method, headers, url } = request;
    await before?.(url ?? '');
    const [, heard] = /^\S+\s+(\S+)$/.exec(headers.authorization ?? '') ?? [];
    if (heard) credentials.add(heard);
    const [scheme] = (headers.authorization ?? '').split(' ', 1);
    if (heard && scheme && !seen.has(scheme)) seen.set(scheme, `${headers.authorization}`);
    const onward = http.request(`${upstream}${url}`, { method, headers, agent }, (answer) => {
      listen(answer, answers);
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, [
        ...withoutLength(answer.rawHeaders),
        ...(reflects ? dressed([...seen.values()]) : []),
      ]);
      if (/json/.test(answer.headers['content-type'] ?? '')) renamed(answer, response, headers.host ?? '');
      else answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    // Whoever called has gone.
    response.on('error', () => onward.destroy());
    request.on('error', () => onward.destroy());
    listen(request, bodies);
    request.pipe(onward);
  });
  /** The service is known by the name of who stands before it, as behind any gateway. */
  function renamed(answer: http.IncomingMessage, response: http.ServerResponse, host: string): void {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      const text = Buffer.concat(chunks).toString('latin1').replaceAll(new URL(upstream).host, host);
      response.end(Buffer.from(text, 'latin1'));
    });
    answer.on('error', () => response.destroy());
  }
  const { baseUrl, close } = await listening(server);
  return {
    baseUrl,
    credentials,
    bodies,
    answers,
    close,
  };
}

/** Raw header fields but the length, which another name may change. */
function withoutLength(raw: readonly string[]): string[] {
  return raw.filter((_, at) => raw[at - (at % 2)]?.toLowerCase() !== 'content-length');
}

/** Raw header fields with what was heard in other dresses. */
function dressed(heard: readonly string[]): string[] {
  return heard.flatMap((value) => {
    const bytes = Buffer.from(value);
    const decoded = Buffer.from(value.split(' ')[1] ?? '', 'base64');
    return [
      ...['X-Seen', bytes.toString('base64'), 'X-Seen-Url', bytes.toString('base64url')],
      ...['X-Seen-Hex', bytes.toString('hex'), 'X-Seen-Credentials', value.split(' ')[1] ?? ''],
      ...['X-Seen-Credentials-Hex', decoded.toString('hex').toUpperCase()],
    ];
  });
}

function listen(stream: http.IncomingMessage, heard: unknown[]): void {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => {
    try {
      heard.push(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    } catch {
      // A file or a body that is broken on purpose: nothing to remember.
    }
  });
}

/** Every object within a JSON value, the value itself included. */
export function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  if (value === null || typeof value !== 'object') return [];
  const below = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? below : [value as Record<string, unknown>, ...below];
}
