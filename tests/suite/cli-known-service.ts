/** A service behind one address whose behaviour a test changes between runs, and runs of the command line on it. */
import type { TestInfo } from '@playwright/test';
import { readRun } from '../../reports/run-file.ts';
import { type Ended, inProcess } from './cli-spawn.ts';
import { startPlainService } from './services/plain-service.ts';
import { asItIs, type Behaviour, startProxy } from './services/proxy.ts';

export interface KnownService {
  /** From now on. */
  behave(behaviour: Behaviour): void;
  /** Runs the checks; the result lies in the folder `out` of the test's output. */
  run(out: string, ...given: readonly string[]): Promise<Ended & { run: ReturnType<typeof readRun> }>;
  close(): Promise<void>;
}

export async function startKnownService(info: TestInfo): Promise<KnownService> {
  const service = await startPlainService();
  let now = asItIs;
  const proxy = await startProxy(service.baseUrl, (passing) => now(passing));
  const env = { ESIGN_TOKEN: service.token };
  return {
    behave: (behaviour) => {
      now = behaviour;
    },
    run: async (out, ...given) => {
      const folder = info.outputPath(out);
      const ended = await inProcess(['--base-url', proxy.baseUrl, '--out', folder, ...given], env);
      return { ...ended, run: readRun(folder) };
    },
    close: async () => {
      await proxy.close();
      await service.close();
    },
  };
}

/** Creates requests that have no Title, the first so many times. */
export function withoutTitle(times = Number.POSITIVE_INFINITY): Behaviour {
  let left = times;
  return async (passing) => {
    const { request, reply } = passing;
    const isCreation = request.url.includes('type=0') && request.method === 'POST';
    if (!isCreation || request.body.includes('"Title"') || left <= 0) return asItIs(passing);
    left -= 1;
    reply({
      status: 201,
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.from(JSON.stringify({ requestId: `without-title-${left}` })),
    });
  };
}

/** Creations succeed with another status. */
export const accepted202: Behaviour = async ({ request, forward, reply }) => {
  const answer = await forward();
  const changes = request.url.includes('type=0') && answer.status < 300;
  reply(changes ? { ...answer, status: 202 } : answer);
};
