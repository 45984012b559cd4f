/** Measures how the time of reading grows with the length of a text. */
import type { Border } from './borders.ts';

/** For 16 times the length, linear reading takes 16 times as long, quadratic reading 256 times: the limit lies between. */
export const superlinearRatio = 80;

const doublings = 4;

/** Length of the shortest text, in characters: the longest has 1 MB, or the most that the border takes. */
export const shortestOf = ({ most = 1024 * 1024 }: Border) => most / 2 ** doublings;
/** Shorter times do not count: they may come from a busy machine or a garbage collection. */
export const tellingMs = 400;

/** Milliseconds of CPU for each length, doubled four times, and how much longer the last takes than the first. */
interface Growth {
  readonly ms: readonly number[];
  readonly ratio: number;
}

/** A text that takes less at a quarter of the greatest length takes less than `tellingMs` at the full one, even if quadratic. */
export const quickMs = tellingMs / 16;

/** Milliseconds of CPU for a quarter of the greatest length. */
export function cpuTimeOf(border: Border, piece: string): Promise<number> {
  return cpuMs(() => border.read(repeated(piece, 4 * shortestOf(border))));
}

async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function repeated(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

/**
 * Measures a text; where it looks slow, up to twice more, and takes the best, since the machine may be busy.
 * @param shortest the length of the first text, in characters
 */
export async function growthOf(
  border: Border,
  piece: string,
  shortest = shortestOf(border),
): Promise<Growth> {
  // The first reading takes longer, since it compiles the reader, so it is not measured.
  await border.read(repeated(piece, shortest));
  // No text twice: a reader may remember it.
  const texts = (time: number) => measured(border, piece, shortest + time * piece.length);
  let best = await texts(1);
  for (let again = 0; again < 2 && best.ratio > superlinearRatio; again += 1) {
    const next = await texts(2 + again);
    if (next.ratio < best.ratio) best = next;
  }
  return best;
}

async function measured({ read }: Border, piece: string, shortest: number): Promise<Growth> {
  const ms: number[] = [];
  for (let doubling = 0; doubling <= doublings; doubling += 1) {
    const text = repeated(piece, shortest * 2 ** doubling);
    ms.push(await cpuMs(() => read(text)));
    // A longer text would take minutes, and tell nothing new.
    if (ratioOf(ms) > superlinearRatio) break;
  }
  return { ms, ratio: ratioOf(ms) };
}

function ratioOf(ms: readonly number[]): number {
  const last = ms.at(-1) ?? 0;
  // Where the first text takes hardly any time, 4 ms are assumed.
  return last < tellingMs ? 0 : last / Math.max(ms[0] ?? 0, 4);
}
