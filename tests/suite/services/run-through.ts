/** Runs all checks against the plain service behind a proxy. */
import type { Run } from '../../../reports/run.ts';
import { type CommandResult, command, readRun } from '../command.ts';
import type { Arrived } from './loopback.ts';
import { startPlainService } from './plain-service.ts';
import { type Behaviour, startProxy } from './proxy.ts';

export interface RunThrough extends CommandResult {
  readonly run: Run;
  /** The calls that reached the proxy, in order. */
  readonly calls: readonly Arrived[];
}

export async function runThrough(out: string, behave: Behaviour): Promise<RunThrough> {
  const service = await startPlainService();
  const proxy = await startProxy(service.baseUrl, behave);
  const env = { ESIGN_TOKEN: service.token, ESIGN_EXPIRED_TOKEN: service.expiredToken };
  const result = await command(['--base-url', proxy.baseUrl, '--out', out], env);
  await proxy.close();
  await service.close();
  return { ...result, run: readRun(out), calls: proxy.calls };
}
