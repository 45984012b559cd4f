/** Asks for an access token: how its fields are sent, when it is tried again, what the answer grants, and words for failures. */
import { CouldNotRun } from '../../../record/errors.ts';
import { headerOf, is2xx, isPage } from '../../../record/exchange.ts';
import type { AskingAuth } from '../../profile/auth-settings.ts';
import type { Grant } from '../../profile/token-file.ts';
import { limits } from '../../untrusted/limits.ts';
import { durationMs } from '../../untrusted/payload/when.ts';
import { type Place, placeName, read, readText, type Scope, scopeOf } from '../../untrusted/place.ts';
import { inShort, textOf } from '../../untrusted/text.ts';
import type { HttpOutcome, HttpRequest, HttpResponse } from '../../wire/http.ts';
import { brokeOff, wasNotSent } from '../../wire/transport-failure.ts';
import { pause } from '../budgets/pause.ts';
import { multipart } from '../upload.ts';

/** Thrown when the target or its authorization server gives no token: checks that need one could not run. */
export class TokenError extends CouldNotRun {
  override readonly name = 'TokenError';

  constructor(message: string, options?: ErrorOptions) {
    super(message, undefined, options);
  }
}

/** Sends a request like all other calls: with the deadline, the certificates and the words for failures. */
export type SendRequest = (request: HttpRequest) => Promise<HttpOutcome>;

/** Registers credentials as secrets also in the encoded form in which they are sent, since a server may quote them. */
export function learning(send: SendRequest, learn: (secret: string, label: string) => void): SendRequest {
  return (request) => {
    learn((headerOf(request.headers, 'authorization') ?? '').replace(/^\S+\s+/, ''), 'credentials');
    return send(request);
  };
}

/** What to do about a request for a token. */
export interface Asking {
  /** What the user may look at when there is no token. */
  readonly hint: string;
  /** Statuses of a success; by default any 2xx. */
  readonly accept?: readonly number[];
  /** The request must not be repeated, since it uses up its code or token. */
  readonly once?: boolean;
}

/** Waits before the request is sent again, in milliseconds: asking twice for a token does no harm. */
const pausesMs = [200, 800];

const longestText = 400;

/** The answer to a request for a token. @throws TokenError without an answer, or when it is not a success */
export async function tokenAnswer(
  request: HttpRequest,
  send: SendRequest,
  { hint, accept = [], once = false }: Asking,
): Promise<Scope> {
  let outcome = await send(request);
  for (const pauseMs of pausesMs) {
    if (!isPassing(outcome, once)) break;
    await pause(pauseMs);
    outcome = await send(request);
  }
  if ('failure' in outcome) throw new TokenError(outcome.failure.message);
  const { response } = outcome;
  const { status } = response;
  const text = textOf(response.headers, response.body);
  const scope = scopeOf({ text, headers: response.headers });
  if (!(accept.length > 0 ? accept.includes(status) : is2xx({ status })))
    throw new TokenError(refusal(response, scope.root, text, hint));
  return scope;
}

function isPassing(outcome: HttpOutcome, once: boolean): boolean {
  if ('response' in outcome) {
    const { status, headers, body } = outcome.response;
    // A success that is a web page may come from a gateway.
    const isTrouble = status >= 500 || (is2xx({ status }) && isPage(textOf(headers, body)));
    return once ? status === 429 || status === 503 : isTrouble || status === 429;
  }
  return wasNotSent(outcome.failure) || (!once && brokeOff(outcome.failure));
}

function refusal({ status, headers }: HttpResponse, json: unknown, text: string, hint: string): string {
  if (status >= 500 || status === 429) return `it was answered with ${status}`;
  const location = headerOf(headers, 'location');
  if (status >= 300 && status < 400) {
    const where = location && URL.canParse(location) ? ` to ${new URL(location).origin}` : '';
    return `it was answered with ${status}, a redirect${where}; ${hint}`;
  }
  // The error fields of RFC 6749, section 5.2.
  const { error, error_description: description } = (json ?? {}) as Record<string, unknown>;
  if (typeof error === 'string')
    return `${status} ${short(error)}${typeof description === 'string' ? ` (${short(description)})` : ''}; ${hint}`;
  return `it was answered with ${status}${saidIn(text)}; ${hint}`;
}

/** The text of an answer, shortened. */
function saidIn(text: string): string {
  if (isPage(text)) return ' and a web page';
  const words = short(text);
  return words === '' ? '' : ` ${words}`;
}

