/** The third step: finds out how a document is uploaded, and where its token stands in the answer. */
import { stampLabels } from '../../generators/bodies/stamping.ts';
import { labelledPdf } from '../../generators/documents/pdf.ts';
import { is2xx, isPage } from '../../record/exchange.ts';
import { received } from '../../record/exchange-text.ts';
import { quotaHint } from '../../record/finding-text.ts';
import { classify, isNotThere, isTransient } from '../judging/classify.ts';
import { inOwnWords, isToldRefusal } from '../judging/excuses.ts';
import { fileOf } from '../judging/shared.ts';
import type { Profile } from '../profile/schema.ts';
import { type Answer, isAccepted } from '../target/call.ts';
import type { Client } from '../target/client.ts';
import { describeFormat, type UploadFormat, uploadFormats } from '../target/upload.ts';
import type { Access } from './access.ts';
import { unreachable } from './address.ts';
import { callAndAnswer, type Ground, StepBroken } from './ground.ts';

export interface FoundUpload {
  readonly way: UploadWay;
  readonly answer: Answer;
  /** The client for later calls: it knows when the token was given. */
  readonly client: Client;
}

interface Tried {
  readonly way: UploadWay;
  readonly answer: Answer;
}

/** Uploads at most: the other calls of a probe are kept for the other steps. */
const mostUploads = 40;

/** @throws StepBroken when no way is accepted */
export async function findUpload(ground: Ground, { nowhere, standing }: Access): Promise<FoundUpload> {
  const { profile, facts } = ground;
  const { upload } = profile;
  const source = { run: facts.runId, seed: facts.seed, name: 'probe' };
  const file = fileOf(await labelledPdf(source, stampLabels));
  const tried: Tried[] = [];
  const attempt = async (ways: readonly UploadWay[]): Promise<FoundUpload | undefined> => {
    for (const way of ways) {
      if (tried.length >= mostUploads) return undefined;
      const client = ground.client({ upload: { ...upload, ...way.settings } }, way.format);
      const call = { operation: 'uploadDocument', purpose: 'shared', body: { file } } as const;
      const answer = await inOwnWords(await client.call(call, way.format), async () => standing);
      if (isAccepted(answer)) return { way, answer, client };
      tried.push({ way, answer });
      assertUseful(answer, { nowhere, baseUrl: profile.address.baseUrl });
    }
    return undefined;
  };
  const plain = plainWays(upload);
  const found = (await attempt(plain)) ?? (await attempt(hinted(plain, tried)));
  // If one way is accepted but gives no token, other ways would give none either.
  const useless = found !== undefined || tried.some(isTaken);
  const formats = useless ? [] : promising(tried);
  return (
    found ?? (await attempt(variedWays(formats, upload))) ?? refuse(tried, ground.recorder.created.length)
  );
}

/** @throws StepBroken when the answer shows that no other way of uploading would help */
function assertUseful(answer: Answer, known: { readonly nowhere: boolean; readonly baseUrl: string }): void {
  const { exchange, status, text } = answer;
  const what = callAndAnswer(answer);
  if (exchange.failure) throw unreachable(exchange.failure, known.baseUrl);
  if (classify(answer) === 'quota')
    throw new StepBroken('upload', `${what}; the target takes no more documents`, quotaHint('document'));
  if (classify(answer) === 'access') {
    const fix =
      'look at the rights of the access token: endpoint 4 did not refuse it, and uploads may need a scope of their own';
    throw new StepBroken('upload', `${what}; the access token is not taken`, fix);
  }
  if (['rate', 'busy'].includes(classify(answer)))
    throw new StepBroken('upload', `${what}; the target is in trouble`, 'call probe again later');
  if (known.nowhere && isNotThere(answer)) {
    const fix =
      'nothing of the service is found below the base URL: look at its path, which ends where the paths of the interface document begin (/_apis/… and /api/…)';
    throw new StepBroken('base URL', what, fix);
  }
  const elsewhere = (status >= 300 && status < 400) || (is2xx(answer) && isPage(text));
  if (elsewhere) {
    const fix = 'take the base URL of the API; a login page may also mean that the access token is not taken';
    throw new StepBroken('upload', `${what}; that is no answer of the service`, fix);
  }
}

/** Further ways, with fields that the refusals name, where the profile names none. */
function hinted(plain: readonly UploadWay[], tried: readonly Tried[]): UploadWay[] {
  if (plain.length < 2) return [];
  const known = plain.flatMap(({ format }) => (format.encoding === 'multipart' ? [format.field] : []));
  return fieldsNamedIn(
    tried.map(({ answer }) => `${answer.text} ${answer.reason}`),
    known,
  ).map((field) => ({ format: { encoding: 'multipart', field }, settings: {} }));
}

/** With how many formats more settings are tried. */
const mostPromising = 4;

/** Formats whose refusal differs from the others come first: they may lack only one thing. */
function promising(tried: readonly Tried[]): UploadWay['format'][] {
  const alike = ({ way, answer }: Tried) => {
    const field = way.format.encoding === 'multipart' ? way.format.field : '';
    const words = answer.text.replaceAll(/[0-9a-f-]{8,}|\d+/gi, '');
    return `${answer.status} ${field ? words.replaceAll(field, '') : words}`;
  };
  const count = new Map<string, number>();
  for (const each of tried) count.set(alike(each), (count.get(alike(each)) ?? 0) + 1);
  const rare = (each: Tried) => count.get(alike(each)) ?? 0;
  return tried
    .toSorted((one, other) => rare(one) - rare(other))
    .slice(0, mostPromising)
    .map(({ way }) => way.format);
}

