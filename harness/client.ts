/** Makes the calls of a run: builds them by profile, keeps to the budget, repeats what is safe, records all. */

import { path } from '../openapi/codes.ts';
import { validateRequest, validateResponse } from '../openapi/contract.ts';
import { BreakerOpen, type Budget } from './budget.ts';
import type { Answer, Authorization, Call, FoundToken, Ids } from './call.ts';
import { findDocumentToken } from './document-token.ts';
import type { ContractViolation, Exchange, HeaderField, TransportFailure } from './exchange.ts';
import type { HttpOutcome, HttpRequest, HttpSender } from './http.ts';
import { parseJson } from './pointer.ts';
import type { CallTemplate } from './profile/parts.ts';
import type { Profile, TokenPlace } from './profile/schema.ts';
import { headerValue, type Recorder } from './recorder.ts';
import { fill, fillJson, type Variables } from './template.ts';
import type { Tokens } from './tokens.ts';
import { encodeUpload, multipart, type UploadFormat } from './upload.ts';

/** A message of the suite itself that breaks the contract although it was not meant to. */
export class SuiteError extends Error {
  override readonly name = 'SuiteError';
}

export interface ClientParts {
  readonly profile: Profile;
  readonly sender: HttpSender;
  readonly budget: Budget;
  readonly tokens: Tokens;
  readonly recorder: Recorder;
  /** Gives an expired token, or undefined when the profile has no way to one. */
  readonly expiredToken: () => Promise<string | undefined>;
}

/** A request before the Authorization header, which each attempt gets anew. */
interface Draft {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly HeaderField[];
  readonly body: Buffer | null;
}

/** Where an exchange belongs in the record. */
type Placement = Pick<Exchange, 'operation' | 'purpose' | 'template' | 'check' | 'row'>;

/** Longest text of an answer that is handed to a check. */
const longestText = 1024 * 1024;
/** How often a call that surely did not arrive is sent again. */
const maxRepeats = 3;
/** Longest wait that a Retry-After is granted. */
const longestPauseMs = 5_000;
const firstGraceMs = 100;

export class Client {
  readonly #parts: ClientParts;
  /** How uploads are sent and where their token stands; learned by the run when the profile does not say. */
  uploadFormat: UploadFormat;
  tokenPlace: TokenPlace;

  constructor(parts: ClientParts, uploadFormat: UploadFormat) {
    this.#parts = parts;
    this.uploadFormat = uploadFormat;
    this.tokenPlace = parts.profile.upload?.token ?? 'auto';
  }

