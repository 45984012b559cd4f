/** Undoes the content coding of an answer: without Accept-Encoding in the request any coding is allowed (RFC 9110). */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { HeaderField } from '../../record/exchange.ts';
import { limits } from './limits.ts';

const ungzip = promisify(gunzip);
const unbrotli = promisify(brotliDecompress);
const undeflate = promisify(inflate);
const undeflateRaw = promisify(inflateRaw);

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const unread = (coding: string) => () => Promise.reject(new Error(`${coding} is not undone here`));

/** A Map, since strangers choose the names. A known coding that cannot be undone is an error: its bytes are no words of the target. */
const decoders: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', ungzip],
  ['x-gzip', ungzip],
  ['br', unbrotli],
  // Some servers leave out the zlib header, whose first byte has the method, 8, in its lower half.
  [
    'deflate',
    (bytes: Buffer, options: { maxOutputLength: number }) =>
      ((bytes[0] ?? 0) & 0x0f) === 8 ? undeflate(bytes, options) : undeflateRaw(bytes, options),
  ],
  ['zstd', unread('zstd')],
  ['compress', unread('compress')],
  ['x-compress', unread('x-compress')],
]);

/** The content codings that the header fields name, in the order in which they were applied. */
export function codingsOf(headers: readonly HeaderField[]): readonly string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/**
 * The body with its content codings undone. A coding that is not known is left in place.
 * @throws Error when the body is not coded as Content-Encoding says, or longer than `maxBytes`
 */
export async function uncoded(
  headers: readonly HeaderField[],
  body: Buffer,
  maxBytes: number,
): Promise<Buffer> {
  const codings = codingsOf(headers);
  if (body.length === 0 || codings.some((coding) => !decoders.has(coding))) return body;
  if (codings.length > limits.contentCodings.most)
    throw new Error(`it has ${codings.length} codings, one over the other`);
  let plain = body;
  // The coding that was applied last stands last.
  for (const coding of codings.toReversed()) {
    try {
      plain = (await decoders.get(coding)?.(plain, { maxOutputLength: maxBytes })) ?? plain;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
      throw new Error(`without its coding it is larger than ${maxBytes} bytes`);
    }
  }
  return plain;
}
