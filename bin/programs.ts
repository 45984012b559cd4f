/** The functions that programs import from the package: runs, profiles, and the reference service as a double. */
import type { GivenOptions } from '../harness/profile/given-options.ts';
import { type LoadedProfile, loadProfile as load } from '../harness/profile/load.ts';
import type { Profile } from '../harness/profile/schema.ts';
import { ConfigurationError } from '../record/errors.ts';
import { printNothing } from '../record/print.ts';
import { didYouMean } from '../record/schema-errors.ts';
import type { Dialect } from '../reference/dialect.ts';
import type { GivenClient } from '../reference/tokens.ts';
import { staleModes } from '../reports/run/deviations.ts';
import type * as api from './public.ts';

type Kind = readonly [told: string, fits: (value: unknown) => boolean];

const whole = (lowest: number): Kind => [
  `a whole number, at least ${lowest}`,
  (value) => Number.isSafeInteger(value) && Number(value) >= lowest,
];
const matching = (told: string, form: RegExp): Kind => [
  told,
  (value) => typeof value === 'string' && form.test(value),
];
const text = matching('a text that is not empty', /./);
const flag: Kind = ['true or false', (value) => typeof value === 'boolean'];
const list: Kind = [
  'a list of ids',
  (value) => Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string'),
];

/** The kind of each option of a run. Unknown names are refused: a misspelled `target` would check the reference service. */
const runOptions: Readonly<Record<keyof GivenOptions, Kind>> = {
  target: text,
  baseUrl: text,
  out: text,
  only: list,
  checks: text,
  strict: flag,
  since: matching('a version such as 0.1.0', /^\d+\.\d+\.\d+$/),
  seed: whole(0),
  concurrency: whole(1),
  exploreSteps: whole(1),
  thorough: flag,
  replaySequence: text,
  explore: flag,
  resume: text,
  manual: flag,
  confirm: flag,
  deviations: text,
  baseline: text,
  recheck: text,
  stale: matching(staleModes.join(' or '), new RegExp(`^(${staleModes.join('|')})$`)),
  strictDrift: flag,
  driftFactor: ['a number above 1', (value) => Number.isFinite(value) && Number(value) > 1],
  budget: whole(1),
  record: text,
  replay: text,
  singleFile: flag,
};

/** Numbers and lists have no options of their own: with them everything would be as usual. */
function assertOptions(of: string, given: unknown): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new ConfigurationError(`${of}: the options are no object`);
}

function assertKnown(kind: string, given: readonly string[], known: readonly string[]): void {
  for (const name of given) {
    if (known.includes(name)) continue;
    const hint = didYouMean(String(name), known);
    throw new Error(
      `startReference: no ${kind} is called ${name}${hint} (all of them: esign-conformance serve --list)`,
    );
  }
}

function assertRunOptions(given: object): void {
  const known: Readonly<Record<string, Kind>> = runOptions;
  for (const [name, value] of Object.entries(given)) {
    const [told, fits] = (Object.hasOwn(known, name) && known[name]) || [];
    if (!fits)
      throw new ConfigurationError(`run: no option is called ${name}${didYouMean(name, Object.keys(known))}`);
    if (value !== undefined && !fits(value)) throw new ConfigurationError(`run: ${name} has to be ${told}`);
  }
  const { target, baseUrl } = given as GivenOptions;
  const empty =
    target === undefined && baseUrl === undefined && ['target', 'baseUrl'].find((name) => name in given);
  if (empty)
    throw new ConfigurationError(`run: ${empty} is undefined; leave it out to check the reference service`);
}

export const run: typeof api.run = async (given = {}) => {
  assertOptions('run', given);
  const { signal = new AbortController().signal, ...options } = given;
  assertRunOptions(options);
  const { prepare } = await import('./run.ts');
  const { wholeRun } = await import('../running/whole-run.ts');
  // The calling program decides what is printed.
  printNothing();
  const prepared = await prepare(options);
  if (!prepared)
    throw new Error('nothing failed, deviated or could not run there: nothing is left to recheck');
  return wholeRun(prepared, signal);
};

export const loadProfile: typeof api.loadProfile = (file, env = process.env) =>
  loadedFrom(file, env) as LoadedProfile & api.LoadedProfile;

