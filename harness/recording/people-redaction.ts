/** Keeps the people of a profile out of everything that is recorded: stable pseudonyms stand in their place. */
import { couldBeName, person } from '../../generators/people.ts';
import { digestOf } from '../../generators/seed.ts';
import { isReserved } from '../profile/addresses.ts';
import type { Profile } from '../profile/schema.ts';
import { escapedPattern } from '../untrusted/pattern.ts';
import { Redactor } from './redact.ts';

/** Who the people of a run are. */
interface PeopleOfRun {
  readonly profile: Partial<Pick<Profile, 'people' | 'create' | 'calls'>>;
  readonly runId: string;
  readonly seed: number;
}

/**
 * Replaces addresses, numbers and names. A pseudonym follows from what it stands for, so that it is the same in
 * every artefact of a run. People whose addresses are at a reserved domain stay as they are.
 */
export class PeopleRedactor {
  readonly #rules: ((text: string) => string)[] = [];
  /** For what patterns miss since it is encoded, as umlauts, signs and whole messages may be. */
  readonly #coded = new Redactor();
  readonly #hidesNames: boolean;

  constructor({ profile: { people = {}, create, calls }, runId, seed }: PeopleOfRun) {
    for (const [index, number] of (people.mobileNumbers ?? []).entries()) {
      this.#hideNumber(number, `[mobile number ${index + 1}]`);
    }
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
    // Whoever else has an address there may be somebody too.
    this.#rules.push((text) => withoutAddresses(text, addresses.domain, 'somebody@example.invalid'));
  }

  /** The text with a pseudonym in the place of each person. */
  text(text: string): string {
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
   * With its sign or without, and with other signs between its digits; a national one also with the code of its country.
   * Never a part of a longer number.
   */
  #hideNumber(number: string, pseudonym: string): void {
    const digits = number.startsWith('+')
      ? digitsOf(number)
      : `[0-9]{0,4}${digitsOf(number.replace(/^[^1-9]+/, ''))}`;
    this.#hide(new RegExp(`(?:\\+|%2B)?(?<![0-9])${digits}(?![0-9])`, 'gi'), () => pseudonym);
    for (const each of new Set([number, number.replaceAll(/[^0-9]/g, '')])) this.#hideCodes(each, pseudonym);
  }
}

/** A pattern of the digits of a number, however they are set apart. */
export function digitsOf(number: string): string {
  return [...number.replaceAll(/[^0-9]/g, '')].join('(?:[ ().\\/-]|%20|%2F){0,2}');
}

/**
 * Patterns of the addresses that a profile gives to its people, with their number as the first group, and of what ends
 * each address at its domain; `undefined` where that belongs to nobody.
 */
export function addressesOf(
  { email }: NonNullable<Profile['people']>,
  runId: string,
): Readonly<Record<'numbered' | 'domain', RegExp>> | undefined {
  const [local = '', domain = ''] = email?.replaceAll('{run}', runId).split('@') ?? [];
  if (domain === '' || isReserved(domain)) return undefined;
  const at = `(?:@|(?:%(?:25){0,4}|=)40|\\\\{1,8}u0040|&(?:amp;)?(?:#64|#x40|commat);)${spelled(domain)}(?![a-z0-9-])`;
  const numbered = local.split('{n}').map(spelled).join('([0-9]{1,16})');
  return { numbered: new RegExp(numbered + at, 'gi'), domain: new RegExp(at, 'gi') };
}

/** Signs of a text at least that is looked for in codes and recordings: fewer occur by chance. */
export const leastCoded = 6;

const localPart = /[^\s"'<>(),;:@/?&=]/;

/**
 * Something else in the place of each address at a domain. From the domain backwards: a pattern that begins with the
 * local part would try every letter of a long text as its beginning.
 */
function withoutAddresses(text: string, atDomain: RegExp, instead: string): string {
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

/** Two words with capitals, between them a space or what stands for it in a URL or a form. */
const twoWords = /(?<![A-Za-z])([A-Z][A-Za-z]*)(?: |%20|\+)([A-Z][A-Za-z]*)(?![A-Za-z])/g;

/** Hides every name that the suite could have invented: some go out without the address beside them. */
function withoutNames(text: string): string {
  return replaceNames(text, (name) => `Person ${codeOf(name)}`);
}

/**
 * Puts something in the place of every name that the suite could have invented.
 * @param instead given the name, first and last with a space between, and the text that it stands as
 */
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
      // The second word may be the first one of a name.
      pattern.lastIndex = found.index + first.length;
    }
  }
  return shown + text.slice(rest);
}

/** What tells people apart who have pseudonyms. */
function codeOf(name: string): string {
  return digestOf(name.toLowerCase()).slice(0, 6);
}

/** A pattern of a text as it stands in JSON, in a URL and in a form. */
function spelled(text: string): string {
  const encoded = encodeURIComponent(text);
  return `(?:${[...new Set([text, encoded, encoded.replaceAll('%20', '+')])].map(escapedPattern).join('|')})`;
}

interface NamedPerson {
  readonly email: string;
  readonly names: readonly string[];
  readonly numbers: readonly string[];
}

/** People who are spelled out in the bodies of a profile, with what stands beside their address. */
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
