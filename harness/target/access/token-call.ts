/** Asks for an access token by the call that the profile describes. */

import type { AskingAuth, TokenCall } from '../../profile/auth-settings.ts';
import type { Profile } from '../../profile/schema.ts';
import { fillJson, type Variables } from '../../profile/template.ts';
import type { Grant } from '../../profile/token-file.ts';
import { requestOf, templateDraft } from '../outgoing.ts';
import { fieldsBody } from './fields-body.ts';
import { grantOf } from './token-grant.ts';
import { type SendRequest, TokenError, tokenAnswer } from './token-request.ts';

export interface TokenCallParts {
  readonly call: TokenCall;
  readonly variables: Variables;
  readonly address: Profile['address'];
  /** What to look at when it is refused. */
  readonly hint: string;
  /** The call must not be repeated, since it spends what it carries. */
  readonly once: boolean;
}

/** @throws TokenError when there is no token to be had */
export async function byCall(
  { call, variables, address, hint, once }: TokenCallParts,
  settings: Pick<AskingAuth, 'answer' | 'lifetimeS'>,
  send: SendRequest,
): Promise<Grant> {
  const { body, encoding, accept = [], ...template } = call;
  const place = call.url.split('?')[0];
  try {
    const draft = templateDraft('auth.call', template, variables, address.baseUrl);
    const filled = fillJson(body, variables);
    const sent =
      filled !== null && typeof filled === 'object' && !Array.isArray(filled)
        ? await fieldsBody(filled as Record<string, unknown>, encoding ?? 'json')
        : typeof filled === 'string'
          ? { body: Buffer.from(filled), contentType: 'text/plain' }
          : null;
    const typed = draft.headers.some(([name]) => name.toLowerCase() === 'content-type');
    const whole = sent
      ? {
          ...draft,
          body: sent.body,
          headers: typed ? draft.headers : [...draft.headers, ['Content-Type', sent.contentType] as const],
        }
      : draft;
    return grantOf(
      await tokenAnswer(requestOf(whole, address, null), send, { hint, accept, once }),
      settings,
    );
  } catch (error) {
    throw new TokenError(`no access token from ${place} (auth.call): ${(error as Error).message}`, {
      cause: error,
    });
  }
}
