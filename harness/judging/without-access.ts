/** The calls that lack a valid access token, by what is wrong with it. */
import type { Authorization } from '../target/call.ts';

/** How a token is missing. Each one is a call without an access token. */
const missingTokens: readonly { title: string; authorization: Authorization }[] = [
  { title: 'no Authorization header', authorization: 'absent' },
  { title: 'an empty Authorization header', authorization: 'empty' },
  { title: 'Authorization: Bearer without a token', authorization: 'scheme-only' },
  { title: 'Authorization with another scheme (Basic)', authorization: 'other-scheme' },
];

const invalidTokens: readonly { title: string; authorization: Authorization }[] = [
  { title: 'a token that nobody issued', authorization: 'unknown' },
  { title: 'a valid token with some characters changed', authorization: 'altered' },
  { title: 'a valid token with characters added', authorization: 'extended' },
];

const expiredTokens: readonly { title: string; authorization: Authorization }[] = [
  { title: 'a token whose lifetime has passed', authorization: 'expired' },
];

export const withoutAccess = {
  missing: missingTokens,
  invalid: invalidTokens,
  expired: expiredTokens,
} as const;
