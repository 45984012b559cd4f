/** Reads from the exchanges of a run what the target does where the interface document is silent. */
import type { GapId } from '../openapi/gaps/register.ts';
import type { OperationId } from '../openapi/requirements/requirement.ts';
import type { Exchange, Observation } from './exchange.ts';
import { headerValue } from './header.ts';
import { parseJson } from './pointer.ts';

const successGaps: Partial<Record<OperationId, GapId>> = {
  uploadDocument: 'upload.success-status',
  createSkeletonRequest: 'skeleton.success-status',
  addSignatory: 'signatory.success-status',
};

const answerGaps: Partial<Record<OperationId, GapId>> = {
  createRequest: 'create.response-body',
  createStampedRequest: 'stamping.response-body',
  uploadDocument: 'upload.token-place',
};

/** Observations about success statuses, the shape of answers and errors, repeated calls and answer times. */
export function observe(exchanges: readonly Exchange[]): Observation[] {
  const facts = new Map<string, Fact>();
  const note = (gap: GapId, key: string, value: string, exchange: Exchange) => {
    const id = `${gap} ${key}`;
    const fact = facts.get(id) ?? { gap, key, values: new Set<string>(), exchanges: [] };
    facts.set(id, fact);
    // One exchange for each value seen is enough to look it up.
    if (!fact.values.has(value)) fact.exchanges.push(exchange.index);
    fact.values.add(value);
  };
  for (const exchange of exchanges) {
    const { operation, response } = exchange;
    if (!operation || !response) continue;
    const accepted = response.status >= 200 && response.status < 300;
    const gap = accepted ? successGaps[operation] : undefined;
    if (gap) note(gap, 'status', String(response.status), exchange);
    const shaped = accepted ? answerGaps[operation] : undefined;
    if (shaped) note(shaped, 'answer', shapeOf(exchange), exchange);
    if (response.status >= 400 && response.status < 500)
      note('errors.body-shape', operation, shapeOf(exchange), exchange);
    if (response.status === 429 || exchange.retries.some((retry) => retry.startsWith('429'))) {
      note('limits.rate', 'status', '429', exchange);
    }
    if (exchange.retries.some((retry) => retry.startsWith('404'))) {
      note('service.read-after-write', operation, 'a fresh id was answered with 404 at first', exchange);
    }
  }
  return [...[...facts.values()].map(settled), ...answerTimes(exchanges)];
}

interface Fact {
  readonly gap: GapId;
  readonly key: string;
  readonly values: Set<string>;
  readonly exchanges: number[];
}

function settled({ gap, key, values, exchanges }: Fact): Observation {
  const [only] = values;
  const value = values.size === 1 && only !== undefined ? only : [...values].sort();
  return { gap, key, value, stability: 'stable', exchanges };
}

/** Media type and the top-level keys of a body: `application/json {error, message}`. */
function shapeOf(exchange: Exchange): string {
  const { response } = exchange;
  if (!response?.body) return 'empty';
  const mediaType = (headerValue(response.headers, 'content-type') ?? 'no Content-Type')
    .split(';')[0]
    ?.trim();
  const json = response.body.text === undefined ? undefined : parseJson(response.body.text);
  if (json === undefined) return `${mediaType}`;
  if (Array.isArray(json)) return `${mediaType} [ ]`;
  if (json !== null && typeof json === 'object')
    return `${mediaType} {${Object.keys(json).sort().join(', ')}}`;
  return `${mediaType} (JSON ${json === null ? 'null' : typeof json})`;
}

function answerTimes(exchanges: readonly Exchange[]): Observation[] {
  const byOperation = groupByOperation(exchanges);
  return [...byOperation].flatMap(([operation, group]) => {
    const times = group.filter(({ response }) => response).map(({ durationMs }) => durationMs);
    if (!operation || times.length === 0) return [];
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    return [
      {
        gap: 'service.answer-times',
        key: `${operation} median ms`,
        value: at(0.5),
        stability: 'volatile',
        exchanges: [],
      },
      {
        gap: 'service.answer-times',
        key: `${operation} p95 ms`,
        value: at(0.95),
        stability: 'volatile',
        exchanges: [],
      },
    ];
  });
}

/** `Map.groupBy` is not in Node 20. */
function groupByOperation(exchanges: readonly Exchange[]): Map<Exchange['operation'], Exchange[]> {
  const groups = new Map<Exchange['operation'], Exchange[]>();
  for (const exchange of exchanges) {
    const group = groups.get(exchange.operation) ?? [];
    groups.set(exchange.operation, group);
    group.push(exchange);
  }
  return groups;
}
