/** Every choice of the generators comes from here: numbers and letters derived from a seed and a place. */
import { createHash } from 'node:crypto';

/** What a place consists of: requirement, row, purpose, position. */
export type SeedPart = string | number;

/**
 * A seed of its own for each place, 0 to 2^32 - 1: neighbours in a list do not influence each other, so that
 * a new row changes no other one.
 */
export function seedOf(seed: number, ...place: readonly SeedPart[]): number {
  return Number.parseInt(digestOf(seed, ...place).slice(0, 8), 16);
}

/** SHA-256 over the parts, hexadecimal. Parts are kept apart: `('a', 'bc')` differs from `('ab', 'c')`. */
export function digestOf(...parts: readonly SeedPart[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Bytes that look random and do not compress, the same for the same parts. `length` may be 0. */
export function bytesOf(length: number, ...parts: readonly SeedPart[]): Uint8Array<ArrayBuffer> {
  // SHAKE256 gives as many bytes as are asked for, 10 MB in some tens of milliseconds.
  const digest = createHash('shake256', { outputLength: Math.max(length, 1) });
  return new Uint8Array(digest.update(JSON.stringify(parts)).digest()).subarray(0, length);
}
