/** Where the token file of a profile lies: as the profile says, or in the folder of the user. */
import { createHash } from 'node:crypto';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { ConfigurationError } from '../../record/errors.ts';
import type { AuthSettings } from './auth-settings.ts';
import { type Machine, stateFolder, thisMachine } from './state-folder.ts';

/**
 * Absolute path, or `undefined` for a profile without one.
 * @param folder that of the profile
 * @throws ConfigurationError when others could read a file there
 */
export function tokenFilePlace(
  auth: AuthSettings,
  folder: string,
  machine: Machine = thisMachine(),
): string | undefined {
  const { platform, home } = machine;
  if (auth.kind === 'static') return undefined;
  if (auth.tokenFile !== undefined) {
    const place = auth.tokenFile.startsWith('~/')
      ? join(home, auth.tokenFile.slice(2))
      : resolve(folder, auth.tokenFile);
    // There are no modes on Windows, but the folder of a user is closed to others.
    if (platform === 'win32' && isOutside(place, home)) {
      throw new ConfigurationError(
        `"${auth.tokenFile}" lies outside of ${home}, where others can read it; write for example ~/acme-tokens.json`,
      );
    }
    return place;
  }
  if (auth.kind !== 'authorization-code') return undefined;
  const name = createHash('sha256').update(tokensOf(auth)).digest('hex').slice(0, 16);
  return join(stateFolder(machine), 'tokens', `${name}.json`);
}

/** Names the server, the client and what the tokens are for: only then they are the same. */
export function tokensOf(auth: Exclude<AuthSettings, { kind: 'static' }>): string {
  const { kind } = auth;
  const call = 'call' in auth ? auth.call?.url : undefined;
  const endpoint = 'tokenEndpoint' in auth ? auth.tokenEndpoint : undefined;
  const clientId = 'clientId' in auth ? auth.clientId : undefined;
  const scope = 'scope' in auth ? auth.scope : undefined;
  return JSON.stringify([kind, endpoint ?? call, clientId ?? '', scope ?? '']);
}

function isOutside(place: string, home: string): boolean {
  const way = relative(home, place);
  return way.startsWith('..') || isAbsolute(way);
}
