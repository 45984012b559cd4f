/** A run in this process, without Playwright's workers in between: for tests of what it does at one target. */
import { runDefaults } from '../../../harness/profile/run-options.ts';
import type { Profile } from '../../../harness/profile/schema.ts';
import { RunSession } from '../../../harness/session/run-session.ts';
import '../../proof/own-state.ts';
import { asLoaded } from '../../proof/session.ts';

/** Overrides of the least profile; `address` is added to, everything else replaced. */
type ProfileParts = Partial<Omit<Profile, 'address'>> & { readonly address?: Partial<Profile['address']> };

/** @param out folder for bodies */
export function sessionAt(
  baseUrl: string,
  out: string,
  { address, ...parts }: ProfileParts = {},
): RunSession {
  const profile: Profile = {
    auth: { kind: 'static', token: 'the-access-token-of-the-tests' },
    upload: { encoding: 'raw' },
    ...parts,
    address: { baseUrl, ...address },
  };
  return new RunSession(
    asLoaded(profile),
    { ...runDefaults, out },
    { runId: 'test-run', callbackUrl: 'https://callback.example.com/', flows: [], profileDir: out },
  );
}
