/** The service as a double in tests of a client: people act, calls fail, and calls and messages are listed. */
import { setTimeout as wait } from 'node:timers/promises';
import { event, path } from '../openapi/codes.ts';
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

/** After these there is no other state. */
const ends: readonly RequestState[] = ['completed', 'declined'];

/** How many calls are kept; older ones are dropped. */
const mostCalls = 1_000;
/** The longest body that is kept, in bytes. */
const mostBytes = 65_536;
/** How often a condition is checked that is waited for. */
const lookMs = 20;
const longestWaitMs = 60_000;
/** Statuses whose answers have no body (RFC 9110). */
const bodiless = [204, 205, 304];

/** A failure that was found to be right, with the calls that it still has to meet. */
interface Planned extends Pick<Required<Failure>, 'operation' | 'delayMs'> {
  readonly status: Failure['status'];
  readonly headers: Headers;
  readonly body: string | undefined;
  times: number;
}

/** The double behind a service; its requests are those of the first account. */
export class Double {
  readonly #service: Service;
  readonly #failures: Planned[] = [];
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
    const act = oneOf(acts, given, 'act');
    const { store } = this.#service;
    const all = this.#all(requestId);
    if (requestId !== undefined && all.length === 0) throw noRequest(requestId);
    const found = all.flatMap((request) =>
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

  /** @throws Refusal that names the mistake, or 409 where the service was closed */
  failNext(failure: unknown): void {
    if (this.#service.store.database.isClosed) throw new Refusal(409, { message: 'the service was closed' });
    this.#failures.push(plannedOf(failure));
  }

  /** The calls of documented endpoints, oldest first; at most 1,000. */
  calls(): readonly DoubleCall[] {
    return [...this.#calls];
  }

  /** The callbacks, of all requests or of one, oldest first. */
  deliveries(requestId?: string): readonly Delivery[] {
    const { callbacks } = this.#service;
    return callbacks.all(requestId).map(({ id, requestId, event, url, state, attempts }) => {
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
    return this.#service.outbox.read(withKnownNames(wanted, 'to', 'requestId'));
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
        // A CC never acts.
        state: state === 'completed' ? state : each.state,
      })),
    }));
  }

  /** Resolves with a request in the state. Throws 408 if it comes too late, 404 if there is none, 409 if it ended otherwise. */
  async waitFor(given: unknown, waiting: Waiting = {}): Promise<SignatureRequest> {
    const state = oneOf(states, given, 'state');
    const { requestId } = waiting;
    return this.#until(
      waiting,
      () => this.requests(requestId),
      (all) => {
        const found = all.find((request) => request.state === state);
        const [only] = requestId === undefined ? [] : all;
        if (found || !only || !ends.includes(only.state)) return found;
        throw new Refusal(409, { message: `${only.requestId} is ${only.state}, and will not be ${state}` });
      },
      `no request became ${state}`,
      (each) => `${each.requestId} ${each.state}`,
    );
  }

  /** Resolves with the newest callback of an event once none of it is pending; throws 408, or 404, as `waitFor` does. */
  async waitForCallback(given: unknown, waiting: Waiting = {}): Promise<Delivery> {
    const code = oneOf(
      [event.requestReceived, event.signatoryCompleted, event.processCompleted],
      given,
      'event',
    );
    return this.#until(
      waiting,
      () => this.deliveries(waiting.requestId),
      (all) => {
        const theirs = all.filter((each) => each.event === code);
        return theirs.some(({ state }) => state === 'pending') ? undefined : theirs.at(-1);
      },
      `no callback of event ${code} has ended`,
      // Those of other events, too: the callback may wait for one that comes before it.
      (each) => `event ${each.event} ${each.state} after ${each.attempts}: ${each.answer ?? 'no answer yet'}`,
    );
  }

  async #until<Seen>(
    waiting: Waiting,
    look: () => readonly Seen[],
    find: (all: readonly Seen[]) => Seen | undefined,
    failed: string,
    told: (each: Seen) => string,
  ): Promise<Seen> {
    const { timeoutMs = 10_000 } = withKnownNames(waiting, 'requestId', 'timeoutMs');
    if (typeof timeoutMs !== 'number' || Number.isNaN(timeoutMs)) throw badRequest('timeoutMs is no number');
    const end = performance.now() + Math.min(timeoutMs, longestWaitMs);
    const { requestId } = waiting;
    for (;;) {
      if (this.#service.store.database.isClosed)
        throw new Refusal(408, { message: 'the service was closed' });
      if (requestId !== undefined && this.#all(requestId).length === 0) throw noRequest(requestId);
      const all = look();
      const found = find(all);
      if (found) return found;
      if (performance.now() >= end)
        throw new Refusal(408, { message: `${failed} (${all.map(told).join(', ') || 'there is none'})` });
      await wait(lookMs);
    }
  }

  /** Deletes documents, requests, messages, callbacks, calls and failures; clients and tokens stay. */
  reset(): void {
    const { store, outbox, callbacks } = this.#service;
    store.database.together(() => {
      for (const each of [outbox, callbacks]) each.clear();
      store.reset();
    });
    this.#calls = [];
    this.#failures.length = 0;
  }

  /** Watches every call of a documented endpoint, and makes some of them fail. */
  mount(app: App): void {
    const { basePath, maxUploadBytes } = this.#service.dialect;
    app.use('*', async (call, next) => {
      const operation = operationNear(new URL(call.req.url).pathname.slice(basePath.length));
      if (!operation || call.req.method !== 'POST') return next();
      const failure = this.#failureOf(operation);
      const isCut = failure?.status === 'cut';
      if (failure?.status === undefined) {
        await next();
      } else {
        await readBody(call, maxUploadBytes);
        const status = failure.status === 'cut' ? 500 : failure.status;
        call.res = new Response(failure.body, { status, headers: failure.headers });
      }
      await this.#keep(call, operation, isCut);
      // The timer keeps no program alive whose tests have ended.
      if (failure?.delayMs) await wait(failure.delayMs, undefined, { ref: false });
      if (isCut) call.env.outgoing?.destroy();
      return undefined;
    });
  }

  /** The failure for a call; one that has met as many calls as it should is dropped. */
  #failureOf(operation: Operation): Planned | undefined {
    const failure = this.#failures.find((each) => each.operation === operation);
    if (!failure) return undefined;
    failure.times -= 1;
    if (failure.times <= 0) this.#failures.splice(this.#failures.indexOf(failure), 1);
    return failure;
  }

  /** Keeps a call that was answered. To read the answer uses it up, so it is made anew. */
  async #keep(call: Call, operation: Operation, isCut: boolean): Promise<void> {
    const { pathname, search } = new URL(call.req.url);
    const bytes = call.get('body');
    const isKept = bytes !== undefined && bytes.length <= mostBytes && operation !== 'upload';
    const { res } = call;
    const at = new Date().toISOString();
    const answered = Buffer.from(await res.arrayBuffer());
    // Cleared first, since hono would add the header fields of the old response to the new one.
    call.res = undefined;
    call.res = new Response(res.body && answered, res);
    const isShown = answered.length > 0 && answered.length <= mostBytes;
    const made: DoubleCall = {
      at,
      operation,
      method: call.req.method,
      path: `${pathname}${search}`,
      ...(isKept ? { body: parsed(bytes) } : {}),
      status: isCut ? 0 : res.status,
      ...(isShown ? { answer: parsed(answered) } : {}),
    };
    this.#calls = [...this.#calls.slice(1 - mostCalls), made];
    this.#onCall(made);
  }

  #all(requestId: string | undefined): readonly StoredRequest[] {
    const { store } = this.#service;
    if (requestId === undefined) return store.requestsOf(firstAccount);
    const request = store.request(requestId);
    return request?.account === firstAccount && !request.deleted ? [request] : [];
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
  app.get('/_control/deliveries', async (call) => {
    const { event: code, ...waiting } = withKnownNames(call.req.query(), 'event', 'requestId', 'timeoutMs');
    if (code !== undefined) return call.json(await double.waitForCallback(Number(code), waitingOf(waiting)));
    return call.json({ deliveries: double.deliveries(waiting.requestId) });
  });
  app.post('/_control/deliveries/:id/resend', (call) => {
    double.resend(call.req.param('id'));
    return call.body(null, 204);
  });
  app.get('/_control/requests', async (call) => {
    const { state, ...waiting } = withKnownNames(call.req.query(), 'state', 'requestId', 'timeoutMs');
    if (state === undefined) return call.json({ requests: double.requests(waiting.requestId) });
    return call.json(await double.waitFor(state, waitingOf(waiting)));
  });
  app.post('/_control/act', async (call) => {
    const { person, act, requestId } = withKnownNames(await readObject(call), 'person', 'act', 'requestId');
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

const noRequest = (requestId: string) => new Refusal(404, { message: `there is no request ${requestId}` });

/** The query of a call that waits. */
function waitingOf({ timeoutMs, ...others }: Readonly<Record<string, string>>): Waiting {
  return { ...others, ...(timeoutMs === undefined ? {} : { timeoutMs: Number(timeoutMs) }) };
}

/** The given value. Throws the refusal 400 for an unknown name, since a misspelled one would otherwise be ignored. */
function withKnownNames<Given extends object>(given: Given, ...known: readonly string[]): Given {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return given;
  throw badRequest(`nothing is called ${unknown}; there are ${known.join(', ')}`);
}

/** @throws Refusal 400 that names the mistake */
function plannedOf(wanted: unknown): Planned {
  if (!isObject(wanted)) throw badRequest('a failure is an object with operation and status');
  const names = ['operation', 'status', 'headers', 'body', 'delayMs', 'times'];
  const { operation, status, headers = {}, body, delayMs = 0, times = 1 } = withKnownNames(wanted, ...names);
  if (typeof delayMs !== 'number' || !(delayMs >= 0 && delayMs <= longestWaitMs))
    throw badRequest(`delayMs is no number from 0 to ${longestWaitMs}`);
  if (!isStatus(status) && (status !== undefined || delayMs === 0))
    throw badRequest('status is no number from 200 to 599, and not cut');
  if (typeof times !== 'number' || !(times >= 1)) throw badRequest('times is no number from 1 on');
  if (!isObject(headers)) throw badRequest('headers is no object');
  const given = headers instanceof Headers ? [...headers] : Object.entries(headers);
  if (given.some(([, value]) => typeof value !== 'string'))
    throw badRequest('headers has values that are no texts');
  const framing = given.find(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  if (framing) throw badRequest(`headers has ${framing[0]}, which follows from the body`);
  if (body !== undefined && (typeof status !== 'number' || bodiless.includes(status)))
    throw badRequest(`an answer with ${status} has no body`);
  return {
    operation: oneOf(Object.keys(path) as Operation[], operation, 'operation'),
    status,
    times,
    delayMs,
    headers: headersOf(given as [string, string][], body),
    body: typeof body === 'string' || body === undefined ? body : jsonOf(body),
  };
}

const isStatus = (given: unknown): given is number | 'cut' =>
  given === 'cut' || (Number.isInteger(given) && Number(given) >= 200 && Number(given) <= 599);

function headersOf(given: readonly (readonly [string, string])[], body: unknown): Headers {
  try {
    const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
    const headers = new Headers(body === undefined ? {} : { 'Content-Type': type });
    for (const [name, value] of given) headers.set(name, value);
    return headers;
  } catch {
    throw badRequest('headers has names or values that HTTP does not allow');
  }
}

function jsonOf(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch {
    throw badRequest('body is no JSON');
  }
}

function oneOf<Value extends string | number>(known: readonly Value[], given: unknown, name: string): Value {
  const found = known.find((each) => each === given);
  if (found === undefined) throw badRequest(`${name} is one of ${known.join(', ')}`);
  return found;
}

const patterns = Object.entries(path).map(([name, text]) => ({
  name: name as Operation,
  pattern: new RegExp(`^/*${text.replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
}));

/** The documented operation of a path, which may differ in case, or have a slash too many at its end. */
function operationNear(pathname: string): Operation | undefined {
  return patterns.find(({ pattern }) => pattern.test(pathname))?.name;
}

/** The documented call that a call to an unknown path probably meant. */
export function meantBy(pathname: string): string | undefined {
  const near = operationNear(pathname);
  return near && `Only POST ${path[near]} is documented`;
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
