/** Replaces secrets and people by invented values of the same shape, so that a recording can be replayed. */
import { randomInt } from 'node:crypto';
import { nameAt, placesOfName } from '../../generators/people.ts';
import { contract } from '../../openapi/contract.ts';
import { derivedCodes } from '../people/codes.ts';
import type { Profile } from '../profile/schema.ts';
import {
  addressesOf,
  digitsOf,
  leastCoded,
  type NamedPerson,
  peopleIn,
  replaceNames,
  withinBase64,
  withoutAddresses,
} from '../recording/people-redaction.ts';
import { mapRecorded, Redactor } from '../recording/redact.ts';
import { withTexts } from '../untrusted/text.ts';

/** Access tokens that a replay sends; recorded calls have a label in place of the token. */
const replayedToken = 'replayed-access-token';
const replayedExpiredToken = 'replayed-expired-token';

/** Stands for an invented name: the positions of its words in the lists of names. */
const names = /\{\{name (\d+) (\d+)\}\}/g;

interface DisguiseOf {
  readonly profile: Profile;
  readonly runId: string;
  readonly seed: number;
  /** Values that were registered as secrets. */
  readonly secrets: Iterable<string>;
  /** URLs that are called in the replay: whoever writes to people can have a host taken for a part of a link. */
  readonly called?: readonly string[];
}

export class Disguise {
  readonly #of: DisguiseOf;
  /** Disguises what the target sent. */
  readonly #secrets = new Redactor();
  /** Disguises what the target was sent. Only there derived codes occur, which may be as short as ordinary numbers. */
  readonly #sent = new Redactor();
  /** Disguises bytes that are no text. Short numbers are left: in a PDF they are no codes. */
  readonly #inBytes = new Redactor();
  readonly #addresses: ReturnType<typeof addressesOf>;

