/** Receives one body: hashed as it streams, kept in memory while it is small, written to disk from 64 KiB on. */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { type Moment, moment } from '../../record/clock.ts';
import type { StoredBody } from '../../record/delivery.ts';
import type { ListenerLimits } from '../profile/callback-settings.ts';
import { Gathered } from '../untrusted/gathered.ts';
import type { RefusalReason } from './limits.ts';

/** Larger bodies go to disk. */
const memoryBytes = 64 * 1024;

/** When all small bodies together have reached this, further ones go to disk too. */
const memoryBytesOfAll = 64 * 1024 * 1024;

/** What the bodies of all deliveries take up; one object for a listener. */
export interface Usage {
  bytes: number;
  /** The part that is in memory. */
  memoryBytes: number;
}

interface IntakeRules {
  readonly limits: Pick<ListenerLimits, 'bodyBytes' | 'bytes' | 'arrivalMs'>;
  readonly usage: Usage;
  /** Where large bodies go; they are named by their hash. */
  readonly folder: string;
}

type ReceivedBody =
  | { readonly whole: true; readonly body: StoredBody; readonly arrived: Moment }
  | { readonly whole: false; readonly reason: RefusalReason; readonly cause?: Error };

/** Reads the body of a request to its end or to a limit. Never rejects; leaves the request open for an answer. */
export async function receive(request: IncomingMessage, rules: IntakeRules): Promise<ReceivedBody> {
  const { limits, usage, folder } = rules;
  if (Number(request.headers['content-length'] ?? 0) > limits.bodyBytes)
    return { whole: false, reason: 'body-size' };
  const hash = createHash('sha256');
  const gathered = new Gathered();
  let part = '';
  let file: WriteStream | undefined;
  let size = 0;

  const stopped = await new Promise<{ reason?: RefusalReason; cause?: Error }>((resolve) => {
    const timer = setTimeout(() => stop('arrival-time'), limits.arrivalMs);
    const stop = (reason?: RefusalReason, cause?: Error): void => {
      clearTimeout(timer);
      request.off('data', take).off('end', end).off('close', lost).off('error', lost);
      request.pause();
      resolve({ reason, cause });
    };
    const end = (): void => stop();
    const lost = (): void => stop('incomplete');
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      usage.bytes += chunk.length;
      if (size > limits.bodyBytes) stop('body-size');
      else if (usage.bytes > limits.bytes) stop('bytes');
      else keep(chunk);
    };
    const keep = (chunk: Buffer): void => {
      hash.update(chunk);
      if (!file && size <= memoryBytes && usage.memoryBytes + size <= memoryBytesOfAll) {
        gathered.add(chunk);
        return;
      }
      if (!file) {
        part = join(folder, `${randomUUID()}.part`);
        file = createWriteStream(part);
        // The handler stays as long as the file is open: the disk may fill up between two chunks.
        file.on('error', (cause) => stop('storage', cause));
        file.on('drain', () => request.resume());
        file.write(gathered.take());
      }
      if (!file.write(chunk)) request.pause();
    };
    request.on('data', take).on('end', end).on('close', lost).on('error', lost);
  });

  const cause = stopped.cause ?? (file ? await closed(file) : undefined);
  const reason = stopped.reason ?? (cause ? 'storage' : undefined);
  if (reason) {
    usage.bytes -= size;
    if (file) await rm(part, { force: true });
    return { whole: false, reason, cause };
  }
  const arrived = moment();
  const sha256 = hash.digest('hex');
  if (!file) {
    usage.memoryBytes += size;
    return { whole: true, arrived, body: { size, sha256, base64: gathered.take().toString('base64') } };
  }
  return { whole: true, arrived, body: { size, sha256, file: part } };
}

/** Gives the file of a body its final name, its hash; two bodies that are equal share one file. */
export async function namedByHash(body: StoredBody, folder: string): Promise<StoredBody> {
  if (!('file' in body)) return body;
  const file = join(folder, body.sha256);
  await rename(body.file, file);
  return { ...body, file };
}

/** Forgets a body that is not kept. */
export async function discard(body: StoredBody, usage: Usage): Promise<void> {
  usage.bytes -= body.size;
  if ('file' in body) await rm(body.file, { force: true });
  else usage.memoryBytes -= body.size;
}

/** Waits until everything is on disk; the error when it is not. */
async function closed(file: WriteStream): Promise<Error | undefined> {
  return new Promise((resolve) => {
    file.once('error', resolve);
    file.end(() => resolve(undefined));
  });
}
