/** A run of the command line against the reference service in a dialect, with the profile that fits it. */
import { writeFileSync } from 'node:fs';
import type { TestInfo } from '@playwright/test';
import type { Profile } from '../../../harness/profile/schema.ts';
import type { ReferenceOptions } from '../../../reference/server.ts';
import { startReferenceTarget } from '../../running/reference-target.ts';
import { type CommandResult, command } from '../command.ts';
import { writable } from './profiles.ts';

/**
 * @param only what is judged
 * @param change gives the parts of the profile that the dialect needs, in place of those of the default dialect
 */
export async function runInDialect(
  info: TestInfo,
  dialect: ReferenceOptions['dialect'] & {},
  change: (profile: Profile) => Partial<Profile>,
  out: string,
  only: readonly string[],
): Promise<CommandResult> {
  const target = await startReferenceTarget({ dialect });
  const { profile: usual } = target.loaded;
  const { text, env } = writable({ ...usual, ...change(usual) });
  const profile = info.outputPath('profile.json');
  writeFileSync(profile, text);
  try {
    return await command(['--target', profile, '--out', out, '--only', only.join()], env);
  } finally {
    await target.close();
  }
}
