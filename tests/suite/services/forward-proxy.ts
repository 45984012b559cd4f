/** A proxy as companies have them: it alone knows the names of hosts, and asks for credentials. */
import http from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { type Certificate, listening } from './loopback.ts';

interface Options {
  /** Loopback ports of the hosts that the proxy knows, by name. */
  readonly hosts: Readonly<Record<string, number>>;
  /** `user:password`; absent: everybody is welcome. */
  readonly credentials?: string;
  /** With it the proxy speaks TLS to the hosts' names, and plain HTTP to the ports behind. */
  readonly certificate?: Certificate;
}

export async function startForwardProxy({ hosts, credentials, certificate }: Options) {
  // `CONNECT host:port`, or `POST http://host/path`.
  const asked: string[] = [];
  const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const isWelcome = ({ headers }: http.IncomingMessage) => headers['proxy-authorization'] === expected;

  const server = http.createServer((request, response) => {
    const { method = '', url = '', rawHeaders } = request;
    asked.push(`${method} ${url}`);
    const wanted = URL.canParse(url) ? new URL(url) : null;
    const port = wanted && hosts[wanted.hostname];
    if (!isWelcome(request)) return void response.writeHead(407, { 'Proxy-Authenticate': 'Basic' }).end();
    if (!wanted || !port) return void response.writeHead(502).end('no such host');
    const own = rawHeaders.findIndex((name) => name.toLowerCase() === 'proxy-authorization');
    const headers = rawHeaders.filter((_, index) => own < 0 || (index !== own && index !== own + 1));
    const path = wanted.pathname + wanted.search;
    const onward = http.request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('connect', (request: http.IncomingMessage, socket: Duplex) => {
    asked.push(`CONNECT ${request.url}`);
    const port = hosts[request.url?.split(':')[0] ?? ''];
    if (!isWelcome(request)) return void socket.end('HTTP/1.1 407 Who are you\r\n\r\n');
    if (!port) return void socket.end('HTTP/1.1 502 No such host\r\n\r\n');
    socket.write('HTTP/1.1 200 Connected\r\n\r\n');
    join(new tls.TLSSocket(socket, { isServer: true, ...certificate }), net.connect(port, '127.0.0.1'));
  });
  return { ...(await listening(server)), asked };
}

/** What one says the other hears, until one of them has gone. */
function join(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy()).on('close', () => to.destroy());
    from.pipe(to);
  }
}
