/** What the commands for development (faults, fuzz, dialects) share: help, messages about wrong usage, and the end. */
import { writeFileSync } from 'node:fs';
import { type Command, CommanderError } from 'commander';
import { ConfigurationError } from '../record/errors.ts';
import { print, printError } from '../record/print.ts';

const wrongUsage = 3;

/** Says how many passed and failed, also to a file where one is named; gives the exit code. */
export function told(
  what: string,
  startedMs: number,
  outcome: { readonly passed: number; readonly failed: number },
  counts?: string,
): number {
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  print(`${what} in ${seconds} s\n${outcome.passed} passed, ${outcome.failed} failed\n`);
  if (counts) writeFileSync(counts, JSON.stringify(outcome));
  return outcome.failed === 0 ? 0 : 1;
}

/** Reads the arguments and runs the command. @returns the exit code: that of the command, or 3 for wrong arguments */
export async function developmentCommand<Options>(
  command: Command,
  args: readonly string[],
  run: (names: readonly string[], options: Options) => Promise<number>,
): Promise<number> {
  try {
    command.exitOverride().configureOutput({ writeErr: printError, writeOut: print });
    command.showHelpAfterError().parse(args, { from: 'user' });
    return await run(command.args, command.opts<Options & object>());
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUsage;
    if (!(error instanceof ConfigurationError)) throw error;
    printError(`${error.message}\n${command.helpInformation()}`);
    return wrongUsage;
  }
}