  /**
   * Makes a call of the contract. Trouble on the way is an answer with status 0, never an exception.
   * @throws SuiteError when the body breaks the contract though the call is not `deliberate`
   * @throws TokenError when there is no access token to send
   */
  async call(call: Call, format: UploadFormat = this.uploadFormat): Promise<Answer> {
    const draft = await this.#draft(call, format);
    if (!call.deliberate && 'json' in call.body) this.#assertValid(call);
    const placement: Placement = {
      operation: call.operation,
      purpose: call.purpose,
      ...(call.check ? { check: call.check } : {}),
      ...(call.row ? { row: call.row } : {}),
    };
    const graceMs = call.freshIds ? (this.#parts.profile.address.visibleAfterMs ?? 2_000) : 0;
    return this.#parts.budget
      .run(() => this.#attempts(draft, placement, call.authorization ?? 'valid', graceMs))
      .catch((error: unknown) => this.#unsent(draft, placement, error));
  }

  /**
   * Makes a call that the profile describes.
   * @throws TokenError when there is no access token to send
   */
  async template(name: string, template: CallTemplate, variables: Variables): Promise<Answer> {
    const { address } = this.#parts.profile;
    const url = fill(template.url, variables, encodeURIComponent);
    const headers: HeaderField[] = Object.entries(template.headers ?? {}).map(([field, value]) => [
      field,
      fill(value, variables),
    ]);
    let body: Buffer | null = null;
    if (template.body !== undefined) {
      const filled = fillJson(template.body, variables);
      body = Buffer.from(typeof filled === 'string' ? filled : JSON.stringify(filled));
      if (!headers.some(([field]) => field.toLowerCase() === 'content-type')) {
        headers.push(['Content-Type', 'application/json']);
      }
    }
    const draft: Draft = {
      method: template.method,
      url: url.startsWith('/') ? below(address.baseUrl, url) : new URL(url),
      headers,
      body,
    };
    const placement: Placement = { operation: null, purpose: 'template', template: name };
    const authorization = template.authorize === false ? 'absent' : 'valid';
    return this.#parts.budget
      .run(() => this.#attempts(draft, placement, authorization, 0))
      .catch((error: unknown) => this.#unsent(draft, placement, error));
  }

  async #draft(call: Call, format: UploadFormat): Promise<Draft> {
    const { profile } = this.#parts;
    const url = below(profile.address.baseUrl, pathOf(call));
    const headers: HeaderField[] = [];
    let body: Buffer;
    if ('file' in call.body) {
      const { name, mediaType, base64 } = call.body.file;
      const file = { name, mediaType, bytes: Buffer.from(base64, 'base64') };
      const encoded = await encodeUpload(format, file, profile.upload?.fileName);
      for (const [key, value] of Object.entries(encoded.query)) url.searchParams.set(key, value);
      headers.push(...encoded.headers);
      body = encoded.body;
    } else {
      const text = 'json' in call.body ? JSON.stringify(call.body.json) : call.body.raw;
      const field = profile.create?.field;
      if (field && (call.operation === 'createRequest' || call.operation === 'createStampedRequest')) {
        const form = await multipart(field, new Blob([text], { type: 'application/json' }));
        headers.push(['Content-Type', form.contentType]);
        body = form.body;
      } else {
        if (call.contentType !== null) headers.push(['Content-Type', call.contentType ?? 'application/json']);
        body = Buffer.from(text);
      }
    }
    return { method: 'POST', url, headers, body };
  }

  #assertValid(call: Call): void {
    if (!('json' in call.body)) return;
    // Types 1 and 2 have no body in the contract.
    if (call.operation === 'createRequest' && call.type !== 3) return;
    const problems = validateRequest(call.operation, call.body.json);
    if (problems.length === 0) return;
    const told = problems.map((problem) => `${problem.pointer || 'the body'} ${problem.message}`).join('; ');
    throw new SuiteError(`the suite would send a body that its own contract does not allow: ${told}`);
  }

  async #attempts(
    draft: Draft,
    placement: Placement,
    authorization: Authorization,
    graceMs: number,
  ): Promise<Answer> {
    const { budget, tokens, profile } = this.#parts;
    const retries: string[] = [];
    const started = performance.now();
    let renewed = false;
    for (let repeats = 0; ; ) {
      const request = await this.#authorized(draft, authorization);
      const startedAt = new Date();
      const clock = performance.now();
      const outcome = await this.#parts.sender.send(request);
      const timing = { startedAt: startedAt.toISOString(), durationMs: round(performance.now() - clock) };
      if ('response' in outcome) budget.answered();
      else budget.failed(outcome.failure.message, isFinal(outcome.failure));

      const pauseMs = repeats < maxRepeats ? repeatAfter(outcome, repeats) : null;
      if (pauseMs !== null) {
        repeats += 1;
        retries.push(`${inWords(outcome)}: sent again after ${pauseMs} ms`);
        if ('response' in outcome) budget.pause(pauseMs);
        await delay(pauseMs);
        continue;
      }
      const status = 'response' in outcome ? outcome.response.status : 0;
      if (status === 401 && authorization === 'valid' && !renewed && tokens.renewable(bearerOf(request))) {
        renewed = true;
        retries.push('401: sent again with a renewed access token');
        continue;
      }
      const waited = performance.now() - started;
      if (status === 404 && waited < graceMs) {
        const nextMs = Math.min(firstGraceMs * 2 ** retries.length, Math.max(1, graceMs - waited));
        retries.push(`404 for an id made a moment ago: asked again after ${Math.round(nextMs)} ms`);
        await delay(nextMs);
        continue;
      }
      return this.#record(request, outcome, { ...placement, ...timing, retries }, profile);
    }
  }

  async #authorized(draft: Draft, authorization: Authorization): Promise<HttpRequest> {
    const { profile, tokens } = this.#parts;
    const value = await this.#authorizationValue(authorization, tokens);
    const headers: HeaderField[] = [['Host', draft.url.host], ...draft.headers];
    for (const [name, extra] of Object.entries(profile.address.headers ?? {})) {
      if (!headers.some(([field]) => field.toLowerCase() === name.toLowerCase())) headers.push([name, extra]);
    }
    if (!headers.some(([field]) => field.toLowerCase() === 'accept')) headers.push(['Accept', '*/*']);
    headers.push(['User-Agent', 'esign-conformance']);
    if (value !== null) headers.push(['Authorization', value]);
    if (draft.body) headers.push(['Content-Length', String(draft.body.length)]);
    else if (draft.method !== 'GET' && draft.method !== 'HEAD') headers.push(['Content-Length', '0']);
    const url = new URL(draft.url);
    for (const [key, extra] of Object.entries(profile.address.query ?? {})) url.searchParams.set(key, extra);
    return { method: draft.method, url, headers, body: draft.body };
  }

  async #authorizationValue(authorization: Authorization, tokens: Tokens): Promise<string | null> {
    switch (authorization) {
      case 'absent':
        return null;
      case 'empty':
        return '';
      case 'scheme-only':
        return 'Bearer';
      case 'other-scheme':
        return `Basic ${Buffer.from('nobody:nothing').toString('base64')}`;
      case 'unknown':
        return `Bearer ${tokens.unknown()}`;
      case 'altered':
        return `Bearer ${tokens.altered(await tokens.valid())}`;
      case 'without-scheme':
        return tokens.valid();
      case 'lower-case-scheme':
        return `bearer ${await tokens.valid()}`;
      case 'expired': {
        const expired = await this.#parts.expiredToken();
        if (expired === undefined) throw new SuiteError('an expired token was asked for that nobody has');
        return `Bearer ${expired}`;
      }
      case 'valid':
        return `Bearer ${await tokens.valid()}`;
    }
  }

