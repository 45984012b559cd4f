/** Finds the address that a delivery is meant for: by its path, by a query value, or by the request id in it. */
import { randomBytes } from 'node:crypto';
import { queryOf } from '../../record/delivery.ts';
import type { CallbackSettings } from '../profile/callback-settings.ts';
import { type Desk, OpenAddress } from './address.ts';

type Correlation = NonNullable<CallbackSettings['correlate']>;

/** The segment of the path under which all addresses stand. */
const segment = 'callback';

/** 128 random bits in 22 letters, digits, hyphens and underscores. */
const secret = () => randomBytes(16).toString('base64url');

export class Router {
  readonly #base: string;
  readonly #correlate: Correlation;
  readonly #secretOf: (name: string) => string;
  readonly #addresses = new Map<string, OpenAddress>();
  /** The addresses by their keys in small letters: a target may change the case of a URL. */
  readonly #inSmallLetters = new Map<string, OpenAddress>();

  /** `base` is the public URL without a slash at its end; `secretOf` gives the part of an address that cannot be guessed. */
  constructor(base: string, correlate: Correlation, secretOf: (name: string) => string = secret) {
    this.#secretOf = secretOf;
    this.#base = base;
    this.#correlate = correlate;
  }

  open(name: string, desk: Desk): OpenAddress {
    const key = this.#secretOf(name);
    const address = new OpenAddress(name, this.#url(key), desk);
    this.#addresses.set(key, address);
    this.#inSmallLetters.set(key.toLowerCase(), address);
    return address;
  }

  /** The address for a URL; `shared` for the URL of all addresses, where only the content of a delivery names its request. */
  route(target: string): OpenAddress | 'shared' | 'foreign' {
    if (this.#correlate === 'request-id')
      return this.#segments(target).includes(segment) ? 'shared' : 'foreign';
    const keys =
      this.#correlate === 'path'
        ? // Every segment is tried: a tunnel may add a prefix, and a delivery whose path the target changed
          // has to be judged and not lost.
          this.#segments(target)
        : [queryOf(target, this.#correlate.query) ?? ''];
    for (const key of keys) {
      const address = this.#addresses.get(key) ?? this.#inSmallLetters.get(key.toLowerCase());
      if (address?.open) return address;
    }
    return 'foreign';
  }

  all(): readonly OpenAddress[] {
    return [...this.#addresses.values()];
  }

  claimed(requestId: string): OpenAddress | undefined {
    return this.all().find((address) => address.open && address.requestIds.has(requestId));
  }

  #url(key: string): string {
    if (this.#correlate === 'path') return `${this.#base}/${segment}/${key}`;
    if (this.#correlate === 'request-id') return `${this.#base}/${segment}`;
    return `${this.#base}/${segment}?${new URLSearchParams({ [this.#correlate.query]: key })}`;
  }

  #segments(target: string): readonly string[] {
    const end = target.search(/[?#]/);
    return (end < 0 ? target : target.slice(0, end)).split('/');
  }
}
