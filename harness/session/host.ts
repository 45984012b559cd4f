/** The run host: keeps the session in the main process and lets Playwright's workers use it over loopback. */
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { CouldNotRun } from '../../record/errors.ts';
import type { Found } from '../../record/finding.ts';
import type { Session } from '../judging/session.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Answer } from '../target/call.ts';
import { listening } from '../wire/listening.ts';

export interface HostAddress {
  readonly url: string;
  /** Needed to call the host, since other programs on this machine can reach its port too. */
  readonly key: string;
}

export interface Host {
  readonly address: HostAddress;
  /** The id of the run that this is the host of; empty until it is known. */
  runId: string;
  close(): Promise<void>;
}

/** Methods of a session that a worker may call. */
const methods = [
  'facts',
  'call',
  'template',
  'shared',
  'repeat',
  'documents',
  'tokensEnd',
  'request',
  'observe',
  'evidence',
] as const satisfies readonly (keyof Session)[];
type SessionMethod = (typeof methods)[number];

const answering: ReadonlySet<SessionMethod> = new Set(['call', 'template', 'shared', 'repeat']);

/** Path below which anybody on this machine who knows the id of a run may ask whether this is its host. */
const runPath = '/run/';

/** Path below which the host accepts callbacks that no check waits for. */
const callbackPath = '/callbacks';

/** How long to wait for a host that accepts a connection and does not answer. */
const askedMs = 5_000;

const variable = 'ESIGN_CONFORMANCE_HOST';

/** A session that workers use: they write down what they get of an exchange. */
export type Hosted = Session & { readonly recorder: Pick<Recorder, 'shown'> };

/** Serves a session on a free loopback port. @param session called when a worker asks first; it throws in the worker */
export async function startHost(session: () => Promise<Hosted>): Promise<Host> {
  const key = randomBytes(16).toString('hex');
  const server = http.createServer((request, response) => {
    if (request.url?.startsWith(runPath)) {
      const known = host.runId !== '' && request.url === `${runPath}${host.runId}`;
      response.writeHead(known ? 204 : 404).end();
      return;
    }
    if (request.url?.startsWith(callbackPath)) {
      // These callbacks are read to their end and dropped.
      request.resume();
      response.writeHead(200).end();
      return;
    }
    if (request.headers.authorization !== `Bearer ${key}`) {
      response.writeHead(401).end();
      return;
    }
    void answer(request, session).then((reply) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply));
    });
  });
  server.keepAliveTimeout = 60_000;
  const { port, close } = await listening(server);
  const host: Host = { runId: '', address: { url: `http://127.0.0.1:${port}`, key }, close };
  return host;
}

/** Whether the host of a run still exists. One that accepts a connection and does not answer, such as a stopped process, counts. */
export async function isHostOf(url: string, runId: string): Promise<boolean> {
  try {
    const asked = `${url}${runPath}${encodeURIComponent(runId)}`;
    const { status } = await fetch(asked, { signal: AbortSignal.timeout(askedMs), redirect: 'manual' });
    return status === 204;
  } catch (error) {
    return (error as Error).name === 'TimeoutError';
  }
}

/** Tells the workers, which inherit the environment, where the host is. */
export function announce(address: HostAddress): void {
  process.env[variable] = JSON.stringify(address);
}

export function hostAddress(): HostAddress {
  const announced = process.env[variable];
  if (!announced) throw new Error('no run host was started: the global set-up did not run');
  return JSON.parse(announced) as HostAddress;
}

/** The answer to a worker: a value, or an error with its name, message and finding. */
type Reply =
  | { readonly value: unknown }
  | { readonly error: { readonly name: string; readonly message: string; readonly found?: Found } };

async function answer(request: http.IncomingMessage, session: () => Promise<Hosted>): Promise<Reply> {
  try {
    const { method, args } = (await json(request)) as { method: SessionMethod; args: unknown[] };
    if (!methods.includes(method)) throw new Error(`the host has no method ${method}`);
    const target = await session();
    const call = target[method].bind(target) as (...given: unknown[]) => Promise<unknown>;
    const value = (await call(...args)) ?? null;
    if (!answering.has(method)) return { value };
    const answer = value as Answer;
    return { value: { ...answer, exchange: target.recorder.shown(answer.exchange) } };
  } catch (error) {
    const { name, message } = error as Error;
    return { error: { name, message, found: error instanceof CouldNotRun ? error.found : undefined } };
  }
}

/** A session as a worker sees it: each method is a call to the run host. */
export function remoteSession(address: HostAddress): Session {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const ask =
    (method: SessionMethod) =>
    async (...args: unknown[]): Promise<never> => {
      const reply = await send(address, agent, JSON.stringify({ method, args }));
      if ('value' in reply) return reply.value as never;
      const { name, message, found } = reply.error;
      if (name === 'CouldNotRun') throw new CouldNotRun(message, found);
      throw Object.assign(new Error(message), { name });
    };
  return Object.fromEntries(methods.map((method) => [method, ask(method)])) as unknown as Session;
}

async function send(address: HostAddress, agent: http.Agent, body: string): Promise<Reply> {
  const headers = { Authorization: `Bearer ${address.key}` };
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.request(address.url, { method: 'POST', agent, headers }, resolve).on('error', reject).end(body);
  });
  if (response.statusCode === 200) return (await json(response)) as Reply;
  response.resume();
  throw new Error(`the run host answered with ${response.statusCode}`);
}
