/** Recognises PDF, DOC and DOCX by their content (section "Limits": accepted upload formats). */
import type { FileKind } from './model.ts';

/** What a file is; `null` for anything else, a PDF without its end and a ZIP that is no DOCX included. */
export function sniff(bytes: Buffer, truncatedPdf: 'accepted' | 'refused'): FileKind | null {
  if (isPdf(bytes, truncatedPdf === 'refused')) return 'pdf';
  if (isDoc(bytes)) return 'doc';
  return isDocx(bytes) ? 'docx' : null;
}

/** The header may follow up to 1,024 bytes of something else (ISO 32000-1, implementation note 13). */
function isPdf(bytes: Buffer, endNeeded: boolean): boolean {
  if (!bytes.subarray(0, 1024).includes('%PDF-')) return false;
  return !endNeeded || bytes.subarray(-1024).includes('%%EOF');
}

/** Whether a PDF is encrypted: its trailer or cross-reference stream, never compressed, says so. */
export function isEncryptedPdf(bytes: Buffer): boolean {
  return bytes.includes('/Encrypt');
}

const compoundFile = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const wordStream = Buffer.from('WordDocument', 'utf16le');

/** An OLE compound file with the stream in which Word keeps its text. */
function isDoc(bytes: Buffer): boolean {
  return bytes.subarray(0, 8).equals(compoundFile) && bytes.includes(wordStream);
}

/** A ZIP archive, of whatever content. */
export function isZip(bytes: Buffer): boolean {
  return bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'));
}

const needed = ['[Content_Types].xml', 'word/document.xml'];

/** A ZIP whose central directory names the two parts that every DOCX has. */
function isDocx(bytes: Buffer): boolean {
  if (!isZip(bytes)) return false;
  const names = new Set(zipNames(bytes));
  return needed.every((name) => names.has(name));
}

/** File names in the central directory, read from the end record (ZIP application note, 4.3.12 and 4.3.16). */
function* zipNames(bytes: Buffer): Generator<string> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0 || end + 22 > bytes.length) return;
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) return;
    const nameLength = bytes.readUInt16LE(at + 28);
    yield bytes.toString('utf8', at + 46, at + 46 + nameLength);
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
}
