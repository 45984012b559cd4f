/** Starts the reference service: a real server with the rules of the interface document, on a loopback port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { firstAccount } from './access.ts';
import { refusalAnswer } from './answer.ts';
import { Courier, type OnAnswer } from './callbacks/courier.ts';
import { Callbacks, callbackDelayMs } from './callbacks/queue.ts';
import { mountControl } from './control.ts';
import { mountCreate } from './create.ts';
import { Database } from './database.ts';
import { type Dialect, resolveDialect } from './dialect.ts';
import { Double, meantBy, mountDouble } from './double.ts';
import type { Call as DoubleCall } from './double-types.ts';
import { Combined, isCombinedFault } from './faults/combined.ts';
import { faultSwitch } from './faults.ts';
import { newSecret } from './ids.ts';
import { mountTokenEndpoint } from './oauth.ts';
import { mountActing, mountOperations } from './operations.ts';
import { Outbox } from './outbox.ts';
import { mountHome } from './pages/home.ts';
import { mountOutbox } from './pages/outbox.ts';
import { RateLimit } from './rate-limit.ts';
import { Refusal } from './rules.ts';
import { Running } from './running.ts';
import type { App, Service, Variables } from './service.ts';
import { mountSignatory } from './signatory.ts';
import { mountSigning } from './signing.ts';
import { mountSkeleton } from './skeleton.ts';
import { Store } from './store.ts';
import { agreement } from './templates.ts';
import { type Client, clientOf, type GivenClient, IssuedTokens } from './tokens.ts';
import { mountUpload } from './upload.ts';
import { onTheWire } from './wire.ts';
import { resume } from './workflow.ts';

export interface ReferenceOptions {
  /** 0 or absent: a free port. */
  readonly port?: number;
  /** Absent: 127.0.0.1. */
  readonly host?: string;
  /** Public origin of the service, for links, outbox and documents. Absent: its own address. */
  readonly publicUrl?: string;
  /** Folder of the data; absent: everything is kept in memory. */
  readonly dataDir?: string;
  readonly dialect?: Partial<Dialect>;
  /** Id and secret of the first account's client; absent: they are made up. */
  readonly client?: GivenClient;
  readonly faults?: readonly string[];
  /** How long a client may take for its header fields, in milliseconds; absent: 15 s. */
  readonly headersMs?: number;
  /** Called with each call of a documented endpoint after it was answered. */
  readonly onCall?: (call: DoubleCall) => void;
  /** Called with each answer to a callback. */
  readonly onAnswer?: OnAnswer;
  /** Called with errors that are no refusals; absent: they are printed to stderr. */
  readonly onError?: (error: unknown) => void;
}

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenEndpoint: string;
}

export interface Reference {
  /** Address before all documented paths, the base path of the dialect included, without a slash at its end. */
  readonly baseUrl: string;
  readonly port: number;
  readonly dialect: Dialect;
  readonly credentials: Credentials;
  /** The page on which people let a client in. */
  readonly authorizationEndpoint: string;
  readonly tokens: { readonly valid: string; readonly expired: string; readonly invalid: string };
  /** A second account, which sees nothing of the first. */
  readonly other: { readonly credentials: Credentials; readonly token: string };
  /** Id of a template, for requests of type 1, and the names of its parts. */
  readonly template: { readonly id: string; readonly roles: readonly string[] };
  /** The e-mails and SMS that were sent. */
  readonly outbox: Outbox;
  /** The controls for tests of a client. */
  readonly double: Double;
  /** Answers a request as the server does, without a socket. */
  handle(request: Request): Promise<Response>;
  /** Stops listening, ends open connections and closes the database. */
  close(): Promise<void>;
}

