/** Gets a recording ready to be judged again. */
import { resolve } from 'node:path';
import type { LoadedProfile } from '../profile/load.ts';
import type { RunGiven } from '../run-facts.ts';
import { withNames } from './disguise.ts';
import { readRecording } from './recording.ts';

export type LoadedReplay = NonNullable<RunGiven['replay']> & { readonly loaded: LoadedProfile };

/** @throws ConfigurationError when there is no recording that can be read */
export function replayOf(place: string): LoadedReplay {
  const folder = resolve(place);
  const read = readRecording(folder);
  const recording = withNames(read);
  const { profile, profileHash: hash } = recording;
  return { recording, folder, loaded: { profile, hash, secrets: new Map() } };
}
