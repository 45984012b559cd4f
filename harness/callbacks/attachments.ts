/** Reads the attachments of an event from where the profile says that they are. */

import type { Attachment } from '../../record/event.ts';
import type { AttachmentSettings } from '../profile/callback-settings.ts';
import { limits } from '../untrusted/limits.ts';
import { base64Bytes, dataUrl } from '../untrusted/payload/base64.ts';
import { FilePart } from '../untrusted/payload/tree.ts';
import { valueAt } from '../untrusted/pointer.ts';
import type { Scope } from './place.ts';

/** The attachments; none when nothing stands at the list. */
export function attachmentsAt(settings: AttachmentSettings, { item, root }: Scope): readonly Attachment[] {
  const { list = '', content = '', name } = settings;
  // Parts stand at the root of a multipart payload even when the event is inside one of them.
  const there = valueAt(item, list) ?? valueAt(root, list);
  if (there === undefined || there === null) return [];
  const entries = Array.isArray(there) ? there : [there];
  return entries.slice(0, limits.attachments.most).flatMap((entry: unknown, index) => {
    const at = `${list}${Array.isArray(there) ? `/${index}` : ''}${content}`;
    const value = valueAt(entry, content);
    // Without a list of its own, the place is that of one attachment, which need not be there.
    if ((value === undefined || value === null) && !Array.isArray(there)) return [];
    const given = name === undefined ? undefined : valueAt(entry, name);
    const fileName =
      typeof given === 'string' ? given : value instanceof FilePart ? value.fileName : undefined;
    return [{ at, ...(fileName ? { name: fileName } : {}), ...contentOf(value, settings.as, at) }];
  });
}

function contentOf(
  value: unknown,
  as: AttachmentSettings['as'],
  at: string,
): Pick<Attachment, 'content' | 'mediaType'> {
  if (as === 'part' && value instanceof FilePart) {
    return { mediaType: value.mediaType, content: { kind: 'bytes', bytes: value.bytes } };
  }
  if (as === 'base64' && typeof value === 'string') {
    const bytes = base64Bytes(value);
    if (bytes) return { content: { kind: 'bytes', bytes } };
  }
  if (as === 'data-url' && typeof value === 'string') {
    const data = dataUrl(value);
    if (data) return { mediaType: data.mediaType, content: { kind: 'bytes', bytes: data.bytes } };
  }
  if (as === 'url' && typeof value === 'string' && URL.canParse(value)) {
    return { content: { kind: 'link', url: value } };
  }
  return {
    content: {
      kind: 'unreadable',
      message: `what stands at ${at || 'the root'} is no ${as} (callbacks.attachments)`,
    },
  };
}
