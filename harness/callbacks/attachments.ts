/** Reads the attachments of an event from the places that the profile names. */
import type { Attachment } from '../../record/event.ts';
import type { AttachmentSettings } from '../profile/callback-settings.ts';
import { limits } from '../untrusted/limits.ts';
import { base64Bytes, dataUrl, notBase64 } from '../untrusted/payload/base64.ts';
import { FilePart, isObject } from '../untrusted/payload/tree.ts';
import { nodeAt, placeName, read, type Scope } from '../untrusted/place.ts';

/** The attachments; none when nothing stands at the list. */
export function attachmentsAt(settings: AttachmentSettings, scope: Scope): readonly Attachment[] {
  const { list = '', content = '', name } = settings;
  // The parts of a multipart payload stand at its root, even when the event is inside one of them.
  const there = nodeAt(list, scope) ?? nodeAt(list, { ...scope, item: scope.root });
  const at = (place: string) =>
    `${list === '' ? '' : placeName(list)}${place}${content === '' ? '' : placeName(content)}`;
  return entriesOf(there, (item) => read(content, { ...scope, item })).flatMap(
    ({ item, value, place, key }) => {
      // Without a list, the place is that of a single attachment, which may be missing.
      if ((value === undefined || value === null) && !Array.isArray(there)) return [];
      // The part that carries the event is no file.
      if (settings.as === 'part' && list === '' && !(value instanceof FilePart)) return [];
      const given = name === undefined ? key : read(name, { ...scope, item });
      const fileName =
        typeof given === 'string' ? given : value instanceof FilePart ? value.fileName : undefined;
      return [{ at: at(place), name: fileName, ...contentOf(value, settings.as, at(place)) }];
    },
  );
}

interface Entry {
  readonly item: unknown;
  readonly value: unknown;
  readonly place: string;
  readonly key?: string;
}

/** The items of a list, those of a mapping by their names, or a single item; up to the most that are read. */
function entriesOf(there: unknown, contentOf: (item: unknown) => unknown): readonly Entry[] {
  const { most } = limits.attachments;
  const entry = (item: unknown, place: string): Entry => ({ item, value: contentOf(item), place });
  if (there === undefined || there === null) return [];
  if (Array.isArray(there)) return there.slice(0, most).map((item, index) => entry(item, `/${index}`));
  const one = entry(there, '');
  const isMapping = isObject(there) && (one.value === undefined || isObject(one.value));
  return isMapping
    ? Object.entries(there)
        .slice(0, most)
        .map(([key, item]) => ({ ...entry(item, `/${key}`), key }))
    : [one];
}

function contentOf(
  value: unknown,
  as: AttachmentSettings['as'],
  at: string,
): Pick<Attachment, 'content' | 'mediaType'> {
  if (as === 'part' && value instanceof FilePart)
    return { mediaType: value.mediaType, content: { kind: 'bytes', bytes: value.bytes } };
  if (as === 'base64' && typeof value === 'string') {
    const bytes = base64Bytes(value);
    if (bytes) return { content: { kind: 'bytes', bytes } };
  }
  if (as === 'data-url' && typeof value === 'string') {
    const data = dataUrl(value);
    if (data) return { mediaType: data.mediaType, content: { kind: 'bytes', bytes: data.bytes } };
  }
  if (as === 'url' && typeof value === 'string' && URL.canParse(value))
    return { content: { kind: 'link', url: value } };
  return {
    content: {
      kind: 'unreadable',
      message: `what stands at ${at || 'the root'} is no ${as}${as === 'base64' && typeof value === 'string' ? `: ${notBase64(value)}` : ''} (callbacks.attachments)`,
    },
  };
}
