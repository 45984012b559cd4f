/** The comments of a drafted profile: what was seen, and what was not found. */

import { lacking } from '../profile/needs.ts';
import type { Profile } from '../profile/schema.ts';
import type { ProbeResult } from './findings.ts';

/** What begins a line that a draft wrote; a later draft takes it out. */
const drafted = /^ ?(drafted|seen|not found): /;

/** A comment without the lines of an earlier draft. */
export function withoutDrafted(comment: string | null | undefined): string | undefined {
  const lines = (comment ?? '').split('\n').filter((line) => !drafted.test(line));
  return lines.some((line) => line.trim() !== '') ? lines.join('\n') : undefined;
}

/** What stands at the head. */
export function headLines({ calls, created }: ProbeResult, on: string): string[] {
  const requests = created.filter(({ kind }) => kind === 'request').length;
  return [
    `drafted: by esign-conformance probe on ${on}, with ${calls} calls and ${requests} signature requests`,
    'drafted: "not found" marks what a probe did not find, or cannot; targets/example.yaml shows every key',
  ];
}

/** Questions of the sections that a probe looks into, as far as they are still open. */
export function openLines({ upload = {}, create }: Profile, result: ProbeResult): string[] {
  const { broken, upload: found, type3 } = result;
  const open = (keys: string, why: string) => `not found: ${keys} (${why})`;
  const given = upload.encoding !== undefined && upload.encoding !== 'auto';
  const tokenGiven = upload.token !== undefined && upload.token !== 'auto';
  const type3Open = typeof type3 === 'object' ? undefined : (type3 ?? 'the probe did not come so far');
  return [
    ...(broken ? [open(`all behind the step "${broken.step}"`, oneLine(broken.message))] : []),
    ...(found || given ? [] : [open('upload.encoding, upload.field', 'no way of sending a file was taken')]),
    ...(found?.place || tokenGiven ? [] : [open('upload.token', 'no upload was answered with one')]),
    ...(type3Open !== undefined && create?.field === undefined
      ? [open('create.field', `type 3: ${oneLine(type3Open)}`)]
      : []),
    ...(typeof type3 === 'object' && !('requestId' in type3) && create?.requestId === undefined
      ? [open('create.requestId', 'the answer to type 3 shows no id')]
      : []),
    ...(result.refusedUrl
      ? [
          open(
            'callbacks.placeholderUrl',
            `${result.refusedUrl.status} for the CallbackUrl ${result.refusedUrl.url}: name one that the target takes`,
          ),
        ]
      : []),
    ...(result.observations.some(({ key }) => key === 'calls answered with 429')
      ? [
          open(
            'address.perSecond',
            'calls were answered with 429: ask the vendor how many a second there may be',
          ),
        ]
      : []),
  ];
}

/** Keys that would make more requirements applicable, which a probe cannot find out. */
export function lackingLines(profile: Profile): string[] {
  return lacking(profile).map(({ key, requirements: [first, ...more] }) => {
    const others = more.length > 0 ? ` and ${more.length} more` : '';
    return `not found: ${key} (would make applicable: ${first}${others})`;
  });
}

/** Gaps that keys of the profile answer, or values that say nothing. */
const answered = new Set<string>(['upload.encoding', 'upload.field-name', 'service.base-url']);
const nothing = new Set<unknown>(['none', 'no others', 'at once']);

/** What was seen and no key of a profile says, in the words of the gap register. */
export function seenLines({ observations, numericIds }: ProbeResult): string[] {
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

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
