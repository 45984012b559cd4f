/** What the part `auth` of a profile has to say beyond its schema. */
import type { AuthOf, AuthSettings } from './auth-settings.ts';

/**
 * A line for each thing that is wrong.
 * @param wrongUrl says what is wrong with the URL at a key
 */
export function authProblems(
  auth: AuthSettings,
  wrongUrl: (key: string, value: string) => string[],
): string[] {
  const urls = (['tokenEndpoint', 'authorizationEndpoint'] as const).flatMap((key) => {
    const value = (auth as Partial<Record<typeof key, string>>)[key];
    return value === undefined ? [] : wrongUrl(`auth.${key}`, value);
  });
  const call = 'call' in auth && auth.call && !/^(\/|https?:\/\/)/.test(auth.call.url) ? auth.call.url : null;
  return [
    ...urls,
    ...(call === null
      ? []
      : [`auth.call.url "${call}" is no URL; begin it with / (below the base URL) or https://`]),
    ...(auth.kind === 'refresh-token' || auth.kind === 'client-credentials' ? incomplete(auth) : []),
  ];
}

function incomplete({
  call,
  tokenEndpoint,
  clientId,
  clientSecret,
}: AuthOf<'refresh-token' | 'client-credentials'>): string[] {
  if (clientSecret !== undefined && clientId === undefined && !call) {
    return [
      'auth.clientSecret belongs to a client: add auth.clientId, or leave the secret out where the refresh token is enough',
    ];
  }
  if (!call && tokenEndpoint === undefined) {
    return ['auth.tokenEndpoint is missing (or auth.call, where a call of your own gives the token)'];
  }
  return call && tokenEndpoint !== undefined
    ? ['auth has tokenEndpoint and call; keep the one by which the token is to be had']
    : [];
}
