/** A recording: what a run sent and received, without secrets, as a folder from which the run can be judged again. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { ConfigurationError } from '../../record/errors.ts';
import { headersSchema } from '../../record/exchange.ts';
import { writeWhole } from '../../record/files.ts';
import { sha256Of } from '../../record/hash.ts';
import { placeIn, readOwnBytes, readOwnJson, yamlLimits } from '../../record/own-files.ts';
import {
  count,
  type DeepReadonly,
  httpUrl,
  list,
  object,
  optional,
  runId,
  text,
  time,
} from '../../record/schema-parts.ts';
import type { Profile } from '../profile/schema.ts';
import { profileByItsSchema } from '../profile/validate.ts';
import { peopleIn } from '../recording/people-redaction.ts';
import { limits } from '../untrusted/limits.ts';
import { areMadeInTime } from '../untrusted/pattern.ts';
import { textsIn } from '../untrusted/payload/tree.ts';
import type { HttpSender } from '../wire/http.ts';
import { type KeptBody, keptBodySchema, keptCallSchema, type Tape } from '../wire/tape.ts';

/** Goes up when an older reader would misread or refuse the file. Version 1 numbers equal calls. */
export const recordingVersion = 2;
const readVersions: readonly unknown[] = [1, recordingVersion];

const momentSchema = object({ at: time, monotonicMs: Type.Number({ minimum: 0, maximum: 1e13 }) });
const texts = list(text());

const deliverySchema = object({
  index: count(),
  check: text(),
  method: text(),
  target: text(),
  url: text(),
  headers: headersSchema,
  body: keptBodySchema,
  from: optional(text()),
  started: momentSchema,
  arrived: momentSchema,
  finished: momentSchema,
  answered: Type.Union([
    object({ kind: Type.Literal('status'), status: Type.Integer() }),
    object({ kind: Type.Literal('abandoned') }),
  ]),
});

const listenerSchema = object({
  url: httpUrl,
  localUrl: httpUrl,
  way: optional(object({ changes: optional(text()), redirects: optional(Type.Boolean()) })),
  // Not closed: later versions of the listener may count more.
  counts: Type.Object({
    stored: count(),
    bytes: count(),
    foreign: count(),
    held: count(),
    refused: Type.Record(text(), count()),
  }),
  addresses: list(object({ check: text(), url: httpUrl, looked: list(count()) })),
  deliveries: list(deliverySchema),
});

const recordingSchema = object({
  recordingVersion: Type.Union([Type.Literal(1), Type.Literal(recordingVersion)]),
  recordedAt: text(),
  ended: { ...momentSchema, description: 'When the run had ended: a replay takes place after that.' },
  runId,
  seed: Type.Integer(),
  explore: Type.Boolean(),
  profile: Type.Unknown({ description: 'Valid by the schema of profiles.' }),
  profileHash: text(),
  facts: object(
    { accessCode: text(), callbackUrl: text(), otherCallbackUrls: texts, callbackUrlVouched: Type.Boolean() },
    'What was drawn or found out before the first check.',
  ),
  ids: list(Type.String({ maxLength: limits.idCharacters.most }), 'Ids that the target gave.'),
  calls: list(keptCallSchema),
  lost: optional(texts),
  listener: optional(listenerSchema),
});

/** A recording; `listener` is absent where the run listened to no callbacks, `lost` (flows) where nothing ended it early. */
export type Recording = DeepReadonly<Omit<Static<typeof recordingSchema>, 'profile'>> & {
  readonly profile: Profile;
};

const fileName = 'recording.json';
/** Longer bodies are files of their own. */
const largestInline = 64 * 1024;

/** Writes a recording into a folder; an earlier one there is replaced. @throws FileTrouble */
export function writeRecording(folder: string, recording: Recording): void {
  const bodies = placeIn(folder, 'bodies');
  for (const name of existsSync(bodies) ? readdirSync(bodies) : [])
    if (/^[0-9a-f]{32}$/.test(name)) rmSync(join(bodies, name));
  const kept = <Message extends { readonly body: KeptBody }>(message: Message): Message => ({
    ...message,
    body: outOfLine(folder, message.body),
  });
  const { calls, listener } = recording;
  const whole = {
    ...recording,
    calls: calls.map((call) => (call.response ? { ...call, response: kept(call.response) } : call)),
    listener: listener && { ...listener, deliveries: listener.deliveries.map(kept) },
  };
  writeWhole(placeIn(folder, fileName), `${JSON.stringify(whole, null, 1)}\n`);
}

function outOfLine(folder: string, body: KeptBody): KeptBody {
  const content = 'text' in body ? body.text : 'base64' in body ? body.base64 : '';
  if (content.length <= largestInline) return body;
  const bytes = keptBytes(body, folder);
  const file = `bodies/${sha256Of(bytes).slice(0, 32)}`;
  writeWhole(placeIn(folder, file), bytes);
  return { file };
}

/** The bytes of a body of the recording. @throws ConfigurationError when they lie elsewhere, or are not there */
export function keptBytes(body: KeptBody, folder: string): Buffer {
  if ('text' in body) return Buffer.from(body.text);
  if ('base64' in body) return Buffer.from(body.base64, 'base64');
  return readOwnBytes('body', placeIn(folder, body.file), 'by-us');
}

/** A recording with all its bodies. @throws ConfigurationError when there is none, or none that this version can read */
export function readRecording(folder: string): Recording {
  const file = placeIn(folder, fileName);
  if (!existsSync(file))
    throw new ConfigurationError(
      `--replay ${folder}: there is no ${fileName}; make one with run --record DIR`,
    );
  const read = readOwnJson('recording', file, (value) => {
    const version = (value as { recordingVersion?: unknown } | null)?.recordingVersion;
    if (readVersions.includes(version)) return recordingSchema;
    throw new ConfigurationError(
      `${file}: recordingVersion ${JSON.stringify(version)} is none of ${readVersions.join(' and ')}, which this version of the suite reads`,
    );
  });
  const within = (size: number, most: number, what: string) => {
    if (size > most)
      throw new ConfigurationError(`${file}: is more than is read: ${what.replace('N', `${most}`)}`);
  };
  within(read.ids.join('').length, limits.recordedIdCharacters.most, '/ids has more than N characters');
  within(JSON.stringify(read.profile).length, yamlLimits.bytes, '/profile has more than N characters');
  const patterns = textsIn(read.profile).filter(({ key }) => /\.(?:pattern|link|code)$/.test(key));
  if (!areMadeInTime(patterns.map(({ text }) => text)))
    throw new ConfigurationError(`${file}: is more than is read: a pattern in /profile takes too long`);
  const profile = profileByItsSchema(read.profile, `${file}: profile`);
  const { create, calls, people } = profile;
  const named = peopleIn([create, calls]).length + (people?.mobileNumbers?.length ?? 0);
  within(named, limits.recordedPeople.most, '/profile names more than N people and numbers');
  let size = 0;
  for (const { body } of [
    ...read.calls.flatMap(({ response }) => response ?? []),
    ...(read.listener?.deliveries ?? []),
  ]) {
    size += keptBytes(body, folder).length;
    // Answers and callbacks, each as much as is recorded; invented values may be longer than what they stand for.
    within(size, 3 * limits.recordedBytes.most, 'its bodies have more than N bytes, all together');
  }
  return { ...read, profile };
}

export interface Replay {
  readonly recording: Recording;
  readonly folder: string;
  /** Takes the place of the network until it is closed. */
  readonly play: (sender: HttpSender) => Tape & { close(): void };
}
