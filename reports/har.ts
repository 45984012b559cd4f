/** exchanges.har: the exchanges of a run as HTTP Archive 1.2, for browsers' developer tools and other viewers. */
import type { Exchange } from './exchange-schema.ts';
import type { Run } from './run.ts';

type Headers = Exchange['request']['headers'];
type Body = Exchange['request']['body'];

/** The archive as JSON text. The HTTP version is not recorded, so it is left empty. */
export function har(run: Run): string {
  const log = {
    version: '1.2',
    creator: run.suite,
    comment: `${run.target.name}, ${run.startedAt}; tokens and secrets are redacted`,
    entries: run.exchanges.map(entry),
  };
  return `${JSON.stringify({ log }, null, 1)}\n`;
}

function entry(exchange: Exchange) {
  const { request, response } = exchange;
  return {
    startedDateTime: exchange.startedAt,
    time: exchange.durationMs,
    comment: [`exchange ${exchange.index}`, exchange.check, exchange.row].filter(Boolean).join(', '),
    request: {
      method: request.method,
      url: request.url,
      httpVersion: '',
      cookies: [],
      headers: fields(request.headers),
      queryString: query(request.url),
      ...(request.body
        ? { postData: { mimeType: request.body.mediaType, ...shown(request.body), params: [] } }
        : {}),
      headersSize: -1,
      bodySize: request.body?.size ?? 0,
    },
    response: {
      status: response?.status ?? 0,
      statusText: response?.reason ?? '',
      httpVersion: '',
      cookies: [],
      headers: fields(response?.headers ?? []),
      content: content(response?.body ?? null),
      redirectURL: response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '',
      headersSize: -1,
      bodySize: response?.body?.size ?? 0,
      ...(exchange.failure ? { _error: `${exchange.failure.code}: ${exchange.failure.message}` } : {}),
    },
    cache: {},
    timings: { send: 0, wait: exchange.durationMs, receive: 0 },
  };
}

function fields(headers: Headers) {
  return headers.map(([name, value]) => ({ name, value }));
}

function query(url: string) {
  if (!URL.canParse(url)) return [];
  return [...new URL(url).searchParams].map(([name, value]) => ({ name, value }));
}

function content(body: Body) {
  if (!body) return { size: 0, mimeType: '' };
  const encoded = body.base64 === undefined ? {} : { text: body.base64, encoding: 'base64' };
  return { size: body.size, mimeType: body.mediaType, ...shown(body), ...encoded };
}

/** The text of a body; for another one what it is, since a request of the format carries text alone. */
function shown(body: NonNullable<Body>): { text: string; comment?: string } {
  if (body.text !== undefined) return { text: body.text };
  const where = body.file ? `, in the file ${body.file}` : '';
  return { text: '', comment: `${body.size} bytes, SHA-256 ${body.sha256}${where}` };
}
