/** Signs through a module of the user, bounded in time. Mistakes of the module are told and fail no requirement. */
import { inspect } from 'node:util';
import { type Static, Type } from '@sinclair/typebox';
import { monotonicMs } from '../../record/clock.ts';
import type { Interval } from '../../record/facts.ts';
import { mismatch } from '../../record/own-files.ts';
import { unlessAborted, withinTime } from '../untrusted/deadline.ts';
import { decodeEntities } from '../untrusted/html.ts';
import { inShort } from '../untrusted/text.ts';
import { whyNoCode } from './codes.ts';
import {
  type ActOutcome,
  type PageView,
  type SigningDriver,
  type SigningTask,
  unknown,
  uselessDriver,
} from './driver.ts';
import { type LoadedModule, reasonOf } from './load-module.ts';
import type { RelayedDelivery, SigningTools } from './module-types.ts';
import type { OutboxReader } from './outbox.ts';
import type { MakeCall } from './template-call.ts';

interface ModuleDriverParts {
  readonly loaded: LoadedModule;
  readonly baseUrl: string;
  readonly call: MakeCall;
  readonly outbox: OutboxReader;
  readonly timeoutMs: number;
}

/** A driver that may also bring deliveries from elsewhere. */
export interface RelayingDriver extends SigningDriver {
  /** Deliveries until the driver is closed; absent when it brings none. Never throws: `problem` gets what is wrong. */
  readonly deliveries?: (problem: (text: string) => void) => AsyncIterable<RelayedDelivery>;
}

const closeMs = 10_000;

export function createModuleDriver(parts: ModuleDriverParts): RelayingDriver {
  const { loaded, timeoutMs } = parts;
  const ended = new AbortController();
  if ('problem' in loaded) return uselessDriver(loaded.problem);
  const { module } = loaded;

  /** What the function of the module resolves with, or why there is nothing. */
  async function asked<T>(name: string, ask: () => Promise<T>): Promise<{ value: T } | { problem: string }> {
    const late = () => ({ problem: `${name} of the signing module did not end within ${timeoutMs} ms` });
    try {
      // A function that is not async throws before there is a promise.
      const value = Promise.resolve().then(ask);
      return await withinTime(
        timeoutMs,
        value.then((given) => ({ value: given })),
        late,
      );
    } catch (error) {
      return { problem: `${name} of the signing module has thrown: ${reasonOf(error)}` };
    }
  }

  const { deliveries } = module;
  return {
    shows: module.view !== undefined,

    async act(task, act, codes) {
      const { tools, exchanges, lacking } = toolsOf(parts, task);
      const startMs = monotonicMs();
      const answer = await asked('act', async () => {
        const given = await module.act(task, act, task.otp ? codes : 'none', tools);
        return outcomeOf(given, { startMs, endMs: monotonicMs() }, exchanges);
      });
      const outcome = 'problem' in answer ? unknown(answer.problem, exchanges) : answer.value;
      // One of the module's calls may have been the act.
      if (outcome.kind === 'unknown' && exchanges.length > 0) return { ...outcome, mayBeDone: true };
      // The module looked for a code and found none, so it cannot have entered the right ones.
      return outcome.kind === 'refused' && lacking[0] !== undefined
        ? unknown(`${outcome.reason}; ${lacking[0]}`, exchanges)
        : outcome;
    },

    async view(task) {
      const { tools, exchanges } = toolsOf(parts, task);
      const { view } = module;
      if (!view) return unknown('the signing module has no function "view"', exchanges);
      const answer = await asked('view', async () => viewOf(await view.call(module, task, tools), exchanges));
      return 'problem' in answer ? unknown(answer.problem, exchanges) : answer.value;
    },

    ...(deliveries
      ? {
          deliveries: (problem) =>
            relayed(() => deliveries.call(module, ended.signal), ended.signal, problem),
        }
      : {}),

    async close() {
      ended.abort();
      const { close } = module;
      if (!close) return;
      const late = () => process.emitWarning('close of the signing module did not end');
      try {
        await withinTime(closeMs, Promise.resolve(close.call(module)), late);
      } catch (error) {
        // The run is over, so this changes no result.
        process.emitWarning(`close of the signing module has thrown: ${reasonOf(error)}`);
      }
    },
  };
}

