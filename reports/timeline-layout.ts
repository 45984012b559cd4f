/** Where the entries of a flow stand in its drawing: a row each, and on the line of time a begin and a width. */
import type { FlowEntry } from './timeline.ts';

export interface Bar {
  readonly entry: FlowEntry;
  /** Milliseconds since the first entry. */
  readonly sinceMs: number;
  /** How long it took; `null` for an entry without an end. */
  readonly tookMs: number | null;
  /** Begin and width as shares of the line, 0 to 1; an entry without an end reaches to the end of the line. */
  readonly from: number;
  readonly width: number;
}

/**
 * The bars in the order of the entries. Long pauses are shortened: a stretch in which nothing begins or ends is as
 * wide as the root of its length, so that callbacks 30 ms apart can be told apart after a pause of seconds.
 */
export function barsOf(entries: readonly FlowEntry[]): Bar[] {
  const times = entries.map(({ at, until }) => ({ start: Date.parse(at), end: Date.parse(until ?? at) }));
  const moments = [...new Set(times.flatMap(({ start, end }) => [start, end]))].sort(
    (one, other) => one - other,
  );
  const places = new Map<number, number>();
  let place = 0;
  for (const [index, moment] of moments.entries()) {
    place += Math.sqrt(moment - (moments[index - 1] ?? moment));
    places.set(moment, place);
  }
  const [first = 0] = moments;
  const share = (moment: number): number => (place === 0 ? 0 : (places.get(moment) ?? 0) / place);
  return entries.map((entry, index) => {
    const { start = first, end = first } = times[index] ?? {};
    const from = share(start);
    return {
      entry,
      sinceMs: start - first,
      tookMs: entry.until === undefined ? null : end - start,
      from,
      width: (entry.kind === 'allowed' ? 1 : share(end)) - from,
    };
  });
}
