/** Reads a target profile: YAML or JSON, `extends`, `${ENV}` references, validation with messages for users. */
import { dirname, resolve } from 'node:path';
import { ConfigurationError } from '../../record/errors.ts';
import { foundAt } from '../../record/files.ts';
import { sha256Of } from '../../record/hash.ts';
import { display, readOwnYaml } from '../../record/own-files.ts';
import { isObject, mapTexts } from '../untrusted/payload/tree.ts';
import { proxyFor } from '../wire/proxy.ts';
import { isSecretReference } from './literal-secrets.ts';
import type { RunOptions } from './run-options.ts';
import { addressLeast, type Profile } from './schema.ts';
import { TokenFile, tokenFilePlace, tokensOf } from './token-file.ts';
import { readCa, validProfile } from './validate.ts';

/** A profile ready for use, with the secrets that have to be kept out of every report. */
export interface LoadedProfile {
  readonly profile: Profile;
  /** File it was read from; absent for a bare base URL. */
  readonly file?: string;
  /** The profile as written, with references to the environment; absent when it was not read. */
  readonly written?: unknown;
  /** SHA-256 of the profile as written, before secrets are filled in. */
  readonly hash: string;
  /** Secrets that came from the environment, by the name of their variable. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Content of the file that `address.ca` names. */
  readonly ca?: string;
  /** The file that keeps tokens for later runs. */
  readonly tokenFile?: TokenFile;
}

type Tree = { [key: string]: unknown };

/**
 * The profile that the options name: a file, or the smallest profile for a base URL whose access token is in
 * `ESIGN_TOKEN`. Returns `null` when neither is given: the reference service is the target.
 * @throws ConfigurationError with file, key, value and the fix
 */
export function loadProfile(
  options: Pick<RunOptions, 'target' | 'baseUrl'>,
  env: NodeJS.ProcessEnv = process.env,
): LoadedProfile | null {
  if (options.target !== undefined && options.baseUrl !== undefined)
    throw new ConfigurationError(
      '--target and --base-url exclude each other: the profile has address.baseUrl',
    );
  if (options.target !== undefined) {
    const file = resolve(options.target);
    return finish(readExtended(file, []), env, file);
  }
  if (options.baseUrl !== undefined) return fromBaseUrl(options.baseUrl, env);
  return null;
}

function fromBaseUrl(baseUrl: string, env: NodeJS.ProcessEnv): LoadedProfile {
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl))
    throw new ConfigurationError(
      `--base-url "${baseUrl}" is no http or https URL; write for example https://sandbox.example.com`,
    );
  const token = env.ESIGN_TOKEN;
  if (!token)
    throw new ConfigurationError(
      'ESIGN_TOKEN is not set: with --base-url the access token comes from this environment variable (or write a profile and use --target)',
    );
  const expired = env.ESIGN_EXPIRED_TOKEN;
  const written: Tree = {
    name: new URL(baseUrl).host,
    address: { baseUrl },
    auth: {
      kind: 'static',
      token: `\${ESIGN_TOKEN}`,
      ...(expired ? { expiredToken: `\${ESIGN_EXPIRED_TOKEN}` } : {}),
    },
  };
  return finish(written, env, undefined);
}

function finish(written: Tree, env: NodeJS.ProcessEnv, file: string | undefined): LoadedProfile {
  const shown = file ? display(file) : 'the command line';
  const secrets = new Map<string, string>();
  const { filled, unset } = fillEnvironment(written, env, shown, secrets);
  const profile = patient(withoutAliases(validProfile(filled, written, shown, unset)));
  // A variable that names no usable proxy is reported here, before anything is called.
  proxyFor(new URL(profile.address.baseUrl));
  const hash = sha256Of(JSON.stringify(written));
  const folder = file ? dirname(file) : process.cwd();
  const { ca } = profile.address;
  const kept = keptTokens(profile.auth, folder, shown);
  const expiredToken = profile.auth.expiredToken ?? (profile.calls?.expireToken ? undefined : kept?.expired);
  return {
    profile: expiredToken ? { ...profile, auth: { ...profile.auth, expiredToken } } : profile,
    written,
    hash,
    secrets,
    file,
    ca: ca === undefined ? undefined : readCa(ca, folder, shown),
    tokenFile: kept,
  };
}

/** The profile with no less patience than `addressLeast`. */
function patient(profile: Profile): Profile {
  const address = { ...profile.address };
  for (const key of ['deadlineMs', 'visibleAfterMs'] as const) {
    const said = address[key];
    if (said !== undefined) address[key] = Math.max(said, addressLeast[key]);
  }
  return { ...profile, address };
}

