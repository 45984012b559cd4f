/** Answers: successes with the media type of the dialect, and refusals in its shape. */
import type { Dialect } from './dialect.ts';
import { isObject } from './fields.ts';
import type { Refusal } from './rules.ts';
import type { Call, Service } from './service.ts';

export function jsonAnswer({ dialect }: Service, status: number, body: unknown): Response {
  const headers = { 'Content-Type': dialect.jsonMediaType };
  const isCoded = status < 300 && [dialect.actRefusedAs, dialect.createRefusedAs].includes('code');
  // If refusals have a code in the body, successes have one, too.
  const told = isCoded && isObject(body) ? { code: 0, ...body } : body;
  return new Response(JSON.stringify(ordered(told, dialect)), { status, headers });
}

/** The JSON answer of endpoint 4 or 5; members of `body` that are `undefined` are left out. */
export function statedAnswer(
  service: Service,
  area: 'skeleton' | 'signatory',
  status: number,
  body: Readonly<Record<string, unknown>>,
): Response {
  const text = (words: string, type: string) =>
    new Response(words, { status, headers: { 'Content-Type': type } });
  const words = new URLSearchParams(
    Object.entries(body).map(([name, value]) => [name, String(value)]),
  ).toString();
  if (service.faulty(`${area}.response-json/text`)) return text(words, 'text/plain');
  if (service.faulty(`${area}.response-json/html`))
    return text(`<!doctype html><p>${words}</p>`, 'text/html');
  return jsonAnswer(service, status, body);
}

/** An id as an answer has it: a string that is not empty. */
export function shownId(
  { faulty }: Service,
  rule: 'skeleton.request-id' | 'signatory.signatory-id',
  id: string,
): string | number | null | undefined {
  if (faulty(`${rule}/missing`)) return undefined;
  if (faulty(`${rule}/null`)) return null;
  if (faulty(`${rule}/number`)) return Number(id);
  return faulty(`${rule}/empty`) ? '' : id;
}

function ordered(body: unknown, { keyOrder }: Dialect): unknown {
  const object = isObject(body);
  return object && keyOrder === 'reversed' ? Object.fromEntries(Object.entries(body).reverse()) : body;
}

/** A refusal as the dialect shapes it; the message that the document states comes through in every shape. */
export function refusalAnswer(call: Call, refusal: Refusal, dialect: Dialect): Response {
  const { status, title: message } = refusal;
  const detail = dialect.errorDetail ? refusal.detail : undefined;
  const headers: Record<string, string> = { ...refusal.headers };
  const json = (body: unknown, type = 'application/json') =>
    new Response(JSON.stringify(body), { status, headers: { ...headers, 'Content-Type': type } });
  const text = (body: string, type: string) =>
    new Response(body, { status, headers: { ...headers, 'Content-Type': `${type}; charset=utf-8` } });
  switch (dialect.errorShape) {
    case 'problem':
      return json({ type: 'about:blank', title: message, status, detail }, 'application/problem+json');
    case 'error':
      return json({ error: message, details: detail });
    case 'message':
      return json({ statusCode: status, message, description: detail });
    case 'list':
      return json({ errors: [{ message, detail }] });
    case 'nested':
      return json({ result: { success: false, error: { code: status, text: message, detail } } });
    case 'text':
      return text(detail === undefined ? message : `${message}: ${detail}`, 'text/plain');
    case 'html':
      return text(`<!doctype html><title>${status}</title><h1>${message}</h1>`, 'text/html');
    case 'header':
      return new Response(null, { status, headers: { ...headers, 'X-Error-Message': message } });
    case 'reason':
      if (call.env.outgoing) call.env.outgoing.statusMessage = message;
      return new Response(null, { status, statusText: message, headers });
  }
}