function loadedFrom(file: string, env: NodeJS.ProcessEnv): LoadedProfile {
  const loaded = typeof file === 'string' ? load({ target: file }, env) : undefined;
  if (!loaded) throw new ConfigurationError('loadProfile takes the path of a target profile');
  return loaded;
}

export const startReference: typeof api.startReference = async (options = {}) => {
  assertOptions('startReference', options);
  const { dialect = {}, profile: given, faults = [], port = 0, ...others } = options;
  assertOptions('startReference: dialect', dialect);
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw new Error(`startReference: no option is called ${other}; there are dialect, profile, faults, port`);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`startReference: port is ${port}; it takes a whole number, 0 to 65535`);
  if (!Array.isArray(faults)) throw new Error('startReference: faults is no list of ids');
  const { startReference: start } = await import('../reference/server.ts');
  const { settings } = await import('../reference/dialect.ts');
  const { faults: known } = await import('../reference/faults.ts');
  const { combinedFaults } = await import('../reference/faults/combined.ts');
  assertKnown('setting', Object.keys(dialect), Object.keys(settings));
  assertKnown('fault', faults, Object.keys({ ...known, ...combinedFaults }));
  const loaded = typeof given === 'string' ? loadedFrom(given, process.env) : given;
  const profile = loaded?.profile as Profile | undefined;
  if (given !== undefined && profile === undefined)
    throw new Error('startReference: profile is neither a path nor what loadProfile gives');
  const reference = await start({
    port,
    faults,
    dialect: { ...(profile ? dialectOf(profile) : {}), ...(dialect as Partial<Dialect>) },
    ...(profile ? { client: clientOf(profile) } : {}),
  });
  const { double, baseUrl: url, tokens, credentials, close } = reference;
  return {
    url,
    token: tokens.valid,
    expiredToken: tokens.expired,
    credentials,
    templateId: reference.template.id,
    close,
    outbox: (wanted) => double.outbox(wanted),
    act: (person, act, requestId) => double.act(person, act, requestId),
    failNext: (failure) => double.failNext(failure),
    deliveries: (requestId) => double.deliveries(requestId),
    resend: (id) => double.resend(id),
    calls: () => double.calls(),
    requests: () => double.requests(),
    waitFor: (state, waiting) => double.waitFor(state, waiting),
    waitForCallback: (event, waiting) => double.waitForCallback(event, waiting),
    reset: () => double.reset(),
  };
};

/** The settings by which the reference service behaves as the profile says of its target. */
function dialectOf({ address, auth, upload }: Profile): Partial<Dialect> {
  const basePath = new URL(address.baseUrl).pathname.replace(/\/+$/, '');
  const { encoding = upload?.field ? 'multipart' : 'auto' } = upload ?? {};
  return {
    basePath,
    ...(auth.kind === 'client-credentials'
      ? {
          ...tokenPathOf(auth.tokenEndpoint, basePath),
          ...(auth.method === 'body' ? { tokenClient: 'body' } : {}),
          ...(auth.encoding ? { tokenEncoding: auth.encoding } : {}),
          ...(auth.scope ? { tokenScope: auth.scope } : {}),
        }
      : {}),
    ...(encoding === 'auto' ? {} : { uploadEncoding: encoding }),
    ...(upload?.field ? { uploadField: upload.field } : {}),
    ...tokenPlaceOf(upload?.token),
  };
}

function tokenPathOf(endpoint: string | undefined, basePath: string): Partial<Dialect> {
  if (endpoint === undefined) return {};
  const { pathname } = new URL(endpoint, 'http://localhost');
  return pathname.startsWith(`${basePath}/`) ? { tokenPath: pathname.slice(basePath.length) } : {};
}

function tokenPlaceOf(token: NonNullable<Profile['upload']>['token']): Partial<Dialect> {
  if (token === 'text') return { tokenPlace: 'text' };
  if (typeof token !== 'object') return {};
  if ('header' in token) return { tokenPlace: 'header', tokenHeader: token.header };
  if (!('pointer' in token)) return {};
  return token.pointer === ''
    ? { tokenPlace: 'string' }
    : { tokenPlace: 'json', tokenPointer: token.pointer };
}

function clientOf({ auth }: Profile): GivenClient {
  if (!('clientId' in auth)) return {};
  const { clientId } = auth;
  return 'clientSecret' in auth && auth.clientSecret
    ? { clientId, clientSecret: auth.clientSecret }
    : { clientId };
}
