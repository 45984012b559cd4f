/** The service as a double in tests of a client: makes people act and calls fail, and tells which calls and messages there were. */
import { setTimeout as wait } from 'node:timers/promises';
import { path } from '../openapi/codes.ts';
import { authorizeControl, firstAccount } from './access.ts';
import { isTooDeep, readBody } from './body.ts';
import type {
  Delivery,
  Call as DoubleCall,
  Failure,
  Operation,
  RequestState,
  SignatureRequest,
  Waiting,
} from './double-types.ts';
import { isObject, type JsonObject } from './fields.ts';
import type { StoredRequest } from './model.ts';
import type { StoredMail } from './outbox.ts';
import { badRequest, Refusal } from './rules.ts';
import type { App, Call, Service } from './service.ts';
import { actOnBehalf, decline } from './workflow.ts';

const acts = ['sign', 'approve', 'decline'] as const;
export const states: readonly RequestState[] = ['draft', 'sent', 'completing', 'completed', 'declined'];

/** How many calls are kept; older ones are dropped. */
const mostCalls = 1_000;
/** The longest body that is kept, in bytes. */
const mostBytes = 65_536;
/** How often a condition is checked that is waited for. */
const lookMs = 20;
const longestWaitMs = 60_000;

/** The double behind a service; its requests are those of the first account. */
export class Double {
  readonly #service: Service;
  readonly #failures: { -readonly [Key in keyof Failure]: Failure[Key] }[] = [];
  #calls: DoubleCall[] = [];

  readonly #onCall: (call: DoubleCall) => void;

  /** @param onCall called with each call after it was answered */
  constructor(service: Service, onCall: (call: DoubleCall) => void = () => undefined) {
    this.#service = service;
    this.#onCall = onCall;
  }

