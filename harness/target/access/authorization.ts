/** Makes the Authorization header of a call from what its check asks for. */
import { message } from '../../../openapi/codes.ts';
import { type Exchange, headerOf, is4xx } from '../../../record/exchange.ts';
import { textOf } from '../../untrusted/text.ts';
import type { HttpOutcome } from '../../wire/http.ts';
import type { Answer, Authorization } from '../call.ts';
import type { AccessTokens } from './tokens.ts';

/** The value of the header, or `null` for none. @throws TokenError when there is no access token to be had */
export async function authorizationValue(
  authorization: Authorization,
  tokens: AccessTokens,
  expiredToken: () => Promise<string>,
): Promise<string | null> {
  switch (authorization) {
    case 'absent':
    case 'empty':
    case 'scheme-only':
    case 'other-scheme':
      return withoutToken[authorization];
    case 'unknown':
      return `Bearer ${tokens.unknown()}`;
    case 'expired':
      return `Bearer ${await expiredToken()}`;
    case 'lower-case-scheme':
      return `bearer ${await tokens.valid()}`;
    case 'valid':
      return `Bearer ${await tokens.valid()}`;
    default:
      return `Bearer ${await tokens.spoilt(authorization)}`;
  }
}

const withoutToken = {
  absent: null,
  empty: '',
  'scheme-only': 'Bearer',
  'other-scheme': `Basic ${Buffer.from('nobody:nothing').toString('base64')}`,
} as const;

export const bearerOf = (value: string | null): string => value?.replace(/^bearer /i, '') ?? '';

/** Statuses that refuse the run's credentials: of RFC 9110, and of frameworks where a session has ended (419, 440, 498). */
const credentials = [401, 403, 407, 419, 440, 498];
/** Statuses of these that a new token does not help against, unless the answer speaks of it: no right to this, or a proxy asks. */
const lasting = [403, 407];

/** Words that speak of an access token: those stated for uploads, those of RFC 6750, and other usual ones. */
const aboutAccess =
  /\b(invalid|expired)_token\b|\b(invalid|expired|unknown|revoked) (access|bearer|auth\w*) ?token\b|\b(access|bearer|auth\w*) ?token (is |has |was )?(been )?(not valid|invalid|expired|revoked)\b|\b(jwt|session) (is |has )?expired\b|\btoken (is |has )?expired\b/i;

/** How much of an answer is searched: further down, a web page may carry any word. */
const longestWords = 2_000;

export function speaksOfAccess({ headers, text }: Pick<Answer, 'headers' | 'text'>): boolean {
  const challenge = headerOf(headers, 'www-authenticate') ?? '';
  return aboutAccess.test(`${text.slice(0, longestWords)} ${challenge}`);
}

/** Whether a call was refused for its access token, by the status or, with any other 4xx, by the words. */
export function refusesAccess(answer: Pick<Answer, 'status' | 'headers' | 'text'>): boolean {
  const { status } = answer;
  // A 404 may speak of a document token.
  if (!is4xx({ status }) || status === 404) return false;
  return credentials.includes(status) || speaksOfAccess(answer);
}

/** Whether an answer says that the access token is no longer valid; an upload may say so with any status. */
export function endsToken(outcome: HttpOutcome, operation: Exchange['operation']): boolean {
  if (!('response' in outcome)) return false;
  const { status, headers, body } = outcome.response;
  if (operation !== 'uploadDocument' && !is4xx({ status })) return false;
  const text = textOf(headers, body.subarray(0, longestWords));
  if (operation === 'uploadDocument' && text.includes(message.expiredToken)) return true;
  const answer = { status, headers, text };
  return lasting.includes(status) ? speaksOfAccess(answer) : refusesAccess(answer);
}
