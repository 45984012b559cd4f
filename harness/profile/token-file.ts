/** The token file of a profile: a replaced refresh token, and access tokens until they have expired. Mode 600. */
import { isAbsolute, join, relative, resolve } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { ConfigurationError } from '../../record/errors.ts';
import { foundAt, writeWhole } from '../../record/files.ts';
import { sha256Of } from '../../record/hash.ts';
import { readOwnJson } from '../../record/own-files.ts';
import { type DeepReadonly, list, object, optional, text } from '../../record/schema-parts.ts';
import type { AuthSettings } from './auth-settings.ts';
import { homeOf, type Machine, stateFolder, thisMachine } from './state-folder.ts';

export interface Grant {
  readonly token: string;
  /** Milliseconds from now on; `Infinity` when nobody states them. */
  readonly lifetimeMs: number;
  readonly refreshToken?: string;
  /** The place of a lifetime that cannot be read. */
  readonly unreadAt?: string;
}

const keptToken = object({
  token: Type.String({ minLength: 1 }),
  expiresAt: optional(Type.Number({ description: 'Milliseconds since 1970; absent when nobody said it.' })),
});

type KeptToken = DeepReadonly<Static<typeof keptToken>>;

const contentSchema = object({
  version: Type.Literal(1),
  of: text('Hash of the server and the client that the tokens are for.'),
  refreshToken: optional(text()),
  insteadOf: optional(text('Hash of the refresh token in the profile that it took the place of.')),
  accessTokens: list(keptToken),
});
type Content = DeepReadonly<Static<typeof contentSchema>>;

/** A service may accept a token this long after its stated end: five minutes are usual for differences between clocks. */
const leewayMs = 5 * 60_000;

/** Permissions: only this user can read the file and its folder. */
const modes = { file: 0o600, folder: 0o700 };

export class TokenFile {
  readonly path: string;
  readonly #of: string;
  #content: Content | null;

  /**
   * @param of names the server and the client: tokens for others are not used
   * @throws ConfigurationError when the file can be read by others, or is no token file
   */
  constructor(path: string, of: string) {
    this.path = path;
    this.#of = sha256Of(of);
    const content = read(path);
    this.#content = content?.of === this.#of ? content : null;
  }

  get secrets(): readonly string[] {
    const { refreshToken, accessTokens = [] } = this.#content ?? {};
    return [...(refreshToken ? [refreshToken] : []), ...accessTokens.map(({ token }) => token)];
  }

  /** The refresh token that replaced the given one, or that a login brought. */
  refreshToken(given = ''): string | undefined {
    return this.#content?.insteadOf === sha256Of(given) ? this.#content.refreshToken : undefined;
  }

  get newest(): KeptToken | undefined {
    return this.#content?.accessTokens.at(-1);
  }

  /** An access token that has surely expired: of several, the one that expired last. */
  get expired(): string | undefined {
    return this.#expired()?.token;
  }

  /** Keeps a granted token. @param given the refresh token of the profile, empty without one @throws FileTrouble */
  keep({ token, lifetimeMs, refreshToken }: Grant, given = ''): void {
    const newest: KeptToken = {
      token,
      ...(Number.isFinite(lifetimeMs) ? { expiresAt: Math.round(Date.now() + lifetimeMs) } : {}),
    };
    const kept = refreshToken ?? this.refreshToken(given);
    // Three are kept: one that has expired, for the checks of this run; the next one to expire; and the newest.
    const waiting = this.#content?.accessTokens.find((each) => !hasExpired(each) && each.expiresAt);
    const tokens = [this.#expired(), waiting, newest].filter((each) => each !== undefined);
    this.#content = {
      version: 1,
      of: this.#of,
      ...(kept ? { refreshToken: kept, insteadOf: sha256Of(given) } : {}),
      accessTokens: tokens.filter(
        (each, index) => tokens.findLastIndex((last) => last.token === each.token) === index,
      ),
    };
    // Written whole or not at all: a run that is killed here must not lose the only token that still works.
    writeWhole(this.path, `${JSON.stringify(this.#content, null, 2)}\n`, { modes, named: 'by-user' });
  }

  #expired(): KeptToken | undefined {
    return this.#content?.accessTokens
      .filter(hasExpired)
      .toSorted((one, other) => (one.expiresAt ?? 0) - (other.expiresAt ?? 0))
      .at(-1);
  }
}

export function hasExpired({ expiresAt }: Pick<KeptToken, 'expiresAt'>): boolean {
  return expiresAt !== undefined && expiresAt + leewayMs < Date.now();
}

function read(path: string): Content | null {
  const found = foundAt(path);
  if (!found) return null;
  // Reading a pipe would never end.
  if (!found.isFile())
    throw new ConfigurationError(`${path}: is no file; name another one in auth.tokenFile`);
  // Windows has no such modes: there the file has to be in the folder of the user.
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw new ConfigurationError(
      `${path}: others on this machine can read this token file; chmod 600 ${path}`,
    );
  try {
    return readOwnJson('tokens', path, contentSchema);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(`${error.message}; name another one in auth.tokenFile, or delete it`);
  }
}

/**
 * Absolute path of the token file, or `undefined` for a profile without one.
 * @param folder of the profile
 * @throws ConfigurationError when others could read a file there
 */
export function tokenFilePlace(
  auth: AuthSettings,
  folder: string,
  machine: Machine = thisMachine(),
): string | undefined {
  if (auth.kind === 'static') return undefined;
  if (auth.tokenFile !== undefined) {
    const place = auth.tokenFile.startsWith('~/')
      ? join(homeOf(machine), auth.tokenFile.slice(2))
      : resolve(folder, auth.tokenFile);
    // Windows has no such modes, but others cannot read the folder of a user.
    const { platform, home } = machine;
    if (platform === 'win32' && isOutside(place, home))
      throw new ConfigurationError(
        `"${auth.tokenFile}" lies outside of ${home}, where others can read it; write for example ~/acme-tokens.json`,
      );
    return place;
  }
  if (auth.kind !== 'authorization-code') return undefined;
  const name = sha256Of(tokensOf(auth)).slice(0, 16);
  return join(stateFolder(machine), 'tokens', `${name}.json`);
}

/** Identifies tokens by the server, the client and what they are for: tokens count only where all of these are the same. */
export function tokensOf(auth: Exclude<AuthSettings, { kind: 'static' }>): string {
  const { kind } = auth;
  const call = 'call' in auth ? auth.call?.url : undefined;
  const endpoint = 'tokenEndpoint' in auth ? auth.tokenEndpoint : undefined;
  const clientId = 'clientId' in auth ? auth.clientId : undefined;
  const scope = 'scope' in auth ? auth.scope : undefined;
  return JSON.stringify([kind, endpoint ?? call, clientId ?? '', scope ?? '']);
}

function isOutside(place: string, home: string): boolean {
  const way = relative(home, place);
  return way.startsWith('..') || isAbsolute(way);
}
