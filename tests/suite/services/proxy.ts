/** A proxy in front of a service, which may change answers, hold them back or break the connection. */
import http from 'node:http';
import type { Socket } from 'node:net';
import { type Arrived, type Loopback, serve } from './loopback.ts';

/** An answer of the service behind. */
export interface Forwarded {
  readonly status: number;
  readonly reason: string;
  readonly headers: http.OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** One call on its way. Exactly one of the methods ends it. */
export interface Passing {
  readonly request: Arrived;
  /** How many calls came before. */
  readonly index: number;
  /** Lets the service behind do its work. */
  forward(request?: Partial<Arrived>): Promise<Forwarded>;
  reply(answer: Partial<Forwarded>): void;
  /** Says a part of the answer and resets the connection; without an answer at once. */
  reset(answer?: Forwarded): void;
  /** Hands over the connection, on which nothing was said yet. */
  raw(work: (socket: Socket) => void): void;
}

export type Behaviour = (passing: Passing) => Promise<void> | void;

export interface Proxy {
  /** With the path of the service behind. */
  readonly baseUrl: string;
  /** The calls that came, in order. */
  readonly calls: readonly Arrived[];
  close(): Promise<void>;
}

/** Passes everything on as it is. */
export const asItIs: Behaviour = async ({ forward, reply }) => reply(await forward());

/** Answers some calls in place of the service; of the others it hears nothing. */
export const instead =
  (answerTo: (request: Arrived, index: number) => Partial<Forwarded> | undefined): Behaviour =>
  async ({ request, index, forward, reply }) =>
    reply(answerTo(request, index) ?? (await forward()));

/** Lets the service do its work, and changes what it says. */
export const reshaped =
  (change: (answer: Forwarded, request: Arrived) => Partial<Forwarded>): Behaviour =>
  async ({ request, forward, reply }) =>
    reply(change(await forward(), request));

/** @param target base URL of the service behind */
export async function startProxy(target: string, behave: Behaviour = asItIs): Promise<Proxy> {
  const { origin, pathname } = new URL(target);
  // A connection that is kept may be closed by the service while this machine is busy: that would be our trouble.
  const agent = new http.Agent({ keepAlive: false });
  const calls: Arrived[] = [];
  const server: Loopback = await serve((request, response) => {
    const index = calls.push(request) - 1;
    const passing: Passing = {
      request,
      index,
      forward: (changes = {}) => forwarded(origin, agent, { ...request, ...changes }),
      reply: ({ status = 200, reason = '', headers = {}, body = Buffer.alloc(0) }) => {
        response.writeHead(status, reason, headers);
        response.end(body);
      },
      reset: (answer) => {
        if (answer) {
          response.writeHead(answer.status, {
            ...answer.headers,
            'Content-Length': answer.body.length + 100,
          });
          response.write(answer.body);
        }
        response.socket?.resetAndDestroy();
      },
      raw: (work) => {
        const { socket } = response;
        if (!socket) return;
        // What the other side does to the connection is no matter of the service.
        socket.on('error', () => undefined);
        work(socket);
      },
    };
    Promise.resolve(behave(passing)).catch((error: unknown) => {
      // The tests see what went wrong in the answer.
      response.writeHead(599).end(String(error));
    });
  });
  return {
    baseUrl: server.baseUrl + (pathname === '/' ? '' : pathname),
    calls,
    close: async () => {
      agent.destroy();
      await server.close();
    },
  };
}

function forwarded(
  origin: string,
  agent: http.Agent,
  { method, url, rawHeaders, body }: Arrived,
): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const outgoing = http.request(origin + url, { method, headers: [...rawHeaders], agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const { statusCode = 0, statusMessage = '', headers } = incoming;
        // What belongs to one connection alone is not passed on.
        const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...rest } = headers;
        resolve({ status: statusCode, reason: statusMessage, headers: rest, body: Buffer.concat(chunks) });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
