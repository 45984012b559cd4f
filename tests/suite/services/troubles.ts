/** Trouble on the way of an answer, beyond resets, hangs and 5xx: each spoils one answer, or never lets it end. */
import type { Passing } from './proxy.ts';

/** Deals with one call that was not answered yet. */
export type Trouble = (passing: Passing) => Promise<void> | void;

const okay = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const piece = Buffer.alloc(65_536, 'x');

/** Writes bytes as they are, and ends the connection. */
const saying =
  (text: string | Buffer): Trouble =>
  ({ raw }) =>
    raw((socket) => socket.end(text));

export const troubles = {
  'one byte a second': ({ raw }) =>
    raw((socket) => {
      const text = `${okay}Content-Length: 2\r\n\r\n{}`;
      let at = 0;
      const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), 1_000);
      socket.once('close', () => clearInterval(timer));
    }),
  'a Content-Length that is too long': saying(`${okay}Content-Length: 500\r\n\r\n{"requestId":"r"}`),
  'a Content-Length that is too short': saying(`${okay}Content-Length: 5\r\n\r\n{"requestId":"r"}`),
  'a Content-Length that is none': saying(`${okay}Content-Length: many\r\n\r\n{}`),
  garbage: saying(Buffer.from('00ff1603010200010001fc0303deadbeef0d0a0d0a', 'hex')),
  'a login page with 200': ({ reply }) =>
    reply({
      headers: { 'Content-Type': 'text/html' },
      body: Buffer.from('<!doctype html><html><title>Sign in</title><form action="/login"></form></html>'),
    }),
  'a redirect to itself': ({ request, reply }) => reply({ status: 307, headers: { Location: request.url } }),
  'an answer of 200 MB': ({ raw }) =>
    raw((socket) => {
      socket.write(`${okay}Content-Length: ${200 * 1024 * 1024}\r\n\r\n`);
      // One piece a turn: a reader that keeps up would never let a loop end.
      const more = () => {
        if (!socket.destroyed) socket.write(piece, () => setImmediate(more));
      };
      more();
    }),
  'bytes that are no UTF-8': saying(
    Buffer.concat([
      Buffer.from(`${okay}Connection: close\r\n\r\n{"requestId":"`),
      Buffer.from([0xc3, 0x28, 0xff]),
    ]),
  ),
  'chunks that are none': saying(`${okay}Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n`),
  'chunks without an end': saying(`${okay}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`),
} as const satisfies Record<string, Trouble>;

/** A type 0 creation in which Title is missing. */
export function isUntitled({ url, body, headers }: Passing['request']): boolean {
  if (!url.includes('type=0') || headers['content-type'] !== 'application/json') return false;
  const text = body.toString('utf8');
  return text.startsWith('{"Message"') && text.endsWith('}') && !text.includes('"Title"');
}
