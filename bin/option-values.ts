/** Readers of option values: lists, repeated options and numbers. */
import { InvalidArgumentError } from 'commander';

/** A repeatable option whose values are taken as they are. */
export function repeated(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** A repeatable option that also takes lists: `--only a,b --only c`. */
export function names(value: string, before: readonly string[] = []): string[] {
  const given = value.split(',').map((name) => name.trim());
  if (given.includes(''))
    throw new InvalidArgumentError('Give requirement ids or areas, separated by commas.');
  return [...before, ...given];
}

/** A whole number from `lowest` to `highest`, both included. */
export function integer(lowest: number, highest = Number.MAX_SAFE_INTEGER): (value: string) => number {
  return (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= lowest && number <= highest) return number;
    const range = highest === Number.MAX_SAFE_INTEGER ? `at least ${lowest}` : `${lowest} to ${highest}`;
    throw new InvalidArgumentError(`Give a whole number, ${range}.`);
  };
}

/** A version of the suite. */
export function version(value: string): string {
  if (/^\d+\.\d+\.\d+$/.test(value)) return value;
  throw new InvalidArgumentError('Give a version of the suite, such as 0.1.0.');
}

/** A number above 1. */
export function factor(value: string): number {
  const number = Number(value);
  if (/^\d+(\.\d+)?$/.test(value) && number > 1) return number;
  throw new InvalidArgumentError('Give a number above 1, such as 3.');
}

const millisecondsOf = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds of a time such as `90s`, `2m` or `1h`. */
export function duration(value: string): number {
  const [, number = '0', unit = 's'] = /^(\d{1,4})(s|m|h)$/.exec(value) ?? [];
  const ms = Number(number) * millisecondsOf[unit as keyof typeof millisecondsOf];
  if (ms > 0) return ms;
  throw new InvalidArgumentError('Give a time such as 90s, 2m or 1h.');
}
