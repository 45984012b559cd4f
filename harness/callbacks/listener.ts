/** The callback listener: one HTTP server for the whole run that receives, records and answers deliveries. */
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Delivery, Message } from '../../record/delivery.ts';
import { ConfigurationError } from '../../record/errors.ts';
import { makeFolder } from '../../record/files.ts';
import { type CallbackSettings, limitDefaults } from '../profile/callback-settings.ts';
import { listening } from '../wire/listening.ts';
import type { Address } from './address.ts';
import type { ListenerCounts } from './counts.ts';
import { DeliveryDesk } from './desk.ts';
import { Router } from './router.ts';

/** The settings of the profile, and what a run adds. */
export interface ListenerOptions
  extends NonNullable<CallbackSettings['listen']>,
    Pick<CallbackSettings, 'publicUrl' | 'correlate' | 'limits'> {
  /** Folder for bodies over 64 KiB; it is made when it is not there. */
  readonly folder: string;
  /** Gives the part of an address that cannot be guessed, by the name of the address: 128 random bits by default. */
  readonly secretOf?: (name: string) => string;
  /** Gives which of the request ids a delivery names; needed for `correlate: request-id`. */
  readonly identify?: (message: Message, requestIds: readonly string[]) => string | undefined;
}

export interface Way {
  /** What a gateway changes in each call, in words. */
  readonly changes?: string | undefined;
  /** The public URL answers with a redirect, which clients may follow without the method and the body of a callback. */
  readonly redirects?: boolean | undefined;
}

export interface Listener {
  /** The URL below which all addresses stand, as the target knows it. */
  readonly url: string;
  /** The URL that it listens on itself. */
  readonly localUrl: string;
  /** What is known of the way from its public URL; a replay has it from its recording. */
  readonly way?: Way;
  /** Why it does not listen at all; absent when it does. */
  readonly deaf?: string;
  /** Opens a new address that cannot be guessed; the name is usually that of a flow. */
  open(name: string): Address;
  addresses(): readonly {
    readonly check: string;
    readonly url: string;
    /** Indexes of the deliveries that were there when somebody last looked. */
    readonly looked: readonly number[];
  }[];
  /** All stored deliveries but the listener's own test call, in the order in which they began. */
  deliveries(): readonly Delivery[];
  counts(): ListenerCounts;
  /** Errors of the listener itself; each is the suite's fault, none stops it. */
  problems(): readonly string[];
  /** Ends all connections and all waits. Stored bodies stay on disk. May be called again. */
  close(): Promise<void>;
}

/** Thrown when the listener cannot listen; the message says which setting to change. */
export class ListenerError extends ConfigurationError {}

/** @throws ListenerError when it cannot listen there, naming the setting and the fix */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { host = '127.0.0.1', port = 0, correlate = 'path', folder } = options;
  const limits = { ...limitDefaults, ...options.limits };
  makeFolder(folder);

  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    // Longer than common clients keep an idle connection: closing first would look like a broken target.
    keepAliveTimeout: 120_000,
    headersTimeout: Math.min(limits.arrivalMs, 10_000),
    // The intake ends slow bodies first, with a reason; this only catches what it misses.
    requestTimeout: limits.arrivalMs + 10_000,
    connectionsCheckingInterval: 1_000,
  });
  server.maxConnections = limits.connections;
  const listens = await listening(server, host, port).catch((error: NodeJS.ErrnoException) => {
    throw cannotListen(error, host, port);
  });
  const localUrl = urlOf(host, listens.port);
  const url = options.publicUrl?.replace(/\/+$/, '') ?? localUrl;
  const router = new Router(url, correlate, options.secretOf);
  const desk = new DeliveryDesk({ router, limits, folder, identify: options.identify });
  // Where others connect faster than connections are taken, or the process can open nothing more, the system drops
  // connections, and no event tells. So it is looked whether one of its own is taken.
  let own: Socket | undefined;
  const isOwn = (port: number | undefined) => own !== undefined && own.localPort === port;
  const forgetOwn = () => {
    own?.destroy();
    own = undefined;
  };
  // Connections beyond the limit are dropped before a byte of them is read.
  server.on('drop', (dropped) => {
    if (isOwn(dropped?.remotePort)) forgetOwn();
    else desk.dropped(dropped?.remoteAddress);
  });
  server.on('connection', (socket) => {
    if (!isOwn(socket.remotePort)) return desk.connected(socket);
    socket.destroy();
    forgetOwn();
  });
  server.on('request', (request, response) => void desk.take(request, response));
  // Any `Expect` header but `100-continue`: if Node refused the delivery, it would be lost without a trace.
  server.on('checkExpectation', (request, response) => void desk.take(request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => desk.malformed(error, socket as Socket));
  server.on('error', (error) => desk.tally.problem(error));
  let looking: NodeJS.Timeout;
  const lookAgain = (): void => {
    looking = setTimeout(async () => {
      for (let turn = 0; own && turn < waitedTurns; turn += 1) await nextTurn();
      if (!server.listening) return;
      if (own) desk.dropped(undefined);
      forgetOwn();
      own = connect(listens.port, new URL(localUrl).hostname.replace(/[[\]]/g, '')).on('error', (error) => {
        if (!own) return;
        desk.dropped(undefined);
        desk.tally.problem(error);
        forgetOwn();
      });
      lookAgain();
    }, lookMs).unref();
  };
  lookAgain();

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    clearTimeout(looking);
    forgetOwn();
    for (const address of router.all()) address.close();
    desk.close();
    await listens.close();
  };

  return {
    url,
    localUrl,
    open: (name) => router.open(name, desk),
    addresses: () => router.all().map(({ check, url: own, looked }) => ({ check, url: own, looked })),
    deliveries: () => desk.deliveries(),
    counts: () => desk.counts(),
    problems: () => desk.tally.problems(),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** How often it is looked whether a connection is taken. */
const lookMs = 500;
/** A connection that waited only for a busy process is taken within so many turns of its event loop, each of which takes one. */
const waitedTurns = 50;

function urlOf(host: string, port: number): string {
  // An unspecified address is one to listen on, not one to connect to.
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host;
  return `http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`;
}

export function deafListener({ message }: ListenerError): Listener {
  return {
    url: '',
    localUrl: '',
    deaf: message,
    open: () => {
      throw new Error(message);
    },
    addresses: () => [],
    deliveries: () => [],
    counts: () => ({ stored: 0, bytes: 0, foreign: 0, held: 0, refused: {} }),
    problems: () => [],
    close: () => Promise.resolve(),
  };
}

function cannotListen(cause: NodeJS.ErrnoException, host: string, port: number): ListenerError {
  const code = cause.code ?? 'UNKNOWN';
  const why: Record<string, string> = {
    EADDRINUSE: `port ${port} on ${host} is taken by another program; set callbacks.listen.port to a free one, or to 0 for any free one`,
    EACCES: `port ${port} on ${host} needs more rights; set callbacks.listen.port to one above 1023`,
    EADDRNOTAVAIL: `this machine has no address ${host}; set callbacks.listen.host to one of its own, such as 127.0.0.1 or 0.0.0.0`,
    ENOTFOUND: `the name ${host} is unknown; set callbacks.listen.host to an address of this machine`,
  };
  const reason = why[code] ?? `listening on ${host} port ${port} failed with ${code}`;
  return new ListenerError(`the callback listener cannot start: ${reason}`, { cause });
}
