/** A recording: what a run sent and received, without secrets, as a folder from which the run can be judged again. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Moment } from '../../record/clock.ts';
import type { Delivery } from '../../record/delivery.ts';
import { ConfigurationError } from '../../record/errors.ts';
import { writeWhole } from '../../record/files.ts';
import type { ListenerCounts } from '../callbacks/ledger.ts';
import type { Listener } from '../callbacks/listener.ts';
import type { Profile } from '../profile/schema.ts';
import type { HttpSender } from '../wire/http.ts';
import type { KeptBody, KeptCall, Tape } from '../wire/tape.ts';

/** Grows when an older reader would misread it. */
export const recordingVersion = 1;

export interface Recording {
  readonly recordingVersion: number;
  readonly recordedAt: string;
  /** When the run had ended: a replay takes place after that. */
  readonly ended: Moment;
  readonly runId: string;
  readonly seed: number;
  readonly explore: boolean;
  readonly profile: Profile;
  readonly profileHash: string;
  /** What was drawn or found out before the first check. */
  readonly facts: {
    readonly accessCode: string;
    readonly callbackUrl: string;
    readonly otherCallbackUrls: readonly string[];
    readonly callbackUrlVouched: boolean;
  };
  /** Ids that the target gave. */
  readonly ids: readonly string[];
  readonly calls: readonly KeptCall[];
  /** Absent where the run listened to no callbacks. */
  readonly listener?: {
    readonly url: string;
    readonly localUrl: string;
    readonly counts: ListenerCounts;
    readonly addresses: ReturnType<Listener['addresses']>;
    readonly deliveries: readonly (Omit<Delivery, 'body'> & { readonly body: KeptBody })[];
  };
}

const fileName = 'recording.json';
/** Longer bodies are files of their own. */
const largestInline = 64 * 1024;

/**
 * Writes a recording into a folder; an earlier one there is replaced.
 * @throws FileTrouble
 */
export function writeRecording(folder: string, recording: Recording): void {
  rmSync(join(folder, 'bodies'), { recursive: true, force: true });
  const text = JSON.stringify(
    recording,
    (key, value: unknown) => (key === 'body' ? outOfLine(folder, value as KeptBody) : value),
    1,
  );
  writeWhole(join(folder, fileName), `${text}\n`);
}

function outOfLine(folder: string, body: KeptBody): KeptBody {
  const content = 'text' in body ? body.text : 'base64' in body ? body.base64 : '';
  if (content.length <= largestInline) return body;
  const bytes = bytesOf(body, folder);
  const file = `bodies/${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}`;
  writeWhole(join(folder, file), bytes);
  return { file };
}

/** The bytes of a body of the recording in a folder. */
export function bytesOf(body: KeptBody, folder: string): Buffer {
  if ('text' in body) return Buffer.from(body.text);
  return 'base64' in body ? Buffer.from(body.base64, 'base64') : readFileSync(join(folder, body.file));
}

/** @throws ConfigurationError when there is none, or one that this version cannot read */
export function readRecording(folder: string): Recording {
  const file = join(folder, fileName);
  if (!existsSync(file)) {
    throw new ConfigurationError(
      `--replay ${folder}: there is no ${fileName}; make one with run --record DIR`,
    );
  }
  let read: Partial<Recording>;
  try {
    read = JSON.parse(readFileSync(file, 'utf8')) as Partial<Recording>;
  } catch (cause) {
    throw new ConfigurationError(`${file}: is no JSON (${(cause as Error).message})`, { cause });
  }
  if (read.recordingVersion !== recordingVersion) {
    throw new ConfigurationError(
      `${file}: recordingVersion ${read.recordingVersion} is not ${recordingVersion}, which this version of the suite reads`,
    );
  }
  return read as Recording;
}

/** A recording that is judged again. */
export interface Replay {
  readonly recording: Recording;
  readonly folder: string;
  /** Takes the place of the network until it is closed. */
  readonly play: (sender: HttpSender) => Tape & { close(): void };
}
