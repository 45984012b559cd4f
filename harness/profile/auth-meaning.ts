/** What the part `auth` of a profile has to say beyond its schema. */
import type { AuthSettings } from './auth-settings.ts';

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
    ...(auth.kind === 'refresh-token' ? incomplete(auth) : []),
  ];
}

function incomplete({
  call,
  tokenEndpoint,
  clientId,
}: Extract<AuthSettings, { kind: 'refresh-token' }>): string[] {
  if (call) {
    return tokenEndpoint === undefined
      ? []
      : ['auth has tokenEndpoint and call; keep the one by which the token is to be had'];
  }
  if (tokenEndpoint === undefined) {
    return ['auth.tokenEndpoint is missing (or auth.call, where a call of your own gives the token)'];
  }
  return clientId === undefined ? ['auth.clientId is missing'] : [];
}
