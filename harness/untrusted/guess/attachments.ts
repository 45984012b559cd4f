/** Finds the files that a payload of unknown shape carries: base64, `data:` URLs, parts, lists of bytes. */
import type { Attachment } from '../../../record/event.ts';
import { limits } from '../limits.ts';
import { base64Bytes, dataUrl, notBase64 } from '../payload/base64.ts';
import { FilePart, type Leaf, plainKey, pointerOf } from '../payload/tree.ts';
import { keyOf, parentOf } from './keys.ts';

interface GuessedAttachments {
  readonly attachments: readonly Attachment[];
  /** Why there may be attachments that could not be read, such as a link that may lead to one. */
  readonly unread?: string;
}

/** `%PDF-` in base64. */
const pdfInBase64 = 'JVBERi0';
/** Beginnings of ZIP (`PK`) and of gzip files in base64: an archive may hold the PDFs. */
const archiveInBase64 = /^\s*(UEsDB|H4sI)/;
const listKeys =
  /^(attachments?|attacheddocuments?|attachedfiles?|(completed|signed|final)(documents?|files?|pdfs?)(attached)?|documents?|files?|pdfs?)$/;
const surelyAttached =
  /^(attachments?|attached\w+|(completed|signed|final)(documents?|files?|pdfs?)(attached)?)$/;
const contentKeys =
  /^(content|contents|data|base64|body|bytes|file|filecontent|filedata|contentbytes|value|pdf)$/;
const nameKeys = ['filename', 'name', 'documentname', 'title'];
const linkKeys = /^(url|uri|href|link|location|(download|file|document)(url|uri|link))$/;

/** Shorter texts are ids, tokens, hashes or names. */
const shortestContent = 200;

export function guessAttachments(leaves: readonly Leaf[]): GuessedAttachments {
  const names = namesIn(leaves);
  const attachments: Attachment[] = [];
  for (const leaf of leaves) {
    const attachment = attachmentOf(leaf, names);
    if (attachment) attachments.push(attachment);
    if (attachments.length > limits.attachments.most) break;
  }
  if (attachments.length > 0) return { attachments };
  const unread = (leaf: Leaf, why: string) => ({
    attachments,
    unread: `${pointerOf(leaf.path)} ${why} in callbacks.attachments`,
  });
  const link = leaves.find((leaf) => isUrl(leaf.value) && isInList(leaf) && mayBeContent(leaf));
  if (link) return unread(link, 'is a link; if signed PDFs are attached that way, say so');
  const opaque = leaves.find((leaf) => isAttached(leaf) && String(leaf.value).length >= shortestContent);
  if (opaque) return unread(opaque, 'may be an attachment, but is none that is known; describe it');
  return { attachments };
}

function attachmentOf(leaf: Leaf, names: Names): Attachment | undefined {
  const { value } = leaf;
  const isText = typeof value === 'string' && value.length >= shortestContent;
  if (!isText && !(value instanceof FilePart)) return undefined;
  const at = pointerOf(leaf.path);
  if (value instanceof FilePart) {
    const { fileName, mediaType, bytes } = value;
    const name = fileName ? { name: fileName } : nameBeside(leaf, names);
    return { at, mediaType, ...name, content: { kind: 'bytes', bytes } };
  }
  const data = dataUrl(value);
  if (data) {
    const { mediaType, bytes } = data;
    return { at, mediaType, ...nameBeside(leaf, names), content: { kind: 'bytes', bytes } };
  }
  const startsAsPdf = value.trimStart().startsWith(pdfInBase64);
  const isContent = contentKeys.test(keyOf(leaf)) ? isInList(leaf) : isAttached(leaf);
  if (!startsAsPdf && !isContent && !archiveInBase64.test(value)) return undefined;
  const bytes = base64Bytes(value);
  if (bytes) return { at, ...nameBeside(leaf, names), content: { kind: 'bytes', bytes } };
  if (!startsAsPdf) return undefined;
  const message = `${at} begins like a PDF in base64 and is none: ${notBase64(value)}`;
  return { at, content: { kind: 'unreadable', message } };
}

/** Where a link stands in a list, which may have any name: it may lead to a file. */
export function linkIn(leaves: readonly Leaf[]): string | undefined {
  const link = leaves.find((leaf) => leaf.lists > 0 && isUrl(leaf.value) && linkKeys.test(keyOf(leaf)));
  return link && pointerOf(link.path);
}

function mayBeContent(leaf: Leaf): boolean {
  const isItem = /^\d+$/.test(keyOf(leaf)) && listKeys.test(parentOf(leaf));
  return isItem || linkKeys.test(keyOf(leaf)) || contentKeys.test(keyOf(leaf)) || isAttached(leaf);
}

const isInList = (leaf: Leaf): boolean => leaf.path.some((key) => listKeys.test(plainKey(key)));

const isAttached = (leaf: Leaf): boolean => leaf.path.some((key) => surelyAttached.test(plainKey(key)));

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//i.test(value);
}

/** The texts that may name a file, by the object that they stand in and their key; the first one where a key repeats. */
type Names = ReadonlyMap<string, string>;

function namesIn(leaves: readonly Leaf[]): Names {
  const names = new Map<string, string>();
  for (const leaf of leaves) {
    const key = keyOf(leaf);
    if (typeof leaf.value !== 'string' || !nameKeys.includes(key)) continue;
    const place = placeOf(leaf, key);
    if (!names.has(place)) names.set(place, leaf.value);
  }
  return names;
}

function placeOf({ path }: Leaf, key: string): string {
  return `${key} ${path.length} ${pointerOf(path.slice(0, -1))}`;
}

/** The name that stands in the same object as the content. */
function nameBeside(leaf: Leaf, names: Names): { name?: string } {
  for (const key of nameKeys) {
    const name = names.get(placeOf(leaf, key));
    if (name !== undefined) return { name };
  }
  return {};
}
