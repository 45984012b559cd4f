/** Authorization codes with PKCE (RFC 6749 section 4.1, RFC 7636): each for one exchange, within a minute. */
import { createHash } from 'node:crypto';
import { newSecret } from './ids.ts';

/** What a code was given for. */
interface Consent {
  readonly account: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** SHA-256 of the verifier, in base64url. */
  readonly challenge: string;
}

const lifetimeMs = 60_000;

export class AuthorizationCodes {
  readonly #codes = new Map<string, Consent & { readonly expiresAt: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  issue(consent: Consent): string {
    const code = newSecret();
    this.#codes.set(code, { ...consent, expiresAt: this.#now() + lifetimeMs });
    return code;
  }

  /** The account of a code, which is used up whether all of it fits or not. */
  redeem(
    code: string,
    given: { readonly clientId: string; readonly redirectUri: string; readonly verifier: string },
  ): string | undefined {
    const consent = this.#codes.get(code);
    this.#codes.delete(code);
    if (!consent || consent.expiresAt <= this.#now()) return undefined;
    const challenge = createHash('sha256').update(given.verifier).digest('base64url');
    const fits =
      consent.clientId === given.clientId &&
      consent.redirectUri === given.redirectUri &&
      consent.challenge === challenge;
    return fits ? consent.account : undefined;
  }
}
