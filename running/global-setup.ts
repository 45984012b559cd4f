/** Playwright's global set-up and teardown: starts the run host, and at the end takes its record. */
import type { FullConfig } from '@playwright/test';
import { runOptions } from '../harness/profile/run-options.ts';
import { announce } from '../harness/session/host.ts';
import { handOver } from '../reports/assembling/record.ts';
import { HostedRun } from './hosted-run.ts';

/** Starts only the host. The session opens when a check first asks for it, since the suite's own tests need no target. */
export default async function globalSetup(_: FullConfig): Promise<() => Promise<void>> {
  const hosted = await HostedRun.start(runOptions());
  announce(hosted.address);
  // Handled only once, so that a second signal ends the process at once.
  process.once('SIGINT', () => void hosted.interrupt());
  return async () => {
    try {
      if (!hosted.isOpen) return;
      const run = await hosted.session();
      if (!run.tenancy.interrupted) await run.finish();
      handOver(await hosted.end());
      await hosted.written();
    } finally {
      await hosted.close();
    }
  };
}
