/** Every choice of the generators comes from here: numbers and letters derived from a seed and a place. */
import { createHash, hash } from 'node:crypto';

/** A part of a place: requirement, row, purpose, position. */
type SeedPart = string | number;

/** A seed for each place, 0 to 2^32 - 1, whatever its neighbours in a list: a new row changes no other one. */
export function seedOf(seed: number, ...place: readonly SeedPart[]): number {
  return Number.parseInt(digestOf(seed, ...place).slice(0, 8), 16);
}

/** SHA-256 over the parts, hexadecimal. Parts are kept apart: `('a', 'bc')` differs from `('ab', 'c')`. */
export const digestOf = (...parts: readonly SeedPart[]): string => hash('sha256', JSON.stringify(parts));

/** Bytes that look random and do not compress, the same for the same parts. `length` may be 0. */
export function bytesOf(length: number, ...parts: readonly SeedPart[]): Uint8Array<ArrayBuffer> {
  // SHAKE256 gives any number of bytes: 10 MB in some tens of milliseconds.
  const digest = createHash('shake256', { outputLength: Math.max(length, 1) });
  return new Uint8Array(digest.update(JSON.stringify(parts)).digest()).subarray(0, length);
}

/** Draws numbers 0 to `below` - 1. */
export type Draw = (below: number) => number;

/** Draws with Mulberry32: good enough for choices and ties, and the same on every machine. */
export function drawing(seed: number, ...place: readonly SeedPart[]): Draw {
  let state = seedOf(seed, ...place) | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
