/** The access token of a run: where it comes from, how it is renewed, and the tokens that a target has to reject. */
import { randomBytes } from 'node:crypto';
import type { Observation } from '../../../openapi/observation.ts';
import type { AuthSettings } from '../../profile/auth-settings.ts';
import type { Profile } from '../../profile/schema.ts';
import type { TokenFile } from '../../profile/token-file.ts';
import type { Redactor } from '../../recording/redact.ts';
import { inTurn } from '../budgets/pause.ts';
import { learning, type SendRequest } from './token-request.ts';
import { type TokenSource, tokenSource } from './token-source.ts';

/** A token is renewed this long before its lifetime ends, so that no call meets the end under way. */
const renewalMarginMs = 5_000;

interface Granted {
  readonly token: string;
  /** When it was granted, by the clock of `Date.now()`. */
  readonly since: number;
  /** When it is to be renewed, by the same clock. */
  readonly renewAt: number;
}

interface TokenParts {
  readonly redactor: Redactor;
  readonly send: SendRequest;
  readonly address: Profile['address'];
  /** Keeps tokens for later runs. */
  readonly file?: TokenFile;
}

/** How often a renewal may fail in a run before the run is without a token for good. */
const maxFailedRenewals = 3;

export class AccessTokens {
  readonly #settings: AuthSettings;
  readonly #redactor: Redactor;
  readonly #source: TokenSource | null;
  readonly #file: TokenFile | undefined;
  #current: Promise<Granted> | null = null;
  /** Tokens are fetched one after the other: a refresh token that is replaced works only once. */
  readonly #inTurn = inTurn();
  /** Tokens that the target accepted at least once: only such a token can have expired. */
  readonly #taken = new Set<string>();
  #failedRenewals = 0;
  /** How often a token was fetched after the first one. */
  renewals = 0;
  /** Sentences for the user. */
  readonly warnings: string[] = [];
  /** Lifetimes that the authorization server stated, in seconds. */
  readonly statedLifetimesS = new Set<number>();
  /** The ages of tokens, in seconds, that were refused before the end of a stated lifetime, or without one. */
  readonly #refusedAtS = new Set<number>();

  constructor(settings: AuthSettings, { redactor, send, address, file }: TokenParts) {
    this.#settings = settings;
    this.#redactor = redactor;
    this.#file = file;
    const learn = (secret: string, label: string) => redactor.add(secret, label);
    for (const secret of file?.secrets ?? []) learn(secret, 'kept token');
    // It was accepted in the run before, and may have ended since, whatever was said of its lifetime.
    if (file?.newest) this.took(file.newest.token);
    if (settings.expiredToken) learn(settings.expiredToken, 'expired access token');
    if ('refreshToken' in settings) learn(settings.refreshToken, 'refresh token');
    if ('clientSecret' in settings && settings.clientSecret) learn(settings.clientSecret, 'client secret');
    if (settings.kind === 'static') {
      learn(settings.token, 'access token');
      this.#source = null;
    } else {
      const warn = (text: string) => this.warnings.push(text);
      this.#source = tokenSource(settings, { send: learning(send, learn), address, file, learn, warn });
    }
  }

