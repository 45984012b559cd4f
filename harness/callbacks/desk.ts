/** Handles each delivery from its first byte to its answer: its address, the limits, the record, the counts. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Moment, moment, monotonicMs } from '../../record/clock.ts';
import {
  type Answered,
  type Delivery,
  type Message,
  messageOf,
  type Recorded,
  recordOf,
  senderOf,
} from '../../record/delivery.ts';
import type { ListenerLimits } from '../profile/callback-settings.ts';
import { type Desk, type OpenAddress, selfCallName } from './address.ts';
import { type ListenerCounts, Tally } from './counts.ts';
import { discard, namedByHash, receive, type Usage } from './intake.ts';
import { type RefusalReason, refusalMessage, refusalStatus } from './limits.ts';
import type { Router } from './router.ts';
import { type UnclaimedDeliveries, unclaimedDeliveries } from './unclaimed.ts';

interface DeskOptions {
  readonly router: Router;
  readonly limits: ListenerLimits;
  readonly folder: string;
  readonly identify?: (message: Message, requestIds: readonly string[]) => string | undefined;
}

/** Limits for deliveries to unknown addresses: strangers must not use up the limits of the flows. */
const ofStrangers = { bodyBytes: 16 * 1024 * 1024, bytes: 64 * 1024 * 1024, arrivalMs: 5_000 };
const strangersHeld = 200;
/** To parse a larger body may take seconds. Of strangers it is done only if the body has an id literally. */
const strangersBytes = 4 * 1024;

/** A first request that follows its connection within this time began with the connection. */
const freshConnectionMs = 1_000;

export class DeliveryDesk implements Desk {
  readonly #options: DeskOptions;
  readonly #usage: Usage = { bytes: 0, memoryBytes: 0 };
  readonly #strangers: Usage = { bytes: 0, memoryBytes: 0 };
  /** Deliveries to the URL that all addresses share. */
  readonly #held: UnclaimedDeliveries;
  /** Deliveries to no known address: a target may have cut or changed the URL, which should be found out. */
  readonly #misdirected: UnclaimedDeliveries;
  readonly #stored: Delivery[] = [];
  readonly #connections = new WeakMap<Duplex, number>();
  /** Connections that are bringing a request. */
  readonly #taking = new WeakSet<Duplex>();
  readonly tally = new Tally();
  #index = 0;
  #sharedInFlight = 0;
  sharedRefused = 0;

