/** The least that a recording holds, for tests of how files of ours are read back. */
import type { Recording } from '../../../harness/replaying/recording.ts';

export const recording: Recording = {
  recordingVersion: 1,
  recordedAt: '2026-01-01T00:00:00.000Z',
  ended: { at: '2026-01-01T00:00:00.000Z', monotonicMs: 1 },
  runId: 'bcdfghjk',
  seed: 1,
  explore: false,
  profile: {
    address: { baseUrl: 'http://127.0.0.1:9' },
    auth: { kind: 'static', token: 'replayed-access-token' },
  },
  profileHash: 'a',
  facts: {
    accessCode: 'a',
    callbackUrl: 'http://127.0.0.1:9/',
    otherCallbackUrls: [],
    callbackUrlVouched: false,
  },
  ids: [],
  calls: [],
};
