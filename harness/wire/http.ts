/** One request over HTTP/1.1 with node:http: raw headers, raw bytes, a deadline, a bounded answer, no redirects. */
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { fieldsOfRaw, type HeaderField, is2xx, type TransportFailure } from '../../record/exchange.ts';
import { uncoded } from '../untrusted/content-coding.ts';
import { alarm } from '../untrusted/deadline.ts';
import { Gathered } from '../untrusted/gathered.ts';
import { limits } from '../untrusted/limits.ts';
import { type Depth, depthOfHost, lookupWithin, tooDeep, tooDeepWords } from '../untrusted/networks.ts';
import { type FindProxy, type ProxyServer, type Tunnels, tunnelsThrough } from './proxy.ts';
import { failureOf } from './transport-failure.ts';

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly HeaderField[];
  readonly body: Buffer | null;
  /** A stranger named the address. It is called only where the target lies at least as far inside of networks. */
  readonly elsewhere?: boolean;
}

export interface HttpResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly HeaderField[];
  /** The body with its content coding undone; of an answer that is no success only the beginning (`limits.errorBytes`). */
  readonly body: Buffer;
}

interface HttpLimits {
  /** Time for the whole call, in milliseconds. */
  readonly deadlineMs: number;
  /** Time until a connection is made, in milliseconds. */
  readonly connectMs: number;
  /** A longer answer is a failure `TOO_LARGE`. */
  readonly maxResponseBytes: number;
  /** CA certificate (PEM) that is trusted besides the usual ones. */
  readonly ca?: string;
  /** Host name of the target; when absent, an address that a stranger names may lie anywhere. */
  readonly target?: string;
  /** Absent: everything is called directly. */
  readonly proxyFor?: FindProxy;
}

export type HttpOutcome = { readonly response: HttpResponse } | { readonly failure: TransportFailure };

/** Idle connections are closed from this side after this time: servers close theirs after 5 s or later. */
const idleMs = 2_000;
/** A target that closes a connection so soon after its last answer does not keep connections. */
const promptlyMs = 1_000;
/** How long the first connection to a host has to stay open before connections to it are used again. */
const proofMs = 50;

const keep = { keepAlive: true, maxSockets: 256, timeout: idleMs };

/** Sends requests over kept-alive connections; `close()` ends them, and the calls under way. */
export class HttpSender {
  readonly #limits: HttpLimits;
  #depth: Promise<Depth> | undefined;
  readonly #agents: { readonly http: http.Agent; readonly https: https.Agent };
  readonly #tls: { readonly secureContext?: SecureContext };
  /** Agents that reach https hosts through a proxy, by its URL. */
  readonly #tunnels = new Map<string, Tunnels>();
  /** Connections that wait for their next request: to which host, and since when. */
  readonly #idle = new Map<Socket, { readonly host: string; readonly since: number }>();
  readonly #known = new WeakSet<Socket>();
  /** Each ends a call under way. */
  readonly #underWay = new Set<() => void>();
  /**
   * Whether a host keeps connections open, as most promise to. If one closes them after each answer, every request that
   * is on its way by then breaks off, so the promise is believed only after it was kept once.
   */
  readonly #keeps = new Map<string, boolean>();

  constructor(limits: HttpLimits) {
    this.#limits = limits;
    this.#tls = limits.ca
      ? { secureContext: createSecureContext({ ca: [...rootCertificates, limits.ca] }) }
      : {};
    this.#agents = { http: new http.Agent(keep), https: new https.Agent({ ...keep, ...this.#tls }) };
  }

