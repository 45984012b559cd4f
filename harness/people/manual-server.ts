/** Serves the page of manual signing on loopback, at an address that cannot be guessed. */
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { listening } from '../wire/listening.ts';
import type { ManualAnswer } from './manual-task.ts';

export interface ManualServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface ManualServing {
  page(): Promise<string>;
  /** Answers a task. An answer that comes too late, twice, or to no task changes nothing. */
  answer(number: number, answer: ManualAnswer): void;
}

const answers: readonly ManualAnswer[] = ['done', 'refused', 'could-not'];
const bodyMost = 1024;
/** Links of the page lead to the target, which must not learn its address; nothing else is loaded. */
const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

export async function startManualServer(serving: ManualServing): Promise<ManualServer> {
  // Other people on this machine can reach the port too.
  const home = `/${randomBytes(16).toString('hex')}/`;
  const server = http.createServer((request, response) => {
    respond(request, response, home, serving).catch(() => response.destroy());
  });
  const { port, close } = await listening(server);
  return { url: `http://127.0.0.1:${port}${home}`, close };
}

async function respond(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  home: string,
  serving: ManualServing,
): Promise<void> {
  const refuse = (status: number) => {
    request.resume();
    response.writeHead(status).end();
  };
  if (!isOwn(request)) return refuse(403);
  if (request.method === 'GET' && request.url === home) {
    response.writeHead(200, headers).end(await serving.page());
    return;
  }
  const number = request.url?.startsWith(`${home}tasks/`) ? request.url.slice(`${home}tasks/`.length) : '';
  if (request.method !== 'POST' || !/^\d{1,6}$/.test(number)) return refuse(404);
  const given = new URLSearchParams(await textOf(request)).get('answer');
  const answer = answers.find((each) => each === given);
  if (answer === undefined) return refuse(400);
  serving.answer(Number(number), answer);
  response.writeHead(303, { Location: home }).end();
}

/**
 * Whether a browser is at the page itself: no name that leads here (DNS rebinding), no other site that posts. Origin
 * says nothing, since a page without referrer posts with `null`.
 */
function isOwn({
  headers: { host, 'sec-fetch-site': site, origin = 'null' },
  socket,
}: http.IncomingMessage): boolean {
  const own = `127.0.0.1:${socket.localPort}`;
  const named = site === undefined || site === 'same-origin' || site === 'none';
  return host === own && named && (origin === 'null' || origin === `http://${own}`);
}

async function textOf(request: http.IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > bodyMost) throw new Error('the body is longer than any answer');
  }
  return text;
}
