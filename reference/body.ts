/** Reads the body of a call, never more of it than the limit. */
import { badRequest, Refusal } from './rules.ts';
import type { Call } from './service.ts';

/** The bytes of the body. Throws the refusal 413 beyond `limit` bytes, and 400 for a body that ends too early. */
export async function readBody(call: Call, limit: number): Promise<Buffer> {
  const tooLarge = new Refusal(413, {
    detail: `A body has at most ${limit} bytes here`,
    headers: { Connection: 'close' },
  });
  const declared = call.req.header('Content-Length');
  if (declared !== undefined && Number(declared) > limit) throw tooLarge;
  try {
    const body =
      declared === undefined
        ? await readStream(call.req.raw.body, limit, tooLarge)
        : Buffer.from(await call.req.raw.arrayBuffer());
    call.set('body', body);
    return body;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw badRequest(`The body could not be read: ${error instanceof Error ? error.message : 'cut off'}`);
  }
}

async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
  tooLarge: Refusal,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream ?? []) {
    size += part.byteLength;
    if (size > limit) throw tooLarge;
    parts.push(part);
  }
  return Buffer.concat(parts, size);
}
