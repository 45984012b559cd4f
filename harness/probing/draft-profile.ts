/** Writes what a probe found into a profile: the one that it started from, with the missing keys added. */
import { type Document, isMap, isScalar, Document as NewDocument, Scalar, visit } from 'yaml';
import type { Observation } from '../../openapi/observation.ts';
import { counted } from '../../record/counted.ts';
import type { Created } from '../../record/exchange.ts';
import { readOwnYaml } from '../../record/own-files.ts';
import { visible } from '../../record/visible.ts';
import type { LoadedProfile } from '../profile/load.ts';
import { missingKeys } from '../profile/needs.ts';
import type { Profile } from '../profile/schema.ts';
import type { Place } from '../untrusted/place.ts';
import type { Unmade } from './creations.ts';
import type { UploadWay } from './find-upload.ts';
import type { StepBroken } from './ground.ts';
import type { Type3 } from './type3.ts';

interface DraftOptions {
  /** Day of the probe, as `2026-01-31`. */
  readonly on: string;
  /** Where editors find the schema; absent when it is not known. */
  readonly schema?: string;
}

/** The drafted profile as YAML. Comments of the given one stay; secrets appear as references only. */
export function draftProfile(loaded: LoadedProfile, result: ProbeResult, options: DraftOptions): string {
  const document = asWritten(loaded);
  const { profile } = loaded;
  forget(document);
  for (const [path, value] of openKeysFound(profile, result)) if (isPlain(value)) put(document, path, value);
  // Sections are separated by a blank line.
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

/** The profile as the user wrote it; JSON becomes YAML. */
function asWritten({ file, profile }: LoadedProfile): Document {
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

/** How many characters of a place are written at most, so that readers of the draft see what it says. */
const longestPlace = 500;

/** Whether a value from the target is safe to write: no `${…}`, which would put a variable of the user's environment into reports. */
function isPlain(value: unknown): boolean {
  const texts = (typeof value === 'object' && value !== null ? Object.values(value) : [value]).map(String);
  return texts.every((text) => !text.includes('${') && text === visible(text) && text.length <= longestPlace);
}

type Entry = readonly [path: readonly [section: string, key: string], value: unknown];

/** The keys that the profile leaves open and the probe found an answer to. */
function openKeysFound(profile: Profile, result: ProbeResult): Entry[] {
  const { upload: given = {}, create, address, tolerate } = profile;
  const { upload, type3 } = result;
  const open = (value: unknown) => value === undefined || value === 'auto';
  const entries: Entry[] = [];
  const waitMs = longestWaitMs(result);
  // Runs wait 2 seconds by default, so shorter times need no key.
  if (open(address.visibleAfterMs) && waitMs * 3 > 2_000)
    entries.push([['address', 'visibleAfterMs'], Math.ceil((waitMs * 3) / 500) * 500]);
  if (upload) {
    const { format, settings } = upload.way;
    if (open(given.encoding)) entries.push([['upload', 'encoding'], format.encoding]);
    if (open(given.field) && format.encoding === 'multipart')
      entries.push([['upload', 'field'], format.field]);
    for (const [key, value] of Object.entries(settings)) entries.push([['upload', key], value]);
    if (open(given.token) && upload.place) entries.push([['upload', 'token'], upload.place]);
  }
  if (typeof type3 === 'object') {
    const { field, requestId, signatoryId } = type3;
    const keys = Object.entries({ field, requestId, signatoryId }).filter(
      ([key, value]) => value !== undefined && create?.[key as 'field'] === undefined,
    );
    for (const [key, value] of keys) entries.push([['create', key], value]);
  }
  if (result.numericIds && tolerate?.numericIds === undefined)
    entries.push([['tolerate', 'numericIds'], true]);
  return entries;
}

function longestWaitMs({ observations }: ProbeResult): number {
  const waits = observations.flatMap(({ key, value }) =>
    key.endsWith('longest wait ms') ? [Number(value)] : [],
  );
  return Math.max(0, ...waits);
}

function put(document: Document, [section, key]: Entry[0], value: unknown): void {
  if (!isMap(document.contents)) return;
  const there = document.contents.get(section, true);
  if (isMap(there)) there.set(new Scalar(key), document.createNode(value));
  else document.contents.set(new Scalar(section), document.createNode({ [key]: value }));
}

const comment = (lines: readonly string[]): string => lines.map((line) => ` ${visible(line)}`).join('\n');

export interface Findings {
  readonly upload?: { readonly way: UploadWay; readonly place?: Place; readonly status: number };
  /** How type 3 is sent; a text says why that was not found. */
  readonly type3?: Type3 | string;
  /** Whether ids are numbers, where strings are required. */
  readonly numericIds: boolean;
  readonly refusedUrl?: Unmade['refusedUrl'];
  readonly observations: readonly Observation[];
}

export interface ProbeResult extends Findings {
  readonly broken?: StepBroken;
  readonly calls: number;
  /** The objects created at the target, each with the outcome of its removal. */
  readonly created: readonly Created[];
  readonly warnings: readonly string[];
}

/** The beginning of comment lines that a draft writes; a later draft removes them. */
const drafted = /^ ?(drafted|seen|not found): /;

/** A comment without the lines of an earlier draft. */
function withoutDrafted(comment: string | null | undefined): string | undefined {
  const lines = (comment ?? '').split('\n').filter((line) => !drafted.test(line));
  return lines.some((line) => line.trim() !== '') ? lines.join('\n') : undefined;
}

/** The comment at the head of the draft. */
function headLines({ calls, created }: ProbeResult, on: string): string[] {
  const requests = created.filter(({ kind }) => kind === 'request').length;
  return [
    `drafted: by esign-conformance probe on ${on}, with ${counted(calls, 'call')} and ${counted(requests, 'signature request')}`,
    'drafted: "not found" marks what a probe did not find, or cannot; targets/example.yaml shows every key',
  ];
}

/** Questions of the sections that a probe looks into, if they are still open. */
function openLines({ upload = {}, create }: Profile, result: ProbeResult): string[] {
  const { broken, upload: found, type3, refusedUrl, observations } = result;
  const given = upload.encoding !== undefined && upload.encoding !== 'auto';
  const tokenGiven = upload.token !== undefined && upload.token !== 'auto';
  const known = typeof type3 === 'object';
  const why3 = `type 3: ${oneLine(known ? '' : (type3 ?? 'the probe did not come so far'))}`;
  const { url, status } = refusedUrl ?? {};
  const refused = `${status} for the CallbackUrl ${url}: name one that the target takes`;
  const rated = 'calls were answered with 429: ask the vendor how many a second there may be';
  const isRated = observations.some(({ key }) => key === 'calls answered with 429');
  const rows: readonly (readonly [isOpen: boolean, keys: string, why: string])[] = [
    [broken !== undefined, `all behind the step "${broken?.step}"`, oneLine(broken?.message ?? '')],
    [!found && !given, 'upload.encoding, upload.field', 'no way of sending a file was taken'],
    [!found?.place && !tokenGiven, 'upload.token', 'no upload was answered with one'],
    [!known && create?.field === undefined, 'create.field', why3],
    [
      known && !('requestId' in type3) && create?.requestId === undefined,
      'create.requestId',
      `no known place in the answer to type 3: ${oneLine(known ? type3.answer : '')}`,
    ],
    [refusedUrl !== undefined, 'callbacks.placeholderUrl', refused],
    [isRated, 'address.perSecond', rated],
  ];
  return rows.flatMap(([isOpen, keys, why]) => (isOpen ? [`not found: ${keys} (${why})`] : []));
}

/** Keys that would make more requirements applicable, and that a probe cannot find out. */
function lackingLines(profile: Profile): string[] {
  return missingKeys(profile).map(({ key, requirements: [first, ...more] }) => {
    const others = more.length > 0 ? ` and ${more.length} more` : '';
    return `not found: ${key} (would make applicable: ${first}${others})`;
  });
}

/** Gaps that keys of the profile answer, and values that tell nothing. */
const answered = new Set<string>(['upload.encoding', 'upload.field-name', 'service.base-url']);
const nothing = new Set<unknown>(['none', 'no others', 'at once']);

/** Observations for which a profile has no key, in the words of the gap register. */
function seenLines({ observations, numericIds }: ProbeResult): string[] {
  const numbers = 'ids are JSON numbers where they have to be strings: those requirements will fail';
  const told = observations.filter(
    ({ gap, key, value }) => !answered.has(gap) && !nothing.has(value) && key !== 'place of the token',
  );
  return [
    ...(numericIds ? [`seen: ${numbers}`] : []),
    ...told
      .map(({ gap, key, value }) => `seen: ${gap}: ${key}: ${oneLine([value].flat().join(', '))}`)
      .toSorted(),
  ];
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
