/** The command `serve`: runs the reference service until it is told to stop. */
import { statSync } from 'node:fs';
import { isLoopback } from '../harness/wire/proxy.ts';
import { ConfigurationError } from '../record/errors.ts';
import { print, printError, printJson } from '../record/print.ts';
import { didYouMean } from '../record/schema-errors.ts';
import { type Dialect, resolveDialect, settings } from '../reference/dialect.ts';
import type { Call as DoubleCall } from '../reference/double-types.ts';
import { combinedFaults, isCombinedFault } from '../reference/faults/combined.ts';
import { faults, isFaultId } from '../reference/faults.ts';
import { firstSteps } from '../reference/first-steps.ts';
import { type Reference, type ReferenceOptions, startReference } from '../reference/server.ts';
import { calledAs, commandLine } from './called-as.ts';

interface ServeArguments {
  readonly port: number;
  readonly host?: string;
  readonly publicUrl?: string;
  readonly json?: boolean;
  /** A line for each call and each callback, on stderr. */
  readonly verbose?: boolean;
  readonly data?: string;
  /** `name=value`, each. */
  readonly dialect?: readonly string[];
  readonly fault?: readonly string[];
  readonly list?: boolean;
  readonly clientId?: string;
  readonly clientSecret?: string;
}

/** Serves until SIGINT or SIGTERM; resolves with 0 after a clean end. */
export async function serve(given: ServeArguments): Promise<number> {
  const { port, host, publicUrl, data, dialect = [], fault = [], clientId, clientSecret } = given;
  if (given.list) {
    print(choices());
    return 0;
  }
  const stopped = new Promise<void>((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop());
  });
  const reference = await start({
    port,
    host,
    publicUrl: publicUrl === undefined ? undefined : urlOf(publicUrl),
    dataDir: data,
    dialect: dialectOf(dialect),
    faults: fault.map(faultOf),
    onCall: given.verbose ? logCall : undefined,
    onAnswer: given.verbose ? logAnswer : undefined,
    client: { clientId, clientSecret },
  });
  if (given.json) printJson(described(reference), 0);
  else print(greeting(reference, { fault, dialect }));
  if (host !== undefined && !isLoopback(host)) printError(warningOfHost(host, reference.port));
  if (data !== undefined) warnOfReaders(data);
  await stopped;
  await reference.close();
  print('stopped\n');
  return 0;
}

function logCall({ at, method, path, status, body, answer }: DoubleCall): void {
  const shown = [body, answer].map((part) => (part === undefined ? '' : JSON.stringify(part).slice(0, 300)));
  printError(`${at.slice(11, 23)} ${method} ${path} ${shown[0]} -> ${status} ${shown[1]}\n`);
}

const logAnswer: ReferenceOptions['onAnswer'] = ({ event, url }, answer) =>
  printError(`${new Date().toISOString().slice(11, 23)} callback of event ${event} to ${url} -> ${answer}\n`);

function described({ baseUrl, credentials, authorizationEndpoint, tokens, template }: Reference) {
  const { valid: token, expired: expiredToken } = tokens;
  const outbox = `${baseUrl}/_outbox.json`;
  const control = `${baseUrl}/_control`;
  const health = `${baseUrl}/_health`;
  const templateId = template.id;
  return {
    url: baseUrl,
    token,
    expiredToken,
    ...credentials,
    authorizationEndpoint,
    templateId,
    outbox,
    control,
    health,
  };
}

/** @throws ConfigurationError when it is no origin */
function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search) return url.origin;
  throw new ConfigurationError(
    `--public-url ${text}: write scheme, host and port only, such as http://esign:4010; the path is --dialect basePath=/…`,
  );
}

function warningOfHost(host: string, port: number): string {
  return `warning: --host ${host}: whoever reaches port ${port} of this machine can call the service, read its outbox and act for its people; its credentials are all that it asks for\n`;
}

/** Warns where others can look into the folder. Its mode is not changed: other files in it may be meant for others. */
function warnOfReaders(folder: string): void {
  const mode = statSync(folder).mode & 0o777;
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  printError(
    `warning: --data ${folder}: others on this machine can look into it (mode ${mode.toString(8)}); what is stored there is yours alone; for the folder too: ${commandLine('chmod', '700', folder)}\n`,
  );
}

