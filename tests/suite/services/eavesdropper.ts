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

/** @param upstream base URL of the service, without a slash at its end */
export async function startEavesdropper(upstream: string): Promise<Eavesdropper> {
  const credentials = new Set<string>();
  const bodies: unknown[] = [];
  const answers: unknown[] = [];

  // A connection that is kept may be closed at the other end in the moment in which it is used again.
  const agent = new http.Agent({ keepAlive: false });
  const server = http.createServer((request, response) => {
    const { method, headers, url } = request;
    const [, heard] = /^\S+\s+(\S+)$/.exec(headers.authorization ?? '') ?? [];
    if (heard) credentials.add(heard);
    const onward = http.request(`${upstream}${url}`, { method, headers, agent }, (answer) => {
      listen(answer, answers);
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    // Whoever called has gone.
    response.on('error', () => onward.destroy());
    request.on('error', () => onward.destroy());
    listen(request, bodies);
    request.pipe(onward);
  });
  const { baseUrl, close } = await listening(server);
  return {
    baseUrl,
    credentials,
    bodies,
    answers,
    close,
  };
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
