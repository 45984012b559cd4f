/** The part that a run plays with recordings: it makes one, is replayed from one, or neither. */
import { resolve } from 'node:path';
import { continueFrom } from '../../record/clock.ts';
import type { Delivery } from '../../record/delivery.ts';
import { sha256Of } from '../../record/hash.ts';
import { type Address, withQuery } from '../callbacks/address.ts';
import type { Listener } from '../callbacks/listener.ts';
import type { RunFacts } from '../judging/session.ts';
import type { LoadedProfile } from '../profile/load.ts';
import type { HttpSender } from '../wire/http.ts';
import type { Tape } from '../wire/tape.ts';
import { withNames } from './disguise.ts';
import { type RecordedRun, RecordingTape } from './record.ts';
import { keptBytes, type Recording, type Replay, readRecording } from './recording.ts';

export interface Deck {
  readonly tape?: Tape;
  readonly listener?: () => Listener;
  /** Facts that a replay takes from its recording. */
  readonly facts: Partial<Recording['facts']>;
  /** To be called at the end of the run: writes the recording, or ends the replay and its hold on the network. */
  end(facts: RunFacts, listener: Listener | undefined): Promise<void>;
}

export function deckFor(
  { record, replay }: { readonly record?: string; readonly replay?: Replay },
  sender: HttpSender,
  run: RecordedRun,
): Deck {
  if (replay) {
    const { recording, folder, play } = replay;
    const { listener, facts, ended } = recording;
    const player = play(sender);
    continueFrom(ended);
    return {
      tape: player,
      listener: () => replayListener(listener ?? silent, folder),
      facts,
      end: async () => player.close(),
    };
  }
  if (record === undefined) return { facts: {}, end: async () => {} };
  const tape = new RecordingTape(record, run);
  return { tape, facts: {}, end: (facts, listener) => tape.write(facts, listener) };
}

/** The recorded listener of a run that had none. */
const silent: NonNullable<Recording['listener']> = {
  url: 'http://127.0.0.1:9',
  localUrl: 'http://127.0.0.1:9',
  counts: { stored: 0, bytes: 0, foreign: 0, held: 0, refused: {} },
  addresses: [],
  deliveries: [],
};

/** @param folder the folder of the recording */
export function replayListener(recorded: NonNullable<Recording['listener']>, folder: string): Listener {
  const deliveries = recorded.deliveries.map((each): Delivery => {
    const bytes = keptBytes(each.body, folder);
    const sha256 = sha256Of(bytes);
    return { ...each, body: { size: bytes.length, sha256, base64: bytes.toString('base64') } };
  });
  return {
    url: recorded.url,
    localUrl: recorded.localUrl,
    way: recorded.way,
    open: (check) => replayAddress(check, recorded, deliveries),
    addresses: () => recorded.addresses,
    deliveries: () => deliveries,
    counts: () => recorded.counts,
    problems: () => [],
    close: () => Promise.resolve(),
  };
}

function replayAddress(
  check: string,
  { url: base, addresses }: NonNullable<Recording['listener']>,
  all: readonly Delivery[],
): Address {
  const recorded = addresses.find((each) => each.check === check);
  const url = recorded?.url ?? `${base}/callback/not-recorded`;
  const own = () => all.filter(({ index }) => recorded?.looked.includes(index));
  return {
    check,
    url,
    urlWith: (query) => withQuery(url, query),
    claim: () => {},
    away: () => {},
    deliveries: own,
    refused: () => ({ counts: {}, shared: 0 }),
    quiet: async () => [],
    lull: async () => {},
    next: async () => own(),
    close: () => {},
  };
}

type LoadedReplay = Replay & { readonly loaded: LoadedProfile };

/** @throws ConfigurationError when there is no recording that can be read */
export async function replayOf(place: string): Promise<LoadedReplay> {
  const folder = resolve(place);
  const read = readRecording(folder);
  const recording = withNames(read);
  const { profile, profileHash: hash } = recording;
  // Imported only here, since loading nock is enough to put it between Node and the network.
  const { playerOf } = await import('./player.ts');
  const play: LoadedReplay['play'] = (sender) => playerOf(recording, folder, sender);
  return { recording, folder, play, loaded: { profile, hash, secrets: new Map() } };
}
