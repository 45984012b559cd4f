/** Replaces the people of a profile by stable pseudonyms in everything that is recorded. */
import { couldBeName, person } from '../../generators/people.ts';
import { digestOf } from '../../generators/seed.ts';
import { isReserved } from '../profile/addresses.ts';
import type { Profile } from '../profile/schema.ts';
import { escapedPattern } from '../untrusted/pattern.ts';
import { exactTextOf } from '../untrusted/text.ts';
import { Redactor } from './redact.ts';

interface PeopleOfRun {
  readonly profile: Partial<Pick<Profile, 'people' | 'create' | 'calls'>>;
  readonly runId: string;
  readonly seed: number;
}

/**
 * Replaces addresses, numbers and names. A pseudonym is derived from the text that it replaces, so it is the same in
 * every report of a run. People with an address at a reserved domain stay as they are.
 */
export class PeopleRedactor {
  readonly #rules: ((text: string) => string)[] = [];
  /** For encoded texts, which the patterns miss: umlauts, special characters or whole messages may be encoded. */
  readonly #coded = new Redactor();
  readonly #hidesNames: boolean;

  constructor({ profile: { people = {}, create, calls }, runId, seed }: PeopleOfRun) {
    for (const [index, number] of (people.mobileNumbers ?? []).entries())
      this.#hideNumber(number, `[mobile number ${index + 1}]`);
    for (const [index, each] of peopleIn([create, calls]).entries()) {
      const title = `profile-${index + 1}`;
      this.#hideText(each.email, `${title}@example.invalid`);
      for (const number of each.numbers) this.#hideNumber(number, `[mobile number ${title}]`);
      for (const name of each.names) this.#hideText(name, `Person ${title}`);
    }
    this.#rules.push((text) => this.#coded.text(text));
    const addresses = addressesOf(people, runId);
    this.#hidesNames = addresses !== undefined;
    if (!addresses) return;
    const nameOf = (n: string) => person(Number(n), { run: runId, seed }).name;
    this.#hide(addresses.numbered, (n) => `person-${codeOf(nameOf(n))}@example.invalid`);
    // Any other address at this domain may belong to a person too.
    this.#rules.push((text) => withoutAddresses(text, addresses.domain, 'somebody@example.invalid'));
  }

  /** The text with a pseudonym in place of each person. */
  text(text: string): string {
    if (!this.#hidesNames) return this.#plain(text);
    return this.#plain(withinBase64(text, (inner) => this.#plain(inner)));
  }

  #plain(text: string): string {
    const shown = this.#rules.reduce((left, rule) => rule(left), text);
    return this.#hidesNames ? withoutNames(shown) : shown;
  }

  #hideText(text: string, pseudonym: string): void {
    this.#hide(new RegExp(spelled(text), 'gi'), () => pseudonym);
    this.#hideCodes(text, pseudonym);
    this.#hideCodes(text.toLowerCase(), pseudonym);
  }

  #hideCodes(text: string, pseudonym: string): void {
    if (text.length >= leastCoded) this.#coded.exchange(text, pseudonym);
  }

  /** @param pseudonym given the first group of the pattern */
  #hide(pattern: RegExp, pseudonym: (group: string) => string): void {
    this.#rules.push((text) =>
      text.replace(pattern, (_, group: unknown) => pseudonym(typeof group === 'string' ? group : '')),
    );
  }

  /**
   * Hides a number with its plus, with 00 or 011 instead of it, or with neither, with separators between its digits, and a
   * national one also with its country code. A part of a longer number is left alone.
   */
  #hideNumber(number: string, pseudonym: string): void {
    const digits = number.startsWith('+')
      ? digitsOf(number)
      : `[0-9]{0,4}${digitsOf(number.replace(/^[^1-9]+/, ''))}`;
    const before = '(?:\\+|%2B|(?<![0-9])(?:00|011)[ -]?|(?<![0-9]))';
    this.#hide(new RegExp(`${before}${digits}(?![0-9])`, 'gi'), () => pseudonym);
    for (const each of new Set([number, number.replaceAll(/[^0-9]/g, '')])) this.#hideCodes(each, pseudonym);
  }
}

/** A pattern for the digits of a number, with or without separators between them. */
export function digitsOf(number: string): string {
  return [...number.replaceAll(/[^0-9]/g, '')].join('(?:[ ().\\/-]|%20|%2F){0,2}');
}

/**
 * Patterns of the addresses that a profile gives to its people, with the number of the person as the first group, and of
 * the end of each address from the @ on; `undefined` where the domain is reserved.
 */
export function addressesOf(
  { email }: NonNullable<Profile['people']>,
  runId: string,
): Readonly<Record<'numbered' | 'domain', RegExp>> | undefined {
  const [local = '', domain = ''] = email?.replaceAll('{run}', runId).split('@') ?? [];
  if (domain === '' || isReserved(domain)) return undefined;
  const at = `(?:@|(?:%(?:25){0,4}|=)40|\\\\{1,8}u0040|&(?:amp;)?(?:#64|#x40|commat);)${spelled(domain)}(?![a-z0-9-])`;
  const [before = '', ...behind] = local.split('{n}').map(spelled);
  // The same number each time: several that may differ could be found in too many ways.
  const numbered = `${before}([0-9]{1,16})${behind.join('\\1')}`;
  return { numbered: new RegExp(numbered + at, 'gi'), domain: new RegExp(at, 'gi') };
}

