/** The access token of a run: where it comes from, how it is renewed, and the tokens that a target has to reject. */
import { randomBytes } from 'node:crypto';
import type { AuthSettings } from './profile/auth-settings.ts';
import type { Redactor } from './redact.ts';
import { clientCredentials, type SendRequest } from './token-request.ts';

/** A token is renewed this long before its lifetime ends, so that no call meets the end under way. */
const renewalMarginMs = 5_000;

interface Granted {
  readonly token: string;
  /** By the clock of `Date.now()`. */
  readonly renewAt: number;
}

export class Tokens {
  readonly #settings: AuthSettings;
  readonly #redactor: Redactor;
  readonly #send: SendRequest;
  #current: Promise<Granted> | null = null;
  /** Tokens that the target took at least once: only those can have run out. */
  readonly #taken = new Set<string>();
  /** How often a token was fetched after the first one. */
  renewals = 0;

  constructor(settings: AuthSettings, redactor: Redactor, send: SendRequest) {
    this.#settings = settings;
    this.#redactor = redactor;
    this.#send = send;
    if (settings.expiredToken) redactor.add(settings.expiredToken, 'expired access token');
    if (settings.kind === 'static') redactor.add(settings.token, 'access token');
    else redactor.add(settings.clientSecret, 'client secret');
  }

  /**
   * A valid access token.
   * @throws TokenError when none is to be had
   */
  async valid(): Promise<string> {
    const asked = this.#current ?? this.#fetch();
    this.#current = asked;
    const { token, renewAt } = await asked;
    if (renewAt > Date.now()) return token;
    // Whoever comes first renews for all; a fresh token is used however short it lives.
    return (await this.#renewed(asked)).token;
  }

  /** A token besides the one that the run uses, for a call that spoils it; `undefined` when there is no other. */
  async spare(): Promise<string | undefined> {
    return this.#settings.kind === 'static' ? undefined : (await this.#fetch()).token;
  }

  /** Notes that the target took a token. */
  took(token: string): void {
    this.#taken.add(token);
  }

  /**
   * Another token after the target has refused one with 401, or `undefined` when there is none: a static token
   * stays what it is, and one that was never taken will not be replaced by a better one.
   * @throws TokenError when none is to be had
   */
  async after(refused: string): Promise<string | undefined> {
    const asked = this.#current;
    if (this.#settings.kind === 'static' || !this.#taken.has(refused) || !asked) return undefined;
    const { token } = await asked;
    return token === refused ? (await this.#renewed(asked)).token : token;
  }

  async #renewed(old: Promise<Granted>): Promise<Granted> {
    if (this.#current === old) {
      this.renewals += 1;
      this.#current = this.#fetch();
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

  /** The valid token with its middle turned into something else of the same shape. */
  altered(token: string): string {
    const middle = Math.floor(token.length / 2);
    const from = Math.max(0, middle - 4);
    // The middle: the last characters of a base64url text may carry bits that no decoder looks at.
    const changed = changedIn(token, from, from + 8);
    // Nothing but signs there, such as a row of hyphens.
    return this.#secret(changed === token ? changedIn(`a${token}`, 0, 1) : changed, 'altered access token');
  }

  #secret(value: string, label: string): string {
    this.#redactor.add(value, label);
    return value;
  }

  async #fetch(): Promise<Granted> {
    const settings = this.#settings;
    if (settings.kind === 'static') return { token: settings.token, renewAt: Number.POSITIVE_INFINITY };
    const granted = await clientCredentials(settings, this.#send);
    this.#redactor.add(granted.token, 'access token');
    const { lifetimeMs } = granted;
    const marginMs = Math.min(renewalMarginMs, lifetimeMs / 2);
    return { token: granted.token, renewAt: Date.now() + lifetimeMs - marginMs };
  }
}

/** Each letter and digit from `from` to `to`, the latter not included, turned into another one, whatever its case. */
function changedIn(token: string, from: number, to: number): string {
  const changed = token
    .slice(from, to)
    .replace(/[A-Za-z0-9]/g, (sign) => (/[aA1]/.test(sign) ? 'b' : /[0-9]/.test(sign) ? '1' : 'a'));
  return token.slice(0, from) + changed + token.slice(to);
}
