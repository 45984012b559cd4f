/** The access token of a run: where it comes from, how it is renewed, and the tokens that a target has to reject. */
import { randomBytes } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import type { AuthSettings } from './profile/schema.ts';
import type { Redactor } from './redact.ts';

/** Thrown when the target or its authorization server gives no token. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
}

/** A token is renewed this long before its lifetime ends, so that no call meets the end under way. */
const renewalMarginMs = 5_000;

export class Tokens {
  readonly #settings: AuthSettings;
  readonly #redactor: Redactor;
  readonly #deadlineMs: number;
  #current: Promise<{ token: string; renewAt: number }> | null = null;
  /** How often a token was fetched after the first one. */
  renewals = 0;

  constructor(settings: AuthSettings, redactor: Redactor, deadlineMs: number) {
    this.#settings = settings;
    this.#redactor = redactor;
    this.#deadlineMs = deadlineMs;
    if (settings.expiredToken) redactor.add(settings.expiredToken, 'expired access token');
    if (settings.kind === 'static') redactor.add(settings.token, 'access token');
    else redactor.add(settings.clientSecret, 'client secret');
  }

  /**
   * A valid access token.
   * @throws TokenError when none is to be had
   */
  async valid(): Promise<string> {
    this.#current ??= this.#fetch();
    const current = await this.#current;
    if (current.renewAt > Date.now()) return current.token;
    this.#current = null;
    this.renewals += 1;
    return this.valid();
  }

  /** A token besides the one that the run uses, for a call that spoils it; the same one when it is static. */
  async spare(): Promise<string> {
    return (await this.#fetch()).token;
  }

  /** Drops a token that the target no longer takes; false when there is no way to get another one. */
  renewable(token: string): boolean {
    if (this.#settings.kind === 'static') return false;
    void this.#current?.then((current) => {
      if (current.token === token) this.#current = null;
    });
    return true;
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
    const altered = token
      .slice(from, from + 8)
      .replace(/[A-Za-z0-9]/g, (character) =>
        character === 'a' || character === '1' ? 'b' : /\d/.test(character) ? '1' : 'a',
      );
    return this.#secret(token.slice(0, from) + altered + token.slice(from + 8), 'altered access token');
  }

  #secret(value: string, label: string): string {
    this.#redactor.add(value, label);
    return value;
  }

  async #fetch(): Promise<{ token: string; renewAt: number }> {
    const settings = this.#settings;
    if (settings.kind === 'static') return { token: settings.token, renewAt: Number.POSITIVE_INFINITY };
    const server: oauth.AuthorizationServer = {
      issuer: new URL(settings.tokenEndpoint).origin,
      token_endpoint: settings.tokenEndpoint,
    };
    const authenticate =
      settings.method === 'body'
        ? oauth.ClientSecretPost(settings.clientSecret)
        : oauth.ClientSecretBasic(settings.clientSecret);
    const client: oauth.Client = { client_id: settings.clientId };
    try {
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        client,
        authenticate,
        settings.scope ? { scope: settings.scope } : {},
        {
          signal: AbortSignal.timeout(this.#deadlineMs),
          // A sandbox on this machine has no certificate.
          [oauth.allowInsecureRequests]: settings.tokenEndpoint.startsWith('http:'),
        },
      );
      const granted = await oauth.processClientCredentialsResponse(server, client, response);
      this.#redactor.add(granted.access_token, 'access token');
      const lifetimeMs = (granted.expires_in ?? Number.POSITIVE_INFINITY) * 1000;
      return {
        token: granted.access_token,
        renewAt: Date.now() + Math.max(lifetimeMs - renewalMarginMs, lifetimeMs / 2),
      };
    } catch (error) {
      throw new TokenError(`no access token from ${settings.tokenEndpoint}: ${reason(error)}`);
    }
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause as { code?: string; error?: string; message?: string } | undefined;
  if (error instanceof oauth.ResponseBodyError) return `${error.status} ${error.error}`;
  const detail = cause?.code ?? cause?.error ?? cause?.message;
  return detail ? `${error.message} (${detail})` : error.message;
}
