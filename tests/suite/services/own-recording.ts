/** The least that files of ours hold, for tests of how they are read back. */
import type { Recording } from '../../../harness/replaying/recording.ts';
import type { Sequence } from '../../../record/sequence.ts';

export const recording: Recording = {
  recordingVersion: 2,
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

export const sequence: Sequence = {
  people: [{ role: 'signer', order: 1 }],
  documents: ['page'],
  steps: [{ do: 'send' }],
};

/** What exploring leaves in run.json: one story. */
export const explored = (requirement: string) => ({
  ...{ seed: 1, steps: 1, sequences: 1, blocked: 0, situations: { seen: 1, of: 1 }, ended: '', learned: [] },
  stories: [
    {
      ...{ requirement, says: '', length: 2, firstLength: 2, calls: 1, confirmed: true },
      ...{ timeline: [], sequence },
    },
  ],
});

/** What a run leaves with people. */
export const waiting = {
  ...{ waitingVersion: 2, mac: '', runId: 'bcdfghjk', seed: 1, baseUrl: 'http://127.0.0.1:9', people: '' },
  ...{ flows: [], results: [] },
};