  constructor(of: DisguiseOf) {
    this.#of = of;
    this.#exchangeSecrets(new Set(of.secrets));
    for (const url of of.called ?? [])
      for (const each of [this.#sent, this.#secrets]) if (URL.canParse(url)) each.keep(new URL(url).origin);
    const { create, calls, people = {} } = of.profile;
    for (const [index, person] of peopleIn([create, calls]).entries())
      this.#exchangePerson(person, index + 1);
    this.#addresses = addressesOf(people, of.runId);
  }

  #exchangeSecrets(secrets: ReadonlySet<string>): void {
    const fakes = new Map<string, string>();
    for (const secret of secrets) {
      // This code was derived from an earlier one, and so is its replacement.
      if (fakes.has(secret)) continue;
      const fake = sameShape(secret);
      const derived = derivedCodes(fake);
      for (const [index, code] of derivedCodes(secret).entries()) {
        if (!fakes.has(code)) fakes.set(code, derived[index] ?? fake);
      }
    }
    for (const [code, fake] of fakes) {
      this.#sent.exchange(code, fake);
      if (!secrets.has(code)) continue;
      this.#secrets.exchange(code, fake);
      if (!/^\d{1,5}$/.test(code)) this.#inBytes.exchange(code, fake);
    }
  }

  /** @param rank from 1, among the people whom the profile names in its calls */
  #exchangePerson({ email, names, numbers }: NamedPerson, rank: number): void {
    const everywhere = [this.#sent, this.#secrets, this.#inBytes];
    const exchange = (text: string, other: string) => {
      if (text.length >= leastCoded) for (const each of everywhere) each.exchange(text, other);
    };
    exchange(email, `profile-${rank}@example.com`);
    for (const number of numbers) exchange(number, number.replace(/\d+/, inventedDigits(49 + rank)));
    for (const name of names) {
      if (wireNames().has(name.toLowerCase())) continue;
      if (!isWord(name)) exchange(name, `Person ${rank}`);
      // A single word is replaced by a single word, since it may stand in a URL.
      else if (name.length >= leastCoded)
        for (const each of everywhere) each.exchangeWord(name, `Person${rank}`);
    }
  }

  /** A text with invented people. To be called after secrets are replaced: the digits that stand for a name may equal a code. */
  #people(text: string): string {
    const { profile, runId } = this.#of;
    let shown = text;
    for (const [index, number] of (profile.people?.mobileNumbers ?? []).entries())
      shown = shown.replace(new RegExp(digitsOf(number), 'gi'), inventedDigits(index));
    if (!this.#addresses) return shown;
    shown = shown.replace(this.#addresses.numbered, (found, n: string) => {
      const address = `qa-${runId}-${n}@example.com`;
      return found.includes('@') ? address : encodeURIComponent(address);
    });
    shown = withoutAddresses(shown, this.#addresses.domain, 'somebody@example.com');
    // Some texts have a name without the e-mail address.
    return replaceNames(shown, (name, found) => {
      const places = name === found ? placesOfName(name) : undefined;
      return places ? `{{name ${places.join(' ')}}}` : found;
    });
  }

  /** Bytes that are no text, with the texts in them disguised. */
  bytes(bytes: Buffer): Buffer {
    return withTexts(bytes, (text) => this.#people(this.#inBytes.text(text)));
  }

  sent(text: string): string {
    return this.#text(text, this.#sent);
  }

  /** Codes and links of mails in base64 have to be those that are sent. */
  #text(text: string, secrets: Redactor): string {
    const change = (each: string) => this.#people(secrets.text(each));
    return change(withinBase64(text, change));
  }

  /** A value with each of its texts disguised; to be done once. */
  value<Value>(value: Value): Value {
    return mapRecorded(value, (text) => this.#text(text, this.#secrets));
  }

  /** The profile with which the disguised run can be replayed. */
  profile(knowsExpired: boolean): Profile {
    const { address, people, auth, ...rest } = this.#of.profile;
    const { ca: _, ...reachable } = address;
    const expired = knowsExpired || auth.expiredToken !== undefined;
    const email = people?.email !== undefined && !this.#addresses ? { email: people.email } : {};
    return this.value({
      ...rest,
      address: reachable,
      auth: {
        kind: 'static',
        token: replayedToken,
        ...(expired ? { expiredToken: replayedExpiredToken } : {}),
      },
      people: { ...email, ...(people?.mobileNumbers ? { mobileNumbers: people.mobileNumbers } : {}) },
    } as Profile);
  }
}

const isWord = (name: string) => !/\s/.test(name);

/** All words of names in the contract, in small letters. They must not be taken for people's names: answers could not be read. */
function wireNames(): ReadonlySet<string> {
  const found = new Set<string>();
  JSON.stringify(contract, (key, value: unknown) => {
    for (const word of key.split(/\W+/)) found.add(word.toLowerCase());
    return value;
  });
  return found;
}

/** A recording with the invented names of its people put back. */
export function withNames<Value>(value: Value): Value {
  return mapRecorded(value, (text) =>
    text.replace(names, (_, first: string, last: string) => nameAt(Number(first), Number(last))),
  );
}

/** A number that is reserved for fiction in the North American plan. */
const inventedDigits = (index: number): string => `120255501${String(index % 100).padStart(2, '0')}`;

/**
 * A random text of the same shape: letters for letters, digits for digits. Signs stay, but for those that would end a
 * text of JSON or XML where a service writes them as codes of its own. A URL keeps scheme and host.
 */
function sameShape(secret: string): string {
  const [start = ''] = /^https?:\/\/[^/?#]*/.exec(secret) ?? [];
  const pick = (from: string) => from.charAt(randomInt(from.length));
  const lower = 'abcdefghijkmnopqrstuvwxyz';
  const rest = secret
    .slice(start.length)
    .replace(/["\\<>&\p{Cc}]/gu, '_')
    .replace(/[0-9]|[a-f]|[g-z]|[A-Z]/g, (sign) =>
      /[0-9]/.test(sign)
        ? pick('123456789')
        : /[a-f]/.test(sign)
          ? pick('abcdef')
          : pick(/[a-z]/.test(sign) ? lower : lower.toUpperCase()),
    );
  return start + rest;
}
