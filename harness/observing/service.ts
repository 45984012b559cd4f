/** Observations of the service as a whole: base URL, telling header fields, how much it accepted, how fast it is. */
import type { GapId } from '../../openapi/gaps/register.ts';
import type { Observation } from '../../openapi/observation.ts';
import type { Attempt } from '../../record/exchange.ts';
import { grouped } from '../../record/grouped.ts';
import { parseJson } from '../../record/json.ts';
import {
  accepted,
  acceptedBy,
  answered,
  eachOf,
  type Observer,
  type SeenRun,
  type Sighting,
  stable,
  volatile,
} from './seen.ts';

/** Where the paths of the document begin. */
const start = /\/(_apis\/|api\/Requests)/;

export const basePath = eachOf(accepted, ({ request: { url } }) => {
  const { pathname } = new URL(url);
  const at = pathname.search(start);
  return at < 0 ? [] : [['service.base-url', 'path of the base URL', pathname.slice(0, at) || 'none']];
});

/** The most that was accepted in this run. The limit, which is not looked for, is at least that. */
export const mostAccepted: Observer = (seen) => {
  const documents = acceptedBy('createSkeletonRequest')(seen).map(({ request, index }) => ({
    index,
    count: documentsIn(request.body?.text),
  }));
  const added = acceptedBy('addSignatory')(seen);
  const signatories = [...grouped(added, ({ request }) => request.url).values()].map((group) => ({
    index: group.at(-1)?.index ?? 0,
    count: group.length,
  }));
  return [
    ...most('limits.documents', 'documents in one accepted request', documents),
    ...most('limits.signatories', 'signatories added to one request', signatories),
  ];
};

function documentsIn(text: string | undefined): number {
  const body = text === undefined ? undefined : parseJson(text);
  const { Documents } = (body ?? {}) as { Documents?: unknown };
  return Array.isArray(Documents) ? Documents.length : 0;
}

function most(
  gap: GapId,
  key: string,
  counted: readonly { readonly index: number; readonly count: number }[],
): Observation[] {
  const [largest] = [...counted].sort((one, other) => other.count - one.count);
  if (!largest || largest.count === 0) return [];
  return [volatile(gap, key, largest.count, largest)];
}

/** Names of header fields that tell something about a gap. */
const telling: readonly (readonly [GapId, RegExp])[] = [
  ['limits.rate', /^(x-)?rate-?limit|^retry-after$|^x-.*(limit|remaining|quota)/i],
  [
    'service.correlation-id',
    /^(x-)?(ms-)?(client-)?(request|correlation|trace|transaction|operation|activity)-?id$|^traceparent$|^x-(b3-traceid|amzn-(requestid|trace-id)|cloud-trace-context)$|^cf-ray$/i,
  ],
  ['versioning.deprecation', /^(deprecation|sunset|x-api-(warn|deprecat).*)$/i],
  ['versioning.negotiation', /^(x-)?api-?(supported-|deprecated-|selected-)?versions?$|^accept-version$/i],
];

/** For each of these gaps the names of the header fields that were seen, or `none`. */
export const tellingHeaders: Observer = (seen) => {
  const all = answered(seen);
  const [first] = all;
  if (!first) return [];
  return telling.flatMap(([gap, pattern]): Observation[] => {
    const found = all.flatMap(({ response: { headers }, index }): Sighting[] =>
      headers
        .filter(([name]) => pattern.test(name))
        .map(([name]) => ({ gap, key: 'header fields', value: name.toLowerCase(), exchange: index })),
    );
    return stable(
      found.length > 0 ? found : [{ gap, key: 'header fields', value: 'none', exchange: first.index }],
    );
  });
};

/** Whether calls were answered with 429, and what they were told to wait. */
export const tooManyCalls: Observer = (seen: SeenRun) => {
  const limited = answered(seen).filter(({ response, attempts = [] }) =>
    [response, ...attempts].some(({ status }) => status === 429),
  );
  const [first] = limited;
  if (!first) return [];
  return [volatile('limits.rate', 'calls answered with 429', limited.length, first)];
};

/** Median and 95th percentile of the answer times of each operation, in milliseconds. */
export const answerTimes: Observer = (seen) =>
  [...grouped(answered(seen), ({ operation }) => operation)].flatMap(([operation, group]) => {
    const sorted = [...group].sort((one, other) => one.durationMs - other.durationMs);
    return (['median', 'p95'] as const).flatMap((name): Observation[] => {
      const share = name === 'median' ? 0.5 : 0.95;
      const exchange = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
      if (!exchange) return [];
      return [volatile('service.answer-times', `${operation} ${name} ms`, exchange.durationMs, exchange)];
    });
  });

/** Operations whose calls name an object that an earlier call made. */
const naming = [
  ['createSkeletonRequest', 'a new document token'],
  ['createStampedRequest', 'a new document token'],
  ['addSignatory', 'a new requestId'],
] as const;

/** Whether fresh ids were taken at once, and the longest wait until one was. */
export const readAfterWrite: Observer = (seen) =>
  naming.flatMap(([operation, what]): Observation[] => {
    const calls = acceptedBy(operation)(seen);
    const [first] = calls;
    if (!first) return [];
    const waited = calls
      .map(({ index, attempts = [] }) => ({ index, ms: waitOf(attempts) }))
      .filter(({ ms }) => ms > 0)
      .sort((one, other) => other.ms - one.ms);
    const [longest] = waited;
    const gap = 'service.read-after-write' as const;
    const key = `${operation}: ${what} is taken`;
    if (!longest) return [volatile(gap, key, 'at once', first)];
    return [
      volatile(gap, key, 'after a moment', longest),
      volatile(gap, `${operation}: longest wait ms`, longest.ms, longest),
    ];
  });

/** How long the client waited because an id may have been too new, in milliseconds. */
function waitOf(attempts: readonly Attempt[]): number {
  return attempts.reduce((sum, { because, waitedMs }) => sum + (because === 'early' ? waitedMs : 0), 0);
}