/** Shortened, since each requirement that lacks a token shows it. */
export const short = (text: string): string => inShort(text, longestText);

type Answer = AskingAuth['answer'];

/** The places of the values by RFC 6749, section 5.1. */
const usual = {
  accessToken: '/access_token',
  refreshToken: '/refresh_token',
  lifetime: '/expires_in',
} as const;

const msOf = { s: 1_000, ms: 1, min: 60_000, 'unix-s': 1_000, 'unix-ms': 1 } as const;

/** @throws TokenError when the answer holds no token where it should, without quoting what it holds */
export function grantOf(
  scope: Scope,
  { answer, lifetimeS }: Pick<AskingAuth, 'answer' | 'lifetimeS'>,
): Grant {
  const place = answer?.accessToken ?? usual.accessToken;
  if (scope.root === undefined && typeof place === 'string' && place !== 'text') {
    const page = isPage(scope.text?.() ?? '');
    const what = page ? 'a web page and no JSON: is the address right?' : 'no JSON and no XML';
    throw new TokenError(`its answer is ${what}`);
  }
  const token = read(place, scope);
  if (typeof token !== 'string' || token === '') throw new TokenError(missing('accessToken', answer, scope));
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new TokenError('its access token holds signs that no header may carry');
  const refreshToken = read(answer?.refreshToken ?? usual.refreshToken, scope);
  for (const [name, given] of Object.entries({ access: token, refresh: refreshToken })) {
    const { most } = limits.accessTokenCharacters;
    if (typeof given !== 'string' || given.length <= most) continue;
    throw new TokenError(`its ${name} token has ${given.length} characters; at most ${most} are taken`);
  }
  const stated = lifetimeMs(scope, answer);
  return {
    token,
    lifetimeMs: typeof stated === 'number' ? stated : (lifetimeS ?? Number.POSITIVE_INFINITY) * 1_000,
    ...(typeof stated === 'object' && lifetimeS === undefined ? stated : {}),
    refreshToken: typeof refreshToken === 'string' && refreshToken !== '' ? refreshToken : undefined,
  };
}

/** The lifetime that the answer states; or the place where a value stands that cannot be read as one. */
function lifetimeMs(scope: Scope, answer: Answer): number | Pick<Grant, 'unreadAt'> | undefined {
  const place: Place = answer?.lifetime ?? usual.lifetime;
  const text = readText(place, scope);
  if (text === undefined) {
    if (answer?.lifetime === undefined) return undefined;
    throw new TokenError(missing('lifetime', answer, scope));
  }
  const unit = answer?.lifetimeUnit ?? 's';
  const count = Number(text);
  if (Number.isFinite(count))
    return Math.max(0, count * msOf[unit] - (unit.startsWith('unix') ? Date.now() : 0));
  const left = durationMs(text) ?? Date.parse(text) - Date.now();
  return Number.isNaN(left) ? { unreadAt: placeName(place) } : Math.max(0, left);
}

/** Says that a value is missing, with the names of the fields in the answer and none of their values. */
function missing(key: keyof typeof usual, answer: Answer, { root }: Scope): string {
  const place = placeName(answer?.[key] ?? usual[key]);
  const names = root !== null && typeof root === 'object' ? Object.keys(root) : [];
  const holds =
    names.length > 0 ? `the answer holds ${short(names.slice(0, 12).join(', '))}` : 'the answer is no object';
  const what = key === 'lifetime' ? 'lifetime' : 'access token';
  return `its answer has no ${what} at "${place}" (auth.answer.${key}); ${holds}`;
}

type FieldEncoding = 'form' | 'json' | 'multipart';

/** @param fields values that are no texts are sent as JSON where the encoding is a form */
export async function fieldsBody(
  fields: Readonly<Record<string, unknown>>,
  encoding: FieldEncoding,
): Promise<{ readonly body: Buffer; readonly contentType: string }> {
  if (encoding === 'json')
    return { body: Buffer.from(JSON.stringify(fields)), contentType: 'application/json' };
  const texts = Object.entries(fields).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  if (encoding === 'form')
    return {
      body: Buffer.from(new URLSearchParams(texts).toString()),
      contentType: 'application/x-www-form-urlencoded;charset=UTF-8',
    };
  return multipart(Object.fromEntries(texts));
}
