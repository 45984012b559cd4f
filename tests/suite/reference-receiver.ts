/** Receives callbacks in tests of the reference service, and answers them as told. */
import { expect } from '@playwright/test';
import { type Arrived, serve } from './services/loopback.ts';

export interface Received extends Arrived {
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Receiver {
  readonly baseUrl: string;
  readonly received: readonly Received[];
  /** Statuses of the next answers; 200 when there are none left. `0` closes the connection. */
  readonly answers: number[];
  /** Resolves when `count` callbacks have arrived. */
  arrived(count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers: number[] = [];
  const { baseUrl, close } = await serve((request, response) => {
    const status = answers.shift() ?? 200;
    if (status === 0) response.socket?.destroy();
    else response.writeHead(status, headersOf(status)).end();
    received.push({ ...request, at: Date.now() });
  });
  const arrived = async (count: number) => {
    await expect.poll(() => received.length).toBeGreaterThanOrEqual(count);
    return received;
  };
  return { baseUrl, received, answers, arrived, close };
}

function headersOf(status: number): Record<string, string> {
  if (status === 101) return { Connection: 'Upgrade', Upgrade: 'other' };
  return status === 302 ? { Location: '/elsewhere' } : {};
}

/** The JSON in a callback. */
export function jsonOf({ body }: Received): Record<string, unknown> {
  return JSON.parse(body.toString('utf8')) as Record<string, unknown>;
}
