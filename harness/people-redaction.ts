/** Keeps the people of a profile out of everything that is recorded: stable pseudonyms stand in their place. */
import { person } from '../generators/people.ts';
import type { Profile } from './profile/schema.ts';

/** Who the people of a run are. */
export interface PeopleOfRun {
  readonly profile: Partial<Pick<Profile, 'people' | 'create' | 'calls'>>;
  readonly runId: string;
  readonly seed: number;
}

/** Domains that belong to nobody (RFC 2606, RFC 6761): who stands there is invented and need not be hidden. */
const reserved = /(?:^|\.)(?:example|test|invalid|localhost|example\.(?:com|net|org))$/i;

type Pseudonym = (number: string | undefined) => string;

/**
 * Replaces addresses, numbers and names. A pseudonym follows from profile, run and seed alone, so that it is the
 * same in every artefact of a run. People whose addresses are at a reserved domain stay as they are.
 */
export class PeopleRedactor {
  readonly #rules: { readonly pattern: RegExp; readonly pseudonym: Pseudonym }[] = [];
  /**
   * Names of people whose addresses have occurred, and names that the profile spells out, in small letters and
   * in each spelling.
   */
  readonly #names = new Map<string, string>();
  readonly #nameOf: (n: number) => string;
  #namePattern: RegExp | null = null;

  constructor({ profile: { people = {}, create, calls }, runId, seed }: PeopleOfRun) {
    this.#nameOf = (n) => person(n, { run: runId, seed }).name;
    for (const [index, number] of (people.mobileNumbers ?? []).entries()) {
      this.#hideNumber(number, `mobile number ${index + 1}`);
    }
    for (const [index, each] of peopleIn([create, calls]).entries()) {
      const title = `profile-${index + 1}`;
      this.#rules.push({
        pattern: new RegExp(spelled(each.email), 'gi'),
        pseudonym: () => `${title}@example.invalid`,
      });
      for (const number of each.numbers) this.#hideNumber(number, `mobile number ${title}`);
      for (const name of each.names) this.#hideName(name, `Person ${title}`);
    }
    if (people.email) this.#hideAddresses(people.email.replaceAll('{run}', runId));
  }

  /** The text with a pseudonym in the place of each person. */
  text(text: string): string {
    let shown = text;
    for (const { pattern, pseudonym } of this.#rules) {
      shown = shown.replace(pattern, (_, first: unknown) =>
        pseudonym(typeof first === 'string' ? first : undefined),
      );
    }
    if (this.#names.size === 0) return shown;
    this.#namePattern ??= new RegExp([...this.#names.keys()].map(escaped).join('|'), 'gi');
    return shown.replace(this.#namePattern, (name) => this.#names.get(name.toLowerCase()) ?? '[name]');
  }

  /** The addresses that a template makes, by their number; then all others there, which may be somebody's too. */
  #hideAddresses(template: string): void {
    const [local = '', domain = ''] = template.split('@');
    if (reserved.test(domain)) return;
    const numbered = local.split('{n}').map(spelled).join('([0-9]{1,6})');
    const at = `(?:@|%40)${spelled(domain)}(?![a-z0-9-])`;
    this.#rules.push(
      { pattern: new RegExp(numbered + at, 'gi'), pseudonym: (number = '') => this.#met(number) },
      {
        pattern: new RegExp(`[^\\s"'<>(),;:@/?&=]+${at}`, 'gi'),
        pseudonym: () => 'somebody@example.invalid',
      },
    );
  }

  /** The address of a person tells the name, which stands beside it. */
  #met(number: string): string {
    this.#hideName(this.#nameOf(Number(number)), `Person ${number}`);
    return `person-${number}@example.invalid`;
  }

  #hideName(name: string, pseudonym: string): void {
    if (this.#names.has(name.toLowerCase())) return;
    for (const spelling of spellings(name)) this.#names.set(spelling.toLowerCase(), pseudonym);
    this.#namePattern = null;
  }

  /** With its sign or without; never a part of a longer number. */
  #hideNumber(number: string, title: string): void {
    const pattern = new RegExp(`(?:\\+|%2B)?(?<![0-9])${number.replace(/^\+/, '')}(?![0-9])`, 'gi');
    this.#rules.push({ pattern, pseudonym: () => `[${title}]` });
  }
}

/** A text as it stands in JSON, in a URL and in a form. */
function spellings(text: string): string[] {
  const encoded = encodeURIComponent(text);
  return [...new Set([text, encoded, encoded.replaceAll('%20', '+')])];
}

/** A pattern of every spelling of a text. */
function spelled(text: string): string {
  return `(?:${spellings(text).map(escaped).join('|')})`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

interface NamedPerson {
  readonly email: string;
  readonly names: readonly string[];
  readonly numbers: readonly string[];
}

/** People who are spelled out in the bodies of a profile, with what stands beside their address. */
function peopleIn(value: unknown): NamedPerson[] {
  if (value === null || typeof value !== 'object') return [];
  const texts = Object.entries(value).filter((entry): entry is [string, string] => isLiteral(entry[1]));
  const beside = (key: RegExp) => texts.filter(([name]) => key.test(name)).map(([, text]) => text);
  const found = texts
    .filter(([, text]) => /^[^\s@]+@[^\s@]+$/.test(text) && !reserved.test(text.split('@')[1] ?? ''))
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
