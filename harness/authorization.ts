/** Makes the Authorization header of a call from what its check asks for. */
import type { Authorization } from './call.ts';
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