  /**
   * Makes a person act at their turn, without a code.
   * @param person a signatoryId; or an e-mail address, for the newest request that waits for that person
   * @throws Refusal when nobody is asked, or the role does not allow it
   */
  async act(person: unknown, given: unknown, requestId?: unknown): Promise<void> {
    if (typeof person !== 'string') throw badRequest('person is no text');
    if (requestId !== undefined && typeof requestId !== 'string') throw badRequest('requestId is no text');
    const act = one(acts, given, 'act');
    const { store } = this.#service;
    const found = this.#all(requestId).flatMap((request) =>
      store
        .signatories(request.id)
        .filter(({ id, email }) => id === person || email.toLowerCase() === person.toLowerCase())
        .map((signatory) => ({ request, signatory })),
    );
    const asked = found.find(({ signatory }) => signatory.state === 'invited') ?? found[0];
    if (!asked) throw new Refusal(404, { message: `nobody called ${person} is in a request` });
    if (act === 'decline') decline(this.#service, asked.request, asked.signatory);
    else await actOnBehalf(this.#service, asked.request, asked.signatory, act);
  }

  /** @throws Refusal that names the mistake */
  failNext(failure: unknown): void {
    this.#failures.push(failureOf(failure));
  }

  /** The calls of documented endpoints, oldest first; at most 1,000. */
  calls(): readonly DoubleCall[] {
    return [...this.#calls];
  }

  /** The callbacks, oldest first. */
  deliveries(): readonly Delivery[] {
    const { callbacks } = this.#service;
    return callbacks.all().map(({ id, requestId, event, url, state, attempts }) => {
      const answer = callbacks.answers.get(id) ?? null;
      return { id, requestId, event, url, state, attempts, answer };
    });
  }

  /** Sends a callback once more, with the same delivery id. Throws 404 where there is no such callback. */
  resend(id: number | string): void {
    if (!this.#service.callbacks.again(Number(id)))
      throw new Refusal(404, { message: `there is no delivery ${id}` });
  }

  /** E-mails and SMS, newest first. */
  outbox(wanted: { readonly to?: string; readonly requestId?: string } = {}): readonly StoredMail[] {
    return this.#service.outbox.read(named(wanted, 'to', 'requestId'));
  }

  /** The requests, newest first. */
  requests(requestId?: string): readonly SignatureRequest[] {
    return this.#all(requestId).map(({ id, state, title }) => ({
      requestId: id,
      state,
      title,
      signatories: this.#service.store.signatories(id).map((each) => ({
        signatoryId: each.id,
        email: each.email,
        name: each.name,
        state: each.state,
      })),
    }));
  }

  /** Resolves with a request as soon as it is in the state; throws 408 where none is in time. */
  async waitFor(given: unknown, waiting: Waiting = {}): Promise<SignatureRequest> {
    const { requestId, timeoutMs = 10_000 } = named(waiting, 'requestId', 'timeoutMs');
    const state = one(states, given, 'state');
    if (typeof timeoutMs !== 'number' || Number.isNaN(timeoutMs)) throw badRequest('timeoutMs is no number');
    const end = performance.now() + Math.min(timeoutMs, longestWaitMs);
    for (;;) {
      if (this.#service.store.isClosed) throw new Refusal(408, { message: 'the service was closed' });
      const found = this.requests(requestId).find((request) => request.state === state);
      if (found) return found;
      if (performance.now() >= end) {
        const seen = this.requests(requestId).map((each) => `${each.requestId} ${each.state}`);
        throw new Refusal(408, {
          message: `no request became ${state} (${seen.join(', ') || 'there is none'})`,
        });
      }
      await wait(lookMs);
    }
  }

  /** Deletes documents, requests, messages, callbacks, calls and failures; clients and tokens stay. */
  reset(): void {
    this.#service.store.reset();
    this.#calls = [];
    this.#failures.length = 0;
  }

  /** Takes part in every call of a documented endpoint. */
  mount(app: App): void {
    const base = this.#service.dialect.basePath;
    app.use('*', async (call, next) => {
      const url = new URL(call.req.url);
      const operation = operationOf(url.pathname.slice(base.length), call.req.method);
      if (!operation) return next();
      const failure = this.#failures.find((each) => each.operation === operation);
      if (failure) {
        failure.times = (failure.times ?? 1) - 1;
        if (failure.times <= 0) this.#failures.splice(this.#failures.indexOf(failure), 1);
        call.res = new Response(null, { status: failure.status, headers: failure.headers ?? {} });
      } else {
        await next();
      }
      const bytes = call.get('body');
      const isKept = bytes !== undefined && bytes.length <= mostBytes && operation !== 'upload';
      const body = isKept ? { body: parsed(bytes) } : {};
      const path = `${url.pathname}${url.search}`;
      const { res } = call;
      const { status } = res;
      const at = new Date().toISOString();
      const answered = Buffer.from(await res.arrayBuffer());
      // Cleared first, since hono would add the header fields of the old response to the new one.
      call.res = undefined;
      call.res = new Response(res.body && answered, res);
      const answer = answerOf(answered);
      const made = { at, operation, method: call.req.method, path, ...body, status, ...answer };
      this.#calls = [...this.#calls.slice(1 - mostCalls), made];
      this.#onCall(made);
      return undefined;
    });
  }

  #all(requestId: string | undefined): readonly StoredRequest[] {
    const all = this.#service.store.requestsOf(firstAccount);
    return requestId === undefined ? all : all.filter(({ id }) => id === requestId);
  }
}