const isTaken = ({ answer }: Tried) => is2xx(answer) && !isToldRefusal(answer);

function refuse(tried: readonly Tried[], uploaded: number): never {
  const taken = tried.find(isTaken);
  const shown = taken ?? tried[0];
  if (!shown) throw new Error('no way of uploading is known');
  const { answer, way } = shown;
  const { url } = answer.exchange.request;
  const came = `${describeWay(way)}: ${received(answer.exchange)}`;
  if (taken) {
    const { documentToken } = answer;
    const why = documentToken && 'missing' in documentToken ? documentToken.missing : 'there is no token';
    const fix = 'say in a profile where the document token stands (upload.token), and how files are sent';
    throw new StepBroken('upload', `POST ${url}, ${came}; ${why}`, fix);
  }
  if (tried.every(({ answer: each }) => isTransient(each)))
    throw new StepBroken(
      'upload',
      `POST ${url}, ${came}; the target is in trouble`,
      'call probe again later',
    );
  throw new StepBroken(
    'upload',
    `POST ${url} was refused in all of ${tried.length} ways${uploaded > 0 ? '' : ', and nothing was uploaded'}; ${came}`,
    'ask the vendor how a file is sent, and say it in a profile (upload.encoding, upload.field, upload.fields, upload.body, upload.contentTypes, upload.fileName)',
  );
}

type Upload = NonNullable<Profile['upload']>;

export interface UploadWay {
  readonly format: UploadFormat;
  /** The further settings that the profile needs. */
  readonly settings: Pick<Upload, 'contentTypes' | 'fileName'>;
}

/** Fields that are tried besides those that a run tries. */
const moreFields = ['files', 'attachment', 'data', 'content'];

/** The formats that the profile leaves open. */
function plainWays(upload: Upload | undefined): UploadWay[] {
  // A Content-Type that a run tries on its own is tried here as a setting, which can be written into the profile.
  const known = uploadFormats(upload).filter(
    (format) => format.encoding !== 'raw' || format.contentType === undefined,
  );
  const more = known.length > 1 ? moreFields.map((field) => ({ encoding: 'multipart' as const, field })) : [];
  return [...known, ...more].map((format) => ({ format, settings: {} }));
}

/** Formats with settings that a service may want, first one and then two of them; none that the profile has already. */
function variedWays(formats: readonly UploadFormat[], upload: Upload = {}): UploadWay[] {
  const octets = 'application/octet-stream';
  const types = upload.contentTypes
    ? []
    : [{ contentTypes: { pdf: octets, doc: octets, docx: octets } } satisfies UploadWay['settings']];
  const names = upload.fileName ? [] : fileNames;
  const both = types.flatMap((type) => names.map((name) => ({ ...type, ...name })));
  return [[...types, ...names], both].flatMap((some) =>
    formats.flatMap((format) => some.map((settings) => ({ format, settings }))),
  );
}

const fileNames: readonly UploadWay['settings'][] = [
  { fileName: { header: 'X-File-Name' } },
  { fileName: { header: 'Content-Disposition', value: 'attachment; filename="{name}"' } },
  { fileName: { query: 'fileName' } },
];

export function describeWay({ format, settings: { contentTypes, fileName } }: UploadWay): string {
  const name =
    fileName && ('header' in fileName ? `the header ${fileName.header}` : `the query ${fileName.query}`);
  return [
    describeFormat(format),
    ...(contentTypes ? [`as ${contentTypes.pdf}`] : []),
    ...(name ? [`with the file name in ${name}`] : []),
  ].join(', ');
}

/** How many fields are taken from the words of refusals at most. */
const mostHints = 4;

/** Names of fields in refusals, in quotes or as in `The X field is required`; known ones are left out. */
function fieldsNamedIn(texts: readonly string[], known: readonly string[]): string[] {
  const named = texts.flatMap((text) =>
    [
      ...text.matchAll(
        /["'`“‘]([A-Za-z_][\w.[\]-]{0,40})["'`”’]\W{0,3}(?:\w+ ){0,4}?(?:missing|required|expected|present|empty|found)/gi,
      ),
      // Within a sentence of any language, other than the names and values of JSON and XML.
      ...text.matchAll(/(?<=[^\s:,=[{]\s|\()\\?["'`“‘]([A-Za-z_][\w.[\]-]{0,40})\\?["'`”’](?!\s*:)/g),
      // In the quotes of other languages.
      ...text.matchAll(/[„«「] ?([A-Za-z_][\w.[\]-]{0,40}) ?[“”»」]/g),
      ...text.matchAll(/\bThe ([A-Za-z_][\w[\]]{0,40}) (?:field|part) is (?:required|missing)/g),
      ...text.matchAll(/\b(?:field|part)(?: is)? (?:called|named) ([A-Za-z_][\w[\]]{0,40})/gi),
      ...text.matchAll(
        /\bin the (?:form )?(?:field|part) ([A-Za-z_][\w[\]]{0,40})(?=[\s.,;"]*(?:["<]|$))/gim,
      ),
    ].map(([, name = '']) => name),
  );
  return [...new Set(named)].filter((name) => name !== '' && !known.includes(name)).slice(0, mostHints);
}
