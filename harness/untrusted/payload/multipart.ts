/** Reads multipart bodies (RFC 2046, RFC 7578): every part by its name, with JSON and XML parts parsed. */
import { limits } from '../limits.ts';
import { mediaTypeOf, parameterOf, textAs } from '../text.ts';
import { treeOfFields } from './fields.ts';
import { FilePart, unfolded } from './tree.ts';
import { treeOfXml } from './xml.ts';

/** The parts as a tree. @throws Error that says what is wrong with the body */
export function treeOfMultipart(body: Uint8Array, contentType: string): unknown {
  const boundary = parameterOf(contentType, 'boundary');
  if (!boundary) throw new Error('its Content-Type names no boundary');
  if (boundary.length > limits.boundaryCharacters.most) throw new Error('its boundary is too long');
  const fields: [string, unknown][] = [];
  for (const part of partsOf(Buffer.from(body.buffer, body.byteOffset, body.byteLength), boundary)) {
    const disposition = part.headers.get('content-disposition') ?? '';
    const name = parameterOf(disposition, 'name') ?? contentId(part) ?? unnamed(fields.length);
    fields.push([name, contentOf(part, parameterOf(disposition, 'filename'))]);
  }
  if (fields.length === 0) throw new Error('it has no part between its boundaries');
  return treeOfFields(fields);
}

/** The Content-ID as `cid:` URLs spell it (RFC 2392): without its angle brackets. */
const contentId = ({ headers }: Part) => headers.get('content-id')?.replace(/^<(.+)>$/, '$1');

/** Name for a part without one. The first part is the root (RFC 2387). A bare number would make a list of the parts. */
const unnamed = (before: number): string => (before === 0 ? 'payload' : `part${before}`);

interface Part {
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Buffer;
}

function* partsOf(body: Buffer, boundary: string): Generator<Part> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter may stand at the very beginning, without the line break before it.
  let start = body.indexOf(delimiter.subarray(2));
  if (start < 0) return;
  start += delimiter.length - 2;
  for (let count = 1; body.subarray(start, start + 2).toString('latin1') !== '--'; count += 1) {
    // Parts without a header count too, since nothing else bounds their number.
    if (count > limits.parts.most) throw new Error(`it has more than ${limits.parts.most} parts`);
    const end = body.indexOf(delimiter, start);
    if (end < 0) throw new Error('its last part has no end');
    // The end of the header is searched within the part alone, together with the line break of its delimiter.
    const headed = body.subarray(start, Math.min(end + 4, start + limits.partHeaderBytes.most));
    const headersEnd = headed.indexOf('\r\n\r\n', Math.max(headed.indexOf('\r\n'), 0));
    if (headersEnd >= 0)
      yield {
        headers: headersOf(headed.subarray(0, headersEnd).toString('utf8')),
        bytes: body.subarray(start + headersEnd + 4, end),
      };
    start = end + delimiter.length;
  }
}

function headersOf(text: string): ReadonlyMap<string, string> {
  const lines = text.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  return new Map(
    lines.flatMap((line) => {
      const at = line.indexOf(':');
      return at < 0 ? [] : [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()] as const];
    }),
  );
}

function contentOf({ headers, bytes }: Part, fileName: string | undefined): unknown {
  const contentType = headers.get('content-type') ?? '';
  const mediaType = mediaTypeOf(contentType);
  const encoded = headers.get('content-transfer-encoding')?.toLowerCase() === 'base64';
  const content = encoded ? Buffer.from(bytes.toString('latin1'), 'base64') : bytes;
  if (/[/+]xml$/.test(mediaType)) return treeOfXml(textAs(contentType, content));
  if (/[/+]json$/.test(mediaType)) return unfolded(textAs(contentType, content));
  if (fileName !== undefined || !(mediaType === '' || mediaType.startsWith('text/')))
    return new FilePart(content, mediaType, fileName);
  return unfolded(textAs(contentType, content));
}
