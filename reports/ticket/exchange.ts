/** Exchanges, deliveries and timelines of a ticket in Markdown; what the target said stands in code blocks. */
import type { RecordedDelivery } from '../../record/delivery.ts';
import type { Exchange } from '../../record/exchange.ts';
import { code, fence } from '../markdown.ts';
import type { Run, RunCheck, RunRequirement } from '../run.ts';
import { clockOf, correlationOf } from './correlation.ts';

type Message = Pick<Exchange['request'], 'headers' | 'body'>;

/** Request and response as they were, with the times in UTC and the headers that identify the call. */
export function exchangeMarkdown(exchange: Exchange): string[] {
  const { request, response, failure, startedAt, durationMs } = exchange;
  const clock = clockOf(response?.headers ?? []);
  const ids = [
    ...correlationOf(request.headers).map(([name, value]) => `request ${name}: ${value}`),
    ...correlationOf(response?.headers ?? []).map(([name, value]) => `response ${name}: ${value}`),
  ];
  return [
    '',
    `- sent ${startedAt} (UTC), answered after ${Math.round(durationMs)} ms${clock ? `, by the clock of the target ${code(clock)}` : ''}`,
    ids.length > 0
      ? `- to be found by ${ids.map(code).join(', ')}`
      : '- neither request nor response carry an id of the call',
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

/** What was done and delivered, in time; nothing for a check without a flow. */
export function timelineMarkdown({ timeline = [] }: RunCheck): string[] {
  if (timeline.length === 0) return [];
  const lines = timeline.map(({ at, until, title, delivery, verdict, message }) =>
    [
      `${at}${until ? ` to ${until.slice(11)}` : ''}`,
      `${delivery ? `delivery ${delivery}: ` : ''}${title}`,
      ...(verdict === 'failed' ? [`✗ ${message ?? 'failed'}`] : message ? [message] : []),
    ].join('  '),
  );
  return ['', '## What was done and what was delivered (UTC)', '', ...fence(lines)];
}

/** How many deliveries are written out. */
const most = 5;

/** The deliveries that the timelines of a requirement blame; of one that has not failed, those that they tell of. */
export function deliveriesOf({ checks, verdict: whole }: RunRequirement, run: Run): string[] {
  const blamed = new Set(
    checks.flatMap(({ timeline = [] }) =>
      timeline.flatMap(({ delivery, verdict }) =>
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

/** Longest body in a ticket, in characters. */
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
