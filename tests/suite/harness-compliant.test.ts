/** Correct services of unusual habits: nothing of it is shown in the document, so nobody is blamed. */
import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { type CheckedAt, checksThrough } from './services/checks-at.ts';
import type { Forwarded, Passing } from './services/proxy.ts';

const isUpload = ({ url }: Passing['request']) => url.includes('/thumbs/');
const isJson = ({ headers }: Forwarded) => String(headers['content-type']).includes('json');
const withBody = (
  answer: Forwarded,
  body: Buffer | string,
  headers: Forwarded['headers'] = {},
): Forwarded => {
  const { 'content-length': _, ...rest } = answer.headers;
  return { ...answer, headers: { ...rest, ...headers }, body: Buffer.from(body) };
};

/** A busy machine is no slow service. */
const deadlineMs = 60_000;

function expectCompliant({ verdicts, blame }: CheckedAt): void {
  expect(blame).toEqual([]);
  for (const verdict of ['failed', 'could-not-run', 'error']) expect(verdicts[verdict] ?? []).toEqual([]);
  expect((verdicts.passed ?? []).length).toBeGreaterThan(80);
}

/** Ids of the service behind, wrapped into others: unwrapped again where they come back. */
interface Ids {
  readonly wrap: (id: string) => string;
  /** The id of the service behind, or one that it does not know. */
  readonly unwrap: (id: string) => string;
}

/** Changes the ids of answers, and changes them back in calls. */
async function withIds({ request, forward }: Passing, { wrap, unwrap }: Ids): Promise<Forwarded> {
  const url = request.url.replace(/(requests\/)([^/?]+)(\/signatories)/, (_, before, id: string, after) => {
    return `${before}${encodeURIComponent(unwrap(decodeURIComponent(id)))}${after}`;
  });
  const text = request.body.toString('utf8');
  const body = isUpload(request)
    ? request.body
    : Buffer.from(
        text.replace(/"Documents":\[([^\]]*)\]/, (_, list: string) => {
          const tokens = JSON.parse(`[${list}]`) as unknown[];
          return `"Documents":${JSON.stringify(tokens.map((each) => (typeof each === 'string' ? unwrap(each) : each)))}`;
        }),
      );
  const rawHeaders = request.rawHeaders.flatMap((each, index, all) => {
    const length = all[index - (index % 2)]?.toLowerCase() === 'content-length';
    return length && index % 2 === 1 ? [String(body.length)] : [each];
  });
  const answer = await forward({ url, body, rawHeaders });
  if (answer.status >= 300) return answer;
  if (isUpload(request)) return withBody(answer, wrap(answer.body.toString('utf8')));
  if (!isJson(answer)) return answer;
  const json = JSON.parse(answer.body.toString('utf8')) as Record<string, unknown>;
  const wrapped = Object.entries(json).map(([name, value]) => [
    name,
    name.endsWith('Id') ? wrap(String(value)) : value,
  ]);
  return withBody(answer, JSON.stringify(Object.fromEntries(wrapped)));
}

/** A token of three parts (JWT) whose signature is looked at. */
const jwt: Ids = {
  wrap: (id) => {
    const content = `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(JSON.stringify({ id })).toString('base64url')}`;
    return `${content}.${createHmac('sha256', 'key').update(content).digest('base64url')}`;
  },
  unwrap: (token) => {
    const { id = '0' } = JSON.parse(Buffer.from(token.split('.')[1] ?? 'e30', 'base64url').toString()) as {
      id?: string;
    };
    return jwt.wrap(id) === token ? id : '0';
  },
};

/** Slashes, a blank and letters beyond ASCII. */
const spelled: Ids = {
  wrap: (id) => `Anfrage/${id} – ü`,
  unwrap: (id) => /^Anfrage\/(\d+) – ü$/.exec(id)?.[1] ?? '0',
};

test('gzip unasked, a connection for each call, ids with slashes, uploads that fail with 200', async () => {
  const result = await checksThrough(async (passing) => {
    const answer = isUpload(passing.request)
      ? await passing.forward()
      : await withIds(passing, {
          wrap: spelled.wrap,
          // Document tokens are those of the service behind.
          unwrap: (id) => (/^\d+$/.test(id) ? id : spelled.unwrap(id)),
        });
    const failed = isUpload(passing.request) && answer.status >= 400;
    const told = failed
      ? { ...withBody(answer, answer.body, { 'Content-Type': 'text/plain' }), status: 200 }
      : answer;
    passing.reply(withBody(told, gzipSync(told.body), { 'Content-Encoding': 'gzip', Connection: 'close' }));
  }, deadlineMs);
  expectCompliant(result);
});

test('JWTs as ids, a byte order mark, extra fields, messages in headers, redirects to a login page', async () => {
  const result = await checksThrough(
    async (passing) => {
      const answer = await withIds(passing, jwt);
      const { url } = passing.request;
      const message = answer.body.toString('utf8');
      if (answer.status === 401 && url.includes('Requests?type=3')) {
        passing.reply({ status: 302, headers: { Location: 'https://login.example.com/' } });
      } else if (answer.status >= 400) {
        // HTTP has no header for it: this one is as good as any other.
        const headers = { 'x-error-detail': encodeURIComponent(message.toUpperCase()) };
        passing.reply({ status: answer.status, headers });
      } else if (isUpload(passing.request)) {
        passing.reply({ status: 201, headers: { 'X-Document-Token': message, Location: '/documents' } });
      } else if (isJson(answer)) {
        const fields = JSON.parse(message) as object;
        passing.reply(
          withBody(answer, `\uFEFF${JSON.stringify({ ...fields, Links: [{ rel: 'self' }], requestid: 7 })}`),
        );
      } else passing.reply(answer);
    },
    deadlineMs,
    undefined,
    '/',
  );
  expectCompliant(result);
});

test('messages in reason phrases, and fresh ids that nobody finds at first', async () => {
  const madeAt = new Map<string, number>();
  const visibleAfterMs = 120;
  const result = await checksThrough(async (passing) => {
    const { request, forward, reply } = passing;
    const named = [
      ...request.url.matchAll(/\d{8,}/g),
      ...request.body.toString('latin1').matchAll(/"(\d{8,})"/g),
    ];
    const hidden = named
      .map((match) => madeAt.get(match[1] ?? match[0]))
      .some((at) => at !== undefined && performance.now() - at < visibleAfterMs);
    const sound = request.headers.authorization?.includes('access-token') && !request.url.includes('thumbs');
    if (hidden && sound) {
      reply({ status: 404, reason: 'Request ID not found' });
      return;
    }
    const answer = await forward();
    if (answer.status >= 400) {
      reply({ status: answer.status, reason: answer.body.toString('utf8').replaceAll(/[^ -~]/g, '') });
      return;
    }
    for (const [id] of answer.body.toString('latin1').matchAll(/\d{8,}/g)) {
      if (!madeAt.has(id)) madeAt.set(id, performance.now());
    }
    reply(answer);
  }, deadlineMs);
  expectCompliant(result);
  expect(result.observations.map(({ gap }) => gap)).toContain('service.read-after-write');
});
