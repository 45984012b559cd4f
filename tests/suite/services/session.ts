/** A run in this process, without Playwright's workers in between: for tests of what it does at one target. */
import type { LoadedProfile } from '../../../harness/profile/load.ts';
import { runDefaults } from '../../../harness/profile/run-options.ts';
import type { Profile } from '../../../harness/profile/schema.ts';
import { RunSession } from '../../../harness/session/run-session.ts';
import '../../proof/own-state.ts';

/** Overrides of the least profile; `address` is added to, everything else replaced. */
export type ProfileParts = Partial<Omit<Profile, 'address'>> & {
  readonly address?: Partial<Profile['address']>;
};

export const accessToken = 'the-access-token-of-the-tests';

/**
 * @param out folder for bodies
 * @param options calls in flight; 8 by default
 */
export function sessionAt(
  baseUrl: string,
  out: string,
  { address, ...parts }: ProfileParts = {},
  { concurrency = 8 }: { readonly concurrency?: number } = {},
): RunSession {
  const profile: Profile = {
    auth: { kind: 'static', token: accessToken },
    upload: { encoding: 'raw' },
    ...parts,
    address: { baseUrl, ...address },
  };
  const loaded: LoadedProfile = { profile, hash: '', secrets: new Map() };
  return new RunSession(
    loaded,
    { ...runDefaults, out, concurrency },
    { runId: 'test-run', callbackUrl: 'https://callback.example.com/', flows: [], profileDir: out },
  );
}