  constructor(options: DeskOptions) {
    this.#options = options;
    const { heldMs } = options.limits;
    const problem = (error: unknown) => this.tally.problem(error);
    const claimed = () => this.#claimed();
    this.#held = unclaimedDeliveries({
      heldMs,
      problem,
      claimed,
      claimant: (delivery, requestIds) => this.#claimant(delivery, requestIds),
      found: async (delivery, address) => {
        this.tally.known('unknown-request');
        await this.#store(delivery, address);
      },
      forget: async ({ body }) => {
        this.tally.foreign++;
        this.tally.begun--;
        await discard(body, this.#usage);
      },
    });
    const forget = ({ body }: Delivery) => discard(body, this.#strangers);
    this.#misdirected = unclaimedDeliveries({
      heldMs,
      problem,
      claimed,
      claimant: (delivery, requestIds) => this.#claimantOfMisdirected(delivery, requestIds),
      found: async (delivery, address) => {
        if (this.#hasEnough(address)) return forget(delivery);
        this.tally.foreign--;
        this.tally.known('unknown-address');
        await this.#store(delivery, address);
      },
      forget,
    });
  }

  connected(socket: Duplex): void {
    this.#connections.set(socket, monotonicMs());
  }

  /** Deals with one request. Never rejects: whatever happens, the listener goes on. */
  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#taking.add(request.socket);
    try {
      await this.#deal(request, response);
    } catch (error) {
      this.tally.problem(error);
      if (!response.headersSent) dismiss(request, response, 500, 'the listener failed');
    } finally {
      this.#taking.delete(request.socket);
    }
  }

  async #deal(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { router, limits, folder } = this.#options;
    const started = this.#startOf(request);
    const target = request.url ?? '/';
    const route = router.route(target);
    if (route === 'foreign') return this.#takeMisdirected(request, response, started);
    const own = route === 'shared' ? undefined : route;
    const full = this.#full(own);
    if (full) {
      this.#refuse(full, request, response, started, own);
      return;
    }
    this.tally.begun++;
    const over = own ? own.begin() : this.#beginShared();
    try {
      const index = this.#index++;
      const received = await receive(request, { limits, folder, usage: this.#usage });
      if (!received.whole) {
        this.tally.begun--;
        if (received.cause) this.tally.problem(received.cause);
        this.#refuse(received.reason, request, response, started, own);
        return;
      }
      const recorded = recordOf(index, request, started, received);
      const address = own ?? (await this.#claimant(recorded, this.#claimed()));
      if (!own && address && this.#hasEnough(address)) {
        this.tally.begun--;
        await discard(received.body, this.#usage);
        this.#refuse('deliveries-per-check', request, response, started, address);
        return;
      }
      // This comes before the answer: a sender may wait for it before the next delivery, which must not be stored
      // before this one.
      const body = address ? await namedByHash(recorded.body, folder) : recorded.body;
      // Deliveries whose first bytes the machine already holds are all read before this one is answered:
      // otherwise two that really overlapped would look like one after the other.
      await nextTurn();
      const answered = await answer(address?.nextAnswer() ?? 200, response);
      const delivery = { ...recorded, body, check: '', answered, finished: moment() };
      if (!address) {
        this.tally.strange('unknown-request', started, delivery.from);
        await this.#held.add(delivery);
      } else {
        // On the shared URL it is known only now against which address this delivery counts.
        if (!own) address.begin()();
        this.#keep(delivery, address);
      }
    } finally {
      over();
    }
  }

  /** Reads a delivery to an unknown address, within narrow limits, since its content may tell the right one. */
  async #takeMisdirected(request: IncomingMessage, response: ServerResponse, started: Moment): Promise<void> {
    const { identify, folder } = this.#options;
    this.tally.foreign++;
    // A body of unknown length may have no end.
    const isSmall = Number(request.headers['content-length']) <= ofStrangers.bodyBytes;
    const isRead = identify !== undefined && isSmall && this.#misdirected.size() < strangersHeld;
    const rules = { limits: ofStrangers, folder, usage: this.#strangers };
    const received = isRead ? await receive(request, rules) : undefined;
    const recorded = received?.whole ? recordOf(this.#index++, request, started, received) : undefined;
    const address = recorded && (await this.#claimantOfMisdirected(recorded, this.#claimed()));
    if (recorded && address && !this.#hasEnough(address)) {
      // Answered like any other delivery: a target that has to repeat this one may hold back all later ones.
      const answered = await answer(address.nextAnswer(), response);
      this.tally.foreign--;
      await this.#store({ ...recorded, check: '', answered, finished: moment() }, address);
      return;
    }
    this.tally.strange('unknown-address', started, senderOf(request));
    dismiss(request, response, 404, 'no check listens here');
    const answered = { kind: 'status', status: 404 } as const;
    if (recorded) await this.#misdirected.add({ ...recorded, check: '', answered, finished: moment() });
  }

  look(requestId: string): void {
    this.#held.look(requestId);
    this.#misdirected.look(requestId);
  }

  sharedInFlight(): number {
    return this.#sharedInFlight;
  }

  /** A connection that was not taken, since too many were open. */
  dropped(from: string | undefined): void {
    this.tally.strange('connections', moment(), from, 'nobody');
  }

  /** Counts and answers what is no HTTP message, or has header fields that are too large or come too slowly. */
  malformed(error: NodeJS.ErrnoException, socket: Socket): void {
    const reasons: Record<string, RefusalReason> = {
      HPE_HEADER_OVERFLOW: 'header-size',
      ERR_HTTP_REQUEST_TIMEOUT: 'arrival-time',
    };
    const { remoteAddress, bytesRead } = socket;
    // The connection broke off. Where a body was on its way, the intake counts that.
    if (error.code === 'ECONNRESET' || error.code === 'HPE_INVALID_EOF_STATE') {
      const inHeader = error.code === 'HPE_INVALID_EOF_STATE' && !this.#taking.has(socket);
      if (inHeader) this.tally.strange('incomplete', moment(), remoteAddress, 'nobody');
      socket.destroy();
      return;
    }
    const reason = reasons[error.code ?? ''] ?? 'malformed';
    // A connection that was opened in advance and never used has lost nothing.
    if (bytesRead > 0) {
      this.tally.refuse(reason);
      this.tally.strange(reason, moment(), remoteAddress, 'nobody');
    }
    const status = refusalStatus(reason);
    if (socket.writable && status) socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\n\r\n`);
    else socket.destroy();
  }

  deliveries(): readonly Delivery[] {
    const given = this.#stored.filter(({ check }) => check !== selfCallName);
    return given.sort((a, b) => a.index - b.index);
  }

  counts(): ListenerCounts {
    return {
      stored: this.#stored.length,
      bytes: this.#stored.reduce((sum, { body }) => sum + body.size, 0),
      foreign: this.tally.foreign,
      held: this.#held.size(),
      refused: this.tally.refused(),
      ...this.tally.counted(),
    };
  }

  close(): void {
    this.#held.clear();
    this.#misdirected.clear();
  }

  #claimed(): string[] {
    return this.#options.router.all().flatMap(({ requestIds }) => [...requestIds]);
  }

  /** The address of a misdirected delivery, by a request id that is hard to guess. Strangers could have guessed a number. */
  #claimantOfMisdirected(recorded: Recorded, requestIds: readonly string[]) {
    // Ids with other characters may be escaped in many ways, so bodies are read for them in any case.
    const isFor = ({ target, body }: Message & { readonly body: Buffer }, id: string) =>
      body.length <= strangersBytes || /[^\w-]/.test(id) || target.includes(id) || body.includes(id);
    return this.#claimant(recorded, requestIds.filter(isHardToGuess), isFor);
  }

  /** @param mayName whether a delivery is worth reading for an id */
  async #claimant(
    recorded: Recorded,
    requestIds: readonly string[],
    mayName: (message: Message & { readonly body: Buffer }, requestId: string) => boolean = () => true,
  ): Promise<OpenAddress | undefined> {
    const { router, identify } = this.#options;
    if (!identify || requestIds.length === 0) return undefined;
    try {
      const message = await messageOf(recorded);
      const named = requestIds.filter((id) => mayName(message, id));
      const requestId = named.length === 0 ? undefined : identify(message, named);
      return requestId === undefined ? undefined : router.claimed(requestId);
    } catch (error) {
      // The delivery cannot be assigned; it is answered and kept nevertheless.
      this.tally.problem(error);
      return undefined;
    }
  }

  #beginShared(): () => void {
    this.#sharedInFlight++;
    return () => {
      this.#sharedInFlight--;
    };
  }

  /** Stores a delivery that was assigned to an address only after it was answered. */
  async #store(delivery: Delivery, address: OpenAddress): Promise<void> {
    address.begin()();
    this.#keep({ ...delivery, body: await namedByHash(delivery.body, this.#options.folder) }, address);
  }

  #keep(delivery: Delivery, address: OpenAddress): void {
    const kept = { ...delivery, check: address.check };
    this.#stored.push(kept);
    address.store(kept);
  }

  #hasEnough(address: OpenAddress): boolean {
    return address.begun >= this.#options.limits.deliveriesPerCheck;
  }

  #full(address: OpenAddress | undefined): RefusalReason | undefined {
    const { limits } = this.#options;
    if (address && this.#hasEnough(address)) return 'deliveries-per-check';
    if (!address && this.#held.size() >= limits.held) return 'held';
    return this.tally.begun >= limits.deliveries ? 'deliveries' : undefined;
  }

  #refuse(
    reason: RefusalReason,
    request: IncomingMessage,
    response: ServerResponse,
    at: Moment,
    address: OpenAddress | undefined,
  ): void {
    this.tally.refuse(reason);
    this.tally.strange(reason, at, senderOf(request));
    const status = refusalStatus(reason);
    if (address) address.refuse(reason);
    else this.sharedRefused++;
    if (status === null) request.socket.destroy();
    else dismiss(request, response, status, refusalMessage(reason, this.#options.limits));
  }

  #startOf(request: IncomingMessage): Moment {
    const connectedMs = this.#connections.get(request.socket);
    this.#connections.delete(request.socket);
    const agoMs = connectedMs === undefined ? 0 : monotonicMs() - connectedMs;
    // Connections that are opened in advance and idle first do not count as a delivery.
    return moment(agoMs <= freshConnectionMs ? agoMs : 0);
  }
}

/** Whether an id cannot be guessed by counting: it has at least 16 letters and digits, with a letter among them. */
function isHardToGuess(requestId: string): boolean {
  const places = requestId.replace(/[^0-9A-Za-z]/g, '');
  return places.length >= 16 && /[A-Za-z]/.test(places);
}

/** Answers a request whose body has arrived; resolves when the answer is out or the connection has ended. */
function answer(status: number, response: ServerResponse): Promise<Answered> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve({ kind: 'abandoned' });
    response.once('finish', () => resolve({ kind: 'status', status }));
    response.once('close', () => resolve({ kind: 'abandoned' }));
    response.writeHead(status).end();
  });
}

/** Turns a delivery away: the rest of its body is read and dropped for a moment, then the connection ends. */
function dismiss(request: IncomingMessage, response: ServerResponse, status: number, text: string): void {
  // A sender that is still writing could miss the answer if the connection were closed at once;
  // one that never stops writing must not keep it open.
  const timer = setTimeout(() => request.socket.destroy(), politenessMs);
  request.once('close', () => clearTimeout(timer));
  request.resume();
  const unread = !request.complete;
  response.writeHead(status, { 'content-type': 'text/plain', ...(unread ? { connection: 'close' } : {}) });
  response.end(`${text}\n`);
}

const politenessMs = 1_000;
