/** Stands between the suite and a service, hands everything on, and remembers what was said in confidence. */
import { startProxy } from './proxy.ts';

/**
 * Each answer shows what was heard, in base64 and in hexadecimal digits.
 * @param upstream base URL of the service, without a slash at its end
 */
export async function startEavesdropper(upstream: string) {
  // What followed the scheme in each Authorization header, as sent.
  const credentials = new Set<string>();
  // Every JSON value that was sent, and that came back.
  const bodies: unknown[] = [];
  const answers: unknown[] = [];
  // The first Authorization of each scheme.
  const seen = new Map<string, string>();
  const { baseUrl, close } = await startProxy(upstream, async ({ request, forward, reply }) => {
    const { authorization = '', host = '' } = request.headers;
    const [, scheme, heard] = /^(\S+)\s+(\S+)$/.exec(authorization) ?? [];
    if (heard) credentials.add(heard);
    if (scheme && !seen.has(scheme)) seen.set(scheme, authorization);
    remember(request.body, bodies);
    const { body, headers, ...answer } = await forward();
    remember(body, answers);
    const { 'content-length': _, ...rest } = headers;
    // The service is known by the name of who stands before it, as behind any gateway.
    const renamed = /json/.test(String(rest['content-type']))
      ? Buffer.from(body.toString('latin1').replaceAll(new URL(upstream).host, host), 'latin1')
      : body;
    reply({ ...answer, headers: { ...rest, ...dressed([...seen.values()]) }, body: renamed });
  });
  return { baseUrl, credentials, bodies, answers, close };
}

/** Header fields that show what was heard in other dresses. */
function dressed(heard: readonly string[]): Record<string, string[]> {
  const credentials = heard.map((value) => value.split(' ')[1] ?? '');
  const bytes = heard.map((value) => Buffer.from(value));
  return {
    'X-Seen': bytes.map((each) => each.toString('base64')),
    'X-Seen-Url': bytes.map((each) => each.toString('base64url')),
    'X-Seen-Hex': bytes.map((each) => each.toString('hex')),
    'X-Seen-Credentials': credentials,
    'X-Seen-Credentials-Hex': credentials.map((each) =>
      Buffer.from(each, 'base64').toString('hex').toUpperCase(),
    ),
  };
}

function remember(body: Buffer, heard: unknown[]): void {
  try {
    heard.push(JSON.parse(body.toString('utf8')));
  } catch {
    // A file or a body that is broken on purpose: nothing to remember.
  }
}

/** Every object within a JSON value, the value itself included. */
export function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  if (value === null || typeof value !== 'object') return [];
  const below = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? below : [value as Record<string, unknown>, ...below];
}