/** Tools for one attempt, the exchanges that it makes with them, and why codes were not found. */
function toolsOf({ baseUrl, call, outbox }: ModuleDriverParts, { requestId }: SigningTask) {
  const exchanges: number[] = [];
  const lacking: string[] = [];
  const tools: SigningTools = {
    baseUrl,
    outbox: {
      ...outbox,
      async code(task, channel, seen) {
        const code = await outbox.code(task, channel, seen);
        if (code === undefined) lacking.push(whyNoCode(task, channel, outbox));
        return code;
      },
    },
    async call(template, variables = {}, name = 'signing.module') {
      // By the requestId the record tells to which request the call belongs.
      const { index, status, text, headers } = await call(template, { requestId, ...variables }, name);
      exchanges.push(index);
      return { status, text, headers };
    },
  };
  return { tools, exchanges, lacking };
}

function outcomeOf(value: unknown, at: Interval, exchanges: readonly number[]): ActOutcome {
  if (value === 'done') return { kind: 'done', at, exchanges };
  if (value === 'refused') return { kind: 'refused', at, reason: 'the signing module says so', exchanges };
  const { refused, unknown: why } = partsOf(value);
  if (typeof refused === 'string') return { kind: 'refused', at, reason: refused, exchanges };
  if (typeof why === 'string') return unknown(why, exchanges);
  const wanted = '"done", "refused", {refused} or {unknown}';
  return unknown(`act of the signing module gave ${inShortForm(value)}; it must be ${wanted}`, exchanges);
}

const viewed = Type.Object({ text: Type.String(), document: Type.Optional(Type.Boolean()) });

function viewOf(value: unknown, exchanges: readonly number[]): PageView {
  const { unknown: why } = partsOf(value);
  if (typeof why === 'string') return unknown(why, exchanges);
  if (mismatch(viewed, value) !== undefined) {
    const wanted = '{text, document?} or {unknown}';
    return unknown(`view of the signing module gave ${inShortForm(value)}; it must be ${wanted}`, exchanges);
  }
  const { text, document } = value as Static<typeof viewed>;
  const untold = { documentUnread: 'view of the signing module gave no "document": true or false' };
  const told = document === undefined ? untold : { document };
  // Of a page without its tags, which is what modules without a browser have.
  const read = decodeEntities(text).replaceAll(/\s+/g, ' ').trim();
  return { kind: 'seen', text: read, ...told, exchanges };
}

function partsOf(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
}

const inShortForm = (value: unknown): string =>
  inShort(inspect(value, { breakLength: Number.POSITIVE_INFINITY }), 80);

/** How many unusable deliveries are told one by one. */
const toldMost = 5;

/**
 * The deliveries that can be used. Ends with the module's iteration, when that throws, or when `signal` is aborted,
 * also while the module waits for the next one.
 */
async function* relayed(
  open: () => AsyncIterable<RelayedDelivery>,
  signal: AbortSignal,
  problem: (text: string) => void,
): AsyncGenerator<RelayedDelivery> {
  let told = 0;
  let iterator: AsyncIterator<unknown> | undefined;
  try {
    iterator = open()[Symbol.asyncIterator]();
    while (!signal.aborted) {
      const step = await unlessAborted(signal, iterator.next(), () => undefined);
      if (!step || step.done) return;
      if (isDelivery(step.value)) yield step.value;
      else if (told < toldMost) {
        told += 1;
        problem('deliveries of the signing module gave something without method, url, headers or body');
      }
    }
  } catch (error) {
    problem(`deliveries of the signing module has thrown: ${reasonOf(error)}`);
  } finally {
    // Not awaited: a generator that waits for its next delivery may never return.
    iterator?.return?.().catch((error: unknown) => {
      problem(`deliveries of the signing module has thrown at its end: ${reasonOf(error)}`);
    });
  }
}

const text = Type.String();
const delivery = Type.Object({
  method: text,
  url: text,
  headers: Type.Array(Type.Array(text, { minItems: 2, maxItems: 2 })),
  receivedAt: Type.Optional(text),
});

function isDelivery(value: unknown): value is RelayedDelivery {
  if (mismatch(delivery, value) !== undefined) return false;
  const { url, body, receivedAt } = value as RelayedDelivery;
  return (
    // The whole URL, or its path alone.
    URL.canParse(url, 'http://listener.invalid') &&
    (typeof body === 'string' || body instanceof Uint8Array) &&
    (receivedAt === undefined || !Number.isNaN(Date.parse(receivedAt)))
  );
}
