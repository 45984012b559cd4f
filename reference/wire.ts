/** Applies dialect settings about HTTP to requests and answers, whatever their content. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { path } from '../openapi/codes.ts';
import type { Dialect } from './dialect.ts';

type Handler = (request: Request, ...rest: never[]) => Response | Promise<Response>;

/** The handler, wrapped in the settings of the dialect about HTTP. */
export function onTheWire<Inner extends Handler>(handler: Inner, dialect: Dialect): Inner {
  const outer = async (request: Request, ...rest: never[]): Promise<Response> => {
    const known = dialect.pathCase === 'any' ? withKnownPath(request) : request;
    const started = performance.now();
    const answer = await handler(known, ...rest);
    const restMs = dialect.answerDelayMs - (performance.now() - started);
    if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
    return dressed(answer, dialect);
  };
  return outer as Inner;
}

const documented = Object.values(path).map((each) => each.split('/'));

/** A request whose path differs from a documented one only in case, with the documented spelling. */
function withKnownPath(request: Request): Request {
  const url = new URL(request.url);
  const given = url.pathname.split('/');
  for (const known of documented) {
    const base = given.slice(0, given.length - known.length + 1);
    const rest = given.slice(base.length - 1).with(0, '');
    const same = known.every(
      (part, at) => part.startsWith('{') || part.toLowerCase() === rest[at]?.toLowerCase(),
    );
    if (!same || rest.length !== known.length) continue;
    const spelled = known.map((part, at) => (part.startsWith('{') ? rest[at] : part));
    url.pathname = [...base, ...spelled.slice(1)].join('/');
    return url.href === request.url ? request : new Request(url, request);
  }
  return request;
}

async function dressed(answer: Response, dialect: Dialect): Promise<Response> {
  const { headers } = answer;
  if (dialect.connection === 'closed') headers.set('Connection', 'close');
  if (dialect.deprecation === 'announced') {
    headers.set('Deprecation', '@1767225600');
    headers.set('Sunset', 'Fri, 31 Dec 2027 23:59:59 GMT');
  }
  if (dialect.correlationId === 'header') headers.set('X-Request-Id', randomUUID());
  if (dialect.gatewayHeaders) {
    headers.set('Set-Cookie', `gateway=${randomUUID()}; Path=/; HttpOnly`);
    headers.set('Via', '1.1 gateway');
    headers.set('X-Served-By', 'node-7');
  }
  if (dialect.answerCoding === 'plain' || answer.body === null) return answer;
  const about = { status: answer.status, statusText: answer.statusText };
  const body = new Uint8Array(await answer.arrayBuffer());
  headers.delete('Content-Length');
  if (dialect.answerCoding === 'gzip') {
    headers.set('Content-Encoding', 'gzip');
    return new Response(new Uint8Array(gzipSync(body)), { ...about, headers });
  }
  return new Response(inPieces(body), { ...about, headers });
}

/** A stream has no known length, so it is sent in chunks. */
function inPieces(body: Uint8Array): ReadableStream<Uint8Array> {
  const size = Math.max(1, Math.ceil(body.length / 3));
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= body.length) controller.close();
      else controller.enqueue(body.subarray(at, at + size));
      at += size;
    },
  });
}
