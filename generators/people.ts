/** The people of a run: invented names, addresses at reserved domains, numbers that belong to nobody. */
import { faker } from '@faker-js/faker/locale/en';
import { seedOf } from './seed.ts';

export interface Person {
  /** First and last name; letters of ASCII and one space. */
  readonly name: string;
  readonly email: string;
  /** E.164, with `+`. */
  readonly mobileNumber: string;
  /** A Color that hardly anybody else has: whether two people of a request may have the same one is not shown. */
  readonly color: string;
}

/** Gives each place a person of its own, since a service may accept every address only once. */
export type PersonOf = (place: string) => Person;

/** Where people come from. The profile of a target may name addresses and numbers of its own. */
interface PeopleSource {
  readonly run: string;
  readonly seed: number;
  /** `{run}` and `{n}` are filled in. */
  readonly emailTemplate?: string;
  /** Allowed numbers in E.164; person n gets the one at n, beginning again after the last. */
  readonly mobileNumbers?: readonly string[];
}

/** Addresses at `example.com` (RFC 2606): no mail reaches anybody. No plus sign, which simple validators refuse. */
export const defaultEmailTemplate = 'qa-{run}-{n}@example.com';

/** Person number `n` of a run, from 0. Two people of a run never share an address; up to 400, nor a name. */
export function person(n: number, source: PeopleSource): Person {
  const { mobileNumbers = fictionalNumbers } = source;
  return {
    name: nameOf(n, source),
    email: (source.emailTemplate ?? defaultEmailTemplate)
      .replaceAll('{run}', source.run.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'))
      .replaceAll('{n}', String(n)),
    mobileNumber: mobileNumbers[n % mobileNumbers.length] ?? fictionalMobiles.us,
    color: `#1A${(n % 0x10000).toString(16).toUpperCase().padStart(4, '0')}`,
  };
}

/** A number from each of four countries that nobody has, such as one for fiction; libphonenumber calls each valid. */
export const fictionalMobiles = {
  us: '+12025550123',
  au: '+61491570156',
  se: '+46701740605',
  de: '+4915555123456',
} as const;

/** The hundred numbers 202-555-0100 to 202-555-0199, which the North American plan reserves for fiction. */
const fictionalNumbers: readonly string[] = Array.from(
  { length: 100 },
  (_, n) => `+120255501${String(n).padStart(2, '0')}`,
);

/** The name with another one whose letters are not ASCII, of which one is in no Latin-1. */
export const accentedName = (name: string): string => `${name} Ñandú Łącka`;

// Names without apostrophes or hyphens: if a careless filter refused one, the wrong requirement would be blamed.
const plain = (names: readonly string[] = []) => names.filter((name) => /^[A-Za-z]+$/.test(name));
const firstNames = plain(faker.definitions.person.first_name.generic);
const lastNames = plain(faker.definitions.person.last_name.generic);

function nameOf(n: number, { run, seed }: PeopleSource): string {
  // Last names are taken in the order of the list, from a start that depends on the run: drawing could give a name twice.
  const start = seedOf(seed, run, 'last name');
  faker.seed(seedOf(seed, run, 'first name', n));
  const first = faker.helpers.arrayElement(firstNames);
  return `${first} ${lastNames[(start + n) % lastNames.length]}`;
}

const inSmallLetters = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase()));
const namesInSmallLetters = { first: inSmallLetters(firstNames), last: inSmallLetters(lastNames) };

/** Whether two words could be the first and the last name of a person from here; case does not matter. */
export function couldBeName(first: string, last: string): boolean {
  return (
    namesInSmallLetters.first.has(first.toLowerCase()) && namesInSmallLetters.last.has(last.toLowerCase())
  );
}

/** The positions of an invented name in the two lists; undefined for other names. */
export function placesOfName(name: string): readonly [first: number, last: number] | undefined {
  const [first = '', last = ''] = name.split(' ');
  const places = [firstNames.indexOf(first), lastNames.indexOf(last)] as const;
  return places.includes(-1) ? undefined : places;
}

export const nameAt = (first: number, last: number): string => `${firstNames[first]} ${lastNames[last]}`;
