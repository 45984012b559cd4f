/** One request over HTTP/1.1 with node:http: raw headers, raw bytes, a deadline, a bounded answer, no redirects. */
import http from 'node:http';
import https from 'node:https';
import type { HeaderField, TransportFailure } from './exchange.ts';

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly HeaderField[];
  readonly body: Buffer | null;
}

export interface HttpResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly HeaderField[];
  readonly body: Buffer;
}

export interface HttpLimits {
  /** Time for the whole call, in milliseconds. */
  readonly deadlineMs: number;
  /** Time until a connection stands, in milliseconds. */
  readonly connectMs: number;
  /** A longer answer is a failure `TOO_LARGE`. */
  readonly maxResponseBytes: number;
  /** CA certificate (PEM) that is trusted besides the system's. */
  readonly ca?: string | undefined;
}

export type HttpOutcome = { readonly response: HttpResponse } | { readonly failure: TransportFailure };

/** Sends requests over kept-alive connections; `close()` ends them. */
export class HttpSender {
  readonly #limits: HttpLimits;
  readonly #agents: { readonly http: http.Agent; readonly https: https.Agent };

  constructor(limits: HttpLimits) {
    this.#limits = limits;
    const keep = { keepAlive: true, keepAliveMsecs: 1000, maxSockets: 256, timeout: 60_000 };
    this.#agents = {
      http: new http.Agent(keep),
      https: new https.Agent({ ...keep, ...(limits.ca ? { ca: limits.ca } : {}) }),
    };
  }

  /** Sends one request; never throws: what went wrong on the way is the outcome. */
  async send(request: HttpRequest): Promise<HttpOutcome> {
    const first = await this.#once(request);
    // A kept-alive connection that the target closed meanwhile: the request was never read, so it may go again.
    return first === 'stale' ? this.#settle(await this.#once(request, true)) : first;
  }

  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  #settle(outcome: HttpOutcome | 'stale'): HttpOutcome {
    return outcome === 'stale' ? failure('ECONNRESET', 'the connection was reset') : outcome;
  }

  #once(request: HttpRequest, fresh = false): Promise<HttpOutcome | 'stale'> {
    const { deadlineMs, connectMs, maxResponseBytes } = this.#limits;
    const secure = request.url.protocol === 'https:';
    return new Promise((resolve) => {
      let connected = false;
      const timers: NodeJS.Timeout[] = [];
      const settle = (outcome: HttpOutcome | 'stale') => {
        for (const timer of timers) clearTimeout(timer);
        resolve(outcome);
      };
      const give = (code: string, message: string) => {
        settle(failure(code, message));
        outgoing.destroy();
      };
      const options: https.RequestOptions = {
        method: request.method,
        // An array of pairs keeps names as spelled and allows a name twice.
        headers: request.headers.flat(),
        agent: fresh ? false : secure ? this.#agents.https : this.#agents.http,
        ...(fresh && this.#limits.ca ? { ca: this.#limits.ca } : {}),
      };
      let outgoing: http.ClientRequest;
      try {
        outgoing = (secure ? https : http).request(request.url, options);
      } catch (error) {
        resolve(failure('REQUEST', (error as Error).message));
        return;
      }
      timers.push(
        setTimeout(() => give('DEADLINE', `no complete answer within ${deadlineMs} ms`), deadlineMs),
        setTimeout(() => {
          if (!connected) give('CONNECT_TIMEOUT', `no connection within ${connectMs} ms`);
        }, connectMs),
      );
      outgoing.on('socket', (socket) => {
        if (!socket.connecting) connected = true;
        socket.once(secure ? 'secureConnect' : 'connect', () => {
          connected = true;
        });
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        if (outgoing.reusedSocket && !fresh && error.code === 'ECONNRESET') settle('stale');
        else settle(failure(error.code ?? 'NETWORK', explain(error)));
      });
      outgoing.on('response', (incoming) => {
        connected = true;
        const chunks: Buffer[] = [];
        let size = 0;
        incoming.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > maxResponseBytes)
            give('TOO_LARGE', `the answer is longer than ${maxResponseBytes} bytes`);
          else chunks.push(chunk);
        });
        incoming.on('error', (error: NodeJS.ErrnoException) =>
          settle(failure(error.code ?? 'NETWORK', `the answer broke off: ${explain(error)}`)),
        );
        incoming.on('end', () => {
          if (!incoming.complete) settle(failure('TRUNCATED', 'the answer broke off'));
          else
            settle({
              response: {
                status: incoming.statusCode ?? 0,
                reason: incoming.statusMessage ?? '',
                headers: pairs(incoming.rawHeaders),
                body: Buffer.concat(chunks),
              },
            });
        });
      });
      outgoing.end(request.body ?? undefined);
    });
  }
}

function failure(code: string, message: string): { failure: TransportFailure } {
  return { failure: { code, message } };
}

function pairs(raw: readonly string[]): HeaderField[] {
  const fields: HeaderField[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) fields.push([raw[i] ?? '', raw[i + 1] ?? '']);
  return fields;
}

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused: nothing listens there',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EPIPE: 'the connection was closed while the request was sent',
};

function explain(error: NodeJS.ErrnoException): string {
  const sentence = error.code ? sentences[error.code] : undefined;
  if (sentence) return sentence;
  // Some errors of several addresses have an empty message of their own.
  return error.message || error.code || 'the connection failed';
}
