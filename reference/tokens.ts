/** Access tokens and clients (section "Authentication"); tokens are opaque and kept as hashes. */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Database, Table } from './database.ts';
import type { Dialect } from './dialect.ts';
import { newSecret } from './ids.ts';

export interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The account that its tokens give access to. */
  readonly account: string;
}

/** The chosen parts of a client; the others are made up. */
export type GivenClient = Partial<Pick<Client, 'clientId' | 'clientSecret'>>;

/** The client of an account: as given, the one that an earlier start has left, or a new one. */
export function clientOf(database: Database, account: string, given: GivenClient = {}): Client {
  const secrets = database.table<string>(`secret of ${account}`);
  const { clientId = `client-${account}`, clientSecret = secrets.get(clientId) ?? newSecret() } = given;
  secrets.put(clientId, clientSecret);
  return { clientId, clientSecret, account };
}

type TokenVerdict =
  | { readonly kind: 'valid'; readonly account: string }
  | { readonly kind: 'expired'; readonly account: string }
  | { readonly kind: 'invalid' };

export class IssuedTokens {
  /** By the hashes of the tokens. */
  readonly #access: Table<{ readonly account: string; readonly expiresAt: number }>;
  /** The accounts of refresh tokens, by the hashes of these. */
  readonly #refresh: Table<string>;
  readonly #clients: readonly Client[];
  readonly #now: () => number;
  readonly #form: Dialect['tokenForm'];
  /** The issued tokens in clear text, for faults that compare carelessly. */
  readonly issued: string[] = [];

  constructor(database: Database, clients: readonly Client[], now: () => number, form: Dialect['tokenForm']) {
    this.#access = database.table('access token');
    this.#refresh = database.table('refresh token');
    this.#clients = clients;
    this.#now = now;
    this.#form = form;
  }

  /** The account of a client that knows its secret. */
  accountOf(clientId: string, clientSecret: string): string | undefined {
    const client = this.#clients.find((each) => each.clientId === clientId);
    const known = Buffer.from(hash(client?.clientSecret ?? ''));
    const fits = timingSafeEqual(known, Buffer.from(hash(clientSecret)));
    return client && fits ? client.account : undefined;
  }

  /** The account of a client without its secret, for flows that have none. */
  accountOfPublic(clientId: string): string | undefined {
    return this.#clients.find((each) => each.clientId === clientId)?.account;
  }

  clientOfSecret(key: string): Client | undefined {
    return this.#clients.find(({ clientId }) => this.accountOf(clientId, key) !== undefined);
  }

  /** A new access token of an account; a lifetime of 0 or less makes one that is expired. */
  issue(account: string, lifetimeSeconds: number): string {
    const token = forms[this.#form]();
    const expiresAt = this.#now() + lifetimeSeconds * 1000;
    this.#access.put(hash(token), { account, expiresAt });
    this.issued.push(token);
    return token;
  }

  judge(token: string): TokenVerdict {
    const found = this.#access.get(hash(this.#form === 'uuid' ? token.toLowerCase() : token));
    if (!found) return { kind: 'invalid' };
    return { kind: found.expiresAt > this.#now() ? 'valid' : 'expired', account: found.account };
  }

  /** Makes a token of the account expire now; returns whether there was one. */
  expire(account: string, token: string): boolean {
    const isTheirs = this.#access.get(hash(token))?.account === account;
    return isTheirs && this.#access.change(hash(token), { expiresAt: this.#now() });
  }

  issueRefresh(account: string): string {
    const token = newSecret();
    this.#refresh.put(hash(token), account);
    return token;
  }

  /** The account of a refresh token, which is deleted when `once` is true. */
  refresh(token: string, once: boolean): string | undefined {
    const account = this.#refresh.get(hash(token));
    if (once) this.#refresh.put(hash(token), undefined);
    return account;
  }
}

const forms = {
  opaque: newSecret,
  'three-parts': () => [newSecret(), newSecret(), newSecret()].join('.'),
  uuid: randomUUID,
} as const;

const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** The facts that a code was given for. */
export interface Consent {
  readonly account: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** SHA-256 of the verifier, in base64url. */
  readonly challenge: string;
}

const lifetimeMs = 60_000;

/** Authorization codes with PKCE (RFC 6749 section 4.1, RFC 7636): each for one exchange, within a minute. */
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

  /** The account of a code, which is used up even if the given values do not fit. */
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
