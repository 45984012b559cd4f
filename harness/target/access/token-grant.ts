/** What an authorization server grants, read from its answer at the places of the profile. */

import type { AskingAuth } from '../../profile/auth-settings.ts';
import type { Grant } from '../../profile/token-file.ts';
import { durationMs } from '../../untrusted/payload/when.ts';
import { type Place, placeName, read, readText, type Scope } from '../../untrusted/place.ts';
import { isPage } from '../../untrusted/text.ts';
import { TokenError } from './token-request.ts';

type Answer = AskingAuth['answer'];

/** Where things stand by RFC 6749, section 5.1. */
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
    throw new TokenError(
      page
        ? 'its answer is a web page and no JSON: is the address right?'
        : 'its answer is no JSON and no XML',
    );
  }
  const token = read(place, scope);
  if (typeof token !== 'string' || token === '') throw new TokenError(missing('accessToken', answer, scope));
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new TokenError('its access token holds signs that no header may carry');
  }
  const refreshToken = read(answer?.refreshToken ?? usual.refreshToken, scope);
  const stated = lifetimeMs(scope, answer);
  return {
    token,
    lifetimeMs: typeof stated === 'number' ? stated : (lifetimeS ?? Number.POSITIVE_INFINITY) * 1_000,
    ...(typeof stated === 'object' && lifetimeS === undefined ? stated : {}),
    ...(typeof refreshToken === 'string' && refreshToken !== '' ? { refreshToken } : {}),
  };
}

/** The lifetime that is stated, or where one stands that cannot be read. */
function lifetimeMs(scope: Scope, answer: Answer): number | Pick<Grant, 'unreadAt'> | undefined {
  const place: Place = answer?.lifetime ?? usual.lifetime;
  const text = readText(place, scope);
  if (text === undefined) {
    if (answer?.lifetime === undefined) return undefined;
    throw new TokenError(missing('lifetime', answer, scope));
  }
  const unit = answer?.lifetimeUnit ?? 's';
  const count = Number(text);
  if (Number.isFinite(count)) {
    return Math.max(0, count * msOf[unit] - (unit.startsWith('unix') ? Date.now() : 0));
  }
  const left = durationMs(text) ?? Date.parse(text) - Date.now();
  return Number.isNaN(left) ? { unreadAt: placeName(place) } : Math.max(0, left);
}

/** Names what stands in the answer, and no value of it. */
function missing(key: keyof typeof usual, answer: Answer, { root }: Scope): string {
  const place = placeName(answer?.[key] ?? usual[key]);
  const names = root !== null && typeof root === 'object' ? Object.keys(root) : [];
  const holds =
    names.length > 0 ? `the answer holds ${names.slice(0, 12).join(', ')}` : 'the answer is no object';
  const what = key === 'lifetime' ? 'lifetime' : 'access token';
  return `its answer has no ${what} at "${place}" (auth.answer.${key}); ${holds}`;
}
