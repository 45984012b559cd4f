/** How the command line is called, and commands that can be pasted as they are printed. */
import { resolve } from 'node:path';

/** How the program is called in a text for people. */
export function calledAs(): string {
  if (process.env.npm_lifecycle_event === 'conformance') return 'npm run conformance --';
  return commandLine(...(byNpx() ?? ['esign-conformance']));
}

/** A message of the lower layers, which name the program as it is called where it is installed. */
export function asCalled(message: string): string {
  return message.replaceAll(/\besign-conformance (?=[a-z])/g, `${calledAs()} `);
}

/** The command that removes what a run left, to be pasted from where this one was called. */
export function cleanupCommand(out: string, target: string | undefined): string {
  return commandLine(
    ...program(),
    'cleanup',
    out,
    '--target',
    target === undefined ? 'PROFILE' : resolve(target),
  );
}

/** The words before the command where npx started the program, which then is on nobody's PATH. */
function byNpx(): string[] | undefined {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '', npm_config_package } = process.env;
  if (event !== 'npx' || !/^['"]?esign-conformance\b/.test(script)) return undefined;
  return ['npx', ...(npm_config_package ? ['--package', npm_config_package] : []), 'esign-conformance'];
}

/** How this process was started. */
function program(): string[] {
  const { npm_lifecycle_event: script, INIT_CWD: from = process.cwd() } = process.env;
  const [, entry = ''] = process.argv;
  if (script === 'conformance') {
    const elsewhere = from === process.cwd() ? [] : ['--prefix', process.cwd()];
    return ['npm', ...elsewhere, 'run', 'conformance', '--'];
  }
  return byNpx() ?? (entry.endsWith('.mjs') ? ['node', entry] : ['esign-conformance']);
}

/** A command to be pasted into a shell as it is: words with blanks or signs in them stand in quotes. */
export function commandLine(...words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

function quoted(word: string): string {
  if (process.platform === 'win32') return /^[\w:\\/.@=,+-]+$/.test(word) ? word : `"${word}"`;
  return /^[\w%+=:,./@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
