/** What an authorization server grants, read from its answer by the pointers of the profile. */

import type { AskingAuth } from '../../profile/auth-settings.ts';
import type { Grant } from '../../profile/token-file.ts';
import { valueAt } from '../../untrusted/pointer.ts';
import { isPage } from '../answers/stray.ts';
import { TokenError } from './token-request.ts';

type Answer = AskingAuth['answer'];

/** Where things stand by RFC 6749, section 5.1. */
const usual = {
  accessToken: '/access_token',
  refreshToken: '/refresh_token',
  lifetime: '/expires_in',
} as const;

const msOf = { s: 1_000, ms: 1, min: 60_000, 'unix-s': 1_000, 'unix-ms': 1 } as const;

/**
 * @param text of the answer, to tell what came instead of JSON
 * @throws TokenError when the answer holds no token where it should, without quoting what it holds
 */
export function grantOf(
  json: unknown,
  text: string,
  { answer, lifetimeS }: Pick<AskingAuth, 'answer' | 'lifetimeS'>,
): Grant {
  if (json === undefined) {
    throw new TokenError(
      isPage(text) ? 'its answer is a web page and no JSON: is the address right?' : 'its answer is no JSON',
    );
  }
  const token = valueAt(json, answer?.accessToken ?? usual.accessToken);
  if (typeof token !== 'string' || token === '') throw new TokenError(missing('accessToken', answer, json));
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new TokenError('its access token holds signs that no header may carry');
  }
  const refreshToken = valueAt(json, answer?.refreshToken ?? usual.refreshToken);
  return {
    token,
    lifetimeMs: lifetimeMs(json, answer) ?? (lifetimeS ?? Number.POSITIVE_INFINITY) * 1_000,
    ...(typeof refreshToken === 'string' && refreshToken !== '' ? { refreshToken } : {}),
  };
}

function lifetimeMs(json: unknown, answer: Answer): number | undefined {
  const value = valueAt(json, answer?.lifetime ?? usual.lifetime);
  if (value === undefined && answer?.lifetime !== undefined) {
    throw new TokenError(missing('lifetime', answer, json));
  }
  const unit = answer?.lifetimeUnit ?? 's';
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof count === 'number' && Number.isFinite(count)) {
    return Math.max(0, count * msOf[unit] - (unit.startsWith('unix') ? Date.now() : 0));
  }
  const until = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, until - Date.now());
}

/** Names what stands in the answer, and no value of it. */
function missing(key: keyof typeof usual, answer: Answer, json: unknown): string {
  const place = answer?.[key] ?? usual[key];
  const names = json !== null && typeof json === 'object' ? Object.keys(json) : [];
  const holds =
    names.length > 0 ? `the answer holds ${names.slice(0, 12).join(', ')}` : 'the answer is no object';
  const what = key === 'lifetime' ? 'lifetime' : 'access token';
  return `its answer has no ${what} at "${place}" (auth.answer.${key}); ${holds}`;
}
