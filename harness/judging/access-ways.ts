/** The ways in which a call lacks a valid access token. */
import type { Authorization } from '../target/call.ts';

/** Calls without a valid access token. */
export interface WithoutAccess {
  /** The end of the requirement's id, and the words for it in titles. */
  readonly is: 'missing' | 'invalid' | 'expired';
  readonly said: string;
  readonly rows: readonly { readonly title: string; readonly authorization: Authorization }[];
}

/** The ways in which a call lacks a valid access token; each row is a call. */
export const waysWithoutAccess = [
  {
    is: 'missing',
    said: 'without an access token',
    rows: [
      { title: 'no Authorization header', authorization: 'absent' },
      { title: 'an empty Authorization header', authorization: 'empty' },
      { title: 'Authorization: Bearer without a token', authorization: 'scheme-only' },
      { title: 'Authorization with another scheme (Basic)', authorization: 'other-scheme' },
    ],
  },
  {
    is: 'invalid',
    said: 'with an invalid access token',
    rows: [
      { title: 'a valid token with some characters changed', authorization: 'altered' },
      { title: 'a valid token with characters added', authorization: 'extended' },
      { title: 'a valid token without its end', authorization: 'shortened' },
      { title: 'a valid token in capitals for small letters', authorization: 'other-case' },
    ],
  },
  {
    is: 'expired',
    said: 'with an expired access token',
    rows: [{ title: 'a token whose lifetime has passed', authorization: 'expired' }],
  },
] as const satisfies readonly WithoutAccess[];
