/** Waits on this machine for the browser that an authorization server sends back (RFC 8252, section 7.3). */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigurationError } from '../../../record/errors.ts';

export interface RedirectReceiver {
  /** With the port that it listens on. */
  readonly redirectUri: string;
  /**
   * The query with which the browser came back, once `belongs` says that it is the one waited for. Others are
   * refused, and the wait goes on: any page in the browser may call this address.
   */
  next(belongs: (query: URLSearchParams) => boolean): Promise<URLSearchParams>;
  close(): Promise<void>;
}

const say = (words: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>esign-conformance</title><p>${words}</p></html>`;

/**
 * @param redirectUri `http` on a loopback address; without a port any free one is taken
 * @throws ConfigurationError when its port is not free
 */
export async function startRedirectReceiver(redirectUri: string): Promise<RedirectReceiver> {
  const wanted = new URL(redirectUri);
  let take: (query: URLSearchParams) => boolean = () => false;
  const server = http.createServer((request, response) => {
    const headers = {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      Connection: 'close',
    };
    const url = URL.canParse(request.url ?? '', redirectUri) ? new URL(request.url ?? '', redirectUri) : null;
    if (request.method !== 'GET' || url?.pathname !== wanted.pathname) {
      response.writeHead(404, headers).end(say('There is nothing here.'));
    } else if (take(url.searchParams)) {
      response.writeHead(200, headers).end(say('The answer has arrived. Go on in the terminal.'));
    } else {
      response.writeHead(400, headers).end(say('This is not the answer that the terminal waits for.'));
    }
  });
  const host = wanted.hostname === '[::1]' ? '::1' : '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${error.message})`;
      reject(new ConfigurationError(`auth.redirectUri ${redirectUri}: port ${wanted.port} ${why}`));
    });
    server.listen(Number(wanted.port || 0), host, resolve);
  });
  wanted.port = String((server.address() as AddressInfo).port);
  return {
    redirectUri: wanted.href,
    next: (belongs) =>
      new Promise((resolve) => {
        take = (query) => {
          const fits = belongs(query);
          if (fits) resolve(query);
          return fits;
        };
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
