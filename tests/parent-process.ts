/** Ties a process of Playwright to the one that started it: it is interrupted from there, and ends when that is gone. */
import { type ChildProcess, spawn } from 'node:child_process';

/** A signal would do on most systems; on Windows it ends a process at once, and nothing would be removed or written. */
const interruptMessage = 'esign-conformance: interrupt';

/** How long a process without its parent may take to remove what it created: nobody sees it any more. */
const orphanMs = 30_000;

type Options = Omit<NonNullable<Parameters<typeof spawn>[2]>, 'stdio'>;

/** Starts Node so that it can `followParent`. Its output goes where ours goes, or nowhere. */
export function spawnFollowing(
  given: readonly string[],
  output: 'inherit' | 'ignore',
  options: Options,
): ChildProcess {
  return spawn(process.execPath, given, { ...options, stdio: [output, output, output, 'ipc'] });
}

/** Asks a process that was started so to come to its end, as Ctrl+C does. */
export function interrupt(child: ChildProcess): void {
  const withSignal = () => child.kill('SIGINT');
  if (!child.connected) withSignal();
  else child.send(interruptMessage, (error) => error && withSignal());
}

/**
 * Called first thing in global set-up. Whoever is killed cannot tell anybody: only that the channel closes is seen,
 * on every system. Without a channel, as under Playwright's own tools, nothing is tied.
 */
export function followParent(): void {
  if (process.send === undefined) return;
  // What Ctrl+C does here: the listeners of Playwright and of the run are told, whether or not the system has signals.
  const interrupted = () => void process.emit('SIGINT', 'SIGINT');
  const orphaned = () => {
    interrupted();
    setTimeout(() => process.exit(2), orphanMs).unref();
  };
  if (!process.connected) process.exit(2);
  process.on('message', (message) => {
    if (message === interruptMessage) interrupted();
  });
  process.once('disconnect', orphaned);
  // A terminal tells all processes, and so does the parent: on a busy machine the second time comes late, and must
  // not end this process at once. Who asks twice has it ended by the parent.
  process.on('SIGINT', () => undefined);
  process.channel?.unref();
}
