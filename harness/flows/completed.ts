/** The completed documents of a request: where they come from, and whether they are signed. */
import { ifCouldNotRun } from '../../record/errors.ts';
import type { FlowSeen } from '../../record/flow-finding.ts';
import type { CallTemplate } from '../profile/parts.ts';
import { addressDefaults } from '../profile/schema.ts';
import { isSuccess } from '../profile/template.ts';
import { askWhile, sparing } from '../target/budgets/pause.ts';
import { leaves } from '../untrusted/payload/tree.ts';
import { markersIn, readPdf, whyUnread } from '../untrusted/pdf/completed.ts';
import { isPdf, pdfsIn } from '../untrusted/pdf/documents-in.ts';
import { read as readAt, scopeOf } from '../untrusted/place.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowRequest } from './flow-request.ts';
import { awaitCompletion } from './track-status.ts';

/** A file with the markers of uploaded documents in it; one without any, such as an audit trail, was not signed. */
interface Marked {
  readonly bytes: Uint8Array;
  readonly markers: readonly string[];
}

/** The files that were found, or why there are none. */
type Had<File> = { readonly files: readonly File[] } | { readonly missing: string };

export const isMarked = ({ markers }: Marked) => markers.length > 0;

/** Why files cannot be the signed PDFs of a request; undefined when nothing is known to be wrong with them. */
export async function unsignedAmong(
  given: readonly Marked[],
  request: FlowRequest,
  parts: FlowParts,
): Promise<FlowSeen['unsigned']> {
  const { documents, definition } = request;
  const isOf = (bytes: Uint8Array) => documents.findIndex((each) => Buffer.compare(each.bytes, bytes) === 0);
  const unchanged = given.map(({ bytes }) => isOf(bytes)).filter((index) => index >= 0);
  const [first] = unchanged;
  if (first === undefined) return undefined;
  const raw = unchanged.find((index) => definition.documents[index]?.startsWith('doc'));
  if (raw !== undefined) return { document: raw, although: 'no-pdf' };
  const { stamps, completedDocuments } = parts.profile.calls ?? {};
  if (stamps && unchanged.length === given.filter(isMarked).length)
    return { document: first, although: 'stamps' };
  const completed = completedDocuments && (await fetchedWhenDone(request, parts));
  if (!completed || 'missing' in completed) return undefined;
  const other = unchanged.find((index) => {
    const { marker = '' } = documents[index] ?? {};
    return completed.files.some(({ bytes, markers }) => isOf(bytes) < 0 && markers.includes(marker));
  });
  return other === undefined ? undefined : { document: other, although: 'another' };
}

/**
 * Fetches the completed documents that show an uploaded one, by the profile's calls. If no callback says that they
 * are ready, the status of the request does, if it can be asked for.
 */
export async function fetchedWhenDone(
  { requestId, documents }: FlowRequest,
  parts: FlowParts,
): Promise<Had<Marked>> {
  const { client, profile, grace } = parts;
  await awaitCompletion(client, profile, requestId, grace.arrivalMs);
  // A store that is copied now and then may have the files later than the status says.
  const { visibleAfterMs } = { ...addressDefaults, ...profile.address };
  const withinMs = profile.calls?.completedDocuments ? visibleAfterMs : 0;
  const isMissing = (had: Had<Uint8Array>) => 'missing' in had;
  const completed = await askWhile(withinMs, isMissing, () => fetchCompleted(requestId, parts), sparing);
  if ('missing' in completed) return completed;
  const uploaded = documents.map(({ marker }) => marker);
  const read = await Promise.all(
    completed.files.map(async (bytes) => {
      const reading = await readPdf(bytes);
      const markers = reading.readable ? markersIn(reading, uploaded) : [];
      return { bytes, markers, why: whyUnread(reading) };
    }),
  );
  const files = read.filter(isMarked);
  if (files.length > 0) return { files };
  const unread = read.flatMap(({ why }) => why ?? []);
  const missing = `none of the ${read.length} PDFs shows a document that was uploaded`;
  return { missing: unread[0] === undefined ? missing : `${missing} (one cannot be read: ${unread[0]})` };
}

const mostFiles = 10;

/**
 * Fetches by `calls.completedDocuments`. The answer is a PDF, or holds PDFs in base64 or as parts, or is JSON with a list
 * (`result` leads to it) of URLs, or of ids for `calls.download`.
 */
export function fetchCompleted(requestId: string, parts: FlowParts): Promise<Had<Uint8Array>> {
  return fetchAll(requestId, parts).catch(ifCouldNotRun(({ message }) => ({ missing: message })));
}

async function fetchAll(requestId: string, { client, profile }: FlowParts): Promise<Had<Uint8Array>> {
  const { completedDocuments: template, download } = profile.calls ?? {};
  if (!template) return { missing: 'the profile has no calls.completedDocuments' };
  const answer = await client.template('completedDocuments', template, { requestId });
  if (!isSuccess(template, answer)) return { missing: `they were answered with ${answer.status}` };
  const held = pdfsIn(answer.headers, client.bytesOf(answer)).slice(0, mostFiles);
  if (held.length > 0) return { files: held };
  const list = leaves(readAt(template.result ?? '', scopeOf(answer)));
  const named = list.flatMap(({ value }) =>
    typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
  );
  const byUrl: CallTemplate = { method: 'GET', url: '{document}' };
  const files: Uint8Array[] = [];
  for (const document of named.slice(0, mostFiles)) {
    if (!download && !/^https?:\/\//.test(document)) continue;
    // The list may hold other texts, such as file names: one that gives no URL is no document.
    const file = await client
      .template('download', download ?? byUrl, { requestId, document })
      .catch(ifCouldNotRun(() => undefined));
    if (!file || (download && !isSuccess(download, file))) continue;
    const bytes = client.bytesOf(file);
    if (isPdf(bytes)) files.push(bytes);
  }
  if (files.length > 0) return { files };
  const isLed = download !== undefined && template.result !== undefined;
  const lead = isLed ? '' : ': result leads to a list of URLs, or of ids for calls.download';
  return { missing: `calls.completedDocuments gives no PDF${lead}` };
}
