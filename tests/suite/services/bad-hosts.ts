/** Hosts that are no electronic signature service, or none that works. */
import { selfSigned } from './certificate.ts';
import { json, type Loopback, serve, serveRaw } from './loopback.ts';

const page = '<!doctype html>\n<html><head><title>Welcome</title></head><body>Hello, visitor.</body></html>';

export const badHosts = {
  html: () => serve((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)),
  json: () => serve((_, response) => json(response, 200, { status: 'ok' })),
  error: () => serve((_, response) => json(response, 500, { error: 'out of order' })),
  notFound: () => serve((_, response) => response.writeHead(404).end('nothing here')),
  login: () =>
    serve((_, response) => response.writeHead(302, { Location: 'https://login.example.com/' }).end()),
  unauthorized: () => serve((_, response) => json(response, 401, { message: 'Unauthorized' })),
  /** Says with status 200 that the access token is wrong. */
  unauthorizedPolitely: () => serve((_, response) => json(response, 200, { error: 'Invalid access token' })),
  busy: () => serve((_, response) => response.writeHead(503, { 'Retry-After': '1' }).end('busy')),
  reset: () => serveRaw((socket) => socket.once('data', () => socket.resetAndDestroy())),
  silent: () => serveRaw(() => undefined),
  otherProtocol: () => serveRaw((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))),
  selfSigned: async () => serve((_, response) => response.end('welcome'), await selfSigned()),
} as const satisfies Record<string, () => Promise<Loopback>>;
