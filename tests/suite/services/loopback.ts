/** Small servers on free loopback ports, for tests that need a target which behaves in one particular way. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';

export interface Loopback {
  readonly port: number;
  /** `http://127.0.0.1:<port>`, or `https://…` of a server with a certificate. */
  readonly baseUrl: string;
  /** Connections that were made so far. */
  connections(): number;
  close(): Promise<void>;
}

/** A request as it arrived, with its whole body. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Answers a request; may hang, or destroy `response.socket`. */
export type Handler = (request: Arrived, response: http.ServerResponse) => void;

/** Key and certificate (PEM) of an https server. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** An HTTP server; the handler is called when the body has arrived. */
export function serve(handler: Handler, certificate?: Certificate): Promise<Loopback> {
  const listener: http.RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', rawHeaders, headers } = request;
      handler({ method, url, rawHeaders, headers, body: Buffer.concat(chunks) }, response);
    });
  };
  const server = certificate ? https.createServer(certificate, listener) : http.createServer(listener);
  return listening(server, certificate ? 'https' : 'http');
}

/** A TCP server that says what it likes. */
export function serveRaw(handler: (socket: Socket) => void): Promise<Loopback> {
  const server = net.createServer((socket) => {
    // What the other side does to the connection is no matter of the server.
    socket.on('error', () => undefined);
    handler(socket);
  });
  return listening(server);
}

/** Below the ports that systems hand out by themselves, so that nobody gets one before it is used. */
const quietPorts = { first: 20_000, count: 10_000 };
let lastQuiet = randomInt(quietPorts.count);

/** A port on which nothing listens, another one each time. */
export async function deadPort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    lastQuiet = (lastQuiet + 1) % quietPorts.count;
    const port = quietPorts.first + lastQuiet;
    const server = net.createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
  throw new Error('a hundred ports are in use');
}

/** Lets a server listen on a free port; `close` ends its connections too. */
export async function listening(server: net.Server, scheme = 'http'): Promise<Loopback> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    baseUrl: `${scheme}://127.0.0.1:${port}`,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Answers with JSON. */
export function json(response: http.ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}
