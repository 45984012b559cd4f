/** The command line: commands, options and help; each command is loaded only when it is called. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { runDefaults } from '../harness/profile/run-options.ts';
import { ConfigurationError } from '../record/errors.ts';
import { print, printError } from '../record/print.ts';
import { didYouMean } from '../record/schema-errors.ts';
import { staleModes } from '../reports/run/deviations.ts';
import { suiteVersion } from '../reports/run/package.ts';
import { asCalled, calledAs } from './called-as.ts';
import { examplesOf } from './examples.ts';

const usage = 3;
const broken = 4;

type Complain = (text: string) => void;

/** Runs the command that `argv` names; gives the exit code. @throws the error of an import that cannot load */
export async function main(argv: readonly string[], complain: Complain = printError): Promise<number> {
  let code = 0;
  try {
    const commands = program(complain, (given) => {
      code = given;
    });
    refuseUnknown(commands, argv[2] === 'help' ? argv[3] : argv[2]);
    await commands.parseAsync([...argv]);
    return code;
  } catch (error) {
    return explain(error, complain);
  }
}

/** @param finish is called with the exit code of the command that ran */
function program(complain: Complain, finish: (code: number) => void): Command {
  const root = new Command('esign-conformance')
    .description('Checks an electronic signature request service against its interface document.')
    .version(suiteVersion().version)
    .helpCommand('help [command]', 'show the help of a command')
    .configureOutput({ writeErr: complain, writeOut: print })
    .addHelpText('after', examplesOf(''))
    .exitOverride()
    .hook('preAction', (_root, called) => refuseEmpty(called));
  /** Adds the command of these words, of which the last is its own name. */
  const command = (words: string, description: string, parent = root) => {
    const name = words.replace(/ [<[].*/, '');
    return parent
      .command(words.replace(/^deviations (?=\w)/, ''), { isDefault: words === 'run' })
      .description(description)
      .showHelpAfterError(`(${calledAs()} ${name} --help shows what there is)`)
      .addHelpText('after', examplesOf(name))
      .allowExcessArguments(false)
      .exitOverride();
  };

  /** An action that loads a module, calls its function of this name with the arguments, and passes on the exit code. */
  const calls =
    <Name extends string>(
      load: () => Promise<Readonly<Record<Name, (...given: never[]) => number | Promise<number>>>>,
      name: Name,
    ) =>
    async (...given: unknown[]) =>
      // The last argument is the command itself.
      finish(await (await load())[name](...(given.slice(0, -1) as never[])));

  command('run', 'run the checks (the default); without --target against the reference service')
    .option(
      '--target <profile>',
      'target profile, YAML or JSON; several times for several targets, which are compared',
      repeated,
    )
    .option(
      '--base-url <url>',
      'target without a profile; its access token is read from ESIGN_TOKEN, one that has expired (optional) from ESIGN_EXPIRED_TOKEN',
    )
    .option('--out <dir>', 'folder for run.json and the reports', runDefaults.out)
    .option('--only <id|area>', 'only these requirements or areas; may be repeated, or a list a,b', names)
    .option('--checks <dir>', 'also requirements and checks of your own, counted apart')
    .option('--strict', 'a failed "should" counts as a failure')
    .option(
      '--since <version>',
      'what is newer than this version of the suite is reported, and does not gate',
      version,
    )
    .option('--seed <n>', 'decides every choice of the generators', integer(0), runDefaults.seed)
    .option('--concurrency <n>', 'calls in flight at the same time', integer(1), runDefaults.concurrency)
    .option('--no-manual', 'ask nobody to sign, also where the profile says that people do')
    .option('--resume <run>', 'go on with the requests that an earlier run left with people')
    .option(
      '--explore',
      'send all that is only observed: the whole OTP matrix, unusual documents, a signer who declines',
    )
    .option(
      '--explore-steps <n>',
      'after the checks also make this many steps of random sequences',
      integer(1),
    )
    .option('--thorough', 'after the checks explore until every situation was seen, 3,000 steps at most')
    .option('--replay-sequence <file>', 'after the checks also play a sequence that exploring has written')
    .option('--deviations <file>', 'failures that are known and accepted until a date, YAML')
    .addOption(staleMode())
    .option('--baseline <run>', 'accepted run or baseline to measure drift against')
    .addOption(strictDrift())
    .addOption(driftFactor())
    .option('--recheck <run>', 'run again only what failed, could not run or deviates in an earlier run')
    .option('--no-confirm', 'do not ask about failures again at the end')
    .option('--budget <n>', 'create at most this many signature requests; musts go first', integer(1))
    .option('--record <dir>', 'keep what is sent and received, without secrets, to judge it again')
    .option('--replay <dir>', 'judge such a recording again; calls nothing')
    .option('--single-file', 'with the style sheet in index.html, to mail it alone')
    .option('--dry-run', 'say how much a run would call, create and send; calls nothing')
    .action(calls(() => import('./run.ts'), 'runTargets'));

  command('explore', 'make random sequences of steps, without the checks, and make what fails shorter')
    .option('--target <profile>', 'target profile, YAML or JSON')
    .option('--base-url <url>', 'target without a profile; its access token is read from ESIGN_TOKEN')
    .option('--out <dir>', 'folder for run.json and the reports', runDefaults.out)
    .option('--steps <n>', 'steps at most; 300 by default, where no --time is given', integer(1))
    .option(
      '--time <duration>',
      'how long sequences are made, such as 90s or 2m; shortening, callbacks and clean-up come on top',
      duration,
    )
    .option('--seed <n>', 'decides which sequences are made', integer(0), runDefaults.seed)
    .option('--replay-sequence <file>', 'instead play a sequence that exploring has written')
    .option('--concurrency <n>', 'calls in flight at the same time', integer(1), runDefaults.concurrency)
    .option('--budget <n>', 'create at most this many signature requests', integer(1))
    .option('--strict', 'a failed "should" counts as a failure')
    .option('--single-file', 'with the style sheet in index.html, to mail it alone')
    .option('--dry-run', 'say how much it would call, create and send; calls nothing')
    .action(calls(() => import('./run.ts'), 'explore'));

  command('list', 'print requirements, checks and gaps; calls nothing')
    .option('--checks <dir>', 'also requirements and checks of your own')
    .option('--json', 'as JSON')
    .action(calls(() => import('./list.ts'), 'list'));

  command('probe', 'find out how a target fills the gaps, and draft its profile')
    .option('--base-url <url>', 'target without a profile; its access token is read from ESIGN_TOKEN')
    .option('--target <profile>', 'profile to start from, with address and auth at least; its keys stay')
    .option('--out <profile>', 'file for the drafted profile, YAML; otherwise it is printed')
    .option('--yes', 'do not ask before the first call')
    .option('--force', 'overwrite the file of --out')
    .action(calls(() => import('./probe.ts'), 'probe'));

  command('login', 'log in in a browser, for profiles with auth.kind authorization-code')
    .requiredOption('--target <profile>', 'target profile, YAML or JSON')
    .option('--open', 'open the address in a browser; otherwise it is only printed')
    .option('--timeout <seconds>', 'how long to wait for the browser', integer(1, 3600), 300)
    .action(calls(() => import('./login.ts'), 'login'));

  command('cleanup <run>', 'remove at the target what a run, also one that was killed, has left there')
    .option('--target <profile>', 'profile of the target of the run, with the calls that remove')
    .option('--of-others', 'remove also what was listed by others, or on another machine')
    .action(calls(() => import('./cleanup.ts'), 'cleanup'));

  command('serve', 'run the reference service to develop against, until Ctrl+C')
    .option('--port <n>', 'port; 0 takes any free one', integer(0, 65_535), 0)
    .option('--host <address>', 'address to listen on, such as 0.0.0.0 in a container', '127.0.0.1')
    .option('--public-url <url>', 'where others reach it; links and documents stand below it')
    .option('--json', 'print address and credentials as one line of JSON')
    .option('--verbose', 'print a line for each call and callback')
    .option('--data <dir>', 'keep what is stored in this folder; otherwise in memory')
    .option('--dialect <name=value>', 'another way to fill a gap; may be repeated', repeated)
    .option('--list', 'print the settings of the dialect and the faults, and stop')
    .option('--fault <id>', 'violate a requirement on purpose; may be repeated', repeated)
    .addOption(new Option('--client-id <id>', 'client of the token endpoint').env('REFERENCE_CLIENT_ID'))
    .addOption(
      new Option('--client-secret <secret>', 'its secret; a new one by default').env(
        'REFERENCE_CLIENT_SECRET',
      ),
    )
    .action(calls(() => import('./serve.ts'), 'serve'));

  command('compare <before> [after]', 'what changed between two runs, or between a baseline and a run')
    .addOption(strictDrift())
    .addOption(driftFactor())
    .option('--json', 'as JSON')
    .option('--markdown', 'as Markdown')
    .option('--accept', 'write the run as a small baseline instead, to be committed')
    .option('--out <file>', 'where --accept writes')
    .action(calls(() => import('./compare.ts'), 'compare'));

  const deviations = command('deviations', 'keep the file of accepted deviations');
  command(
    'deviations draft <run>',
    'write an entry for each failure of a run; owner and date are yours to fill in',
    deviations,
  )
    .option('--out <file>', 'file to write; otherwise it is printed')
    .action(calls(() => import('./deviations.ts'), 'draft'));
  command(
    'deviations prune <run>',
    'remove the entries that the run does not need any more; comments stay',
    deviations,
  )
    .requiredOption('--file <file>', 'the deviations file')
    .action(calls(() => import('./deviations.ts'), 'prune'));

  command('report <run...>', 'render a run again; merge the shards of one; compare several runs')
    .option('--out <dir>', 'folder for the reports; otherwise that of the run')
    .option(
      '--ticket <id>',
      'instead, evidence about a requirement or an open question as Markdown, for the support of the target',
    )
    .option('--single-file', 'with the style sheet in the pages, to mail them alone')
    .option('--gaps <file>', 'instead, the open questions as Markdown, to take to the vendor')
    .option(
      '--deviations <file>',
      'of merged shards: failures that are known and accepted until a date, YAML',
    )
    .addOption(staleMode())
    .option('--baseline <run>', 'of merged shards: accepted run or baseline to measure drift against')
    .addOption(strictDrift())
    .addOption(driftFactor())
    .action(calls(() => import('./report.ts'), 'report'));

  return root;
}

const strictDrift = () =>
  new Option('--strict-drift', 'changes where the document is silent count as failures too');

const staleMode = () =>
  new Option('--stale <mode>', 'what a deviation that is not needed any more does to the run')
    .choices(staleModes)
    .default('fail');

const driftFactor = () =>
  new Option(
    '--drift-factor <n>',
    'times and counts that changed by more than this factor are drift',
  ).argParser(factor);

/** `run` is the default command, so commander would take a misspelled command for an argument of it. */
function refuseUnknown(root: Command, first: string | undefined): void {
  const known = [...root.commands.map((each) => each.name()), 'help'];
  if (first === undefined || first.startsWith('-') || known.includes(first)) return;
  // npm takes options for its own, and hands on what stands behind them.
  const hint = calledAs().startsWith('npm') ? '; after npm run conformance, -- stands before options' : '';
  throw new ConfigurationError(
    `there is no command "${first}"${didYouMean(first, known)} (commands: ${known.join(', ')})${hint}`,
  );
}

/**
 * Refuses empty options: an unset variable of a pipeline leaves `--target ""`, and the wrong target would be checked. An empty
 * environment variable counts as unset.
 */
function refuseEmpty(called: Command): void {
  for (const option of called.options) {
    const name = option.attributeName();
    if (![called.opts()[name]].flat().includes('')) continue;
    if (called.getOptionValueSource(name) !== 'env')
      throw new ConfigurationError(`${option.long} is empty; leave it out, or give its value`);
    called.setOptionValue(name, undefined);
  }
}

/** Codes of errors of an import that cannot load a file: `esign-conformance.mjs` says how to repair that. */
const unloadable = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'EMFILE', 'ENFILE'];

