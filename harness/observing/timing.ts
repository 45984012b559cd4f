/** Times: how fast calls are answered, and how soon a fresh id can be used. */
import type { Observation } from '../../openapi/observation.ts';
import type { Attempt } from '../../record/exchange.ts';
import { accepted, answered, grouped, type Observer } from './seen.ts';

/** Median and 95th percentile of the answer times of each operation, in milliseconds. */
export const answerTimes: Observer = (seen) =>
  [...grouped(answered(seen), ({ operation }) => operation)].flatMap(([operation, group]) => {
    const sorted = [...group].sort((one, other) => one.durationMs - other.durationMs);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
    return (
      [
        ['median ms', at(0.5)],
        ['p95 ms', at(0.95)],
      ] as const
    ).flatMap(([name, exchange]): Observation[] =>
      exchange
        ? [
            {
              gap: 'service.answer-times',
              key: `${operation} ${name}`,
              value: exchange.durationMs,
              stability: 'volatile',
              exchanges: [exchange.index],
            },
          ]
        : [],
    );
  });

/** Operations whose calls name what an earlier call made. */
const naming = {
  createSkeletonRequest: 'a new document token',
  createStampedRequest: 'a new document token',
  addSignatory: 'a new requestId',
} as const;

/** Whether fresh ids were taken at once, and the longest wait until one was. */
export const readAfterWrite: Observer = (seen) =>
  Object.entries(naming).flatMap(([operation, what]): Observation[] => {
    const calls = accepted(seen).filter((each) => each.operation === operation);
    const [first] = calls;
    if (!first) return [];
    const waited = calls
      .map(({ index, attempts = [] }) => ({ index, ms: waitOf(attempts) }))
      .filter(({ ms }) => ms > 0)
      .sort((one, other) => other.ms - one.ms);
    const [longest] = waited;
    const gap = 'service.read-after-write' as const;
    const key = `${operation}: ${what} is taken`;
    if (!longest) return [{ gap, key, value: 'at once', stability: 'volatile', exchanges: [first.index] }];
    const exchanges = [longest.index];
    return [
      { gap, key, value: 'after a moment', stability: 'volatile', exchanges },
      { gap, key: `${operation}: longest wait ms`, value: longest.ms, stability: 'volatile', exchanges },
    ];
  });

/** What was waited because an id may have been too new, in milliseconds. */
function waitOf(attempts: readonly Attempt[]): number {
  return attempts.reduce((sum, { because, waitedMs }) => sum + (because === 'early' ? waitedMs : 0), 0);
}
