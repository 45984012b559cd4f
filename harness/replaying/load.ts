/** Gets a recording ready to be judged again. */
import { resolve } from 'node:path';
import type { LoadedProfile } from '../profile/load.ts';
import { withNames } from './disguise.ts';
import { type Replay, readRecording } from './recording.ts';

export type LoadedReplay = Replay & { readonly loaded: LoadedProfile };

/** @throws ConfigurationError when there is no recording that can be read */
export async function replayOf(place: string): Promise<LoadedReplay> {
  const folder = resolve(place);
  const read = readRecording(folder);
  const recording = withNames(read);
  const { profile, profileHash: hash } = recording;
  // Not before: loading nock is enough to put it between Node and the network.
  const { Player } = await import('./player.ts');
  const play: LoadedReplay['play'] = (sender) => new Player(recording, folder, sender);
  return { recording, folder, play, loaded: { profile, hash, secrets: new Map() } };
}
