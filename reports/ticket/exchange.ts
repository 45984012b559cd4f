/** Calls, deliveries and timelines of a ticket in Markdown; text of the target is in code blocks. */
import { stepsOf, valueAt } from '../../openapi/json-pointer.ts';
import type { RecordedDelivery } from '../../record/delivery.ts';
import { type Exchange, headerOf } from '../../record/exchange.ts';
import { parseJson } from '../../record/json.ts';
import type { Run, RunRequirement } from '../run/run.ts';
import { type Flow, flowsOf, flowsOfCheck, requestsOfFlows, whatOf } from '../run/timeline.ts';
import type { Difference, Twin } from '../run/twin.ts';
import { code, fence, plain } from '../texts/markdown.ts';

type Message = Pick<Exchange['request'], 'headers' | 'body'>;

/** Request and response as they were, with the times in UTC and the headers that identify the call. */
export function exchangeMarkdown(exchange: Exchange): string[] {
  const { request, response, failure, startedAt, durationMs } = exchange;
  // The time of the target's own clock.
  const clock = headerOf(response?.headers ?? [], 'date');
  const ids = [
    ...correlationOf(request.headers).map(([name, value]) => `request ${name}: ${value}`),
    ...correlationOf(response?.headers ?? []).map(([name, value]) => `response ${name}: ${value}`),
  ];
  return [
    '',
    `- sent ${startedAt} (UTC), answered after ${Math.round(durationMs)} ms${clock ? `, by the clock of the target ${code(clock)}` : ''}`,
    ids.length > 0
      ? `- to be found by ${ids.map(code).join(', ')}`
      : '- neither the request nor the response carries an id of the call',
    ...(exchange.retries.length > 0 ? [`- repeated: ${exchange.retries.map(code).join(', ')}`] : []),
    '',
    ...fence(messageLines(`${request.method} ${request.url}`, request), 'http'),
    '',
    ...fence(
      response
        ? messageLines(`${response.status} ${response.reason}`.trim(), response)
        : [`no answer: ${failure ? `${failure.code}: ${failure.message}` : 'unknown why'}`],
      'http',
    ),
  ];
}

/** The acts and deliveries in the flows in which a requirement failed, or in all of its flows; nothing without flows. */
export function flowsMarkdown(requirement: RunRequirement, run: Run): string[] {
  const { checks, verdict } = requirement;
  const same = checks.filter((check) => check.verdict === verdict);
  const told = new Set(same.flatMap(flowsOfCheck).map(({ name }) => name));
  const rows = same.flatMap((check) => check.rows.filter((row) => row.verdict === 'failed'));
  const flows = flowsOf(run).filter(({ name }) => told.has(name));
  const failed = flows.filter(({ name }) => rows.some(({ title }) => title === name));
  const shown = failed.length > 0 ? failed : flows;
  if (shown.length === 0) return [];
  return [
    '',
    '## What was done and what was delivered (UTC)',
    ...shown.flatMap((flow) => flowMarkdown(flow, run)),
    ...deliveriesOf(shown, verdict, run),
  ];
}

function flowMarkdown({ name, entries }: Flow, run: Run): string[] {
  const requests = requestsOfFlows(run).filter(({ flow }) => flow === name);
  const lines = entries.map((entry) => {
    const { at, until, delivery, verdict, message } = entry;
    return [
      `${at}${until ? ` to ${until.slice(11)}` : ''}`,
      `${verdict === 'failed' ? '✗ ' : ''}${delivery ? `delivery ${delivery}: ` : ''}${whatOf(entry)}`,
      ...(message ? [message] : []),
    ].join('  ');
  });
  return [
    '',
    `### ${plain(name)}`,
    '',
    ...requests.map(({ id }) => `- signature request ${code(id)}`),
    ...(requests.length > 0 ? [''] : []),
    ...fence(lines),
  ];
}

const most = 5;

/** The deliveries that the flows of a requirement blame; if it has not failed, all deliveries of these flows. */
function deliveriesOf(flows: readonly Flow[], whole: RunRequirement['verdict'], run: Run): string[] {
  const blamed = new Set(
    flows.flatMap(({ entries }) =>
      entries.flatMap(({ delivery, verdict }) =>
        delivery && (whole !== 'failed' || verdict === 'failed') ? [delivery] : [],
      ),
    ),
  );
  const found = run.deliveries.filter(({ id }) => blamed.has(id)).slice(0, most);
  return found.flatMap(deliveryMarkdown);
}

function deliveryMarkdown({ id, receivedAt, method, url, answered, ...message }: RecordedDelivery): string[] {
  const ids = correlationOf(message.headers).map(([name, value]) => `${name}: ${value}`);
  return [
    '',
    `### Delivery ${code(id)}`,
    '',
    `- received ${receivedAt.start} to ${receivedAt.end} (UTC), answered ${answered ?? 'with a reset'}`,
    ...(ids.length > 0 ? [`- to be found by ${ids.map(code).join(', ')}`] : []),
    '',
    ...fence(messageLines(`${method} ${url}`, message), 'http'),
  ];
}

const longest = 4000;

function messageLines(first: string, { headers, body }: Message): string[] {
  return [first, ...headers.map(([name, value]) => `${name}: ${value}`), ...(body ? bodyLines(body) : [])];
}

function bodyLines(body: NonNullable<Message['body']>): string[] {
  const { text, size, sha256, file } = body;
  if (text === undefined) return ['', `(${size} bytes, SHA-256 ${sha256}${file ? `, in ${file}` : ''})`];
  const left = text.length - longest;
  return ['', ...text.slice(0, longest).split('\n'), ...(left > 0 ? [`… ${left} characters more`] : [])];
}

type Headers = Exchange['request']['headers'];

/** Names of header fields that end in an id of a request, a trace or the like. */
const general = /(?:^|-)(?:request|correlation|trace|transaction|operation|activity|invocation)-?id$/i;

/** Other names of such fields in tracing standards, proxies and clouds. */
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

/** The header fields by which the vendor can find the call again. */
function correlationOf(headers: Headers): Headers {
  return headers.filter(([name]) => general.test(name) || special.has(name.toLowerCase()));
}

/** A table of differences; where only one of the two has a part, its outermost member is named. */
export function differenceTable(exchange: Exchange, { exchange: accepted, differences }: Twin): string[] {
  const outermost = differences.filter(
    ({ at }) => !differences.some((other) => other.at !== '' && at.startsWith(`${other.at}/`)),
  );
  return [
    '| | above | in the accepted call |',
    '|---|---|---|',
    ...outermost.map(
      (each) => `| ${nameOf(each)} | ${cell(shownAt(exchange, each))} | ${cell(shownAt(accepted, each))} |`,
    ),
  ];
}

function nameOf(difference: Difference): string {
  if (difference.in === 'header') return `header ${code(difference.at)}`;
  return difference.at === '' ? 'the body' : code(stepsOf(difference.at).join('.'));
}

function cell(text: string | undefined): string {
  return text === undefined ? 'absent' : code(text).replaceAll('|', '\\|');
}

const longestValue = 200;

function shownAt({ request }: Exchange, difference: Difference): string | undefined {
  if (difference.in === 'header') return headerOf(request.headers, difference.at);
  const { text, file, size } = request.body ?? {};
  if (file !== undefined) return `${size} bytes, ${file}`;
  if (text === undefined || difference.at === '') return text?.slice(0, longestValue);
  const value = valueAt(parseJson(text), difference.at);
  return value === undefined ? undefined : JSON.stringify(value).slice(0, longestValue);
}
