/** Sends queued callbacks: in order, with bounded exponential repetition, and again after a restart. */
import { createHmac } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Dialect } from '../dialect.ts';
import type { Service } from '../service.ts';
import { type CallbackContent, contentOf } from './content.ts';
import { DestinationRefused, post } from './destination.ts';
import { encode } from './encode.ts';
import type { QueuedCallback } from './queue.ts';

/** How many callbacks are sent at the same time. */
const atMost = 32;
/** Longest wait before a repetition, in milliseconds. */
const longestWaitMs = 300_000;

/** Takes the answer of a receiver to a callback: a status, or why there was none. */
export type OnAnswer = (callback: Pick<QueuedCallback, 'event' | 'url'>, answer: number | string) => void;

export class Courier {
  readonly #service: Service;
  readonly #onError: (error: unknown) => void;
  readonly #onAnswer: OnAnswer;
  readonly #underway = new Set<number>();
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #due = Number.POSITIVE_INFINITY;

  constructor(service: Service, onError: (error: unknown) => void, onAnswer: OnAnswer = () => undefined) {
    this.#service = service;
    this.#onError = onError;
    this.#onAnswer = onAnswer;
    // Each callback that is being sent listens to it, even while the rest of an answer is read.
    setMaxListeners(0, this.#stop.signal);
  }

  /** Begins with the callbacks that an earlier process left in the queue. */
  start(): void {
    this.#service.callbacks.onNew(() => this.#lookAt(this.#service.now()));
    this.#lookAt(this.#service.now());
  }

  /** Ends the deliveries under way; their callbacks stay queued. */
  close(): void {
    this.#stop.abort();
    clearTimeout(this.#timer);
  }

  /** Plans the next look into the queue; the earliest planned time counts. */
  #lookAt(time: number): void {
    if (this.#stop.signal.aborted || time >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = time;
    this.#timer = setTimeout(() => this.#look(), Math.max(0, time - this.#service.now()));
  }

  #look(): void {
    this.#due = Number.POSITIVE_INFINITY;
    const now = this.#service.now();
    for (const delivery of this.#ready()) {
      if (delivery.nextAt > now) this.#lookAt(delivery.nextAt);
      else if (this.#underway.size < atMost) void this.#carry(delivery);
    }
  }

  /** Callbacks that wait for no other one and are not under way. */
  #ready(): readonly QueuedCallback[] {
    const pending = this.#service.callbacks.pending();
    const inOrder = this.#service.dialect.callbackOrder === 'one-by-one';
    const seen = new Set<string>();
    const first = pending.filter(({ requestId }) => {
      if (inOrder && seen.has(requestId)) return false;
      seen.add(requestId);
      return true;
    });
    // The callback that is due longest comes first, or receivers that hang would take all places with their repetitions.
    return first
      .filter(({ id }) => !this.#underway.has(id))
      .toSorted((one, other) => one.nextAt - other.nextAt);
  }

  async #carry(delivery: QueuedCallback): Promise<void> {
    this.#underway.add(delivery.id);
    try {
      await this.#attempt(delivery);
    } catch (error) {
      this.#onError(error);
      this.#later(delivery);
    } finally {
      this.#underway.delete(delivery.id);
      this.#lookAt(this.#service.now());
    }
  }

  async #attempt(delivery: QueuedCallback): Promise<void> {
    const { dialect, callbacks, now } = this.#service;
    const content = contentOf(this.#service, delivery);
    if (content === null) {
      callbacks.end(delivery, 'given-up');
      return;
    }
    const { contentType, body } = await encode(content, this.#service);
    const headers = { 'Content-Type': contentType, ...proofHeaders(dialect, content, body, now()) };
    const limits = {
      timeoutMs: dialect.callbackTimeoutMs,
      networks: dialect.callbackNetworks,
      method: dialect.callbackMethod,
    };
    const outcome = await post(delivery.url, headers, body, limits, this.#stop.signal).catch(
      (error: Error) => error,
    );
    const answer = outcome instanceof Error ? whyNone(outcome, dialect) : outcome;
    callbacks.answers.set(delivery.id, answer);
    this.#onAnswer(delivery, answer);
    // The database is closed now: the callback stays queued and is sent again after the restart.
    if (this.#stop.signal.aborted) return;
    if (outcome instanceof DestinationRefused) callbacks.end(delivery, 'refused');
    else if (typeof outcome === 'number' && outcome >= 200 && outcome < 300)
      callbacks.end(delivery, 'delivered');
    else this.#later(delivery);
  }

  #later(delivery: QueuedCallback): void {
    if (this.#stop.signal.aborted) return;
    const { dialect, callbacks } = this.#service;
    if (delivery.attempts >= dialect.callbackRetries) callbacks.end(delivery, 'given-up');
    else
      callbacks.repeat(delivery, Math.min(dialect.callbackRetryMs * 2 ** delivery.attempts, longestWaitMs));
  }
}

/** Why there was no answer, in words for the author of the receiver. */
function whyNone(error: Error, { callbackTimeoutMs, callbackNetworks }: Dialect): string {
  if (error instanceof DestinationRefused)
    return `not sent: ${error.message} (callbackNetworks=${callbackNetworks})`;
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return `no answer within ${callbackTimeoutMs} ms`;
  if (error.message.includes('wrong version number')) return 'no answer: it speaks no TLS, as http: has it';
  const trust = /self-signed|(issuer|first) certificate/.test(error.message)
    ? '; NODE_EXTRA_CA_CERTS=FILE has it trusted'
    : '';
  return `no answer: ${error.message || ('code' in error ? error.code : error.name)}${trust}`;
}

function proofHeaders(
  dialect: Dialect,
  { deliveryId }: CallbackContent,
  body: Buffer,
  nowMs: number,
): Record<string, string> {
  const { callbackSecret: secret } = dialect;
  const seconds = String(Math.floor(nowMs / 1000));
  switch (dialect.callbackAuth) {
    case 'none':
      return {};
    case 'secret-header':
      return { 'X-Callback-Secret': secret };
    case 'bearer':
      return { Authorization: `Bearer ${secret}` };
    case 'hmac-body':
      return { 'X-Signature': `sha256=${hmac(Buffer.from(secret), [body]).toString('hex')}` };
    case 'hmac-time-body': {
      const digest = hmac(Buffer.from(secret), [`${seconds}.`, body]).toString('hex');
      return { 'X-Signature': `t=${seconds},v1=${digest}` };
    }
    case 'standard-webhooks': {
      const digest = hmac(webhookKey(secret), [`${deliveryId}.${seconds}.`, body]).toString('base64');
      return { 'webhook-id': deliveryId, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${digest}` };
    }
  }
}

/** Standard Webhooks: the key in base64, with or without `whsec_` before it. */
const webhookKey = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

function hmac(key: Buffer, parts: readonly (string | Buffer)[]): Buffer {
  const digest = createHmac('sha256', key);
  for (const part of parts) digest.update(part);
  return digest.digest();
}
