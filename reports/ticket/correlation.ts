/** Headers by which the operators of a target find a call in their logs. */
import type { Exchange } from '../../record/exchange.ts';

type Headers = Exchange['request']['headers'];

/** Names that end in an id of a request, a trace or the like, whatever stands before. */
const general = /(?:^|-)(?:request|correlation|trace|transaction|operation|activity|invocation)-?id$/i;

/** What tracing standards, proxies and clouds call it otherwise. */
const special = new Set([
  'traceparent',
  'tracestate',
  'b3',
  'x-b3-spanid',
  'x-amz-cf-id',
  'x-amzn-trace-id',
  'x-azure-ref',
  'x-cloud-trace-context',
  'x-served-by',
  'x-vercel-id',
  'uber-trace-id',
  'cf-ray',
]);

/** The fields among some headers by which a call can be found again, in their order. */
export function correlationOf(headers: Headers): Headers {
  return headers.filter(([name]) => general.test(name) || special.has(name.toLowerCase()));
}

/** The target's own clock when it answered, as its header `Date` says. */
export function clockOf(headers: Headers): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'date')?.[1];
}
