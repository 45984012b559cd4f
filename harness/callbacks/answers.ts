/** How an address answers its deliveries: at once, slowly, with a failure, a redirect, or not at all. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answered } from '../../record/delivery.ts';

export type Answer =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterS?: number }
  | { readonly kind: 'slow'; readonly delayMs: number; readonly status?: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: 301 | 302 | 303 | 307 | 308 };

/** One answer for each of the `first` deliveries, then `afterwards` for all that follow. */
export interface AnswerPlan {
  readonly first?: readonly Answer[];
  /** 200 by default. */
  readonly afterwards?: Answer;
}

export const ok: Answer = { kind: 'status', status: 200 };

/** 503 for the first `times` deliveries, then 200. */
export function unavailable(times: number): AnswerPlan {
  return { first: Array.from({ length: times }, () => ({ kind: 'status', status: 503 })) };
}

/** Answers a request whose body has arrived; resolves when the answer is out or the connection has ended. */
export async function perform(
  answer: Answer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answered> {
  switch (answer.kind) {
    case 'status':
      return send(response, answer.status, {
        ...(answer.retryAfterS === undefined ? {} : { 'retry-after': String(answer.retryAfterS) }),
      });
    case 'redirect':
      return send(response, answer.status ?? 307, { location: answer.location });
    case 'slow':
      return (await stillOpenAfter(answer.delayMs, response))
        ? send(response, answer.status ?? 200, {})
        : { kind: 'abandoned' };
    case 'reset':
      request.socket.resetAndDestroy();
      return { kind: 'reset' };
  }
}

/** Turns a delivery away: the rest of its body is read into nothing for a moment, then the connection ends. */
export function dismiss(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
): void {
  // A sender that is still writing could miss the answer if the connection were closed at once;
  // one that never stops writing must not keep it open.
  const timer = setTimeout(() => request.socket.destroy(), politenessMs);
  request.once('close', () => clearTimeout(timer));
  request.resume();
  const unread = !request.complete;
  response.writeHead(status, { 'content-type': 'text/plain', ...(unread ? { connection: 'close' } : {}) });
  response.end(`${text}\n`);
}

const politenessMs = 1_000;

function send(response: ServerResponse, status: number, headers: Record<string, string>): Promise<Answered> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve({ kind: 'abandoned' });
    response.once('finish', () => resolve({ kind: 'status', status }));
    response.once('close', () => resolve({ kind: 'abandoned' }));
    response.writeHead(status, headers);
    response.end();
  });
}

function stillOpenAfter(delayMs: number, response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve(false);
    const gone = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      response.off('close', gone);
      resolve(true);
    }, delayMs);
    response.once('close', gone);
  });
}
