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
  /** A stranger named the address, which is called only where the target lies as far inside of networks. */
  readonly elsewhere?: boolean;
}

export interface HttpResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly HeaderField[];
  /** Without its content coding; of an answer that is no success the beginning (`limits.errorBytes`). */
  readonly body: Buffer;
}

export interface HttpLimits {
  /** Time for the whole call, in milliseconds. */
  readonly deadlineMs: number;
  /** Time until a connection stands, in milliseconds. */
  readonly connectMs: number;
  /** A longer answer is a failure `TOO_LARGE`. */
  readonly maxResponseBytes: number;
  /** CA certificate (PEM) that is trusted besides the usual ones. */
  readonly ca?: string | undefined;
  /** Host name of the target; absent: a stranger's address may lie anywhere. */
  readonly target?: string | undefined;
  /** Absent: everything is called directly. */
  readonly proxyFor?: FindProxy | undefined;
}

export type HttpOutcome = { readonly response: HttpResponse } | { readonly failure: TransportFailure };

/** Connections that idle longer are closed from this side: servers close theirs after 5 s and more. */
const idleMs = 2_000;
/** A target that closes a connection within this time of its last answer does not keep connections. */
const promptlyMs = 1_000;
/** How long the first connection has to stay open before it, and others, are used again. */
const proofMs = 50;

const keep = { keepAlive: true, maxSockets: 256, timeout: idleMs };

/** Sends requests over kept-alive connections; `close()` ends them. */
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
  /**
   * Whether a host keeps connections, as most promise to. One that closes them after each answer would break
   * every request that is on its way by then, so that the promise is believed only when it was kept.
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
   * Sends one request, once; never throws: what went wrong on the way is the outcome. A request is never sent
   * again here, not even over a connection that turned out to be closed: nobody knows whether it arrived.
   */
  async send(request: HttpRequest): Promise<HttpOutcome> {
    // Lets Node notice which idle connections were closed, or have brought something unasked, before one of them is
    // used: it looks at its sockets between two turns of the event loop.
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

  /** How far inside an address that a stranger names may lie; a proxy knows its own networks. */
  async #mostFor({ url, elsewhere }: HttpRequest): Promise<Depth> {
    const { target, proxyFor } = this.#limits;
    if (!elsewhere || target === undefined || proxyFor?.(url)) return 2;
    this.#depth ??= depthOfHost(target);
    return this.#depth;
  }

  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
    for (const { kept } of this.#tunnels.values()) kept.destroy();
  }

  async #exchange(request: HttpRequest, most: Depth): Promise<HttpOutcome> {
    const { deadlineMs, connectMs, maxResponseBytes } = this.#limits;
    // What is an address already is not looked up.
    if (most < 2 && (await depthOfHost(request.url.hostname)) > most) return failure(tooDeep, tooDeepWords);
    return new Promise((resolve) => {
      let outgoing: http.ClientRequest;
      let proxy: ProxyServer | undefined;
      try {
        proxy = this.#limits.proxyFor?.(request.url);
        outgoing = this.#open(request, proxy, most);
      } catch (error) {
        resolve(failure('REQUEST', (error as Error).message));
        return;
      }
      const give = (code: string, message: string) => {
        settle(failure(code, message));
        outgoing.destroy();
      };
      const inTime = alarm(deadlineMs, () => give('DEADLINE', `no complete answer within ${deadlineMs} ms`));
      const connected = alarm(connectMs, () =>
        give('CONNECT_TIMEOUT', `no connection within ${connectMs} ms`),
      );
      const settle = (outcome: HttpOutcome) => {
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
      // A proxy that makes no tunnel says why, and is not the target.
      outgoing.on('proxyConnect', ({ statusCode }: { statusCode: number }) => {
        if (statusCode !== 200) give('PROXY', `it answered CONNECT with ${statusCode}`);
      });
      let answer: http.IncomingMessage | null = null;
      outgoing.on('close', () => {
        // Of a complete answer that ends with its connection the end may still be to come.
        if (!answer?.complete) settle(failure('TRUNCATED', 'the answer broke off'));
      });
      outgoing.on('response', (incoming) => {
        connected();
        answer = incoming;
        const { statusCode = 0 } = incoming;
        // Node takes any three digits; a status from 600 on is read as trouble of the server (RFC 9110, section 15).
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
        // Of a coded body it is not known yet how long it is.
        const isCutOff = !is2xx({ status: statusCode }) && incoming.headers['content-encoding'] === undefined;
        incoming.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > maxResponseBytes) {
            // What came so far would be held until the connection is forgotten.
            gathered.forget();
            give('TOO_LARGE', `the answer is longer than ${maxResponseBytes} bytes`);
            return;
          }
          gathered.add(chunk);
          if (!isCutOff || size < limits.errorBytes.most) return;
          // What follows is not read: the answer is there.
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

  /** @throws Error when a header or the path holds a sign that HTTP does not allow */
  #open(
    { method, url, headers }: HttpRequest,
    proxy: ProxyServer | undefined,
    most: Depth,
  ): http.ClientRequest {
    const secure = url.protocol === 'https:';
    // Until it is known, one connection is left alone to see what becomes of it.
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
    if (!this.#keeps.has(host)) {
      setTimeout(() => {
        if (!this.#keeps.has(host) && this.#idle.has(socket)) this.#keeps.set(host, true);
      }, proofMs).unref();
    }
    socket.once('close', () => {
      const idle = this.#idle.get(socket);
      this.#idle.delete(socket);
      if (idle && performance.now() - idle.since < promptlyMs) this.#keeps.set(host, false);
    });
  }
}

/** Whoever speaks unasked, as gateways do that have waited long enough, answers nothing (RFC 9112, section 9.2). */
function endOf(this: Socket): void {
  this.destroy();
}

function enoughOf(status: number, body: Buffer): Buffer {
  const most = limits.errorBytes.most;
  // A copy, so that nothing holds the rest.
  return is2xx({ status }) || body.length <= most ? body : Buffer.from(body.subarray(0, most));
}

function failure(code: string, message: string): { failure: TransportFailure } {
  return { failure: { code, message } };
}

/** What went wrong on the way through a proxy may lie there; the words say so. */
function throughProxy({ words }: ProxyServer, outcome: HttpOutcome): HttpOutcome {
  if ('response' in outcome) {
    // Only a proxy asks for this.
    return outcome.response.status === 407 ? failure('PROXY', `by ${words}: it answered with 407`) : outcome;
  }
  return failure(outcome.failure.code, `by ${words}: ${outcome.failure.message}`);
}