/** The same over HTTP, for tests in other languages. */
export function mountDouble(app: App, service: Service, double: Double): void {
  app.get('/_health', (call) => call.json({ status: 'up' }));
  app.use('/_control/*', async (call, next) => {
    // The double has only the requests of the first account.
    const isOpen = call.req.path.endsWith('/_control/callbacks');
    if (!isOpen && authorizeControl(call, service) !== firstAccount) throw new Refusal(404);
    await next();
  });
  app.get('/_control/calls', (call) => call.json({ calls: double.calls() }));
  app.get('/_control/deliveries', (call) => {
    const { requestId } = named(call.req.query(), 'requestId');
    const all = double.deliveries();
    return call.json({
      deliveries: requestId === undefined ? all : all.filter((each) => each.requestId === requestId),
    });
  });
  app.post('/_control/deliveries/:id/resend', (call) => {
    double.resend(call.req.param('id'));
    return call.body(null, 204);
  });
  app.get('/_control/requests', async (call) => {
    const { state, requestId, timeoutMs } = named(call.req.query(), 'state', 'requestId', 'timeoutMs');
    if (state === undefined) return call.json({ requests: double.requests(requestId) });
    const waiting = {
      requestId,
      ...(timeoutMs === undefined ? {} : { timeoutMs: Number(timeoutMs) }),
    };
    return call.json(await double.waitFor(state, waiting));
  });
  app.post('/_control/act', async (call) => {
    const { person, act, requestId } = named(await readObject(call), 'person', 'act', 'requestId');
    await double.act(person, act, requestId);
    return call.body(null, 204);
  });
  app.post('/_control/failures', async (call) => {
    double.failNext(await readObject(call));
    return call.body(null, 204);
  });
  app.post('/_control/reset', (call) => {
    double.reset();
    return call.body(null, 204);
  });
}

/** The given value. Throws the refusal 400 for an unknown name, since a misspelled one would otherwise be ignored. */
function named<Given extends object>(given: Given, ...known: readonly string[]): Given {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return given;
  throw badRequest(`nothing is called ${unknown}; there are ${known.join(', ')}`);
}

/** @throws Refusal 400 that names the mistake */
function failureOf(wanted: unknown): Failure {
  const names = ['operation', 'status', 'headers', 'times'];
  const { operation, status, headers = {}, times = 1 } = isObject(wanted) ? named(wanted, ...names) : {};
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599;
  if (!isStatus) throw badRequest('status is no number from 200 to 599');
  if (typeof times !== 'number' || !(times >= 1)) throw badRequest('times is no number from 1 on');
  if (!isObject(headers)) throw badRequest('headers is no object');
  const given = Object.entries(headers);
  if (given.some(([, value]) => typeof value !== 'string'))
    throw badRequest('headers has values that are no texts');
  // The body is always empty, so fields about its length are refused.
  const framing = given.find(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  if (framing) throw badRequest(`headers has ${framing[0]}, which follows from the empty body`);
  try {
    new Headers(Object.fromEntries(given) as Record<string, string>);
  } catch {
    throw badRequest('headers has names or values that HTTP does not allow');
  }
  return {
    operation: one(Object.keys(path) as Operation[], operation, 'operation'),
    status,
    times,
    headers: Object.fromEntries(given) as Record<string, string>,
  };
}

function one<Value extends string>(known: readonly Value[], given: unknown, name: string): Value {
  const found = known.find((each) => each === given);
  if (found === undefined) throw badRequest(`${name} is one of ${known.join(', ')}`);
  return found;
}

const patterns = Object.entries(path).map(([name, text]) => ({
  name: name as Operation,
  pattern: new RegExp(`^/*${text.replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
}));

function operationOf(pathname: string, method: string): Operation | undefined {
  return method === 'POST' ? operationNear(pathname)?.name : undefined;
}

/** The documented operation of a path, which may differ in case, or have a slash too many at its end. */
function operationNear(pathname: string): (typeof patterns)[number] | undefined {
  return patterns.find(({ pattern }) => pattern.test(pathname));
}

/** The documented call that a call to an unknown path probably meant. */
export function meantBy(pathname: string): string | undefined {
  const near = operationNear(pathname);
  return near && `Only POST ${path[near.name]} is documented`;
}

function answerOf(bytes: Buffer): { readonly answer?: unknown } {
  return bytes.length > 0 && bytes.length <= mostBytes ? { answer: parsed(bytes) } : {};
}

function parsed(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    const value = JSON.parse(text);
    if (!isTooDeep(value)) return value;
  } catch {
    // Invalid JSON is reported by the service itself.
  }
  // It is kept as text.
  return text;
}

async function readObject(call: Call): Promise<JsonObject> {
  const read = parsed(await readBody(call, 65_536));
  if (!isObject(read)) throw badRequest('The body is no JSON object');
  return read;
}