  #record(
    request: HttpRequest,
    outcome: HttpOutcome,
    about: Placement & Pick<Exchange, 'startedAt' | 'durationMs' | 'retries'>,
    profile: Profile,
  ): Answer {
    const { recorder } = this.#parts;
    const response = 'response' in outcome ? outcome.response : null;
    const text = response ? response.body.subarray(0, longestText).toString('utf8') : '';
    const accepted = response !== null && response.status >= 200 && response.status < 300;
    const documentToken =
      response && accepted && about.operation === 'uploadDocument'
        ? findDocumentToken(this.tokenPlace, response.headers, text)
        : undefined;
    const ids = accepted ? idsOf(about.operation, text, documentToken, profile) : {};
    const violations: ContractViolation[] =
      response && about.operation && accepted
        ? validateResponse(
            about.operation,
            response.status,
            headerValue(response.headers, 'content-type') ?? '',
            text,
          )
        : [];
    const exchange = recorder.add({
      ...about,
      request: {
        method: request.method,
        url: recorder.text(request.url.href),
        headers: recorder.headers(request.headers),
        body: recorder.body(request.headers, request.body),
      },
      response: response && {
        status: response.status,
        reason: recorder.text(response.reason),
        headers: recorder.headers(response.headers),
        body: recorder.body(response.headers, response.body),
      },
      ...('failure' in outcome ? { failure: outcome.failure } : {}),
      violations,
      curl: recorder.curl(request),
    });
    if (accepted) this.#noteCreated(exchange, ids);
    return {
      exchange,
      status: response?.status ?? 0,
      reason: response?.reason ?? '',
      headers: response?.headers ?? [],
      text,
      ids,
      ...(documentToken ? { documentToken } : {}),
    };
  }

  #noteCreated({ index, operation }: Exchange, { documentToken, requestId, signatoryId }: Ids): void {
    const { created } = this.#parts.recorder;
    if (operation === 'uploadDocument')
      created.push({ kind: 'document', id: documentToken ?? '', exchange: index });
    else if (operation === 'addSignatory')
      created.push({ kind: 'signatory', id: signatoryId ?? '', exchange: index });
    else if (operation) created.push({ kind: 'request', id: requestId ?? '', exchange: index });
  }

  /** The answer of a call that was not sent because the target is gone. */
  #unsent(draft: Draft, placement: Placement, error: unknown): Answer {
    if (!(error instanceof BreakerOpen)) throw error;
    const failure: TransportFailure = { code: 'NOT_SENT', message: `not sent: ${error.message}` };
    const request: HttpRequest = { ...draft };
    const about = { ...placement, startedAt: new Date().toISOString(), durationMs: 0, retries: [] };
    return this.#record(request, { failure }, about, this.#parts.profile);
  }
}

