/** How the time of reading grows with the length of what is read. */
import type { Border } from './borders.ts';

/** Sixteen times the length takes sixteen times as long; squared, it would take 256 times. */
export const superlinearRatio = 80;

const shortest = 64 * 1024;
const doublings = 4;
/** Less is noise: of a machine that is busy, and of a garbage collection. */
const tellingMs = 400;
/** Where one long text looks slow it is measured so often; the fastest time counts. */
const attempts = 3;

/** Milliseconds of CPU for each length, from 64 kB, doubled up to 1 MB, and how much longer the last takes than the first. */
export interface Growth {
  readonly ms: readonly number[];
  readonly ratio: number;
}

/** The text repeated to a length. */
export function repeated(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

export async function growthOf({ read }: Border, piece: string, times = doublings): Promise<Growth> {
  const ms: number[] = [];
  for (let doubling = 0; doubling <= times; doubling += 1) {
    const text = repeated(piece, shortest * 2 ** doubling);
    ms.push(await cpuMs(() => read(text)));
    const [first = 0, last = 0] = [ms[0], ms.at(-1)];
    // A longer text would take minutes, and tell nothing new.
    if (last > tellingMs && last > superlinearRatio * Math.max(first, 1)) break;
  }
  const last = ms.at(-1) ?? 0;
  // What takes no time at the beginning is counted as a millisecond.
  return { ms, ratio: last < tellingMs ? 0 : last / Math.max(ms[0] ?? 0, 1) };
}

/** The least time of several attempts, where one looks slow. */
async function cpuMs(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && least > tellingMs / 16; attempt += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
