/** Gets the completed documents of a request: from the final callback, or by the calls of the profile. */

import { CouldNotRun } from '../../record/errors.ts';
import type { Profile } from '../profile/schema.ts';
import { isSuccess } from '../profile/template.ts';
import type { Client } from '../target/client.ts';
import { pdfsIn } from '../untrusted/pdf/documents-in.ts';
import { read, scopeOf } from '../untrusted/place.ts';
import { leaves } from '../untrusted/pointer.ts';

/** The PDFs, or why there are none. */
export type CompletedDocuments = { readonly files: readonly Uint8Array[] } | { readonly missing: string };

/** More files than that are not looked at. */
const mostFiles = 10;

/**
 * Fetches by `calls.completedDocuments`, whose answer is a PDF or holds some, in base64 or as parts; or it is JSON
 * that names each document in a list (`result` leads to it) of URLs or ids for `calls.download`.
 */
export async function fetchCompleted(
  client: Client,
  profile: Profile,
  requestId: string,
): Promise<CompletedDocuments> {
  const template = profile.calls?.completedDocuments;
  if (!template) return { missing: 'the profile has no calls.completedDocuments' };
  const answer = await client.template('completedDocuments', template, { requestId });
  if (!isSuccess(template, answer.status)) return { missing: `they were answered with ${answer.status}` };
  const held = pdfsIn(answer.headers, client.bytesOf(answer)).slice(0, mostFiles);
  if (held.length > 0) return { files: held };
  const list = read(template.result ?? '', scopeOf(answer));
  const named = leaves(list).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const files: Uint8Array[] = [];
  for (const document of named.slice(0, mostFiles)) {
    const file = await download(client, profile, requestId, document).catch(notToBeHad);
    if (file) files.push(file);
  }
  return files.length > 0 ? { files } : { missing: 'no PDF is among them' };
}

async function download(
  client: Client,
  profile: Profile,
  requestId: string,
  document: string,
): Promise<Uint8Array | null> {
  const template = profile.calls?.download;
  if (template) {
    const answer = await client.template('download', template, { requestId, document });
    const bytes = client.bytesOf(answer);
    return isSuccess(template, answer.status) && isPdf(bytes) ? bytes : null;
  }
  if (!/^https?:\/\//.test(document)) return null;
  const answer = await client.template('download', { method: 'GET', url: '{document}' }, { document });
  const bytes = client.bytesOf(answer);
  return isPdf(bytes) ? bytes : null;
}

/** A text of the list that makes no URL is no document: file names stand there too. */
function notToBeHad(error: unknown): null {
  if (error instanceof CouldNotRun) return null;
  throw error;
}

function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');
}
