/** What the commands for development (faults, fuzz, dialects) share: options, help, and messages about wrong usage. */

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ConfigurationError } from '../record/errors.ts';
import { print, printError } from '../record/print.ts';

const wrongUsage = 3;

/**
 * Reads the arguments and runs the command; `--help` prints `usage`.
 * @returns the exit code: that of the command, or 3 for wrong arguments
 */
export async function developmentCommand<const Options extends NonNullable<ParseArgsConfig['options']>>(
  { usage, options, args }: { usage: string; options: Options; args: readonly string[] },
  run: (
    values: ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true }>>['values'],
    positionals: readonly string[],
  ) => Promise<number>,
): Promise<number> {
  try {
    if (args.includes('--help')) {
      print(usage);
      return 0;
    }
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return await run(values, positionals);
  } catch (error) {
    const wrongOption = String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
    if (!(error instanceof ConfigurationError) && !wrongOption) throw error;
    printError(`${(error as Error).message}\n${usage}`);
    return wrongUsage;
  }
}
