/** Reads a target profile: YAML or JSON, `extends`, `${ENV}` references, validation with messages for people. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { closest } from 'fastest-levenshtein';
import { parseDocument } from 'yaml';
import { ConfigurationError } from '../configuration-error.ts';
import type { RunOptions } from '../run-options.ts';
import { type Profile, ProfileSchema } from './schema.ts';

/** A profile ready for use, with what has to be kept out of every artefact. */
export interface LoadedProfile {
  readonly profile: Profile;
  /** File it was read from; absent for a bare base URL. */
  readonly file?: string;
  /** SHA-256 of the profile as written, before secrets are filled in. */
  readonly hash: string;
  /** Values that came from the environment, by the name of their variable. */
  readonly secrets: ReadonlyMap<string, string>;
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
  if (options.target && options.baseUrl) {
    throw new ConfigurationError(
      '--target and --base-url exclude each other: the profile has address.baseUrl',
    );
  }
  if (options.target) return fromFile(resolve(options.target), env);
  if (options.baseUrl) return fromBaseUrl(options.baseUrl, env);
  return null;
}

function fromBaseUrl(baseUrl: string, env: NodeJS.ProcessEnv): LoadedProfile {
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new ConfigurationError(
      `--base-url "${baseUrl}" is no http or https URL; write for example https://sandbox.example.com`,
    );
  }
  const token = env.ESIGN_TOKEN;
  if (!token) {
    throw new ConfigurationError(
      'ESIGN_TOKEN is not set: with --base-url the access token comes from this environment variable (or write a profile and use --target)',
    );
  }
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

function fromFile(file: string, env: NodeJS.ProcessEnv): LoadedProfile {
  return finish(readExtended(file, []), env, file);
}

function finish(written: Tree, env: NodeJS.ProcessEnv, file: string | undefined): LoadedProfile {
  const shown = file ? display(file) : 'the command line';
  const secrets = new Map<string, string>();
  const filled = fillEnvironment(written, env, shown, '', secrets) as Profile;
  validate(filled, shown);
  const hash = createHash('sha256').update(JSON.stringify(written)).digest('hex');
  return { profile: filled, hash, secrets, ...(file ? { file } : {}) };
}

function display(file: string): string {
  const shown = relative(process.cwd(), file);
  return shown.startsWith('..') ? file : shown;
}

function readExtended(file: string, chain: readonly string[]): Tree {
  if (chain.includes(file)) {
    throw new ConfigurationError(
      `${display(file)}: extends itself through ${chain.map(display).join(' → ')}`,
    );
  }
  const tree = readTree(file);
  const base = tree.extends;
  if (base === undefined) return tree;
  if (typeof base !== 'string') {
    throw new ConfigurationError(`${display(file)}: extends must be the path of another profile`);
  }
  return merge(readExtended(resolve(dirname(file), base), [...chain, file]), tree);
}

function readTree(file: string): Tree {
  if (!existsSync(file)) throw new ConfigurationError(`${display(file)}: there is no such profile`);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigurationError(
      `${display(file)}: cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  const document = parseDocument(text, { prettyErrors: true });
  const problem = document.errors[0];
  if (problem) {
    throw new ConfigurationError(
      `${display(file)}: is neither YAML nor JSON: ${problem.message.split('\n')[0]}`,
    );
  }
  const tree: unknown = document.toJS();
  if (tree === null || typeof tree !== 'object' || Array.isArray(tree)) {
    throw new ConfigurationError(
      `${display(file)}: a profile is a mapping with the keys address and auth at least`,
    );
  }
  return tree as Tree;
}

/** Objects are merged key by key, everything else of `over` replaces what stands in `base`. */
function merge(base: Tree, over: Tree): Tree {
  const merged: Tree = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = isTree(below) && isTree(value) && value.kind === undefined ? merge(below, value) : value;
  }
  return merged;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fillEnvironment(
  value: unknown,
  env: NodeJS.ProcessEnv,
  file: string,
  key: string,
  secrets: Map<string, string>,
): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
      const found = env[name];
      if (found === undefined || found === '') {
        throw new ConfigurationError(
          `${file}: ${key} refers to \${${name}}, which is not set; export ${name} first`,
        );
      }
      secrets.set(name, found);
      return found;
    });
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => fillEnvironment(item, env, file, `${key}[${index}]`, secrets));
  }
  if (isTree(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        fillEnvironment(item, env, file, key ? `${key}.${name}` : name, secrets),
      ]),
    );
  }
  return value;
}

function validate(profile: unknown, file: string): void {
  const check = new Ajv2020({ allErrors: true, verbose: true, strict: false }).compile(ProfileSchema);
  if (check(profile)) return;
  throw new ConfigurationError(
    explain(check.errors ?? [], profile)
      .map((line) => `${file}: ${line}`)
      .join('\n'),
  );
}

/** The errors that help: of a union, those of the branch whose `kind` was meant. */
function explain(errors: readonly ErrorObject[], profile: unknown): string[] {
  const authKind = isTree(profile) && isTree(profile.auth) ? profile.auth.kind : undefined;
  const kinds = ['static', 'client-credentials'];
  if (errors.some((error) => error.instancePath === '/auth/kind') && !kinds.includes(String(authKind))) {
    return [`auth.kind "${String(authKind)}" is unknown; use ${kinds.join(' or ')}`];
  }
  const branch = kinds.indexOf(String(authKind));
  const lines = errors
    .filter((error) => error.keyword !== 'anyOf')
    .filter(
      (error) =>
        !error.schemaPath.includes('/auth/anyOf/') || error.schemaPath.includes(`/auth/anyOf/${branch}/`),
    )
    .map(sentence);
  return [...new Set(lines)];
}

function sentence(error: ErrorObject): string {
  const key = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/') || 'the profile';
  const params = error.params as Record<string, unknown>;
  const value = JSON.stringify(error.data);
  switch (error.keyword) {
    case 'additionalProperties': {
      const name = String(params.additionalProperty);
      const known = Object.keys((error.parentSchema?.properties ?? {}) as Tree);
      const where = error.instancePath ? `${key}.${name}` : name;
      return `${where} is unknown; did you mean ${closest(name, known)}? (known: ${known.join(', ')})`;
    }
    case 'required':
      return `${error.instancePath ? `${key}.` : ''}${String(params.missingProperty)} is missing`;
    case 'pattern':
      return `${key} ${value} does not have the form ${String(params.pattern)}`;
    case 'const':
      return `${key} ${value} is not ${JSON.stringify(params.allowedValue)}`;
    default:
      return `${key} ${value} ${error.message ?? 'is not valid'}`;
  }
}
