/** Playwright's global set-up and teardown: the run host comes up, and at the end hands over what was recorded. */
import type { FullConfig } from '@playwright/test';
import { runOptions } from '../harness/profile/run-options.ts';
import { announce } from '../harness/session/host.ts';
import { handOver } from '../reports/assembling/record.ts';
import { HostedRun } from './hosted-run.ts';

/** Nothing but the host is started before a check asks: the suite's own tests need no target. */
export default async function globalSetup(_: FullConfig): Promise<() => Promise<void>> {
  const hosted = await HostedRun.start(runOptions());
  announce(hosted.address);
  // Once: a second one ends the process at once.
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
