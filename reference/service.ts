/** What every part of the running service gets: dialect, faults, storage and clock. */
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Callbacks } from './callbacks/queue.ts';
import type { Dialect } from './dialect.ts';
import type { Combined } from './faults/combined.ts';
import type { Faulty } from './faults.ts';
import type { Outbox } from './outbox.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Running } from './running.ts';
import type { Store } from './store.ts';
import type { IssuedTokens } from './tokens.ts';

export interface Service {
  readonly dialect: Dialect;
  readonly faulty: Faulty;
  readonly combined: Combined;
  readonly store: Store;
  readonly tokens: IssuedTokens;
  readonly rate: RateLimit;
  readonly outbox: Outbox;
  readonly callbacks: Callbacks;
  /** Address before all paths, known once the server listens. */
  readonly baseUrl: () => string;
  /** Takes errors that no caller waits for. */
  readonly onError: (error: unknown) => void;
  /** Work that continues after a call, and has to end before the database is closed. */
  readonly running: Running;
  /** Ids of signatories who have opened their signing page. */
  readonly seen: Set<string>;
  /** Signatories whose code ended for good (dialect setting `codeTries`). */
  readonly locked: Set<string>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What hono hands to a handler; `Bindings` is empty when the application is called without a socket. */
export interface Variables {
  Bindings: Partial<HttpBindings>;
  /** The body of the call, where it was read. */
  Variables: { body?: Buffer };
}

export type App = Hono<Variables, Record<never, never>, string>;
export type Call = Context<Variables>;