  /** A valid access token. @throws TokenError when none is to be had */
  async valid(): Promise<string> {
    const asked = this.#current ?? this.#fetch();
    this.#current = asked;
    const { token, renewAt } = await asked;
    if (renewAt > Date.now()) return token;
    // The first caller renews for all; a fresh token is used however short its lifetime is.
    return (await this.#renewed(asked)).token;
  }

  /** A second token for a call that spoils it; `undefined` where the profile gives only one. */
  async spare(): Promise<string | undefined> {
    return this.#source?.renewable ? (await this.#fetch()).token : undefined;
  }

  took(token: string): void {
    this.#taken.add(token);
  }

  /**
   * Another token after the target has refused one with 401. `undefined` when there is none: a static token
   * cannot be renewed, and where a token was never accepted, a new one would not be either.
   * @throws TokenError when none is to be had
   */
  async after(refused: string): Promise<string | undefined> {
    const asked = this.#current;
    if (!this.#source?.renewable || !this.#taken.has(refused) || !asked) return undefined;
    const { token, since } = await asked;
    if (token !== refused) return token;
    this.#refusedAtS.add(Math.round((Date.now() - since) / 1000));
    return (await this.#renewed(asked)).token;
  }

  async #renewed(old: Promise<Granted>): Promise<Granted> {
    if (this.#current === old) {
      this.renewals += 1;
      const fresh = this.#fetch();
      this.#current = fresh;
      fresh.catch(() => {
        this.#failedRenewals += 1;
        // The next call asks again, since the server may be back by then.
        if (this.#failedRenewals < maxFailedRenewals && this.#current === fresh) this.#current = old;
      });
    }
    return this.#current ?? old;
  }

  /** The expired token that the profile gives, if it gives one. */
  get expired(): string | undefined {
    return this.#settings.expiredToken;
  }

  /** A well-formed bearer token (RFC 6750, b64token) that nobody issued. */
  unknown(): string {
    return this.#secret(randomBytes(24).toString('base64url'), 'unknown access token');
  }

  /** A token that a target has to reject, made of the valid one. */
  async spoilt(how: Spoilt): Promise<string> {
    const [spoil, label] = ways[how];
    return this.#secret(spoil(await this.valid()), label);
  }

  #secret(value: string, label: string): string {
    this.#redactor.add(value, label);
    return value;
  }

  /** What was seen about the lifetime of access tokens. */
  observations(): Observation[] {
    const seen = (key: string, values: ReadonlySet<number>, stability: Observation['stability']) =>
      values.size === 0
        ? []
        : [{ gap: 'auth.lifetime', key, value: [...values].sort((a, b) => a - b), stability, exchanges: [] }];
    const { kind, ...rest } = this.#settings;
    // The rest of a lifetime, as after a login or until a date, differs in each run.
    const counted = kind !== 'authorization-code' && !('answer' in rest && rest.answer?.lifetime);
    return [
      ...seen('stated lifetime in seconds', this.statedLifetimesS, counted ? 'stable' : 'volatile'),
      ...seen('refused after seconds', this.#refusedAtS, 'volatile'),
    ];
  }

  #fetch(): Promise<Granted> {
    return this.#inTurn('', () => this.#ask());
  }

  async #ask(): Promise<Granted> {
    const settings = this.#settings;
    if (settings.kind === 'static' || !this.#source) {
      const token = settings.kind === 'static' ? settings.token : '';
      return { token, since: Date.now(), renewAt: Number.POSITIVE_INFINITY };
    }
    const grant = await this.#source.fetch();
    const { token, lifetimeMs, refreshToken, unreadAt } = grant;
    this.#redactor.add(token, 'access token');
    if (refreshToken) this.#redactor.add(refreshToken, 'refresh token');
    if (Number.isFinite(lifetimeMs)) this.statedLifetimesS.add(Math.round(lifetimeMs / 1000));
    if (unreadAt !== undefined && this.statedLifetimesS.size === 0) {
      const warning = `the lifetime at ${unreadAt} of the answer with the access token is no number, no ISO 8601 duration and no date: say where it stands (auth.answer.lifetime) or how long it is (auth.lifetimeS)`;
      if (!this.warnings.includes(warning)) this.warnings.push(warning);
    }
    try {
      this.#file?.keep(grant, 'refreshToken' in settings ? settings.refreshToken : '');
    } catch (error) {
      this.warnings.push(
        `auth.tokenFile ${this.#file?.path} could not be written, and a refresh token that was replaced is lost: ${(error as Error).message}`,
      );
    }
    const marginMs = Math.min(renewalMarginMs, lifetimeMs / 2);
    const since = Date.now();
    return { token, since, renewAt: since + lifetimeMs - marginMs };
  }
}

// The middle is altered: the last characters of a base64url text may carry bits that no decoder looks at.
const altered = (token: string) => otherThan(token, Math.max(0, Math.floor(token.length / 2) - 4));

/**
 * The valid token with the case of its letters swapped. Where it has one case only, its beginning is altered instead:
 * in base16 and base32 both cases mean the same. Both have one label, since a replay has a token of another shape.
 */
function inOtherCase(token: string): string {
  const hasBoth = /[a-z]/.test(token) && /[A-Z]/.test(token);
  const other = (sign: string) => (sign < 'a' ? sign.toLowerCase() : sign.toUpperCase());
  return hasBoth ? token.replaceAll(/[a-z]/gi, other) : otherThan(token, 0);
}

/** How the valid token is spoilt, and what the record calls the result. */
const ways = {
  altered: [altered, 'altered access token'],
  // Four characters of base64 are three bytes, so no decoder takes them for padding. A short token is altered instead.
  extended: [(token) => `${token}x7Qd`, 'extended access token'],
  shortened: [(token) => (token.length < 9 ? altered(token) : token.slice(0, -4)), 'shortened access token'],
  'other-case': [inOtherCase, 'access token in other case'],
} as const satisfies Readonly<Record<string, readonly [(token: string) => string, string]>>;

type Spoilt = keyof typeof ways;

/** The token with up to eight characters changed; with an `a` before it where all of these are signs, such as hyphens. */
function otherThan(token: string, from: number): string {
  const changed = changedIn(token, from, from + 8);
  return changed === token ? changedIn(`a${token}`, 0, 1) : changed;
}

/** The token with each letter and digit from `from` to before `to` changed, to one that differs in more than its case. */
function changedIn(token: string, from: number, to: number): string {
  const changed = token
    .slice(from, to)
    .replace(/[A-Za-z0-9]/g, (sign) => (/[aA1]/.test(sign) ? 'b' : /[0-9]/.test(sign) ? '1' : 'a'));
  return token.slice(0, from) + changed + token.slice(to);
}