/** @throws ConfigurationError when the port cannot be used */
async function start(options: ReferenceOptions): Promise<Reference> {
  try {
    return await startReference(options);
  } catch (error) {
    const { code, message, syscall } = error as NodeJS.ErrnoException;
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new ConfigurationError(
        `--host ${options.host}: this machine has no such address; 0.0.0.0 takes all it has`,
      );
    if (code === 'EADDRINUSE' || (code === 'EACCES' && syscall === 'listen')) {
      const why = code === 'EACCES' ? 'needs more rights' : 'is in use';
      throw new ConfigurationError(
        `--port ${options.port}: this port ${why}; give another one, or 0 for any free one`,
      );
    }
    throw new ConfigurationError(`the reference service could not start: ${message}`, { cause: error });
  }
}

function dialectOf(given: readonly string[]): Partial<Dialect> {
  const values = Object.fromEntries(given.map(settingOf));
  try {
    return resolveDialect(values);
  } catch (error) {
    throw new ConfigurationError(`--${(error as Error).message}`, { cause: error });
  }
}

/** Reads `name=value`. The value has the type of the setting's default: a number, true or false, or text. */
function settingOf(text: string): [string, string | number | boolean] {
  const [, name = text, value] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  const setting = Object.entries(settings).find(([known]) => known === name)?.[1];
  if (!setting) {
    const hint = didYouMean(name, Object.keys(settings));
    throw new ConfigurationError(
      `--dialect ${text}: there is no such setting${hint} (write name=value; all of them: esign-conformance serve --list)`,
    );
  }
  if (value === undefined)
    throw new ConfigurationError(`--dialect ${text}: it lacks a value, as in ${name}=${setting.values[0]}`);
  const kind = typeof setting.values[0];
  if (kind === 'number' && value.trim() !== '') return [name, Number(value)];
  return [name, kind === 'boolean' && /^(true|false)$/.test(value) ? value === 'true' : value];
}

function faultOf(id: string): string {
  if (isFaultId(id) || isCombinedFault(id)) return id;
  const all = Object.keys({ ...faults, ...combinedFaults });
  const ofIt = all.filter((each) => each.startsWith(`${id}/`));
  const hint = ofIt.length > 0 ? `; of this requirement there are ${ofIt.join(', ')}` : didYouMean(id, all);
  throw new ConfigurationError(
    `--fault ${id}: there is no such fault${hint} (all of them: esign-conformance serve --list)`,
  );
}

function choices(): string {
  const lines = Object.entries(settings).map(([name, { about, values, open }]) => {
    const shown = values.map((value) => (value === '' ? '""' : String(value))).join(' | ');
    return `${name}=${shown}${open ? ' | …' : ''}\n    ${about}`;
  });
  return [
    'Settings of the dialect, the default first:',
    ...lines,
    '',
    'Faults:',
    ...Object.entries(faults).map(([id, { title }]) => `${id}\n    ${title}`),
    '',
    'Faults that only combinations show, for `explore`:',
    ...Object.entries(combinedFaults).map(([id, { title }]) => `${id}\n    ${title}`),
    '',
  ].join('\n');
}

function greeting(
  reference: Reference,
  { fault, dialect }: Required<Pick<ServeArguments, 'fault' | 'dialect'>>,
): string {
  const { baseUrl, credentials, authorizationEndpoint, tokens, template } = reference;
  const lines = [
    ...(dialect.length > 0 ? [['dialect', dialect.join(', ')]] : []),
    ['base URL', baseUrl],
    ['token endpoint', `${credentials.tokenEndpoint} (client credentials)`],
    ['login page', `${authorizationEndpoint} (authorization code with PKCE)`],
    ['client id', credentials.clientId],
    ['client secret', credentials.clientSecret],
    ['valid token', tokens.valid],
    ['expired token', tokens.expired],
    ['template id', template.id],
    ['outbox', `${baseUrl}/_outbox (e-mails and SMS, with links and codes)`],
    ['what happens', `${baseUrl} (in a browser: requests, people, messages, callbacks, calls)`],
  ];
  return [
    `Reference service for local use, with the rules of the interface document${fault.length > 0 ? `, but for what it breaks on purpose: ${fault.join(', ')}` : ''}.`,
    '',
    ...lines.map(([name = '', value]) => `  ${name.padEnd(15)} ${value}`),
    '',
    'First steps, to paste into another terminal in this order:',
    '',
    firstSteps(reference),
    '',
    'Check it from another terminal:',
    `  ESIGN_TOKEN=${tokens.valid} ESIGN_EXPIRED_TOKEN=${tokens.expired} ${calledAs()} --base-url ${baseUrl}`,
    '',
    'Ctrl+C stops it.',
    '',
  ].join('\n');
}
