/** The two files that let a run be resumed: waiting.json beside run.json, and its key, in the folder of the user. */
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { moment, timeAfter } from '../../../record/clock.ts';
import { ConfigurationError } from '../../../record/errors.ts';
import type { Interval } from '../../../record/facts.ts';
import { foundAt, writeWhole } from '../../../record/files.ts';
import { eventCode } from '../../../record/flow-finding.ts';
import { placeIn, readOwnJson, readOwnText } from '../../../record/own-files.ts';
import {
  atLeast,
  count,
  list,
  literals,
  object,
  optional,
  orNull,
  runId,
  text,
} from '../../../record/schema-parts.ts';
import { stateFolder } from '../../profile/state-folder.ts';

/** Version of the shape; another one is not read. */
export const waitingVersion = 2;

const time = Type.String({ minLength: 20, description: 'ISO 8601 in UTC.' });
const span = object({ from: time, until: time });

/** An answer that a person gave, so that they need not give it again. */
const answer = object({
  signatory: count('Position in the plan of the flow.'),
  act: literals(['sign', 'approve']),
  codes: literals(['right', 'none', 'wrong']),
  kind: literals(['done', 'refused']),
  reason: text(),
  at: span,
});

/** A callback that had arrived, with everything that is needed to judge its order and its address. */
const seen = object({
  at: span,
  arrived: time,
  accepted: Type.Boolean(),
  toCallbackUrl: Type.Boolean({ description: 'Whether it came with path and query as given.' }),
  events: list(object({ code: eventCode, signatory: optional(count()) })),
  problems: list(text()),
});

const flow = object({
  name: text(),
  requestId: text(),
  forms: optional({
    ...Type.Record(Type.String(), count()),
    description: 'In which form the target takes numbers and passcodes.',
  }),
  signatoryIds: list(orNull(text())),
  documents: count(),
  created: span,
  sent: optional(span),
  listed: optional(time),
  answers: list(answer),
  seen: list(seen),
});

const waitingSchema = object({
  waitingVersion: Type.Literal(waitingVersion),
  runId,
  seed: Type.Integer(),
  baseUrl: text(),
  /** SHA-256 of `people` in the profile: with another value, the run would have other people. */
  people: text(),
  port: optional(atLeast(1, 'On which the callback listener listens.')),
  flows: list(flow),
  results: list(
    Type.Object({
      name: text(),
      judgements: list(Type.Unknown()),
      observations: list(Type.Unknown()),
      timeline: list(Type.Unknown()),
    }),
  ),
  mac: text('HMAC-SHA256 of all else by the key of the run: a file of somebody else may name the run too.'),
});

export type WaitingState = Omit<Static<typeof waitingSchema>, 'mac'>;
export type WaitingFlow = Static<typeof flow>;
export type WaitingAnswer = Static<typeof answer>;
export type WaitingDelivery = Static<typeof seen>;

export interface WaitingKeys {
  readonly key: string;
  /** Passcode of the signatories who have an AccessCode. */
  readonly accessCode: string;
  /** The part of a flow's callback address that cannot be guessed: 128 bits. */
  addressOf(name: string): string;
}

/** @param key the key of an earlier run; a new one by default */
export function waitingKeys(key: string = randomBytes(32).toString('base64url')): WaitingKeys {
  const derived = (purpose: string) => createHmac('sha256', key).update(purpose).digest();
  return {
    key,
    accessCode: derived('access code').subarray(0, 6).toString('hex'),
    addressOf: (name) => derived(`callback address ${name}`).subarray(0, 16).toString('base64url'),
  };
}

const isWaitingKey = (text: string): boolean => /^[\w-]{43}$/.test(text);

const stateName = 'waiting.json';

/** The file of a run's key. Not beside run.json, since such folders are often published. */
export const keyFileOf = (runId: string): string => join(stateFolder(), 'waiting', `${basename(runId)}.key`);

export interface Waiting {
  readonly state: WaitingState;
  readonly key: string;
  readonly folder: string;
}

/**
 * What the run at a place left with people.
 * @param place folder of a run, or its run.json
 * @throws ConfigurationError when there is no run, or nothing that could be resumed
 */