function idsOf(
  operation: Exchange['operation'],
  text: string,
  found: FoundToken | undefined,
  { tolerate }: Profile,
): Ids {
  if (found && 'token' in found) return { documentToken: found.token };
  if (found && 'wrongType' in found && tolerate?.numericIds) return { documentToken: found.value };
  if (operation !== 'createSkeletonRequest' && operation !== 'addSignatory') return {};
  const body = parseJson(text) as Record<string, unknown> | null | undefined;
  const read = (name: string): string | undefined => {
    const value = body?.[name];
    if (typeof value === 'string' && value !== '') return value;
    return typeof value === 'number' && tolerate?.numericIds ? String(value) : undefined;
  };
  const requestId = read('requestId');
  const signatoryId = read('signatoryId');
  return { ...(requestId ? { requestId } : {}), ...(signatoryId ? { signatoryId } : {}) };
}

/** Absolute URL of a path below the base URL, whose own path is kept. */
export function below(baseUrl: string, path: string): URL {
  return new URL(baseUrl.replace(/\/+$/, '') + path);
}

function pathOf(call: Call): string {
  switch (call.operation) {
    case 'uploadDocument':
      return path.upload;
    case 'createRequest':
      return `${path.create}?type=${call.type ?? 3}`;
    case 'createStampedRequest':
      return `${path.autoStamping}?type=3`;
    case 'createSkeletonRequest':
      return `${path.skeleton}?type=0`;
    case 'addSignatory':
      return path.signatories.replace('{requestId}', encodeURIComponent(call.requestId ?? ''));
  }
}

/**
 * How long to wait before a call is sent again, or `null` when it is not: only a call that surely did not
 * arrive is repeated (connection refused, 429, 503), since a creation that did arrive would be made twice.
 */
function repeatAfter(outcome: HttpOutcome, repeats: number): number | null {
  const backoffMs = 150 * 2 ** repeats;
  if ('failure' in outcome) {
    return outcome.failure.code === 'ECONNREFUSED' || outcome.failure.code === 'EAI_AGAIN' ? backoffMs : null;
  }
  const { status, headers } = outcome.response;
  if (status !== 429 && status !== 503) return null;
  const asked = headerValue(headers, 'retry-after');
  if (asked === undefined) return backoffMs;
  const seconds = Number(asked);
  const askedMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(asked) - Date.now();
  return Number.isFinite(askedMs) ? Math.min(Math.max(askedMs, 0), longestPauseMs) : backoffMs;
}

/** Failures that stay: another try would meet the same. */
function isFinal({ code }: TransportFailure): boolean {
  return code !== 'ECONNRESET' && code !== 'TRUNCATED' && code !== 'EPIPE' && code !== 'EAI_AGAIN';
}

function inWords(outcome: HttpOutcome): string {
  return 'response' in outcome ? String(outcome.response.status) : outcome.failure.message;
}

function bearerOf(request: HttpRequest): string {
  return headerValue(request.headers, 'authorization')?.replace(/^Bearer /, '') ?? '';
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
