/** Reads the body of a call, never more of it than the limit. */
import { Refusal } from './refusal.ts';
import type { Call } from './service.ts';

/** The bytes of the body. Throws the refusal 413 beyond `limit` bytes. */
export async function readBody(call: Call, limit: number): Promise<Buffer> {
  const tooLarge = new Refusal(413, {
    detail: `A body has at most ${limit} bytes here`,
    headers: { Connection: 'close' },
  });
  const declared = call.req.header('Content-Length');
  if (declared !== undefined) {
    if (Number(declared) > limit) throw tooLarge;
    return Buffer.from(await call.req.raw.arrayBuffer());
  }
  const stream = call.req.raw.body;
  if (!stream) return Buffer.alloc(0);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.byteLength;
    if (size > limit) throw tooLarge;
    parts.push(part);
  }
  return Buffer.concat(parts, size);
}
