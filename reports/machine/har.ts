/** exchanges.har: the calls of a run as HTTP Archive 1.2, for browsers' developer tools and other viewers. */
import type { Content, Entry, Har } from 'har-format';
import type { RecordedDelivery } from '../../record/delivery.ts';
import { type Exchange, headerOf } from '../../record/exchange.ts';
import type { Run } from '../run/run.ts';

type Headers = Exchange['request']['headers'];
type Body = Exchange['request']['body'];

/** Viewers group entries by page: calls of the suite, and callbacks of the target. */
const pages = { calls: 'calls to the target', deliveries: 'callbacks from the target' } as const;

/** The archive as JSON text: first the exchanges, so that each stands at its index, then the deliveries. */
export function har(run: Run): string {
  const archive: Har = {
    log: {
      version: '1.2',
      creator: run.suite,
      comment: `${run.target.name}, ${run.startedAt}; tokens and secrets are redacted`,
      pages: Object.entries(pages).map(([id, title]) => ({
        startedDateTime: run.startedAt,
        id,
        title,
        pageTimings: {},
      })),
      entries: [...run.exchanges.map(ofExchange), ...run.deliveries.map(ofDelivery)],
    },
  };
  return `${JSON.stringify(archive, null, 1)}\n`;
}

function ofExchange(exchange: Exchange): Entry {
  const { request, response } = exchange;
  return {
    pageref: 'calls' satisfies keyof typeof pages,
    startedDateTime: exchange.startedAt,
    comment: [`exchange ${exchange.index}`, exchange.check, exchange.row].filter(Boolean).join(', '),
    ...timed(exchange.durationMs),
    request: requestOf(request),
    response: {
      ...answerOf(response?.status ?? 0, response?.headers ?? [], response?.body ?? null),
      statusText: response?.reason ?? '',
      ...(exchange.failure ? { _error: `${exchange.failure.code}: ${exchange.failure.message}` } : {}),
    },
  };
}

function ofDelivery(delivery: RecordedDelivery): Entry {
  const { id, check, event, receivedAt, answered } = delivery;
  const code = event === undefined ? undefined : `event ${event}`;
  return {
    pageref: 'deliveries' satisfies keyof typeof pages,
    startedDateTime: receivedAt.start,
    comment: [`delivery ${id}: a callback from the target`, check, code].filter(Boolean).join(', '),
    ...timed(Math.max(0, Date.parse(receivedAt.end) - Date.parse(receivedAt.start))),
    request: requestOf(delivery),
    response: {
      ...answerOf(answered ?? 0, [], null),
      ...(answered === null ? { _error: 'the listener reset the connection' } : {}),
    },
  };
}

function requestOf({ method, url, headers, body }: Exchange['request']): Entry['request'] {
  return {
    method,
    url,
    queryString: query(url),
    ...(body ? { postData: { mimeType: body.mediaType, ...textOfBody(body) } } : {}),
    ...messageOf(headers, body),
  };
}

function answerOf(status: number, headers: Headers, body: Body): Entry['response'] {
  return {
    status,
    statusText: '',
    content: content(body),
    redirectURL: headerOf(headers, 'location') ?? '',
    ...messageOf(headers, body),
  };
}

/** The HTTP version is not recorded, so it is left empty. */
function messageOf(headers: Headers, body: Body) {
  const fields = headers.map(([name, value]) => ({ name, value }));
  return { httpVersion: '', cookies: [], headers: fields, headersSize: -1, bodySize: body?.size ?? 0 };
}

function timed(ms: number): Pick<Entry, 'time' | 'cache' | 'timings'> {
  return { time: ms, cache: {}, timings: { send: 0, wait: ms, receive: 0 } };
}

/** As they stand in the URL, like in browsers: in what is decoded, nobody has looked for secrets. */
function query(url: string): { name: string; value: string }[] {
  const [, search = ''] = /\?([^#]*)/.exec(url) ?? [];
  return [...search.matchAll(/([^&=]+)=?([^&]*)/g)].map(([, name = '', value = '']) => ({ name, value }));
}

function content(body: Body): Content {
  if (!body) return { size: 0, mimeType: '' };
  const encoded = body.base64 === undefined ? {} : { text: body.base64, encoding: 'base64' };
  return { size: body.size, mimeType: body.mediaType, ...textOfBody(body), ...encoded };
}

/** The text of a body; for a body that is no text, a comment about it, since a request in HAR can hold only text. */
function textOfBody(body: NonNullable<Body>): { text: string; comment?: string } {
  if (body.text !== undefined) return { text: body.text };
  const where = body.file ? `, in the file ${body.file}` : '';
  return { text: '', comment: `${body.size} bytes, SHA-256 ${body.sha256}${where}` };
}
