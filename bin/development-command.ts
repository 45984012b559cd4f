/** What the commands for development (faults, fuzz, dialects) share: help, and messages about wrong usage. */
import { type Command, CommanderError } from 'commander';
import { ConfigurationError } from '../record/errors.ts';
import { print, printError } from '../record/print.ts';

const wrongUsage = 3;

/**
 * Reads the arguments and runs the command.
 * @returns the exit code: that of the command, or 3 for wrong arguments
 */
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