const lineEnd = /(?:\\r)?\\n|\r?\n/;
/** Base64 that is long enough for an address, in one line or several; line ends also as codes of JSON. */
const base64 = new RegExp(
  `(?:(?<=\\\\[nrt])|(?<![A-Za-z0-9+/_\\\\-]))[A-Za-z0-9+/_-]{24,}(?:(?:${lineEnd.source})[A-Za-z0-9+/_-]+)*={0,2}`,
  'g',
);

/** The text with a change to the texts that stand in it in base64, as in mails; and in base64 in these, as in their parts. */
export function withinBase64(text: string, change: (inner: string) => string, layers = 2): string {
  if (layers === 0) return text;
  return text.replace(base64, (found) => {
    const lines = found.split(lineEnd);
    const inner = exactTextOf([], Buffer.from(lines.join(''), 'base64'));
    if (inner === null) return found;
    const changed = change(withinBase64(inner, change, layers - 1));
    if (changed === inner) return found;
    const again = Buffer.from(changed).toString(/[-_]/.test(found) ? 'base64url' : 'base64');
    const [end = ''] = lineEnd.exec(found) ?? [];
    return end === '' ? again : (again.match(/.{1,76}/g) ?? []).join(end);
  });
}

/** The least length of a text that is searched for in encoded forms and recordings: shorter ones occur by chance. */
export const leastCoded = 6;

const localPart = /[^\s"'<>(),;:@/?&=]/;

/** Replaces each address at a domain, backwards from the domain: from the local part every letter would be tried. */
export function withoutAddresses(text: string, atDomain: RegExp, instead: string): string {
  let shown = '';
  let rest = 0;
  for (const { 0: found, index } of text.matchAll(atDomain)) {
    let start = index;
    while (start > rest && localPart.test(text.charAt(start - 1))) start -= 1;
    if (start === index) continue;
    shown += text.slice(rest, start) + instead;
    rest = index + found.length;
  }
  return shown + text.slice(rest);
}

/** Two words with capitals, separated by a space or by its code in a URL or a form. */
const twoWords = /(?<![A-Za-z])([A-Z][A-Za-z]*)(?: |%20|\+)([A-Z][A-Za-z]*)(?![A-Za-z])/g;

/** Hides every name that the suite could have invented, since some are sent without the address beside them. */
const withoutNames = (text: string): string => replaceNames(text, (name) => `Person ${codeOf(name)}`);

/** Replaces each name that the suite may have invented. @param instead gets the name, with one space, and what was found */
export function replaceNames(text: string, instead: (name: string, found: string) => string): string {
  const pattern = new RegExp(twoWords);
  let shown = '';
  let rest = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [whole, first = '', last = ''] = found;
    if (couldBeName(first, last)) {
      shown += `${text.slice(rest, found.index)}${instead(`${first} ${last}`, whole)}`;
      rest = found.index + whole.length;
    } else {
      // The second word may be the first word of a name.
      pattern.lastIndex = found.index + first.length;
    }
  }
  return shown + text.slice(rest);
}

/** The part of a pseudonym that tells people apart. */
const codeOf = (name: string): string => digestOf(name.toLowerCase()).slice(0, 6);

/** A pattern for a text as it is, and as it is in a URL and in a form. */
function spelled(text: string): string {
  const encoded = encodeURIComponent(text);
  return `(?:${[...new Set([text, encoded, encoded.replaceAll('%20', '+')])].map(escapedPattern).join('|')})`;
}

export interface NamedPerson {
  readonly email: string;
  readonly names: readonly string[];
  readonly numbers: readonly string[];
}

/** People who are written out in the bodies of a profile, with the numbers and names beside their address. */
export function peopleIn(value: unknown): NamedPerson[] {
  if (value === null || typeof value !== 'object') return [];
  const texts = Object.entries(value).filter((entry): entry is [string, string] => isLiteral(entry[1]));
  const beside = (key: RegExp) => texts.filter(([name]) => key.test(name)).map(([, text]) => text);
  const found = texts
    .filter(([, text]) => /^[^\s@]+@[^\s@]+$/.test(text) && !isReserved(text.split('@')[1] ?? ''))
    .map(([, text]) => ({
      email: text,
      names: beside(/^(?:full|first|last|given|family|display)?[-_ ]?name$/i),
      numbers: beside(/mobile|phone/i).filter((text) => /^\+?[0-9]{6,15}$/.test(text)),
    }));
  return [...found, ...Object.values(value).flatMap(peopleIn)];
}

/** A text without a placeholder. */
function isLiteral(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !/\{[A-Za-z]+\}/.test(value);
}
