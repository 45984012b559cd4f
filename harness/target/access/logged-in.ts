/** Sees to it that a run which needs a login has one, before anything is called: a run opens no browser. */
import { ConfigurationError } from '../../../record/errors.ts';
import type { LoadedProfile } from '../../profile/load.ts';

/** @throws ConfigurationError with the command that logs in */
export function assertLoggedIn({ profile, tokenFile, file = 'the profile' }: LoadedProfile): void {
  if (profile.auth.kind !== 'authorization-code') return;
  if (tokenFile?.refreshToken() !== undefined) return;
  const newest = tokenFile?.newest;
  if (newest && (newest.expiresAt ?? Number.POSITIVE_INFINITY) > Date.now()) return;
  const why = newest ? 'the login has expired' : 'nobody has logged in yet';
  throw new ConfigurationError(
    `${file}: auth.kind "authorization-code": ${why}; run: esign-conformance login --target ${file}`,
  );
}
