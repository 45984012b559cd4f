/** A reference service behind a proxy, with a profile in a file: the ground on which runs are good tenants or not. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestInfo } from '@playwright/test';
import type { Profile } from '../../../harness/profile/schema.ts';
import { startReference } from '../../../reference/server.ts';
import { referenceProfile } from '../../../running/reference-target.ts';
import { inProcess, root, start } from '../cli-spawn.ts';
import { writable } from './profiles.ts';
import { type Behaviour, startProxy } from './proxy.ts';

export interface GroundOptions {
  readonly behave?: Behaviour;
  /** Further keys of the profile's address. */
  readonly address?: Omit<Profile['address'], 'baseUrl'>;
  /** Parts in place of those of the profile. */
  readonly change?: (profile: Profile) => Partial<Profile>;
  readonly service?: Parameters<typeof startReference>[0];
  /** The target is the service itself, and the proxy stands unused. */
  readonly direct?: boolean;
  /** Further variables of the environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** Started by the program behind `npm run conformance`, which starts the command line in its turn: a group of processes. */
  readonly npm?: boolean;
}

export type Ground = Awaited<ReturnType<typeof startGround>>;

export async function startGround(info: TestInfo, options: GroundOptions = {}) {
  const reference = await startReference(options.service);
  const proxy = await startProxy(reference.baseUrl, options.behave);
  const target = info.outputPath('profile.json');
  const profile: Profile = {
    ...referenceProfile(reference),
    auth: { kind: 'static', token: reference.tokens.valid, expiredToken: reference.tokens.expired },
    // On a busy machine it may take its time.
    address: {
      deadlineMs: 60_000,
      connectMs: 60_000,
      ...options.address,
      baseUrl: options.direct ? reference.baseUrl : proxy.baseUrl,
    },
  };
  const { text, env: secrets } = writable({ ...profile, ...options.change?.(profile) });
  writeFileSync(target, text);
  const env = { ...secrets, ...options.env };
  const begin = (...given: readonly string[]) => {
    const all = [...given, '--target', target];
    if (!options.npm) return start(all, { env });
    return start(['conformance', ...all], { env, script: join(root, 'bin', 'start.mjs'), group: true });
  };
  return {
    reference,
    /** File of the profile, and the environment that it needs. */
    target,
    env,
    proxy,
    /** Starts the command line with `--target` and the environment of the profile. */
    start: begin,
    /** Runs it to its end, within this process. */
    cli: (...given: readonly string[]) => inProcess([...given, '--target', target], env),
    close: async () => {
      await proxy.close();
      await reference.close();
    },
  };
}
