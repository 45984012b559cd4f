/** The ways in which a file may be sent: all that a profile can say, the likeliest first. */
import type { Profile } from '../profile/schema.ts';
import { describeFormat, type UploadFormat, uploadFormats } from '../target/upload.ts';

type Upload = NonNullable<Profile['upload']>;

export interface UploadWay {
  readonly format: UploadFormat;
  /** What the profile has to say besides the format. */
  readonly settings: Pick<Upload, 'contentTypes' | 'fileName'>;
}

/** Fields that are tried besides those that a run tries. */
const moreFields = ['files', 'attachment', 'data', 'content'];

/** The formats that the profile leaves open. */
export function plainWays(upload: Upload | undefined): UploadWay[] {
  // A Content-Type that a run tries is a setting here, which can be written down.
  const known = uploadFormats(upload).filter(
    (format) => format.encoding === 'multipart' || format.contentType === undefined,
  );
  const more = known.length > 1 ? moreFields.map((field) => ({ encoding: 'multipart' as const, field })) : [];
  return [...known, ...more].map((format) => ({ format, settings: {} }));
}

/** Formats with what a service may want besides, one thing first and then two; nothing that the profile says already. */
export function variedWays(formats: readonly UploadFormat[], upload: Upload = {}): UploadWay[] {
  const octets = 'application/octet-stream';
  const types = upload.contentTypes
    ? []
    : [{ contentTypes: { pdf: octets, doc: octets, docx: octets } } satisfies UploadWay['settings']];
  const names = upload.fileName ? [] : fileNames;
  const both = types.flatMap((type) => names.map((name) => ({ ...type, ...name })));
  return [[...types, ...names], both].flatMap((round) =>
    formats.flatMap((format) => round.map((settings) => ({ format, settings }))),
  );
}

const fileNames: readonly UploadWay['settings'][] = [
  { fileName: { header: 'X-File-Name' } },
  { fileName: { header: 'Content-Disposition', value: 'attachment; filename="{name}"' } },
  { fileName: { query: 'fileName' } },
];

/** A way in words. */
export function describeWay({ format, settings: { contentTypes, fileName } }: UploadWay): string {
  const name =
    fileName && ('header' in fileName ? `the header ${fileName.header}` : `the query ${fileName.query}`);
  return [
    describeFormat(format),
    ...(contentTypes ? [`as ${contentTypes.pdf}`] : []),
    ...(name ? [`with the file name in ${name}`] : []),
  ].join(', ');
}

/** Most fields that are taken from the words of refusals. */
const mostHints = 4;

/** Names of fields that refusals speak of, in quotes or as `The X field is required`; those known are left out. */
export function fieldsNamedIn(texts: readonly string[], known: readonly string[]): string[] {
  const named = texts.flatMap((text) =>
    [
      ...text.matchAll(
        /(?:["'`“‘](?=[A-Za-z_][\w.-]{0,40}["'`”’]\W{0,3}(?:\w+ ){0,4}?(?:missing|required|expected|present|empty|found))|(?:part|field|parameter|param|property|named|called|key) \\?["'`“‘])([A-Za-z_][\w.-]{0,40})/gi,
      ),
      ...text.matchAll(/\bThe ([A-Za-z_]\w{0,40}) (?:field|part) is (?:required|missing)/g),
    ].map(([, name = '']) => name),
  );
  return [...new Set(named)].filter((name) => name !== '' && !known.includes(name)).slice(0, mostHints);
}
