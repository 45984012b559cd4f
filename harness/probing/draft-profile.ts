/** Writes what a probe found into a profile: the one that it started from, with the keys that it lacked. */
import { type Document, isMap, isScalar, Document as NewDocument, Scalar, visit } from 'yaml';
import { readOwnYaml } from '../../record/own-files.ts';
import { visible } from '../../record/visible.ts';
import type { LoadedProfile } from '../profile/load.ts';
import type { Profile } from '../profile/schema.ts';
import { headLines, lackingLines, openLines, seenLines, withoutDrafted } from './draft-lines.ts';
import type { ProbeResult } from './findings.ts';

export interface DraftOptions {
  /** Day of the probe, as `2026-01-31`. */
  readonly on: string;
  /** Where editors find the schema; absent: nobody knows. */
  readonly schema?: string | undefined;
}

/** The drafted profile, YAML. Comments of the given one stay; secrets stand in it as references only. */
export function draftProfile(loaded: LoadedProfile, result: ProbeResult, options: DraftOptions): string {
  const document = written(loaded);
  const { profile } = loaded;
  forget(document);
  for (const [path, value] of found(profile, result)) if (isPlain(value)) put(document, path, value);
  // Each section stands apart.
  if (isMap(document.contents)) {
    for (const [index, { key }] of document.contents.items.entries()) {
      if (isScalar(key)) key.spaceBefore = index > 0;
    }
  }
  const { schema } = options;
  const before =
    document.commentBefore ?? (schema ? ` yaml-language-server: $schema=${schema}\n` : undefined);
  document.commentBefore = [before, comment(headLines(result, options.on))].filter(Boolean).join('\n');
  const after = [[...openLines(profile, result), ...lackingLines(profile)], seenLines(result)];
  document.comment = [document.comment, ...after.map(comment)].filter(Boolean).join('\n\n');
  return document.toString({ lineWidth: 0 });
}

/** As the user wrote it; JSON becomes YAML. */
function written({ file, profile }: LoadedProfile): Document {
  if (file === undefined) {
    const { expiredToken } = profile.auth;
    const reference = (name: string) => `\${${name}}`;
    return new NewDocument({
      name: profile.name,
      address: { baseUrl: profile.address.baseUrl },
      auth: {
        kind: 'static',
        token: reference('ESIGN_TOKEN'),
        ...(expiredToken === undefined ? {} : { expiredToken: reference('ESIGN_EXPIRED_TOKEN') }),
      },
    });
  }
  const { text, document } = readOwnYaml('profile', file);
  return text.trimStart().startsWith('{') ? new NewDocument(document.toJS()) : document;
}

/** Takes out what an earlier draft wrote into comments. */
function forget(document: Document): void {
  document.commentBefore = withoutDrafted(document.commentBefore) ?? null;
  document.comment = withoutDrafted(document.comment) ?? null;
  visit(document, {
    Node: (_, node) => {
      node.comment = withoutDrafted(node.comment) ?? null;
      node.commentBefore = withoutDrafted(node.commentBefore) ?? null;
    },
  });
}

/** Characters of a place at most: whoever reads the draft is to see what stands there. */
const longestPlace = 500;

/** Names that a target gives may be no reference to the user's environment, whose value would stand in reports. */
function isPlain(value: unknown): boolean {
  const texts = (typeof value === 'object' && value !== null ? Object.values(value) : [value]).map(String);
  return texts.every((text) => !text.includes('${') && text === visible(text) && text.length <= longestPlace);
}

type Entry = readonly [path: readonly string[], value: unknown];

/** The keys that the profile leaves open and the probe answers. */
function found(profile: Profile, result: ProbeResult): Entry[] {
  const { upload: given = {}, create, address, tolerate } = profile;
  const { upload, type3 } = result;
  const open = (value: unknown) => value === undefined || value === 'auto';
  const entries: Entry[] = [];
  const waitMs = longestWaitMs(result);
  // A run waits so long when nobody says otherwise.
  if (open(address.visibleAfterMs) && waitMs * 3 > 2_000) {
    entries.push([['address', 'visibleAfterMs'], Math.ceil((waitMs * 3) / 500) * 500]);
  }
  if (upload) {
    const { format, settings } = upload.way;
    if (open(given.encoding)) entries.push([['upload', 'encoding'], format.encoding]);
    if (open(given.field) && format.encoding === 'multipart') {
      entries.push([['upload', 'field'], format.field]);
    }
    for (const [key, value] of Object.entries(settings)) entries.push([['upload', key], value]);
    if (open(given.token) && upload.place) entries.push([['upload', 'token'], upload.place]);
  }
  if (typeof type3 === 'object') {
    const { field, requestId, signatoryId } = type3;
    const keys = Object.entries({ field, requestId, signatoryId }).filter(
      ([key, value]) => value !== undefined && create?.[key as 'field'] === undefined,
    );
    // Even when it is empty, it says that plain JSON is taken.
    if (keys.length === 0 && create === undefined) entries.push([['create'], {}]);
    for (const [key, value] of keys) entries.push([['create', key], value]);
  }
  if (result.numericIds && tolerate?.numericIds === undefined) {
    entries.push([['tolerate', 'numericIds'], true]);
  }
  return entries;
}

function longestWaitMs({ observations }: ProbeResult): number {
  const waits = observations.flatMap(({ key, value }) =>
    key.endsWith('longest wait ms') ? [Number(value)] : [],
  );
  return Math.max(0, ...waits);
}

function put(document: Document, [section = '', key]: readonly string[], value: unknown): void {
  if (!isMap(document.contents)) return;
  if (key === undefined) {
    document.contents.set(new Scalar(section), document.createNode(value));
    return;
  }
  const there = document.contents.get(section, true);
  if (isMap(there)) there.set(new Scalar(key), document.createNode(value));
  else document.contents.set(new Scalar(section), document.createNode({ [key]: value }));
}

function comment(lines: readonly string[]): string {
  return lines.map((line) => ` ${visible(line)}`).join('\n');
}
