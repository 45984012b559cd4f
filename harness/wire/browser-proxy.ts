/** The proxy of the browser: pages reach no address further inside of networks than is allowed, over whatever protocol. */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import tls from 'node:tls';
import { type Depth, depthOfHost, lookupWithin, tooDeepWords } from '../untrusted/networks.ts';
import { type Listening, listening } from './listening.ts';
import { type ProxyServer, proxyFor } from './proxy.ts';

/**
 * Starts the proxy. Where the environment names a proxy, calls go on through that one, which knows its own networks.
 * A proxy with a password is used without it, since anybody on this machine could use the password through this one.
 * @param refused is called with each host that lies further inside than `most`
 * @param came is called with the length of each part that comes, of pages and all that belongs to them
 */
export async function startBrowserProxy(
  most: Depth,
  refused: (host: string) => void,
  came: (bytes: number) => void,
): Promise<Listening> {
  const lookup = lookupWithin(most);
  const count = ({ length }: Buffer) => came(length);

  /** The proxy for a URL, if one is named. */
  async function wayTo(url: URL): Promise<ProxyServer | undefined> {
    const proxy = proxyFor(url);
    if (proxy || (await depthOfHost(url.hostname)) <= most) return proxy;
    refused(url.hostname);
    throw new Error(tooDeepWords);
  }

  async function forward(request: IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '');
    const proxy = (await wayTo(url))?.url;
    const { 'proxy-connection': _, ...headers } = request.headers;
    const options = { method: request.method, headers, ...(proxy ? { path: url.href } : { lookup }) };
    const onward = (proxy?.protocol === 'https:' ? https : http).request(proxy ?? url, options);
    onward.on('response', (answer) => {
      try {
        // Without the reason phrase: Node reads characters in it that it refuses to write.
        response.writeHead(answer.statusCode ?? 502, withoutTrailer(answer.rawHeaders));
        pipeline(answer.on('data', count), response, ignored);
      } catch {
        // The status or a header field is invalid: for the page, the connection breaks off.
        onward.destroy();
        response.destroy();
      }
    });
    // The answer may also change the protocol, or be missing: then the connection of the page is closed too.
    onward.on('upgrade', (_, socket) => socket.destroy());
    onward.on('error', ignored);
    onward.on('close', () => response.headersSent || response.destroy());
    response.on('close', () => onward.destroy());
    pipeline(request, onward, ignored);
  }

  /** A tunnel, in which pages of https and WebSockets are reached. */
  async function join(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const url = new URL(`tunnel://${request.url}`);
    const proxy = (await wayTo(new URL(`https://${request.url}`)))?.url;
    const { hostname, port } = proxy ?? url;
    const host = hostname.replace(/^\[|\]$/g, '');
    const secure = proxy?.protocol === 'https:';
    const onward = secure
      ? tls.connect({ host, port: Number(port || 443), servername: host })
      : net.connect({ host, port: Number(port || 80), ...(proxy ? {} : { lookup }) });
    onward.once(secure ? 'secureConnect' : 'connect', () => {
      // A proxy that is passed through answers CONNECT itself.
      if (proxy) onward.write(`CONNECT ${url.host} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
      else socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      onward.write(head);
      pipeline(socket, onward.on('data', count), socket, ignored);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  }

  const server = http.createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', ignored);
    join(request, socket, head).catch(() => socket.destroy());
  });
  return listening(server);
}

/** Names and values of header fields without the field `Trailer`, since trailers are not passed on. */
function withoutTrailer(raw: readonly string[]): string[] {
  return raw.filter((_, at) => raw[at - (at % 2)]?.toLowerCase() !== 'trailer');
}

/** Errors need no handling: the other side is closed then, and reports the end there. */
function ignored(): void {}