/** Errors whose message is complete for the user. */
const forUsers = ['ConfigurationError', 'FileTrouble'];

function explain(error: unknown, complain: Complain): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usage;
  if (error instanceof Error && forUsers.includes(error.name)) {
    complain(`esign-conformance: ${asCalled(onOneScreen(error.message))}\n`);
    return usage;
  }
  if (unloadable.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  complain(`esign-conformance broke: ${message}\n`);
  if (process.env.ESIGN_DEBUG && error instanceof Error) complain(`${error.stack}\n`);
  else complain('This is a mistake of the suite; ESIGN_DEBUG=1 shows where.\n');
  return broken;
}

/** The first mistakes of a file that has many, a line each: the others show once these are mended. */
function onOneScreen(message: string): string {
  const lines = message.split('\n');
  const left = lines.length - mostLines;
  return left > 1 ? [...lines.slice(0, mostLines), `… and ${left} more lines`].join('\n') : message;
}

const mostLines = 24;

/** A repeatable option whose values are taken as they are. */
const repeated = (value: string, before: readonly string[] = []): string[] => [...before, value];

/** A repeatable option that also takes lists: `--only a,b --only c`. */
function names(value: string, before: readonly string[] = []): string[] {
  const given = value.split(',').map((name) => name.trim());
  if (given.includes(''))
    throw new InvalidArgumentError('Give requirement ids or areas, separated by commas.');
  return [...before, ...given];
}

export function integer(lowest: number, highest = Number.MAX_SAFE_INTEGER): (value: string) => number {
  return (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= lowest && number <= highest) return number;
    const range = highest === Number.MAX_SAFE_INTEGER ? `at least ${lowest}` : `${lowest} to ${highest}`;
    throw new InvalidArgumentError(`Give a whole number, ${range}.`);
  };
}

function version(value: string): string {
  if (/^\d+\.\d+\.\d+$/.test(value)) return value;
  throw new InvalidArgumentError('Give a version of the suite, such as 0.1.0.');
}

export function factor(value: string): number {
  const number = Number(value);
  if (/^\d+(\.\d+)?$/.test(value) && number > 1) return number;
  throw new InvalidArgumentError('Give a number above 1, such as 3.');
}

const millisecondsOf = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds of a time such as `90s`, `2m` or `1h`. */
function duration(value: string): number {
  const [, number = '0', unit = 's'] = /^(\d{1,4})(s|m|h)$/.exec(value) ?? [];
  const ms = Number(number) * millisecondsOf[unit as keyof typeof millisecondsOf];
  if (ms > 0) return ms;
  throw new InvalidArgumentError('Give a time such as 90s, 2m or 1h.');
}
