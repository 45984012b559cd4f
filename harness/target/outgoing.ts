/** Turns a call of the contract, or one that the profile describes, into what goes over the wire, and makes the sender of a run. */
import { randomUUID } from 'node:crypto';
import { path } from '../../openapi/codes.ts';
import { validateRequest } from '../../openapi/contract.ts';
import { CouldNotRun } from '../../record/errors.ts';
import { type HeaderField, headerOf } from '../../record/exchange.ts';
import type { CallTemplate } from '../profile/parts.ts';
import { addressDefaults, type Profile } from '../profile/schema.ts';
import { encodingOf, fill, fillJson, inUrl, isIdempotencyKey, type Variables } from '../profile/template.ts';
import { type HttpRequest, HttpSender } from '../wire/http.ts';
import { proxyFor } from '../wire/proxy.ts';
import { type Call, isUnshown } from './call.ts';
import { withConstantFields } from './creation-body.ts';
import { encodeUpload, multipart, type UploadFormat } from './upload.ts';

/** Header fields that hold no secret: the only ones sent to an address that the profile does not name. */
const open = new Set(['accept', 'accept-language', 'content-type', 'user-agent', 'x-requested-with']);
/** A URL in the profile that names a whole origin, so that the profile itself says where the call goes. */
const namedOrigin = /^https?:\/\/[^{}/?#]+(?:[/?#]|$)/i;

/** A mistake of the suite itself: a body that was meant to be valid breaks the contract. */
class SuiteError extends Error {
  override readonly name = 'SuiteError';
}

/** @throws SuiteError when the body of a call that is meant to be valid breaks the contract */
function assertValid(call: Call): void {
  // The contract has no bodies for types 1 and 2.
  if (!('json' in call.body) || (call.operation === 'createRequest' && call.type !== 3)) return;
  const problems = validateRequest(call.operation, call.body.json);
  if (problems.length === 0) return;
  const told = problems.map((problem) => `${problem.pointer || 'the body'} ${problem.message}`).join('; ');
  throw new SuiteError(`the suite would send a body that its own contract does not allow: ${told}`);
}

/**
 * The draft of a call of the contract.
 * @throws SuiteError when the body breaks the contract though the call is not `deliberate`
 * @throws CouldNotRun when the id of the request would lead to another path
 */
export async function draftOf(call: Call, format: UploadFormat, profile: Profile): Promise<HttpRequest> {
  if (!call.deliberate) assertValid(call);
  const url = below(profile.address.baseUrl, pathOf(call));
  if ('file' in call.body) {
    const { name, mediaType, base64 } = call.body.file;
    const file = { name, mediaType, bytes: Buffer.from(base64, 'base64') };
    const { query, headers, body } = await encodeUpload(format, file, profile.upload);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    return { method: 'POST', url, headers, body };
  }
  const { create = {} } = call.plain ? {} : profile;
  const ofTypes1To3 = isUnshown(call.operation);
  const json = 'json' in call.body && ofTypes1To3 ? withConstantFields(call.body.json, create) : undefined;
  const text = 'json' in call.body ? JSON.stringify(json ?? call.body.json) : call.body.raw;
  if (create.field && ofTypes1To3) {
    const blob = new Blob([text], { type: 'application/json' });
    const form = await multipart({ ...create.formFields, [create.field]: blob });
    return { method: 'POST', url, headers: [['Content-Type', form.contentType]], body: form.body };
  }
  const { contentType = 'application/json' } = call;
  const headers: HeaderField[] = contentType === null ? [] : [['Content-Type', contentType]];
  const last = call.last ? profile.signing?.last : undefined;
  for (const [key, value] of Object.entries(last?.query ?? {})) url.searchParams.set(key, value);
  headers.push(...Object.entries(last?.headers ?? {}));
  return { method: 'POST', url, headers, body: Buffer.from(text) };
}

/**
 * The draft of a call of the profile. Variables in its URL are percent-encoded, except one at the beginning, which is
 * a URL itself. Where that URL leads away from the target, header fields that may hold secrets are left out.
 * @throws CouldNotRun when its variables do not make a URL
 */
export function templateDraft(
  name: string,
  template: CallTemplate,
  variables: Variables,
  baseUrl: string,
): HttpRequest {
  const [leading = ''] = /^\{[A-Za-z][A-Za-z0-9]*\}/.exec(template.url) ?? [];
  const more = fill(template.url.slice(leading.length), variables, inUrl);
  const filled = addedTo(fill(leading, variables), more);
  if (!filled.startsWith('/') && !URL.canParse(filled))
    throw new CouldNotRun(`calls.${name}: "${template.url}" makes no URL`);
  const url = filled.startsWith('/') ? below(baseUrl, filled) : new URL(filled);
  const elsewhere = !isTarget(url, { baseUrl }) && !namedOrigin.test(template.url);
  const headers = Object.entries(template.headers ?? {})
    .filter(([field]) => !elsewhere || open.has(field.toLowerCase()))
    // A second call with the same key would get the answer to the first one again.
    .map(
      ([field, value]): HeaderField => [
        field,
        isIdempotencyKey(field) ? randomUUID() : fill(value, variables),
      ],
    );
  const { method } = template;
  if (template.body === undefined) return { method, url, headers, body: null, elsewhere };
  const type = headerOf(headers, 'content-type') ?? 'application/json';
  if (headerOf(headers, 'content-type') === undefined) headers.push(['Content-Type', type]);
  const text =
    typeof template.body === 'string'
      ? fill(template.body, variables, encodingOf(type))
      : JSON.stringify(fillJson(template.body, variables));
  return { method, url, headers, body: Buffer.from(text), elsewhere };
}

/** An address, such as a link, and what a profile adds to it: a path goes before its query. */
function addedTo(address: string, more: string): string {
  const at = address.indexOf('?');
  if (at < 0 || !more.startsWith('/')) return address + more;
  const page = address.slice(0, at).replace(/\/$/, '');
  return `${page}${more}${more.includes('?') ? '&' : '?'}${address.slice(at + 1)}`;
}

/** The request made of a draft: with the profile's header fields for calls of the target, and Authorization if any. */
export function requestOf(
  draft: HttpRequest,
  address: Profile['address'],
  authorization: string | null,
): HttpRequest {
  const headers: HeaderField[] = [['Host', draft.url.host], ...draft.headers];
  const has = (name: string) => headerOf(headers, name) !== undefined;
  const url = new URL(draft.url);
  if (isTarget(url, address)) {
    for (const [name, value] of Object.entries(address.headers ?? {})) {
      if (!has(name)) headers.push([name, value]);
    }
    for (const [key, value] of Object.entries(address.query ?? {})) url.searchParams.set(key, value);
  }
  if (!has('Accept')) headers.push(['Accept', '*/*']);
  if (!has('User-Agent')) headers.push(['User-Agent', 'esign-conformance']);
  if (authorization !== null) headers.push(['Authorization', authorization]);
  if (draft.body) headers.push(['Content-Length', String(draft.body.length)]);
  else if (draft.method !== 'GET' && draft.method !== 'HEAD') headers.push(['Content-Length', '0']);
  return { ...draft, url, headers };
}

/** Whether a URL has the origin of the target: only such calls get its access token and extra headers. */
export function isTarget(url: URL, { baseUrl }: Pick<Profile['address'], 'baseUrl'>): boolean {
  return url.origin === new URL(baseUrl).origin;
}

/** Absolute URL of a path below the base URL, whose own path is kept. */
export const below = (baseUrl: string, path: string): URL => new URL(baseUrl.replace(/\/+$/, '') + path);

function pathOf({ operation, path: given, type = 3, requestId = '' }: Call): string {
  const stated = {
    uploadDocument: path.upload,
    createRequest: `${path.create}?type=${type}`,
    createStampedRequest: `${path.autoStamping}?type=3`,
    createSkeletonRequest: `${path.skeleton}?type=0`,
    addSignatory: path.signatories,
  }[operation];
  return (given ?? stated).replace('{requestId}', () => inUrl(requestId));
}

/** @param learned is called with secrets of the proxy's URL, which must not be recorded */
export function senderTo(
  address: Profile['address'],
  ca: string | undefined,
  learned: (secret: string) => void,
): HttpSender {
  const { deadlineMs, connectMs, maxResponseBytes } = { ...addressDefaults, ...address };
  return new HttpSender({
    deadlineMs,
    connectMs,
    maxResponseBytes,
    ca,
    target: new URL(address.baseUrl).hostname,
    proxyFor: (url) => {
      const proxy = proxyFor(url);
      for (const secret of proxy?.secrets ?? []) learned(secret);
      return proxy;
    },
  });
}
