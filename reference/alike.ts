/** How faults compare carelessly: they accept an id, a token or a code that is nearly the right one. */
import { faultsOf } from './faults.ts';
import type { Service } from './service.ts';

type IsAlike = (known: string, given: string) => boolean;

const begins: IsAlike = (known, given) => known.startsWith(given);
const isLonger: IsAlike = (known, given) => given.startsWith(known);
const sorted = (text: string) => [...text].sort().join('');

/** The comparisons, by the part of a fault's id after the slash. */
const ways: Readonly<Record<string, IsAlike>> = {
  beginning: begins,
  'shortened-accepted': begins,
  longer: isLonger,
  'longer-accepted': isLonger,
  'extended-accepted': isLonger,
  'shorter-accepted': (known, given) => known.slice(0, -1) === given,
  'first-sign-ignored': (known, given) => known.slice(1) === given.slice(1),
  'last-sign-ignored': (known, given) => known.slice(0, -1) === given.slice(0, -1),
  'any-sequence': (known, given) => sorted(known) === sorted(given),
  'case-accepted': (known, given) => known.toLowerCase() === given.toLowerCase(),
};

/** The careless comparison, if a fault of the requirement that is on has one. */
export function alikeBy({ faulty }: Service, requirement: string): IsAlike | undefined {
  const named = faultsOf(requirement).filter(faulty);
  return named.map((fault) => ways[fault.slice(requirement.length + 1)]).find(Boolean);
}
