/** One request by the HTTP sender, and what came of it. */
import { type HttpOutcome, type HttpRequest, HttpSender } from '../../../harness/wire/http.ts';
import type { Loopback } from './loopback.ts';

/** Deadlines for a busy machine: a test that is about one names its own. */
export const limits = { deadlineMs: 30_000, connectMs: 30_000, maxResponseBytes: 64 * 1024 };

export const get = (url: string): HttpRequest => ({
  method: 'GET',
  url: new URL(url),
  headers: [['Host', new URL(url).host]],
  body: null,
});

/** What comes of one request to a server; both are closed afterwards. */
export async function outcomeAt(
  server: Loopback,
  request: Partial<HttpRequest> = {},
  more: Partial<ConstructorParameters<typeof HttpSender>[0]> = {},
) {
  const sender = new HttpSender({ ...limits, ...more });
  const outcome = await sender.send({ ...get(`${server.baseUrl}/`), ...request });
  sender.close();
  await server.close();
  return outcome;
}

export const failure = (outcome: HttpOutcome) =>
  'failure' in outcome ? outcome.failure : outcome.response.status;
export const text = (outcome: HttpOutcome) =>
  'response' in outcome ? outcome.response.body.toString('utf8') : outcome.failure.message;