/** @throws ConfigurationError when others can read the token file, or it is no token file */
function keptTokens(auth: Profile['auth'], folder: string, shown: string): TokenFile | undefined {
  if (auth.kind === 'static') return undefined;
  try {
    const place = tokenFilePlace(auth, folder);
    return place === undefined ? undefined : new TokenFile(place, tokensOf(auth));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(`${shown}: auth.tokenFile: ${error.message}`);
  }
}

/** The profile with short forms written out: `complete` becomes the calls for signing and approving, a path of a token endpoint a URL. */
export function withoutAliases({ auth: given, ...profile }: Profile): Profile {
  const { complete } = profile.calls ?? {};
  const path =
    'tokenEndpoint' in given && given.tokenEndpoint?.startsWith('/') ? given.tokenEndpoint : undefined;
  const below = path && { tokenEndpoint: profile.address.baseUrl.replace(/\/$/, '') + path };
  return {
    ...profile,
    auth: below ? { ...given, ...below } : given,
    ...(complete ? { calls: { sign: complete, approve: complete, ...profile.calls } } : {}),
  };
}

function readExtended(file: string, chain: readonly string[]): Tree {
  if (chain.includes(file))
    throw new ConfigurationError(
      `${display(file)}: extends itself through ${chain.map(display).join(' → ')}; take "extends" out of one of them`,
    );
  const tree = readTree(file, chain.at(-1));
  const base = tree.extends;
  if (base === undefined) return tree;
  if (typeof base !== 'string')
    throw new ConfigurationError(`${display(file)}: extends must be the path of another profile`);
  return merge(readExtended(resolve(dirname(file), base), [...chain, file]), tree);
}

function readTree(file: string, extender: string | undefined): Tree {
  if (!foundAt(file)) {
    const from = extender ? ` (extends of ${display(extender)})` : '';
    throw new ConfigurationError(`${display(file)}: there is no such profile${from}`);
  }
  const tree = readOwnYaml('profile', file, extender === undefined ? 'by-user' : 'by-us').value;
  if (isObject(tree)) return tree;
  throw new ConfigurationError(
    `${display(file)}: a profile is a mapping with the keys address and auth at least`,
  );
}

/** Objects are merged key by key; any other value of `over` replaces the one in `base`. */
function merge(base: Tree, over: Tree): Tree {
  // A Map has no inherited keys: a key named __proto__ stays, and is refused like any other unknown key.
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    const below = merged.get(key);
    const both = isObject(below) && isObject(value) && value.kind === undefined;
    merged.set(key, both ? merge(below, value) : value);
  }
  return Object.fromEntries(merged);
}

/** The profile with the variables that are set, and a sentence on the others. @param secrets gets those of the environment */
function fillEnvironment(
  written: Tree,
  env: NodeJS.ProcessEnv,
  file: string,
  secrets: Map<string, string>,
): { readonly filled: unknown; readonly unset?: readonly string[] } {
  /** Keys by the variable that is not set. */
  const missing = new Map<string, string>();
  const filled = mapTexts(written, (value, key) => {
    const text = value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
      // Secrets of pipelines often end with a line break, which no header field can hold.
      const found = env[name]?.replace(/\r?\n$/, '');
      if (found === undefined || found === '') {
        if (!missing.has(name)) missing.set(name, key);
        return '';
      }
      if (isSecretReference(key, value, name, found)) secrets.set(name, found);
      return found;
    });
    if (/^auth\.(token|expiredToken)$/.test(key) && /^bearer\s/i.test(text))
      throw new ConfigurationError(`${file}: ${key} begins with "Bearer"; give the token alone`);
    return text;
  });
  if (missing.size === 0) return { filled };
  const told = Array.from(missing, ([name, key]) => `${key} refers to \${${name}}`).join(', ');
  const unset = `${told}, which ${missing.size > 1 ? 'are' : 'is'} not set; export ${[...missing.keys()].join(' and ')} first`;
  return { filled, unset: [unset] };
}

/** @throws ConfigurationError that names the command `login`, when nobody has logged in */
export function assertLoggedIn({ profile, tokenFile, file = 'the profile' }: LoadedProfile): void {
  if (profile.auth.kind !== 'authorization-code') return;
  if (tokenFile?.refreshToken() !== undefined) return;
  const newest = tokenFile?.newest;
  if (newest && (newest.expiresAt ?? Number.POSITIVE_INFINITY) > Date.now()) return;
  const why = newest ? 'the login has expired' : 'nobody has logged in yet';
  throw new ConfigurationError(
    `${file}: auth.kind "authorization-code": ${why}; run: esign-conformance login --target ${file}`,
  );
}
