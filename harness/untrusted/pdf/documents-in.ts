/** Finds the PDFs in a body, and what is kept of them when the body is not kept: hash, size and number of pages. */
import type { HeaderField, RecordedDocument } from '../../../record/exchange.ts';
import { sha256Of } from '../../../record/hash.ts';
import { guessAttachments } from '../guess/attachments.ts';
import { limits } from '../limits.ts';
import { parsePayload } from '../payload/parse.ts';
import { leavesOf } from '../payload/tree.ts';
import { pageCountOf } from './open.ts';

/** What is kept of the PDFs, in their order; a body may be one itself, or hold some in fields or parts. */
export async function documentsIn(
  headers: readonly HeaderField[],
  body: Uint8Array,
): Promise<readonly RecordedDocument[]> {
  const found: RecordedDocument[] = [];
  for (const bytes of pdfsIn(headers, body).slice(0, limits.pdfDocuments.most)) {
    const sha256 = sha256Of(bytes);
    found.push({ size: bytes.length, sha256, pages: await pageCountOf(bytes) });
  }
  return found;
}

/** The PDFs themselves, in the same order. */
export function pdfsIn(headers: readonly HeaderField[], body: Uint8Array): readonly Uint8Array[] {
  if (isPdf(body)) return [body];
  const payload = parsePayload({ headers, body });
  if (!payload.parsed) return [];
  return guessAttachments(leavesOf(payload.tree)).attachments.flatMap(({ content }) =>
    content.kind === 'bytes' && isPdf(content.bytes) ? [content.bytes] : [],
  );
}

/** How archives, parts, mails and texts begin, which may hold whole PDFs. */
const holders = ['PK', '\u001f\u008b', '--', '{', '[', '<', '"'];

/** Whether the bytes begin like a PDF; some PDFs have a few bytes before that, but not those of what holds PDFs. */
export function isPdf(bytes: Uint8Array): boolean {
  const begin = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  return begin.includes('%PDF-') && !holders.some((each) => begin.trimStart().startsWith(each));
}