export async function startReference(options: ReferenceOptions = {}): Promise<Reference> {
  const dialect = resolveDialect(options.dialect);
  const { headersMs = 15_000 } = options;
  const given = options.faults ?? [];
  const faulty = faultSwitch(given.filter((id) => !isCombinedFault(id)));
  const database = await Database.open(options.dataDir);
  const store = new Store(database);
  const now = () => Date.now() + dialect.clockOffsetSeconds * 1000;
  const clients: readonly [Client, Client] = [
    clientOf(database, firstAccount, options.client),
    clientOf(database, 'second'),
  ];
  const tokens = new IssuedTokens(database, clients, now, dialect.tokenForm);
  const onError = options.onError ?? ((error) => console.error(error));
  const running = new Running(onError);
  const service: Service = {
    dialect,
    faulty,
    seen: new Set(),
    locked: new Set(),
    combined: new Combined(given.filter(isCombinedFault), store),
    store,
    tokens,
    rate: new RateLimit(dialect.rateLimit, now),
    outbox: new Outbox(database, now, dialect.messageDelayMs),
    callbacks: new Callbacks(database, now, () => callbackDelayMs(dialect)),
    baseUrl: () => baseUrl,
    now,
    onError,
    running,
  };
  const double = new Double(service, options.onCall);
  const app = buildApp(service, double, () => reference);
  const wired = onTheWire(app.fetch, dialect);
  const courier = new Courier(service, onError, options.onAnswer);
  const server = createServer(
    {
      requestTimeout: 60_000,
      headersTimeout: headersMs,
      keepAliveTimeout: 10_000,
      // How often headersTimeout and requestTimeout are checked.
      connectionsCheckingInterval: Math.min(1_000, headersMs),
      maxHeaderSize: 32_768,
      // Content-Length and Transfer-Encoding together are refused.
      insecureHTTPParser: false,
    },
    // The host of HTTP/1.0 calls without a Host field: a name to which no page answers.
    getRequestListener(wired, { overrideGlobalObjects: false, hostname: 'unnamed.invalid' }),
  );
  let baseUrl = '';
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      database.close();
      reject(error);
    });
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
  });
  const address = server.address() as AddressInfo;
  const origin = options.publicUrl?.replace(/\/+$/, '') ?? originOf(address);
  baseUrl = `${origin}${dialect.basePath}`;
  const tokenEndpoint = `${baseUrl}${dialect.tokenPath}`;
  courier.start();
  resume(service).catch(onError);
  const reference: Reference = {
    baseUrl,
    port: address.port,
    dialect,
    credentials: credentialsOf(clients[0], tokenEndpoint),
    authorizationEndpoint: `${baseUrl}${dialect.authorizePath}`,
    tokens: {
      valid: tokens.issue(firstAccount, dialect.tokenLifetimeSeconds),
      expired: tokens.issue(firstAccount, -1),
      invalid: newSecret(),
    },
    other: {
      credentials: credentialsOf(clients[1], tokenEndpoint),
      token: tokens.issue('second', dialect.tokenLifetimeSeconds),
    },
    template: { id: agreement.id, roles: agreement.parts.map(({ name }) => name) },
    outbox: service.outbox,
    double,
    handle: async (request) => wired(request),
    close: async () => {
      running.stop();
      courier.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await running.end();
      database.close();
    },
  };
  return reference;
}

function buildApp(service: Service, double: Double, reference: () => Reference): App {
  const app: App = new Hono<Variables>().basePath(service.dialect.basePath);
  double.mount(app);
  mountTokenEndpoint(app, service);
  mountUpload(app, service);
  mountCreate(app, service);
  mountSkeleton(app, service);
  mountSignatory(app, service);
  mountControl(app, service);
  mountDouble(app, service, double);
  mountOperations(app, service);
  mountActing(app, service);
  mountSigning(app, service);
  mountOutbox(app, service);
  mountHome(app, service, reference);
  app.notFound((call) => {
    const { path } = call.req;
    const methods = methodsAt(app, path);
    const refusal =
      methods.length > 0
        ? new Refusal(405, {
            detail: `Only ${methods.join(' and ')} is here`,
            headers: { Allow: methods.join(', ') },
          })
        : new Refusal(404, { detail: meantBy(path.slice(service.dialect.basePath.length)) });
    return refusalAnswer(call, refusal, service.dialect);
  });
  app.onError((error, call) => {
    if (error instanceof Refusal) return refusalAnswer(call, error, service.dialect);
    service.onError(error);
    return refusalAnswer(call, new Refusal(500), service.dialect);
  });
  return app;
}

/** The methods that a path takes; none where nothing is there. */
function methodsAt(app: App, path: string): readonly string[] {
  const fits = (pattern: string) => new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(path);
  const methods = app.routes
    .filter((each) => each.method !== 'ALL' && fits(each.path))
    .map((each) => each.method);
  return [...new Set(methods)];
}

function credentialsOf({ clientId, clientSecret }: Client, tokenEndpoint: string): Credentials {
  return { clientId, clientSecret, tokenEndpoint };
}

/** The origin to call. A server that listens on all addresses is called by the loopback address. */
function originOf({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