export function readWaiting(place: string): Waiting {
  const folder = folderOf(place);
  const file = placeIn(folder, stateName);
  if (!existsSync(file)) {
    const run = existsSync(join(folder, 'run.json'));
    throw new ConfigurationError(
      run
        ? `--resume ${place}: nothing is left to resume: no request of this run waits for people`
        : `--resume ${place}: there is no run; name the folder (--out) of one that left requests with people`,
    );
  }
  const { mac, ...state } = readOwnJson('waiting', file, waitingSchema);
  const keyFile = keyFileOf(state.runId);
  const key = keyIn(keyFile);
  if (key === undefined || !isWaitingKey(key))
    throw new ConfigurationError(
      `--resume ${place}: ${keyFile} ${key === undefined ? 'is missing' : 'is no key'}: without it callbacks would not find their requests; resume on the machine, and as the user, of the run before, or start a new run`,
    );
  if (mac !== macOf(state, key))
    throw new ConfigurationError(
      `--resume ${place}: ${file} is not as the run ${state.runId} wrote it: take the file of that run, or start a new one`,
    );
  return { state, key, folder };
}

function keyIn(file: string): string | undefined {
  return existsSync(file) ? readOwnText('key', file, 'by-us').trim() : undefined;
}

function macOf(state: WaitingState, key: string): string {
  return createHmac('sha256', key).update(JSON.stringify(state)).digest('base64url');
}

function folderOf(place: string): string {
  const found = foundAt(place);
  if (!found) throw new ConfigurationError(`--resume ${place}: there is no such file or folder`);
  return resolve(found.isDirectory() ? place : dirname(place));
}

/** Modes that let no other user of the machine read. */
const ownFile = 0o600;
const ownFolder = 0o700;

/** Writes both files; no reader ever sees half of one. */
export function writeWaiting({ state, key, folder }: Waiting): void {
  writeKey(state.runId, key);
  const signed = { ...state, mac: macOf(state, key) };
  writeWhole(placeIn(folder, stateName), `${JSON.stringify(signed, null, 1)}\n`, {
    modes: { file: ownFile },
  });
}

/** @throws ConfigurationError when the folder of the user cannot be written */
export function writeKey(runId: string, key: string): void {
  const file = keyFileOf(runId);
  try {
    writeWhole(file, `${key}\n`, { modes: { file: ownFile, folder: ownFolder } });
  } catch (cause) {
    const why = (cause as Error).message;
    throw new ConfigurationError(
      `${why}: signing.driver "manual" keeps the key of a run there; set XDG_STATE_HOME to a folder that can be written`,
      { cause },
    );
  }
}

export function removeState(folder: string): void {
  rmSync(join(folder, stateName), { force: true });
}

export function removeKey(runId: string): void {
  rmSync(keyFileOf(runId), { force: true });
}

/**
 * The run that left waiting.json in a folder; absent where there is no such file, or its signature is not by the run's key.
 * @throws ConfigurationError when the file of that name there is no valid one
 */
export function runLeftIn(folder: string): string | undefined {
  if (!existsSync(join(folder, stateName))) return undefined;
  const { mac, ...state } = readOwnJson('waiting', placeIn(folder, stateName), waitingSchema);
  const key = keyIn(keyFileOf(state.runId));
  return key !== undefined && mac === macOf(state, key) ? state.runId : undefined;
}

/** A time of the monotonic clock as one of the wall clock. */
export function wallClockOf(ms: number): string {
  const now = moment();
  return timeAfter(now.at, ms - now.monotonicMs);
}

export function spanOf({ startMs, endMs }: Interval): Static<typeof span> {
  return { from: wallClockOf(startMs), until: wallClockOf(endMs) };
}

/** A time of the wall clock as one of the monotonic clock, which may have begun after it. */
export function millisecondsOf(time: string): number {
  const now = moment();
  return Date.parse(time) - Date.parse(now.at) + now.monotonicMs;
}

export function intervalOf({ from, until }: Static<typeof span>): Interval {
  return { startMs: millisecondsOf(from), endMs: millisecondsOf(until) };
}
