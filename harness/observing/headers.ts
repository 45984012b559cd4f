/** Header fields of answers: limits of rate, ids for support, signs of versions and of their end. */
import type { GapId } from '../../openapi/gaps/register.ts';
import type { Observation } from '../../openapi/observation.ts';
import { answered, type Observer, type SeenRun, type Sighting, stable } from './seen.ts';

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
  return [
    {
      gap: 'limits.rate',
      key: 'calls answered with 429',
      value: limited.length,
      stability: 'volatile',
      exchanges: [first.index],
    },
  ];
};