  /**
   * Sends one request, once. Never throws: trouble on the way is the outcome. A request is never sent again here, not
   * even where the connection turned out to be closed: nobody knows whether the request arrived.
   */
  async send(request: HttpRequest): Promise<HttpOutcome> {
    // Node looks at its sockets between two turns of the event loop. So two turns let it notice which idle connections were
    // closed, or have brought data that nobody asked for, before one of them is used.
    if (this.#idle.size > 0) await nextTurn().then(() => nextTurn());
    const outcome = await this.#exchange(request, await this.#mostFor(request));
    if ('failure' in outcome) return outcome;
    const { response } = outcome;
    try {
      const body = await uncoded(response.headers, response.body, this.#limits.maxResponseBytes);
      return { response: { ...response, body: enoughOf(response.status, body) } };
    } catch (error) {
      const why = (error as Error).message;
      return failure('CONTENT_ENCODING', `the answer is not what its Content-Encoding says (${why})`);
    }
  }

  /** How far inside of networks the address of a request may lie; a proxy knows its own networks. */
  async #mostFor({ url, elsewhere }: HttpRequest): Promise<Depth> {
    const { target, proxyFor } = this.#limits;
    if (!elsewhere || target === undefined || proxyFor?.(url)) return 2;
    this.#depth ??= depthOfHost(target);
    return this.#depth;
  }

  close(): void {
    for (const end of this.#underWay) end();
    this.#agents.http.destroy();
    this.#agents.https.destroy();
    for (const { kept } of this.#tunnels.values()) kept.destroy();
  }

  async #exchange(request: HttpRequest, most: Depth): Promise<HttpOutcome> {
    const { deadlineMs, connectMs, maxResponseBytes } = this.#limits;
    // A host that is an IP address is never looked up, so its depth is checked here.
    if (most < 2 && (await depthOfHost(request.url.hostname)) > most) return failure(tooDeep, tooDeepWords);
    return new Promise((resolve) => {
      let outgoing: http.ClientRequest;
      let proxy: ProxyServer | undefined;
      try {
        proxy = this.#limits.proxyFor?.(request.url);
        outgoing = this.#open(request, proxy, most);
      } catch (error) {
        resolve(failure('NOT_SENT', `not sent: ${(error as Error).message}`));
        return;
      }
      const give = (code: string, message: string) => {
        settle(failure(code, message));
        outgoing.destroy();
        outgoing.emit('abandoned');
      };
      let answer: http.IncomingMessage | null = null;
      const inTime = alarm(deadlineMs, () =>
        give(answer ? 'UNFINISHED' : 'DEADLINE', `no complete answer within ${deadlineMs} ms`),
      );
      const connected = alarm(connectMs, () =>
        give('CONNECT_TIMEOUT', `no connection within ${connectMs} ms`),
      );
      const end = () => give('NO_ANSWER', 'the run ended before an answer came');
      this.#underWay.add(end);
      const settle = (outcome: HttpOutcome) => {
        this.#underWay.delete(end);
        inTime();
        connected();
        resolve(proxy ? throughProxy(proxy, outcome) : outcome);
      };
      outgoing.on('socket', (socket) => {
        this.#idle.delete(socket);
        socket.off('data', endOf);
        if (!socket.connecting) connected();
        else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connected);
      });
      outgoing.on('error', (error) => {
        if (outgoing.reusedSocket) this.#keeps.set(request.url.host, false);
        settle({ failure: failureOf(error) });
      });
      // A proxy that refuses the tunnel gives the reason in its status, which is not an answer of the target.
      outgoing.on('proxyConnect', ({ statusCode }: { statusCode: number }) => {
        if (statusCode !== 200) give('PROXY', `it answered CONNECT with ${statusCode}`);
      });
      outgoing.on('close', () => {
        // A complete answer that ends with its connection may not have been read to the end yet.
        if (!answer?.complete) settle(failure('TRUNCATED', 'the answer broke off'));
      });
      outgoing.on('response', (incoming) => {
        connected();
        answer = incoming;
        const { statusCode = 0 } = incoming;
        // Node accepts any three digits. A status from 600 on counts as trouble of the server (RFC 9110, section 15).
        if (statusCode < 100) give('STATUS', `what came is no HTTP (its status is ${statusCode})`);
        const gathered = new Gathered();
        let size = 0;
        const whole = () => ({
          response: {
            status: statusCode,
            reason: incoming.statusMessage ?? '',
            headers: fieldsOfRaw(incoming.rawHeaders),
            body: gathered.take(),
          },
        });
        // The length of a coded body is known only after decoding.
        const isCutOff = !is2xx({ status: statusCode }) && incoming.headers['content-encoding'] === undefined;
        incoming.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > maxResponseBytes) {
            // The parts that came are released, or they would stay in memory as long as the connection.
            gathered.forget();
            give('TOO_LARGE', `the answer is longer than ${maxResponseBytes} bytes`);
            return;
          }
          gathered.add(chunk);
          if (!isCutOff || size < limits.errorBytes.most) return;
          // The rest is not read: the beginning is enough.
          settle(whole());
          outgoing.destroy();
        });
        incoming.on('error', () => settle(failure('TRUNCATED', 'the answer broke off')));
        incoming.on('end', () => {
          if (!incoming.complete) return;
          if (outgoing.shouldKeepAlive && outgoing.socket) this.#keep(outgoing.socket, request.url.host);
          settle(whole());
        });
      });
      outgoing.end(request.body ?? undefined);
    });
  }

  /** @throws Error when a header or the path holds a character that HTTP does not allow */
  #open(
    { method, url, headers }: HttpRequest,
    proxy: ProxyServer | undefined,
    most: Depth,
  ): http.ClientRequest {
    const secure = url.protocol === 'https:';
    // Until it is known whether the host keeps connections, one connection is left idle to find that out.
    const kept = this.#keeps.get(url.host) ?? ![...this.#idle.values()].some(({ host }) => host === url.host);
    // An array of names and values keeps names as spelled and allows a name twice.
    const options = { method, headers: headers.flat() };
    if (proxy && secure) {
      const { kept: keeping, fresh } = this.#tunnel(proxy);
      return https.request(url, { ...options, agent: kept ? keeping : fresh, ...this.#tls });
    }
    const agent = kept && (secure ? this.#agents.https : this.#agents.http);
    if (proxy) {
      // The absolute form of a request to a proxy (RFC 9112, section 3.2.2).
      const { authorization } = proxy;
      if (authorization) options.headers.push('Proxy-Authorization', authorization);
      const overTls = proxy.url.protocol === 'https:';
      const way = overTls && { agent: kept && this.#agents.https, ...this.#tls };
      const path = url.href.slice(0, url.href.length - url.hash.length);
      return (overTls ? https : http).request(proxy.url, { ...options, agent, ...way, path });
    }
    const within = most < 2 ? { lookup: lookupWithin(most) } : {};
    return (secure ? https : http).request(url, {
      ...options,
      agent,
      ...within,
      ...(secure ? this.#tls : {}),
    });
  }

  #tunnel(proxy: ProxyServer): Tunnels {
    const tunnels = this.#tunnels.get(proxy.url.href) ?? tunnelsThrough(proxy, keep, this.#tls);
    this.#tunnels.set(proxy.url.href, tunnels);
    return tunnels;
  }

  /** Learns whether a connection stays open after its answer. */
  #keep(socket: Socket, host: string): void {
    this.#idle.set(socket, { host, since: performance.now() });
    socket.on('data', endOf);
    if (this.#known.has(socket)) return;
    this.#known.add(socket);
    if (!this.#keeps.has(host))
      setTimeout(() => {
        if (!this.#keeps.has(host) && this.#idle.has(socket)) this.#keeps.set(host, true);
      }, proofMs).unref();
    socket.once('close', () => {
      const idle = this.#idle.get(socket);
      this.#idle.delete(socket);
      if (idle && performance.now() - idle.since < promptlyMs) this.#keeps.set(host, false);
    });
  }
}

/** Closes an idle connection on which data comes that nobody asked for, as some gateways send at a timeout (RFC 9112, section 9.2). */
function endOf(this: Socket): void {
  this.destroy();
}

function enoughOf(status: number, body: Buffer): Buffer {
  const most = limits.errorBytes.most;
  // A copy, so that the rest of the body is not held in memory.
  return is2xx({ status }) || body.length <= most ? body : Buffer.from(body.subarray(0, most));
}

function failure(code: string, message: string): { failure: TransportFailure } {
  return { failure: { code, message } };
}

/** Trouble of a call through a proxy may come from the proxy, so the message names it. */
function throughProxy({ words }: ProxyServer, outcome: HttpOutcome): HttpOutcome {
  if ('response' in outcome) {
    // Only a proxy answers with 407.
    return outcome.response.status === 407 ? failure('PROXY', `by ${words}: it answered with 407`) : outcome;
  }
  return failure(outcome.failure.code, `by ${words}: ${outcome.failure.message}`);
}
