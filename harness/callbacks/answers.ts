/** How deliveries are answered, and turned away. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answered } from '../../record/delivery.ts';

/** Answers a request whose body has arrived; resolves when the answer is out or the connection has ended. */
export function answer(status: number, response: ServerResponse): Promise<Answered> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve({ kind: 'abandoned' });
    response.once('finish', () => resolve({ kind: 'status', status }));
    response.once('close', () => resolve({ kind: 'abandoned' }));
    response.writeHead(status).end();
  });
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
