/** Makes the Authorization header of a call from what its check asks for. */
import { message } from '../../../openapi/codes.ts';
import type { Exchange } from '../../../record/exchange.ts';
import { textOf } from '../../untrusted/text.ts';
import type { HttpOutcome } from '../../wire/http.ts';
import type { Authorization } from '../call.ts';
import type { Tokens } from './tokens.ts';

/**
 * The value of the header, or `null` for none.
 * @param expiredToken gives a token whose lifetime has passed
 * @throws TokenError when there is no access token to be had
 */
export async function authorizationValue(
  authorization: Authorization,
  tokens: Tokens,
  expiredToken: () => Promise<string>,
): Promise<string | null> {
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
    case 'extended':
      return `Bearer ${tokens.extended(await tokens.valid())}`;
    case 'expired':
      return `Bearer ${await expiredToken()}`;
    case 'without-scheme':
      return tokens.valid();
    case 'lower-case-scheme':
      return `bearer ${await tokens.valid()}`;
    case 'valid':
      return `Bearer ${await tokens.valid()}`;
  }
}

/** The token of a Bearer value. */
export function bearerOf(value: string | null): string {
  return value?.replace(/^bearer /i, '') ?? '';
}

/** Whether an answer says that the access token is none any more: with 401, or in the words stated for uploads. */
export function refusesToken(outcome: HttpOutcome, operation: Exchange['operation']): boolean {
  if (!('response' in outcome)) return false;
  const { status, headers, body } = outcome.response;
  if (status === 401 || operation !== 'uploadDocument') return status === 401;
  return textOf(headers, body.subarray(0, 4_096)).includes(message.expiredToken);
}
